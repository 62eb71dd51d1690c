import { route } from "kit"
import { z } from "zod"
import { isSignedIn } from "../../_rules.ts"

/** Invites somebody to a team. Who may do so is the rule of the invites. */
export default route()
  .schema(z.object({ team: z.uuid(), email: z.email() }))
  .access(isSignedIn)
  .handler(async ({ input, collections }) => {
    const { id, code } = await collections.invites.create(input)
    return { id, code }
  })
