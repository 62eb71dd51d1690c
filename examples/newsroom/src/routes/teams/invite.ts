import { route, signedIn } from "kit"
import { z } from "zod"

/**
 * Invites a person to a team. The code goes only to their address. The access rule of invites decides who may invite.
 */
export default route()
  .schema(z.object({ team: z.uuid(), email: z.email() }))
  .access(signedIn)
  .handler(({ input, session, transaction }) =>
    transaction(async ({ collections, email }) => {
      const { id, code } = await collections.invites.create(input)
      await email.sendTemplate({ template: "invite", to: input.email, input: { from: session.user.name, code } })
      return { id }
    }),
  )
