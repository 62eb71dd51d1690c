import type { ChannelDefinition } from "../../../schema/builders/channel.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import type { CompiledChannels } from "./compile-channels.ts"

/** Identifies one room: the channel's definition and the values of the channel's parameters. */
export interface RoomAddress {
  readonly definition: ChannelDefinition
  readonly params: Readonly<Record<string, string>>
  /** Unique for each room: two different channels, or two different sets of parameter values, never share a key. */
  readonly roomKey: string
}

const NAME = /^[a-zA-Z]\w{0,62}$/
// The allowed characters of a parameter value. Letters are ASCII only, because other alphabets have letters that look
// the same. Slashes, percent signs and wildcards are excluded, because URL paths and patterns treat them specially.
const PARAM = /^[\w.~:@-]{1,200}$/

/** Returns the address of the room that a caller names. Throws if the channel or its parameters are invalid. */
export function addressOf(channels: CompiledChannels, key: unknown, given: unknown = {}): RoomAddress {
  if (typeof key !== "string" || !NAME.test(key)) throw invalid("channel", "Expected the name of a channel.")
  const definition = channels.get(key)
  if (definition === undefined) {
    throw new ApiError("NOT_FOUND", {
      message: `There is no channel "${key}".${didYouMean(key, openChannels(channels))}`,
    })
  }
  const params = readParams(definition, given)
  return { definition, params, roomKey: JSON.stringify([definition.name, ...Object.values(params)]) }
}

// Returns the names of the channels that are open to everyone: only these are suggested in error messages. A rule that
// is a function may depend on the channel's parameters, so its channel is never suggested.
function openChannels(channels: CompiledChannels): readonly string[] {
  const isOpen = ({ access: { subscribe, publish } }: ChannelDefinition) => subscribe === true || publish === true
  return [...channels].filter(([, definition]) => isOpen(definition)).map(([key]) => key)
}

function readParams({ params: names }: ChannelDefinition, given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid("params", "Expected an object.")
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw invalid(`params.${unknown}`, `There is no such parameter.${didYouMean(unknown, names)}`)
  return Object.fromEntries(names.map((name) => [name, readParam(name, Reflect.get(given, name))]))
}

function readParam(name: string, value: unknown): string {
  if (typeof value === "string" && PARAM.test(value) && value !== "." && value !== "..") return value
  throw invalid(`params.${name}`, "Expected a text of 1 to 200 letters, digits and - _ . ~ : @")
}
