import { channel } from "kit"
import { z } from "zod"
import { isInTeam } from "../_in-team.ts"

/** Where a team hears what it is about to publish, and sees who is at work. */
export default channel("desk-[team]")
  .events({
    note: z.object({ text: z.string().min(1).max(500) }),
    published: z.object({ article: z.uuid(), title: z.string() }),
  })
  .access({
    subscribe: isInTeam,
    // That an article is out is said by the server alone.
    publish: async (context) => context.event === "note" && (await isInTeam(context)),
  })
  .presence(({ session }) => ({ name: session?.user.name ?? "" }))
