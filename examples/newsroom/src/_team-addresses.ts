import type { HandlerContext } from "kit"

// The most that one mail can go to.
const MAX_ADDRESSES = 50

/** Where the members of a team get their mail. */
export async function teamAddresses({ collections }: Pick<HandlerContext, "collections">, team: string) {
  const { docs } = await collections.memberships.find({ where: { team }, with: { user: true }, limit: MAX_ADDRESSES })
  return docs.flatMap(({ user }) => user?.email ?? [])
}
