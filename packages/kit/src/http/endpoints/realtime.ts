import { plainAnswer } from "../../engine/answer.ts"
import type { LiveCalls } from "../../features/realtime/live-calls.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { isExtendedHeader } from "../../wire/extended-json.ts"
import type { Endpoint } from "../endpoint.ts"

interface LiveParts {
  readonly live: LiveCalls
  addressOf(call: IncomingCall): string | undefined
}

/** Live queries: a call opens a stream or, with the names of one that is open, changes its topics. */
export function realtimeEndpoints({ live, addressOf }: LiveParts): readonly Endpoint[] {
  return [
    {
      method: "POST",
      path: "/realtime",
      run: async (call) => {
        const { session, locale } = call.callerCtx
        const asked = live.read(await call.plainBody())
        if (asked.stream) {
          await live.change({ ...asked, stream: asked.stream }, session)
          return { ...plainAnswer({ success: true }), status: 202 }
        }
        const isExtended = isExtendedHeader(call.header("x-extendedjson"))
        const listener = { session, headers: call.incoming.headers, locale, isExtended }
        return { events: live.open(listener, asked.topics, addressOf(call.incoming)) }
      },
    },
  ]
}
