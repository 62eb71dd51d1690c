import type { ChannelContext } from "kit"

/** True if the caller is a member of the channel's team. */
export async function isInTeam({ session, params, asSystem }: ChannelContext<{ readonly team: string }>) {
  if (!session) return false
  const where = { team: params.team, user: session.user.id }
  return (await asSystem().collections.memberships.count({ where })) > 0
}
