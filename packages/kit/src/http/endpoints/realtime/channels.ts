import { readMembers } from "../../../engine/context/read-members.ts"
import { authoredAnswer, plainAnswer } from "../../../engine/read/answer.ts"
import { addressOf } from "../../../features/realtime/channels/channel-address.ts"
import { evaluatePublish, evaluateSubscribe } from "../../../features/realtime/channels/channel-rights.ts"
import type { CompiledChannels } from "../../../features/realtime/channels/compile-channels.ts"
import { findEvents } from "../../../features/realtime/channels/find-events.ts"
import { publishEvent, schemaOfEvent } from "../../../features/realtime/channels/publish-event.ts"
import { CHANNELS_PATH } from "../../../wire/paths/paths.ts"
import type { Endpoint, EndpointCall } from "../../endpoint.ts"
import { readQuery, refuseQuery } from "../../input-members.ts"
import { CallerLimit } from "../../protection/caller-limit.ts"
import type { CallerAddresses } from "../../protection/client-address.ts"

interface ChannelDependencies extends Pick<CallerAddresses, "countedAddressOf"> {
  readonly channels: CompiledChannels
}

// The rate limit for publishing events, per user or, if the caller is not signed in, per IP address.
const PUBLISHES = { requests: 20, windowSeconds: 1 }
const MEMBERS = ["channel", "params", "event", "data"]
const OPTIONS = ["params", "limit", "after", "before"]

/**
 * Returns the endpoints with which clients publish events to channels, and list those that are stored. Clients receive new
 * events on the same streams as live queries.
 */
export function channelEndpoints(dependencies: ChannelDependencies): readonly Endpoint[] {
  const publishes = new CallerLimit(PUBLISHES, dependencies)
  return [
    {
      method: "POST",
      path: "/channels/publish",
      takesBody: true,
      run: async (call) => {
        publishes.count(call)
        refuseQuery(call)
        return plainAnswer(await publish(dependencies, call))
      },
    },
    {
      method: "GET",
      path: `${CHANNELS_PATH}/:channel/events`,
      isRead: true,
      run: (call) => listEvents(dependencies, call),
    },
  ]
}

async function publish({ channels }: ChannelDependencies, call: EndpointCall) {
  const { callerCtx: ctx } = call
  const { channel, params, event, data } = readMembers(await call.body(), MEMBERS)
  const address = addressOf(channels, channel, params)
  const message = { event: String(event), data }
  // The publish rule is evaluated first, because the error for an unknown event lists the channel's existing events.
  await evaluatePublish(ctx, address, message.event)
  schemaOfEvent(address, event)
  return publishEvent(ctx.connection, address, message)
}

async function listEvents({ channels }: ChannelDependencies, call: EndpointCall) {
  const { callerCtx: ctx } = call
  const { params, ...options } = readQuery(call, OPTIONS)
  const address = addressOf(channels, call.params["channel"], params)
  await evaluateSubscribe(ctx, address)
  return authoredAnswer(await findEvents(ctx, address, { options, isText: true }))
}
