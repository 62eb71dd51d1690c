import { collection } from "kit"
import { isAdmin } from "../_rules.ts"

export default collection("memberships")
  .fields(({ f }) => ({
    team: f.relation("teams").required().onDelete("cascade"),
    person: f.relation("people").required().onDelete("cascade"),
    role: f.select(["editor", "writer"]).required().default("writer"),
  }))
  .indexes([{ fields: ["team", "person"], unique: true }])
  .access({
    read: ({ session }) => session && { person: session.user.id },
    create: isAdmin,
    update: isAdmin,
    delete: isAdmin,
  })
