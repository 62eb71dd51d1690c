import { email, escapeHtml } from "kit"
import { z } from "zod"

export default email({
  name: "invite",
  schema: z.object({ from: z.string(), until: z.string().transform((text) => new Date(text)) }),
  handler: ({ input }) => ({ subject: "Join us", html: `${escapeHtml(input.from)} ${input.until.toISOString()}` }),
})
