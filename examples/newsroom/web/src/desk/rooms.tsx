import { useChannel, usePresence } from "kit/react"
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react"
import { client } from "../client.ts"
import { type Team, useTeams } from "./teams.ts"

interface Member {
  readonly id: string
  readonly name: string
}

type Present = Readonly<Record<string, readonly Member[]>>

/** Called with the id of an article whose publication was scheduled, cancelled or done; undefined if it may be any. */
type ScheduleListener = (article: string | undefined) => void

interface RoomsState {
  /** The members who have the desk open, by the id of the team. */
  readonly present: Present
  /** Calls back after each change of a schedule. Returns an unsubscribe function. */
  followSchedules(listener: ScheduleListener): () => void
}

const RoomsContext = createContext<RoomsState>({ present: {}, followSchedules: () => () => {} })

interface RoomsProps {
  readonly teams: readonly Team[]
  readonly children: ReactNode
}

/** Makes the user present in the room of each team while the desk is open, and hears what happens there. */
export function Rooms({ teams, children }: RoomsProps) {
  const [present, setPresent] = useState<Present>({})
  const [listeners] = useState(() => new Set<ScheduleListener>())
  const onMembers = useCallback(
    (team: string, members: readonly Member[]) => setPresent((current) => ({ ...current, [team]: members })),
    [],
  )
  const onSchedule = (article: string | undefined) => {
    for (const listener of listeners) listener(article)
  }
  const state = useMemo(() => {
    const followSchedules = (listener: ScheduleListener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    return { present, followSchedules }
  }, [present, listeners])
  return (
    <RoomsContext value={state}>
      {teams.map(({ id }) => (
        <Room key={id} team={id} onMembers={onMembers} onSchedule={onSchedule} />
      ))}
      {children}
    </RoomsContext>
  )
}

interface RoomProps {
  readonly team: string
  readonly onSchedule: ScheduleListener
  onMembers(team: string, members: readonly Member[]): void
}

/** The room of one team. It shows nothing: hooks cannot be called in a loop, but components can. */
function Room({ team, onMembers, onSchedule }: RoomProps) {
  const { members } = usePresence(client.channels.desk, { team })
  useChannel(
    client.channels.desk,
    { team },
    {
      onEvent: ({ event, data }) => {
        if (event === "scheduled" || event === "published") onSchedule(data.article)
      },
      onGap: () => onSchedule(undefined),
    },
  )
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

export function useFollowSchedules(): RoomsState["followSchedules"] {
  return use(RoomsContext).followSchedules
}
