/** Stands in the place of a value that could not be read, because its code throws or because it contains itself. */
export class Unreadable {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
    Object.freeze(this)
  }
}

// Deeper than every filter that is allowed: such a value contains itself.
const MAX_DEPTH = 50

/**
 * Returns a frozen copy of a value that an author has given: lists and plain objects are copied with all that they
 * contain, other values are kept. Code in the value, such as a getter, runs once, here. If it throws, the copy is an
 * `Unreadable`, which the check of the app's definition reports.
 */
export function inertCopy<Value>(value: Value): Value {
  // The cast is safe: the copy has the members of the value, and a definition with an `Unreadable` is never compiled.
  return readOnce(() => copy(value, 0)) as Value
}

/** Calls a function of the author. Returns an `Unreadable` if it throws. */
export function readOnce(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return new Unreadable(error instanceof Error ? error.message : "it throws something that is not an error")
  }
}

function copy(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error("it contains itself, or is nested too deeply")
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1)))
  if (!isPlain(value)) return value
  const members = Object.keys(value).map((name) => [name, copy(value[name], depth + 1)] as const)
  return Object.freeze(Object.fromEntries(members))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
