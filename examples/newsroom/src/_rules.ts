import type { HandlerContext } from "kit"

export const isAdmin = ({ session }: HandlerContext) => session?.user.role === "admin"

export const isSelf = ({ session }: HandlerContext) => session && { id: session.user.id }

/** True if the caller is a member of any team. Callers see only their own memberships. */
export const isMember = async ({ session, collections }: HandlerContext) =>
  session !== null && (await collections.memberships.count()) > 0

/** True if the caller is an editor of any team. */
export const isEditor = async ({ session, collections }: HandlerContext) =>
  session !== null && (await collections.memberships.count({ where: { role: "editor" } })) > 0

/** Matches the records of the caller's teams; none for an anonymous caller. */
export const isInMyTeam = ({ session }: HandlerContext) =>
  session && { team: { is: { memberships: { some: { user: session.user.id } } } } }

/** Matches the records of the caller's teams; all of them for an admin. */
export const isInMyTeamOrAdmin = (context: HandlerContext) => isAdmin(context) || isInMyTeam(context)

/** Matches the records of the teams in which the caller is an editor. */
export const isEditorOfTeam = ({ session }: HandlerContext) =>
  session && { team: { is: { memberships: { some: { user: session.user.id, role: "editor" as const } } } } }

/** Matches the articles that the caller may change: those of their teams; if published, only as an editor. */
export const isOpenToMe = (context: HandlerContext) => {
  const [mine, edited] = [isInMyTeam(context), isEditorOfTeam(context)]
  return mine && edited && { OR: [edited, { ...mine, stage: { ne: "published" as const } }] }
}
