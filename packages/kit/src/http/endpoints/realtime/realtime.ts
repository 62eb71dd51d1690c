import { plainAnswer } from "../../../engine/read/answer.ts"
import type { LiveCalls } from "../../../features/realtime/streams/live-calls.ts"
import { isExtendedHeader } from "../../../wire/codecs/extended-json.ts"
import type { Endpoint } from "../../endpoint.ts"
import { refuseQuery } from "../../input-members.ts"
import { CallerLimit } from "../../protection/caller-limit.ts"
import type { CallerAddresses } from "../../protection/client-address.ts"

interface RealtimeDependencies extends Pick<CallerAddresses, "countedAddressOf"> {
  readonly live: LiveCalls
}

// The rate limit for calls with channels or documents, per user or IP address. Each such call may send an event to many
// members of a room.
const JOINS = { requests: 50, windowSeconds: 1 }
// The rate limit, per user or IP address, for changes to the topics of a stream that another process holds. Each change
// is stored until that process applies it.
const RELAYS = { requests: 50, windowSeconds: 5 }

/**
 * Returns the endpoint for live queries, channels and documents. A call opens a stream or, if it names an open stream, changes
 * that stream's topics.
 */
export function realtimeEndpoints(dependencies: RealtimeDependencies): readonly Endpoint[] {
  const { live, countedAddressOf } = dependencies
  const joins = new CallerLimit(JOINS, dependencies)
  const relays = new CallerLimit(RELAYS, dependencies)
  return [
    {
      method: "POST",
      path: "/realtime",
      takesBody: true,
      run: async (call) => {
        refuseQuery(call)
        const { session, locale } = call.callerCtx
        const requested = live.read(await call.plainBody())
        if (requested.topics.some(({ kind }) => kind === "channel" || kind === "document")) joins.count(call)
        if (requested.stream) {
          const countRelayed = () => relays.count(call)
          await live.change({ ...requested, stream: requested.stream }, { session, countRelayed })
          return { ...plainAnswer({ success: true }), status: 202 }
        }
        const isExtended = isExtendedHeader(call.header("x-extendedjson"))
        const client = { session, headers: call.incoming.headers, locale, isExtended }
        return { events: await live.open(client, requested.topics, countedAddressOf(call.incoming)) }
      },
    },
  ]
}
