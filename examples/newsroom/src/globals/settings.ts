import { global } from "kit"
import { isAdmin } from "../_rules.ts"

export default global("settings")
  .fields(({ f }) => ({
    siteName: f.text(80).required(),
    tagline: f.text(200),
    frontPageArticle: f.relation("articles"),
  }))
  .access({ read: true, update: isAdmin })
