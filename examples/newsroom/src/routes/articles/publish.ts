import { route } from "kit"
import { z } from "zod"
import { isSignedIn } from "../../_rules.ts"

/** Publishes articles of the caller's teams, all or none. On request, it puts the first one on the front page. */
export default route()
  .schema(z.object({ articles: z.array(z.uuid()).min(1).max(50), isFrontPage: z.boolean().default(false) }))
  .access(isSignedIn)
  .handler(({ input, clock, transaction }) =>
    transaction(async ({ collections, asSystem }) => {
      const published = await collections.articles.updateMany({
        where: { id: { in: input.articles } },
        data: { status: "done", publishedAt: clock.now() },
      })
      const [first] = published
      // Writers may not change the settings themselves, so this runs as the system.
      if (first && input.isFrontPage) await asSystem().globals.settings.update({ frontPageArticle: first.id })
      return { published: published.map(({ id }) => id) }
    }),
  )
