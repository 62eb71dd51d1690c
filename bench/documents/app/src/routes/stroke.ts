import { route } from "kit"
import { z } from "zod"

// A client may publish 20 events a second; a route is not limited.
export default route()
  .schema(z.object({ client: z.number(), clock: z.number(), text: z.string() }))
  .access(({ session }) => session !== null)
  .handler(({ input, channels }) => channels.strokes.publish({ event: "stroke", data: input }))
