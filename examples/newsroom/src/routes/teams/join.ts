import { ApiError, route, signedIn } from "kit"
import { z } from "zod"

/** Makes the caller a member of the team that the code is for. A code works once, and only for its address. */
export default route()
  .schema(z.object({ code: z.uuid() }))
  .access(signedIn)
  .handler(({ input, session, clock, transaction }) =>
    transaction(async ({ asSystem }) => {
      const { collections } = asSystem()
      const [invite] = await collections.invites.updateMany({
        where: { code: input.code, email: session.user.email, acceptedAt: null },
        data: { acceptedAt: clock.now() },
      })
      if (!invite) throw new ApiError("NOT_FOUND", { message: "This invitation is not for you, or was used already." })
      await collections.memberships.create({ team: invite.team, user: session.user.id })
      return { team: invite.team }
    }),
  )
