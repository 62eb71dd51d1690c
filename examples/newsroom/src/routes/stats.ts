import { route } from "kit"
import { sql } from "kit/db"

// The database stores a localized field as a map of its values by locale.
const name = sql<string>`teams.name ->> 'en'`

/** How many articles each team has published. It returns only counts, so anyone may call it. */
export default route()
  .get()
  .handler(async ({ db, clock }) => {
    const teams = await db
      .selectFrom("articles")
      .innerJoin("teams", "teams.id", "articles.team")
      .where("articles.stage", "=", "published")
      .select([name.as("name"), sql<number>`count(*)::int`.as("articles"), sql<number>`sum(words)::int`.as("words")])
      .groupBy(name)
      .orderBy(name)
      .execute()
    return { teams, at: clock.now() }
  })
