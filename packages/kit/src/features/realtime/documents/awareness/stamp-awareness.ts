import type { Session } from "../../../../ports/session-provider.ts"
import { parseJsonBody } from "../../../../wire/codecs/json-body.ts"
import { ApiError } from "../../../../wire/errors/api-error.ts"
import { isJsonObject } from "../../topics/request-shape.ts"
import { type AwarenessEntry, decodeAwareness } from "./awareness-update.ts"

// A client sends its own state only, or all states that it knows. A document has at most this number of editors.
const MAX_ENTRIES = 100
// Client ids are random numbers of 32 bits. A clock starts at 0 and rises by one with each move of the cursor.
const MAX_NUMBER = 2 ** 32 - 1

/**
 * Decodes the awareness update that a client has sent, and replaces the identity in its states by that of the session.
 * Throws if it is malformed.
 */
export function stampAwareness(bytes: Uint8Array, session: Session | null): readonly AwarenessEntry[] {
  if (bytes.length === 0) return []
  const entries = decodeAwareness(bytes, MAX_ENTRIES)
  if (entries === undefined) throw malformed("The awareness update cannot be decoded, or has too many clients.")
  return entries.map((entry) => stamp(entry, session))
}

function stamp({ clientId, clock, state }: AwarenessEntry, session: Session | null): AwarenessEntry {
  if (clientId > MAX_NUMBER || clock > MAX_NUMBER) throw malformed("A client id and a clock have at most 32 bits.")
  const value = parseJsonBody(state)
  if (value === null) return { clientId, clock, state }
  if (!isJsonObject(value)) throw malformed("The state of a client is an object, or null.")
  const { user } = value
  const stamped = { ...value, user: { ...(isJsonObject(user) && user), ...identityOf(session) } }
  return { clientId, clock, state: JSON.stringify(stamped) }
}

// Returns the members of a state's user that the client cannot choose. A user without a name can choose it.
function identityOf(session: Session | null): object {
  if (session === null) return { id: null }
  const { id, name } = session.user
  return typeof name === "string" && name !== "" ? { id, name } : { id }
}

function malformed(message: string): ApiError {
  return new ApiError("BAD_REQUEST", { message })
}
