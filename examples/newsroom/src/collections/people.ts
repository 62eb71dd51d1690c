import { collection } from "kit"
import { isAdmin, isSelf } from "../_rules.ts"

export default collection("people")
  .fields(({ f }) => ({
    name: f.text(120).required().trim().min(1),
    email: f
      .text(200)
      .required()
      .unique()
      .lowercase()
      .trim()
      .access({ read: ({ session }) => session !== null }),
    bio: f.textarea(),
  }))
  .title("name")
  .access({ read: true, create: isAdmin, update: isSelf, delete: isAdmin })
