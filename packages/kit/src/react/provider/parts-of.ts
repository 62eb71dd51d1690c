import { CLIENT_PARTS, type ClientParts } from "../../client/client-parts.ts"
import { isObject } from "../../wire/codecs/is-object.ts"
import type { Provided } from "./kit-context.ts"

/** Returns the parts of a client. Throws if the argument of a hook or of the provider is no client. */
export function partsOf(client: object, place: string): ClientParts {
  const parts: unknown = Reflect.get(client, CLIENT_PARTS)
  if (!isObject(parts)) throw new TypeError(`${place} needs a client: pass what createClient has returned.`)
  // The cast is safe: only the client has a member with this symbol.
  return parts as ClientParts
}

/** Returns the parts of the client of `KitProvider`. Throws if it has none. */
export function providedParts({ parts }: Provided, hook: string): ClientParts {
  if (parts) return parts
  throw new TypeError(`${hook} has no client. Pass it as the argument, or to <KitProvider client={client}>.`)
}
