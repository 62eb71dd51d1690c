import { escapeHtml, job } from "kit"
import { z } from "zod"
import { teamAddresses } from "../_team-addresses.ts"

/** Mails a team that one of its articles is published. */
export default job({
  name: "notify-team",
  schema: z.object({ article: z.uuid() }),
  options: { retryLimit: 5, retryDelay: 10 },
  handler: async ({ payload, collections, email }) => {
    const article = await collections.articles.findOne({ where: { id: payload.article }, with: { author: true } })
    // The article was deleted before the job ran.
    if (!article) return
    const to = await teamAddresses({ collections }, article.team)
    if (to.length === 0) return
    const html = `<p>${escapeHtml(article.title)} by ${escapeHtml(article.author?.name ?? "somebody")} is published.</p>`
    await email.send({ to, subject: `Published: ${article.title}`, html })
  },
})
