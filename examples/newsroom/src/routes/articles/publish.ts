import { route, signedIn } from "kit"
import { z } from "zod"

/** Publishes articles of the caller's teams, all or none. On request, it puts the first one on the front page. */
export default route()
  .schema(z.object({ articles: z.array(z.uuid()).min(1).max(50), isFrontPage: z.boolean().default(false) }))
  .access(signedIn)
  .handler(({ input, transaction }) =>
    transaction(async ({ collections, asSystem }) => {
      for (const id of input.articles) await collections.articles.transitionStage({ id, stage: "published" })
      // Editors may not change the settings themselves, so this runs as the system.
      const [first] = input.articles
      if (first && input.isFrontPage) await asSystem().globals.settings.update({ frontPageArticle: first })
      return { published: input.articles }
    }),
  )
