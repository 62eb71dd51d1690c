import { plainAnswer } from "../../engine/read/answer.ts"
import { addressOf } from "../../features/realtime/channels/channel-address.ts"
import { evaluatePublish } from "../../features/realtime/channels/channel-rights.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import { publishEvent, schemaOfEvent } from "../../features/realtime/channels/publish-event.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { isObject } from "../../wire/codecs/is-object.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { rateLimited } from "../protection/rate-limited.ts"
import { RateLimiter } from "../protection/rate-limiter.ts"

interface ChannelDependencies {
  readonly channels: CompiledChannels
  countedAddressOf(call: IncomingCall): string | undefined
}

// The rate limit for publishing events, per user or, if the caller is not signed in, per IP address.
const PUBLISHES = { requests: 20, windowSeconds: 1 }
const MEMBERS: ReadonlySet<string> = new Set(["channel", "params", "event", "data"])

/**
 * Returns the endpoint with which clients publish events to channels. Clients receive these events on the same streams
 * as live queries.
 */
export function channelEndpoints(parts: ChannelDependencies): readonly Endpoint[] {
  const limiter = new RateLimiter(PUBLISHES)
  return [
    {
      method: "POST",
      path: "/channels/publish",
      run: async (call) => {
        count(limiter, parts, call)
        return plainAnswer(await publish(parts, call))
      },
    },
  ]
}

async function publish({ channels }: ChannelDependencies, call: EndpointCall) {
  const { callerCtx: ctx } = call
  const { channel, params, event, data } = read(await call.body())
  const address = addressOf(channels, channel, params)
  const message = { event: String(event), data }
  // The publish rule is evaluated first, because the error for an unknown event lists the channel's existing events.
  await evaluatePublish(ctx, address, message.event)
  schemaOfEvent(address, event)
  return publishEvent(ctx.connection, address, message)
}

function read(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body) || Array.isArray(body))
    throw invalid("", "Expected an object with channel, params, event and data.")
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) throw invalid(unknown, `There is no "${unknown}" here.`)
  return body as Readonly<Record<string, unknown>>
}

function count(limiter: RateLimiter, { countedAddressOf }: ChannelDependencies, { ctx, incoming }: EndpointCall): void {
  const { session } = ctx
  const key = session ? `user ${session.user.id}` : `address ${countedAddressOf(incoming) ?? "unknown"}`
  const excess = limiter.use(key, ctx.now())
  if (excess) throw rateLimited(excess)
}
