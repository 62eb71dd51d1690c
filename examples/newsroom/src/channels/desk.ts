import { channel } from "kit"
import { z } from "zod"
import { isInTeam } from "../_in-team.ts"

/** The events of a team, and who is online. */
export default channel("desk-[team]")
  .events({
    note: z.object({ text: z.string().min(1).max(500) }),
    published: z.object({ article: z.uuid(), title: z.string() }),
  })
  .access({
    subscribe: isInTeam,
    // Members may send notes. Only the server announces that an article is published.
    publish: async (context) => context.event === "note" && (await isInTeam(context)),
  })
  .presence(({ session }) => ({ name: session?.user.name ?? "" }))
