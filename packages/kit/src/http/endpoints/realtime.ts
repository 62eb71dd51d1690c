import { plainAnswer } from "../../engine/read/answer.ts"
import type { LiveCalls } from "../../features/realtime/streams/live-calls.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { isExtendedHeader } from "../../wire/codecs/extended-json.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { rateLimited } from "../protection/rate-limited.ts"
import { RateLimiter } from "../protection/rate-limiter.ts"

interface RealtimeDependencies {
  readonly live: LiveCalls
  countedAddressOf(call: IncomingCall): string | undefined
}

// The rate limit for calls with channel topics, per user or IP address. Each such call may send a presence event to
// many members of a room.
const JOINS = { requests: 50, windowSeconds: 1 }
// The rate limit, per user or IP address, for changes to the topics of a stream that another process holds. Each change
// is stored until that process applies it.
const RELAYS = { requests: 50, windowSeconds: 5 }

/**
 * Returns the endpoint for live queries and channels. A call opens a stream or, if it names an open stream, changes
 * that stream's topics.
 */
export function realtimeEndpoints(parts: RealtimeDependencies): readonly Endpoint[] {
  const { live, countedAddressOf } = parts
  const joins = new RateLimiter(JOINS)
  const relays = new RateLimiter(RELAYS)
  return [
    {
      method: "POST",
      path: "/realtime",
      run: async (call) => {
        const { session, locale } = call.callerCtx
        const asked = live.read(await call.plainBody())
        if (asked.topics.some(({ kind }) => kind === "channel")) count(joins, parts, call)
        if (asked.stream) {
          const countRelayed = () => count(relays, parts, call)
          await live.change({ ...asked, stream: asked.stream }, { session, countRelayed })
          return { ...plainAnswer({ success: true }), status: 202 }
        }
        const isExtended = isExtendedHeader(call.header("x-extendedjson"))
        const client = { session, headers: call.incoming.headers, locale, isExtended }
        return { events: await live.open(client, asked.topics, countedAddressOf(call.incoming)) }
      },
    },
  ]
}

function count(
  limiter: RateLimiter,
  { countedAddressOf }: RealtimeDependencies,
  { ctx, incoming }: EndpointCall,
): void {
  const key = ctx.session ? `user ${ctx.session.user.id}` : `address ${countedAddressOf(incoming) ?? "unknown"}`
  const excess = limiter.use(key, ctx.now())
  if (excess) throw rateLimited(excess)
}
