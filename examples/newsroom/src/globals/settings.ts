import { global } from "kit"
import { isAdmin } from "../_rules.ts"

export default global("settings")
  .fields(({ f }) => ({
    siteName: f.text(80).required(),
    tagline: f.text(200).localized(),
    frontPageArticle: f.relation("articles"),
  }))
  .label({ en: "Settings", sk: "Nastavenia" })
  .description({ en: "What the front page shows.", sk: "Čo je na titulnej stránke." })
  .icon("settings")
  .access({ read: true, update: isAdmin })
