import { plainAnswer } from "../../engine/read/answer.ts"
import type { LiveCalls } from "../../features/realtime/streams/live-calls.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { isExtendedHeader } from "../../wire/codecs/extended-json.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { rateLimited } from "../protection/rate-limited.ts"
import { RateLimiter } from "../protection/rate-limiter.ts"

interface LiveParts {
  readonly live: LiveCalls
  addressOf(call: IncomingCall): string | undefined
}

// Calls that name channels, of one user or address: each may have many people told that somebody has come.
const JOINS = { requests: 50, windowSeconds: 1 }
// Changes of topics that are stored for another process, of one user or address.
const RELAYS = { requests: 50, windowSeconds: 5 }

/** Live queries: a call opens a stream or, with the names of one that is open, changes its topics. */
export function realtimeEndpoints(parts: LiveParts): readonly Endpoint[] {
  const { live, addressOf } = parts
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
        const listener = { session, headers: call.incoming.headers, locale, isExtended }
        return { events: await live.open(listener, asked.topics, addressOf(call.incoming)) }
      },
    },
  ]
}

function count(limiter: RateLimiter, { addressOf }: LiveParts, { ctx, incoming }: EndpointCall): void {
  const key = ctx.session ? `user ${ctx.session.user.id}` : `address ${addressOf(incoming) ?? "unknown"}`
  const excess = limiter.use(key, ctx.now())
  if (excess) throw rateLimited(excess)
}
