import type { Connection } from "../../ports/database.ts"
import type { RegisteredChannels } from "../../schema/context/register.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { AnyMessage, ChannelPublisher, UntypedChannel } from "../../wire/typed/typed-channels.ts"
import { addressOf } from "./channel-address.ts"
import type { CompiledChannels } from "./compile-channels.ts"
import { publishEvent } from "./publish-event.ts"

export interface ChannelPublishers {
  /** Returns the `channels` of a context whose code works on this connection. */
  on(connection: Connection): RegisteredChannels
}

type Publisher = ChannelPublisher<UntypedChannel>

/**
 * Creates the publishers of an app's channels, each by the name of its file. Server code calls them, so no rule
 * applies.
 */
export function createChannelPublishers(channels: CompiledChannels): ChannelPublishers {
  const publisherOf = (key: string, connection: Connection): Publisher => {
    if (!channels.has(key)) throw unknownChannel(key, channels)
    const publish = async ({ params, event, data }: AnyMessage) =>
      publishEvent(connection, addressOf(channels, key, params), { event, data })
    return { publish }
  }
  const on = (connection: Connection) =>
    new Proxy<Record<string, Publisher>>(Object.create(null), {
      // `await` and promises read `then`, which must be undefined here.
      get: (_target, key) => (typeof key === "string" && key !== "then" ? publisherOf(key, connection) : undefined),
    })
  // The generated types describe exactly the channels in which this proxy looks names up.
  return { on: (connection) => on(connection) as unknown as RegisteredChannels }
}

function unknownChannel(key: string, channels: CompiledChannels): Error {
  const remedy = channels.size === 0 ? " Add a file to src/channels." : didYouMean(key, channels.keys())
  return new Error(`There is no channel "${key}".${remedy}`)
}
