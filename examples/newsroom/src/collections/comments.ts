import { collection, type HandlerContext } from "kit"
import { isAdmin, isInMyTeam } from "../_rules.ts"

// Everyone sees the comments of published articles, members those of all articles of their teams, and admins all.
const isOfVisibleArticle = (context: HandlerContext) => {
  const mine = isInMyTeam(context)
  const published = { article: { is: { stage: "published" as const } } }
  return isAdmin(context) || (mine ? { OR: [published, { article: { is: mine } }] } : published)
}

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
    read: isOfVisibleArticle,
    create: ({ session }) => session && { author: session.user.id },
    update: ({ session }) => session && { author: session.user.id },
    delete: isAdmin,
  })
