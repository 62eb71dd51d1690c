import type { HandleFacts } from "../../client/handle-facts.ts"
import { isObject } from "../../wire/codecs/is-object.ts"
import { HANDLE } from "../../wire/realtime/handle.ts"

/** Returns the facts of a handle. Throws if the argument of a hook is none. */
export function factsOf(handle: unknown, hook: string): HandleFacts {
  const facts: unknown = Reflect.get(Object(handle), HANDLE)
  if (!isObject(facts)) {
    throw new TypeError(
      `The first argument of ${hook} is ${describe(handle)}, not a handle. ` +
        "Handles are client.collections.<name>, its record(id) and total, and client.globals.<name>.",
    )
  }
  // The cast is safe: only the client makes objects with this member.
  return facts as HandleFacts
}

function describe(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
