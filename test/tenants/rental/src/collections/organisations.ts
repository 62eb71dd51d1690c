import { collection } from "kit"
import { hasHost } from "../_hosts.ts"

export default collection("organisations")
  .fields(({ f }) => ({
    name: f.text(80).required(),
    createdBy: f.text().access({ update: false }),
    memberships: f.relation("memberships").hasMany({ via: "organisation" }),
    invitations: f.relation("invitations").hasMany({ via: "organisation" }),
    properties: f.relation("properties").hasMany({ via: "organisation" }),
  }))
  .access({
    read: true,
    create: ({ session }) => session && { createdBy: session.user.id },
    // Open on purpose: what is nested in it stands under rules of its own.
    update: true,
    delete: ({ session }) => session && hasHost(session.user.id, "owner"),
  })
