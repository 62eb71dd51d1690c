import { job } from "kit"
import { z } from "zod"

const DAY_MS = 86_400_000

/** Starts the digest of every team each morning. Each digest is a separate job: if it fails, it is retried alone. */
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
