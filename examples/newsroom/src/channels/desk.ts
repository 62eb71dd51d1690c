import { channel } from "kit"
import { z } from "zod"
import { isInTeam } from "../_in-team.ts"

/** The events of a team, and who is online. */
export default channel("desk-[team]")
  .events({
    note: z.object({ text: z.string().min(1).max(500) }),
    published: z.object({ article: z.uuid(), title: z.string() }),
    /** A member has scheduled the publication of an article, or has cancelled it. */
    scheduled: z.object({ article: z.uuid() }),
  })
  .access({
    subscribe: isInTeam,
    // Only the server announces that an article is published.
    publish: async (context) => context.event !== "published" && (await isInTeam(context)),
  })
  .presence(({ session }) => ({ name: session?.user.name ?? "" }))
