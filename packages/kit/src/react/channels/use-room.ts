import { useEffect } from "react"
import { CLIENT_PARTS, type ClientParts } from "../../client/client-parts.ts"
import { canonicalText } from "../store/query-key.ts"
import { useNewest } from "../use-newest.ts"

/** The room of params that are null. */
export const NO_ROOM = "null"

/**
 * Follows a room while the component is mounted, and returns a string that identifies the room: equal params in any
 * order have the same one. When another user signs in, the room is followed again: it may have refused the former user.
 */
export function useRoom(channel: object, params: unknown, follow: () => () => void): string {
  const newest = useNewest(follow)
  const room = roomOf(params)
  useEffect(() => {
    if (room === NO_ROOM) return undefined
    let leave = newest.current()
    // The cast is safe: the channels of a client have its parts.
    const { user } = (channel as { [CLIENT_PARTS]: ClientParts })[CLIENT_PARTS]
    const ignoreUsers = user.onChange(() => {
      leave()
      leave = newest.current()
    })
    return () => {
      ignoreUsers()
      leave()
    }
  }, [channel, room, newest])
  return room
}

function roomOf(params: unknown): string {
  return canonicalText(JSON.stringify(params === undefined ? {} : params))
}
