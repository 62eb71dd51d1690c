import { readMembers } from "../../../engine/context/read-members.ts"
import type { Connection } from "../../../ports/database.ts"
import type { RegisteredChannels } from "../../../schema/context/register.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import type { AnyMessage, ChannelPublisher, UntypedChannel } from "../../../wire/typed/typed-channels.ts"
import { addressOf } from "./channel-address.ts"
import type { CompiledChannels } from "./compile-channels.ts"
import { publishEvent } from "./publish-event.ts"

export interface ChannelPublishers {
  /**
   * Returns the `channels` object for a handler's context. Events that the handler publishes are stored through this
   * connection.
   */
  on(connection: Connection): RegisteredChannels
}

type Publisher = ChannelPublisher<UntypedChannel>

/**
 * Creates one publisher for each channel of an app, under the channel's file name. Only server code calls publishers,
 * so no `publish` rule is evaluated.
 */
export function createChannelPublishers(channels: CompiledChannels): ChannelPublishers {
  const publisherOf = (key: string, connection: Connection): Publisher => {
    if (!channels.has(key)) throw unknownChannel(key, channels)
    const publish = async (message: AnyMessage) => {
      readMembers(message, ["params", "event", "data"])
      const { params, event, data } = message
      return await publishEvent(connection, addressOf(channels, key, params), { event, data })
    }
    return { publish }
  }
  const on = (connection: Connection) =>
    new Proxy<Record<string, Publisher>>(Object.create(null), {
      // The key `then` must yield undefined: `await` reads it to find out if this object is a promise.
      get: (_target, key) => (typeof key === "string" && key !== "then" ? publisherOf(key, connection) : undefined),
    })
  // The cast is safe: the generated type `RegisteredChannels` lists exactly the channels that this proxy knows.
  return { on: (connection) => on(connection) as unknown as RegisteredChannels }
}

function unknownChannel(key: string, channels: CompiledChannels): Error {
  const remedy = channels.size === 0 ? " Add a file to src/channels." : didYouMean(key, channels.keys())
  return new Error(`There is no channel "${key}".${remedy}`)
}
