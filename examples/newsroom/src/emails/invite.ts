import { email, escapeHtml } from "kit"
import { z } from "zod"

/** Sends the code of an invite. */
export default email({
  name: "invite",
  schema: z.object({ from: z.string(), code: z.string() }),
  handler: ({ input }) => ({
    subject: "You are invited to the newsroom",
    html: `<p>${escapeHtml(input.from)} invites you to work on articles together.</p>
      <p>Sign up with this address, and join with the code <code>${escapeHtml(input.code)}</code>.</p>`,
  }),
})
