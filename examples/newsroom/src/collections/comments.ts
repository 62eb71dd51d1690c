import { collection } from "kit"
import { isAdmin } from "../_rules.ts"

export default collection("comments")
  .fields(({ f }) => ({
    article: f.relation("articles").required().onDelete("cascade"),
    author: f.relation("users").required(),
    text: f.textarea().required().trim().min(1).max(2000),
  }))
  .label({ en: "Comments", sk: "Komentáre" }, { en: "Comment", sk: "Komentár" })
  .icon("message-square")
  .group({ en: "Content", sk: "Obsah" })
  .list({ columns: ["text", "author", "article", "createdAt"], orderBy: { createdAt: "desc" } })
  .access({
    // Anonymous callers see only the comments of published articles.
    read: ({ session }) => (session ? true : { article: { is: { stage: "published" } } }),
    create: ({ session }) => session && { author: session.user.id },
    update: ({ session }) => session && { author: session.user.id },
    delete: isAdmin,
  })
