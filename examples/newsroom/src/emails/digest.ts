import { email, escapeHtml } from "kit"
import { z } from "zod"

/** The articles that a team has published since the last digest. */
export default email({
  name: "digest",
  schema: z.object({ team: z.string(), titles: z.array(z.string()).min(1) }),
  handler: ({ input: { team, titles } }) => ({
    subject: `${team}: ${titles.length} published`,
    html: `<p>New from ${escapeHtml(team)}:</p>
      <ul>${titles.map((title) => `<li>${escapeHtml(title)}</li>`).join("")}</ul>`,
  }),
})
