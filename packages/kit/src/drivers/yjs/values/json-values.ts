import * as Y from "yjs"

/**
 * The member of a json document's root that holds a value which is not an object. The root is a map, so a list, a text,
 * a number, true, false or null is held by this one member, and so is an object that has a member of this name. As soon
 * as the map has another member, it stands for an object of these other members.
 */
const VALUE_KEY = "$value"

// Validation allows fewer levels. What is deeper is left out, so that no document can exhaust the stack.
const MAX_DEPTH = 64

/** Returns the value of a json document. The order of an object's members is not part of the value. */
export function readJsonRoot(root: Y.Map<unknown>): unknown {
  const members = [...root.entries()]
  const others = members.filter(([key]) => key !== VALUE_KEY)
  if (others.length < members.length && others.length === 0) return readJson(root.get(VALUE_KEY), 1)
  return objectOf(others, 1)
}

/** Returns a part of a document as a JSON value. */
export function readJson(value: unknown, depth: number): unknown {
  if (value === undefined || depth > MAX_DEPTH) return null
  if (value instanceof Y.Map) return objectOf([...value.entries()], depth + 1)
  if (value instanceof Y.Array) return value.toArray().map((item: unknown) => readJson(item, depth + 1))
  if (value instanceof Y.Text) return value.toString()
  if (value instanceof Y.AbstractType) return null
  if (Array.isArray(value)) return value.map((item: unknown) => readJson(item, depth + 1))
  return isObject(value) ? objectOf(Object.entries(value), depth + 1) : value
}

function objectOf(members: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
  const defined = members.filter(([, value]) => value !== undefined)
  // The members are defined, not assigned, so that one with the name __proto__ is a member like others.
  return Object.fromEntries(defined.map(([key, value]) => [key, readJson(value, depth)]))
}

/** Returns the members of the root that hold this value. */
export function rootMembers(value: unknown): Record<string, unknown> {
  return isObject(value) && !Object.hasOwn(value, VALUE_KEY) ? value : { [VALUE_KEY]: value }
}

/** Returns what holds a JSON value in a document: a map, a list, or the plain value. */
export function toShared(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = new Y.Array<unknown>()
    list.push(value.map(toShared))
    return list
  }
  if (!isObject(value)) return value
  return new Y.Map(Object.entries(value).map(([key, member]) => [key, toShared(member)]))
}

/** True for an object of JSON; false for lists, null, bytes and other things. */
export function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
