import type { AccessContext } from "kit"

export const isSignedIn = ({ session }: AccessContext) => session !== null

export const isAdmin = ({ session }: AccessContext) => session?.user.role === "admin"

export const isSelf = ({ session }: AccessContext) => session && { id: session.user.id }

/** The rows of the teams that the caller belongs to; none for an anonymous one. */
export const isInMyTeam = ({ session }: AccessContext) =>
  session && { team: { is: { memberships: { some: { user: session.user.id } } } } }
