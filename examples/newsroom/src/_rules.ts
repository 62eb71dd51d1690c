import type { HandlerContext } from "kit"

export const isSignedIn = ({ session }: HandlerContext) => session !== null

export const isAdmin = ({ session }: HandlerContext) => session?.user.role === "admin"

export const isSelf = ({ session }: HandlerContext) => session && { id: session.user.id }

/** The rows of the teams that the caller belongs to; none for an anonymous one. */
export const isInMyTeam = ({ session }: HandlerContext) =>
  session && { team: { is: { memberships: { some: { user: session.user.id } } } } }

/** The rows of the teams that the caller is an editor of. */
export const isEditorOfTeam = ({ session }: HandlerContext) =>
  session && { team: { is: { memberships: { some: { user: session.user.id, role: "editor" as const } } } } }
