import type { Connection } from "../../ports/database.ts"
import type { RegisteredChannels } from "../../schema/context/register.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { AnyMessage, ChannelPublisher, UntypedChannel } from "../../wire/typed/typed-channels.ts"
import { addressOf } from "./channel-address.ts"
import type { CompiledChannels } from "./compile-channels.ts"
import { publishEvent } from "./publish-event.ts"

export interface ChannelPublishers {
  /** `channels` as code that works on this connection sees it. */
  on(connection: Connection): RegisteredChannels
}

type Publisher = ChannelPublisher<UntypedChannel>

/** What publishes to the channels of an app, each by the name of its file. No rule is asked: this is code of the server. */
export function createChannelPublishers(channels: CompiledChannels): ChannelPublishers {
  const publisherOf = (key: string, connection: Connection): Publisher => {
    if (!channels.has(key)) throw unknownChannel(key, channels)
    const publish = async ({ params, event, data }: AnyMessage) =>
      publishEvent(connection, addressOf(channels, key, params), { event, data })
    return { publish }
  }
  const on = (connection: Connection) =>
    new Proxy<Record<string, Publisher>>(Object.create(null), {
      // Who awaits it, or hands it through a promise, asks for `then`.
      get: (_target, key) => (typeof key === "string" && key !== "then" ? publisherOf(key, connection) : undefined),
    })
  // The generated types describe the very channels that it looks the names up in.
  return { on: (connection) => on(connection) as unknown as RegisteredChannels }
}

function unknownChannel(key: string, channels: CompiledChannels): Error {
  const remedy = channels.size === 0 ? " Add a file to src/channels." : didYouMean(key, channels.keys())
  return new Error(`There is no channel "${key}".${remedy}`)
}
