import { route } from "kit"
import { z } from "zod"
import { isSignedIn } from "../../_rules.ts"

/**
 * Invites a person to a team. The code goes only to their address. The access rule of invites decides who may invite.
 */
export default route()
  .schema(z.object({ team: z.uuid(), email: z.email() }))
  .access(isSignedIn)
  .handler(({ input, session, transaction }) =>
    transaction(async ({ collections, email }) => {
      const { id, code } = await collections.invites.create(input)
      const from = session?.user.name ?? "Somebody"
      await email.sendTemplate({ template: "invite", to: input.email, input: { from, code } })
      return { id }
    }),
  )
