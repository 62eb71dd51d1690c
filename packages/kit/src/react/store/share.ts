import { isObject } from "../../wire/codecs/is-object.ts"

/**
 * Returns the new value, in which every part that equals its counterpart in the old value is the old part itself. If
 * both are equal, it returns the old value. Records and groups are compared with that of the same id or key, wherever it stood.
 */
export function share(old: unknown, value: unknown): unknown {
  if (Object.is(old, value)) return old
  if (!isObject(old) || !isObject(value) || Object.getPrototypeOf(old) !== Object.getPrototypeOf(value)) return value
  if (Array.isArray(value)) return sharedList(old as readonly unknown[], value)
  if (value instanceof Map) return areSameLists([...(old as typeof value)], [...value]) ? old : value
  if (value instanceof Set) return areSameLists([...(old as typeof value)], [...value]) ? old : value
  if (value instanceof Date) return Number(old) === Number(value) ? old : value
  return isPlain(value) ? sharedObject(old as Members, value as Members) : value
}

type Members = Readonly<Record<string, unknown>>

function sharedList(old: readonly unknown[], list: readonly unknown[]): readonly unknown[] {
  const byId = new Map(old.map((item) => [idOf(item), item]))
  const shared = list.map((item, index) => {
    const id = idOf(item)
    return share(id === undefined ? old[index] : byId.get(id), item)
  })
  return isSameList(old, shared) ? old : shared
}

function sharedObject(old: Members, value: Members): Members {
  const names = Object.keys(value)
  const shared = names.map((name) => [name, share(old[name], value[name])] as const)
  const isSame =
    names.length === Object.keys(old).length &&
    shared.every(([name, member]) => Object.hasOwn(old, name) && Object.is(old[name], member))
  return isSame ? old : Object.fromEntries(shared)
}

function areSameLists(old: readonly unknown[], list: readonly unknown[]): boolean {
  return sharedList(old, list) === old
}

function isSameList(old: readonly unknown[], list: readonly unknown[]): boolean {
  return old.length === list.length && list.every((item, index) => Object.is(item, old[index]))
}

// Returns what identifies an item of a list: the id of a record, or the key of a group.
function idOf(item: unknown): unknown {
  const { id, key }: { id?: unknown; key?: unknown } = isObject(item) ? item : {}
  return id ?? key
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
