import { route } from "kit"
import { z } from "zod"

export default route()
  .schema(z.object({ email: z.string(), role: z.enum(["writer", "editor"]).default("writer") }))
  .handler(async ({ input, params }) => {
    await Promise.resolve()
    return { club: params["club"], email: input.email, role: input.role }
  })
