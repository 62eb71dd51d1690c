import { CLIENT_PARTS, type ClientParts } from "../../client/client-parts.ts"
import { isObject } from "../../wire/codecs/is-object.ts"

/** Returns the parts of a client. Throws if the argument of a hook or of the provider is no client. */
export function partsOf(client: object, place: string): ClientParts {
  const parts: unknown = CLIENT_PARTS in client ? client[CLIENT_PARTS] : undefined
  if (!isObject(parts)) throw new TypeError(`The client of ${place} is not one: pass what createClient has returned.`)
  // The cast is safe: only the client has a member with this symbol.
  return parts as ClientParts
}
