import { useChannel, usePresence } from "kit/react"
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react"
import { client } from "../client.ts"
import { type Team, useTeams } from "./teams.ts"

interface Member {
  readonly id: string
  readonly name: string
}

interface DeskState {
  /** The members who have the desk open, by the id of the team. */
  readonly present: Readonly<Record<string, readonly Member[]>>
  /** Rises when a publication was scheduled or cancelled, by the id of the article. */
  readonly scheduled: Readonly<Record<string, number>>
}

const EMPTY: DeskState = { present: {}, scheduled: {} }
const RoomsContext = createContext(EMPTY)

interface RoomsProps {
  readonly teams: readonly Team[]
  readonly children: ReactNode
}

/** Makes the user present in the room of each team while the desk is open, and hears what happens there. */
export function Rooms({ teams, children }: RoomsProps) {
  const [state, setState] = useState(EMPTY)
  const onMembers = useCallback(
    (team: string, members: readonly Member[]) =>
      setState((current) => ({ ...current, present: { ...current.present, [team]: members } })),
    [],
  )
  const onScheduled = useCallback(
    (article: string) =>
      setState((current) => {
        const times = (current.scheduled[article] ?? 0) + 1
        return { ...current, scheduled: { ...current.scheduled, [article]: times } }
      }),
    [],
  )
  return (
    <RoomsContext value={state}>
      {teams.map(({ id }) => (
        <Room key={id} team={id} onMembers={onMembers} onScheduled={onScheduled} />
      ))}
      {children}
    </RoomsContext>
  )
}

interface RoomProps {
  readonly team: string
  onMembers(team: string, members: readonly Member[]): void
  onScheduled(article: string): void
}

/** The room of one team. It shows nothing: hooks cannot be called in a loop, but components can. */
function Room({ team, onMembers, onScheduled }: RoomProps) {
  const { members } = usePresence(client.channels.desk, { team })
  useChannel(client.channels.desk, { team }, ({ event, data }) => {
    if (event === "scheduled" || event === "published") onScheduled(data.article)
  })
  useEffect(() => {
    onMembers(
      team,
      members.map(({ id, data }) => ({ id, name: data.name })),
    )
  }, [team, members, onMembers])
  return null
}

/** The members who have the desk of this team open, or of any of the user's teams. */
export function usePresent(team?: string): readonly Member[] {
  const { present } = use(RoomsContext)
  const teams = useTeams()
  return useMemo(() => {
    const shown = team === undefined ? teams.map(({ id }) => id) : [team]
    const members = shown.flatMap((id) => present[id] ?? [])
    return [...new Map(members.map((member) => [member.id, member])).values()]
  }, [present, teams, team])
}

/** A number that changes when the publication of this article was scheduled or cancelled by somebody. */
export function useScheduledTimes(article: string): number {
  return use(RoomsContext).scheduled[article] ?? 0
}
