import { job } from "kit"
import { z } from "zod"
import { teamAddresses } from "../_team-addresses.ts"

/** Mails the members of a team the articles that it has published. */
export default job({
  name: "team-digest",
  schema: z.object({ team: z.uuid(), since: z.coerce.date() }),
  handler: async ({ payload: { team, since }, collections, email }) => {
    const found = await collections.teams.findOne({ where: { id: team } })
    const articles = await collections.articles.find({
      where: { team, publishedAt: { gte: since } },
      stage: "published",
    })
    const to = await teamAddresses({ collections }, team)
    if (!found || articles.docs.length === 0 || to.length === 0) return
    const titles = articles.docs.map(({ title }) => title)
    await email.sendTemplate({ template: "digest", to, input: { team: found.name, titles } })
  },
})
