import { useState } from "react"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import type { ChannelCalls, ChannelHandle } from "../../wire/realtime/channel-operations.ts"
import type { ChannelTypes } from "../../wire/typed/typed-channels.ts"
import { clientErrorOf } from "../store/client-error-of.ts"
import { useNewest } from "../use-newest.ts"
import { NO_ROOM, useRoom } from "./use-room.ts"

/** The callbacks of a component that follows a room. */
export interface ChannelListeners<Event> {
  readonly onEvent: (event: Event) => void
  /** Called when events were lost. The component should read the data again that these events were about. */
  readonly onGap?: (() => void) | undefined
}

export interface FollowedChannel {
  /** The reason why no events arrive, until they can arrive again. */
  readonly error: QuestpieClientError | undefined
}

/**
 * Calls back with each event of a room while the component is mounted. The newest callback is called; only another room
 * subscribes again. Params that are null follow no room.
 *
 * useChannel(client.channels.desk, { deskId }, ({ event, data }) => show(event, data))
 */
export function useChannel<Types extends ChannelTypes["types"]>(
  channel: ChannelHandle<Types>,
  params: Types["params"] | null,
  listeners: ((event: Types["event"]) => void) | ChannelListeners<Types["event"]>,
): FollowedChannel {
  const newest = useNewest<ChannelListeners<Types["event"]>>(
    typeof listeners === "function" ? { onEvent: listeners } : listeners,
  )
  const [error, setError] = useState<QuestpieClientError>()
  const clearError = () => setError(undefined)
  const room = useRoom(channel, params, () => {
    clearError()
    const settings = {
      // An internal callback of a subscription, which the public settings do not have.
      onCurrent: clearError,
      onGap: () => newest.current.onGap?.(),
      onError: (failure: Error) => setError(clientErrorOf(failure)),
    }
    // The cast is safe: only the client makes channels.
    const { subscribe } = channel as ChannelCalls<{ types: Types }>
    return subscribe(params, (event) => newest.current.onEvent(event), settings)
  })
  return { error: room === NO_ROOM ? undefined : error }
}
