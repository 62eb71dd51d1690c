import { route } from "kit"
import { sql } from "kit/db"

/** How many articles each team has published. It returns only counts, so anyone may call it. */
export default route()
  .get()
  .handler(async ({ db, clock }) => {
    const teams = await db
      .selectFrom("articles")
      .innerJoin("teams", "teams.id", "articles.team")
      .where("articles.stage", "=", "published")
      .select(["teams.name", sql<number>`count(*)::int`.as("articles"), sql<number>`sum(words)::int`.as("words")])
      .groupBy("teams.name")
      .orderBy("teams.name")
      .execute()
    return { teams, at: clock.now() }
  })
