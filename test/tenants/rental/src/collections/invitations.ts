import { collection } from "kit"
import { isHostOfOrganisation } from "../_hosts.ts"

export default collection("invitations")
  .fields(({ f }) => ({
    organisation: f.relation("organisations").required(),
    sender: f.relation("memberships"),
    user: f.text().required(),
  }))
  .access({ read: isHostOfOrganisation, create: isHostOfOrganisation, delete: isHostOfOrganisation })
