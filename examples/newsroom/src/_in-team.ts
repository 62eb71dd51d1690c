import type { ChannelContext } from "kit"

/** Whether the caller belongs to the team that the channel is about. */
export async function isInTeam({ session, params, asSystem }: ChannelContext<{ readonly team: string }>) {
  if (!session) return false
  const where = { team: params.team, user: session.user.id }
  return (await asSystem().collections.memberships.count({ where })) > 0
}
