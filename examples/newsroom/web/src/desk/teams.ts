import { useLive } from "kit/react"
import { createContext, use } from "react"
import { client } from "../client.ts"
import type { SignedInUser } from "../shell/session.ts"

/** A team of the user. */
export interface Team {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** True if the user may publish articles of the team. */
  readonly isEditor: boolean
}

const { memberships } = client.collections

/** The teams of the user; they change when an editor invites the user, or an admin changes a role. */
export function useMemberships(user: SignedInUser) {
  return useLive(
    memberships,
    {
      where: { user: user.id },
      with: { team: { columns: { name: true, slug: true } } },
      orderBy: { team: { name: "asc" } },
    },
    {
      select: ({ docs }) => docs.flatMap(({ team, role }) => (team ? [{ ...team, isEditor: role === "editor" }] : [])),
    },
  )
}

export const TeamsContext = createContext<readonly Team[]>([])

export function useTeams(): readonly Team[] {
  return use(TeamsContext)
}

/** The team with this id, if the user is a member of it. */
export function useTeam(id: string | undefined): Team | undefined {
  return useTeams().find((team) => team.id === id)
}
