import { channel } from "kit"
import { z } from "zod"

export default channel("strokes")
  .events({ stroke: z.object({ client: z.number(), clock: z.number(), text: z.string() }) })
  .access({ subscribe: ({ session }) => session !== null, publish: ({ session }) => session !== null })
