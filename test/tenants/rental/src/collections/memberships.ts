import { collection } from "kit"
import { hasHost } from "../_hosts.ts"

export default collection("memberships")
  .fields(({ f }) => ({
    organisation: f.relation("organisations").required(),
    user: f.text().required(),
    role: f.select(["owner", "host"]).required().default("host"),
    invitations: f.relation("invitations").hasMany({ via: "sender" }),
  }))
  .options({ versions: true, softDelete: true })
  .access({
    read: true,
    create: ({ session }) => {
      if (!session) return false
      const me = session.user.id
      return {
        OR: [
          { organisation: { is: hasHost(me, "owner") } },
          { user: me, organisation: { is: { createdBy: me, memberships: { none: {} } } } },
          { user: me, role: "host", organisation: { is: { invitations: { some: { user: me } } } } },
        ],
      }
    },
    update: ({ session }) => session && { organisation: { is: hasHost(session.user.id, "owner") } },
    delete: ({ session }) => session && { organisation: { is: hasHost(session.user.id, "owner") } },
  })
