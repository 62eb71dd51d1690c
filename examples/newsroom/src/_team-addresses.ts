import type { HandlerContext } from "kit"

// The maximum number of recipients of one mail.
const MAX_ADDRESSES = 50

/** Returns the mail addresses of the members of a team. */
export async function teamAddresses({ collections }: Pick<HandlerContext, "collections">, team: string) {
  const { docs } = await collections.memberships.find({ where: { team }, with: { user: true }, limit: MAX_ADDRESSES })
  return docs.flatMap(({ user }) => user?.email ?? [])
}
