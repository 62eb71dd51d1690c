import { users } from "kit"
import { isMember, isSelf } from "../_rules.ts"

export default users()
  .fields(({ f }) => ({
    bio: f.textarea(),
    memberships: f.relation("memberships").hasMany({ via: "user" }),
  }))
  .label({ en: "Users", sk: "Používatelia" }, { en: "User", sk: "Používateľ" })
  .icon("user")
  .group({ en: "People", sk: "Ľudia" })
  .access({ read: true, update: isSelf })
  .privateAccess({ email: isMember })
