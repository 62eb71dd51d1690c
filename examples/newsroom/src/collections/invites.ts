import { randomUUID } from "node:crypto"
import { collection } from "kit"
import { isEditorOfTeam } from "../_rules.ts"

/** Invitations to a team. The code is sent to the invited address. */
export default collection("invites")
  .fields(({ f }) => ({
    team: f.relation("teams").required().onDelete("cascade"),
    email: f.email().required(),
    code: f
      .text(36)
      .required()
      .unique()
      .readOnly()
      .default(() => randomUUID()),
    acceptedAt: f.datetime().access({ create: false, update: false }),
  }))
  .label({ en: "Invitations", sk: "Pozvánky" }, { en: "Invitation", sk: "Pozvánka" })
  .group({ en: "People", sk: "Ľudia" })
  .access({ read: isEditorOfTeam, create: isEditorOfTeam, delete: isEditorOfTeam, update: false })
