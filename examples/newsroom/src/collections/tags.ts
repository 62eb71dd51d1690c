import { collection } from "kit"
import { isAdmin, isMember } from "../_rules.ts"

export default collection("tags")
  .fields(({ f }) => ({
    name: f.text(40).required().unique().trim().lowercase().min(1),
    // Tags are chosen in the article, where its rules decide who may change it. From this side only admins add them.
    articles: f.relation("articles").manyToMany({ through: "tagging" }).access({ create: isAdmin, update: isAdmin }),
  }))
  .title("name")
  .label({ en: "Tags", sk: "Značky" }, { en: "Tag", sk: "Značka" })
  .icon("tag")
  .group({ en: "Content", sk: "Obsah" })
  .access({ read: true, create: isMember, update: isAdmin, delete: isAdmin })
