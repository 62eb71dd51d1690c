import { collection } from "kit"
import { isAdmin } from "../_rules.ts"

export default collection("memberships")
  .fields(({ f }) => ({
    team: f.relation("teams").required().onDelete("cascade"),
    user: f.relation("users").required().onDelete("cascade"),
    role: f.select(["editor", "writer"]).required().default("writer"),
  }))
  .label({ en: "Memberships", sk: "Členstvá" }, { en: "Membership", sk: "Členstvo" })
  .group({ en: "People", sk: "Ľudia" })
  .indexes([{ fields: ["team", "user"], unique: true }])
  .access({
    read: ({ session }) => session && { user: session.user.id },
    create: isAdmin,
    update: isAdmin,
    delete: isAdmin,
  })
