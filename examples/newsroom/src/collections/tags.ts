import { collection } from "kit"
import { isAdmin, isSignedIn } from "../_rules.ts"

export default collection("tags")
  .fields(({ f }) => ({
    name: f.text(40).required().unique().trim().lowercase().min(1),
    articles: f.relation("articles").manyToMany({ through: "tagging" }),
  }))
  .title("name")
  .label({ en: "Tags", sk: "Značky" }, { en: "Tag", sk: "Značka" })
  .icon("tag")
  .group({ en: "Content", sk: "Obsah" })
  .access({ read: true, create: isSignedIn, update: isAdmin, delete: isAdmin })
