import { useState } from "react"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import type { ChannelHandle, ChannelMember } from "../../wire/realtime/channel-operations.ts"
import type { LiveSettings } from "../../wire/realtime/live-operations.ts"
import type { ChannelTypes } from "../../wire/typed/typed-channels.ts"
import { clientErrorOf } from "../store/client-error-of.ts"
import { share } from "../store/share.ts"
import { NO_ROOM, useRoom } from "./use-room.ts"

/** The members of a room. */
export interface Presence<Shown> {
  /** `idle` if the params are null, and `pending` until the members have arrived. */
  readonly status: "idle" | "pending" | "live" | "error"
  /** The members, the own user among them; empty until they have arrived. */
  readonly members: readonly ChannelMember<Shown>[]
  readonly error: QuestpieClientError | undefined
}

/** The params of a channel with presence. For a channel without it, no argument fits. */
type PresenceParams<Types extends ChannelTypes["types"]> = [Types["member"]] extends [never]
  ? [channelWithoutPresence: never]
  : [params: Types["params"] | null]

type State = Presence<unknown> & { readonly room: string }

/**
 * Makes the user a member of a room while the component is mounted, and shows all members. Members that have not changed
 * keep their identity. Params that are null join no room.
 *
 * const { members } = usePresence(client.channels.desk, { deskId })
 */
export function usePresence<Types extends ChannelTypes["types"]>(
  channel: ChannelHandle<Types>,
  ...[params]: PresenceParams<Types>
): Presence<Types["member"]> {
  const [state, setState] = useState<State>()
  const room = useRoom(channel, params, () => {
    const show = (change: (shown: State) => State) => setState((shown) => change(shownIn(room, shown)))
    // The cast is safe: only the client makes channels, and the types of the params exclude one without presence.
    const { presence } = channel as unknown as { presence: JoinRoom }
    setState(undefined)
    return presence(params, (members) => show((shown) => withMembers(shown, members)), {
      onError: (failure) => show((shown) => ({ ...shown, status: "error", error: clientErrorOf(failure) })),
    })
  })
  // The cast is safe: the server sends members of the declared type.
  return shownIn(room, state) as Presence<Types["member"]>
}

type JoinRoom = (
  params: unknown,
  onMembers: (members: readonly ChannelMember[]) => void,
  settings: LiveSettings,
) => () => void

// The state of another room is not shown.
function shownIn(room: string, state: State | undefined): State {
  return state?.room === room ? state : emptyRoom(room)
}

function emptyRoom(room: string): State {
  return { room, status: room === NO_ROOM ? "idle" : "pending", members: [], error: undefined }
}

function withMembers(shown: State, members: readonly ChannelMember[]): State {
  // The cast is safe: `share` returns a value that equals its second argument.
  const shared = share(shown.members, members) as readonly ChannelMember[]
  const isSame = shared === shown.members && shown.status === "live"
  return isSame ? shown : { ...shown, status: "live", members: shared, error: undefined }
}
