import { collection } from "kit"
import { isAdmin, isSignedIn } from "../_rules.ts"

export default collection("media")
  .fields(({ f }) => ({ alt: f.text(200) }))
  .upload({ types: ["image/*"], maxSize: 10 * 1024 * 1024 })
  .access({ read: true, create: isSignedIn, update: isSignedIn, delete: isAdmin })
