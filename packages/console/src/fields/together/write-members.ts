import * as Y from "yjs"

type Members = Readonly<Record<string, unknown>>

/**
 * Writes into a shared object what a person has changed of it: the members that differ between `base` and `next`. What
 * others have changed in other members meanwhile stays.
 */
export function writeMembers(shared: Y.Map<unknown>, base: Members, next: Members): void {
  for (const name of Object.keys(base)) if (!Object.hasOwn(next, name)) shared.delete(name)
  for (const [name, value] of Object.entries(next)) {
    if (JSON.stringify(base[name]) === JSON.stringify(value)) continue
    const before = base[name]
    const current = shared.get(name)
    if (current instanceof Y.Map && isObject(before) && isObject(value)) writeMembers(current, before, value)
    else shared.set(name, sharedValue(value))
  }
}

function sharedValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = new Y.Array<unknown>()
    list.push(value.map(sharedValue))
    return list
  }
  if (!isObject(value)) return value
  return new Y.Map(Object.entries(value).map(([name, member]) => [name, sharedValue(member)]))
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
