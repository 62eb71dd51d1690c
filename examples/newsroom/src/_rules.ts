import type { AccessContext } from "kit"

export const isSignedIn = ({ session }: AccessContext) => session !== null

export const isAdmin = ({ session }: AccessContext) => session?.user.role === "admin"

export const isSelf = ({ session }: AccessContext) => session && { id: session.user.id }

/** The teams that the caller belongs to; none for an anonymous one. */
export async function myTeams({ session, collections }: AccessContext): Promise<string[]> {
  if (session === null) return []
  const memberships = await collections.memberships.find({ where: { person: session.user.id }, limit: 1000 })
  return memberships.docs.map((membership) => membership.team)
}
