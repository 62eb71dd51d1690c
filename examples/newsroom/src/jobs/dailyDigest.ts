import { job } from "kit"
import { z } from "zod"

const DAY_MS = 86_400_000

/** Each morning, starts the digest of every team. They are jobs of their own: one that fails is tried again alone. */
export default job({
  name: "daily-digest",
  schema: z.object({}),
  options: { cron: { pattern: "0 6 * * *", timeZone: "Europe/Bratislava" } },
  handler: async ({ clock, transaction }) => {
    const since = new Date(clock.now().getTime() - DAY_MS).toISOString()
    await transaction(async ({ collections, queue }) => {
      const { docs } = await collections.teams.find({ columns: { id: true }, limit: 1000 })
      for (const { id } of docs) await queue.teamDigest.publish({ team: id, since })
    })
  },
})
