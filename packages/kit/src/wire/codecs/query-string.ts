import { ApiError, invalid } from "../errors/api-error.ts"
import { UNSAFE_KEYS } from "./unsafe-keys.ts"

const MAX_PARAMETERS = 1_000
const MAX_DEPTH = 20
const MAX_ITEMS = 1_000
const MAX_SHOWN_CHARACTERS = 200

const BRACKET = /[[\]]/
const NAME_WITH_KEYS = /^[^[\]]+(?:\[[^[\]]*\])+$/
const LIST_KEY = /^(?:0|[1-9]\d*)?$/
const EMPTY_BRACKETS_BEFORE_OTHERS = /\[\](?=\[)/g

/**
 * A value in a query string: a string, or a list or object of such values. The code that knows a parameter's type
 * parses the string.
 */
type QueryValue = string | QueryValue[] | QueryObject

/**
 * An object parsed from a query string. It has no prototype, so a name from a request finds only members that were
 * sent.
 */
interface QueryObject {
  [name: string]: QueryValue
}

/**
 * Parses a query string with nested bracket notation. Throws if the text is malformed, ambiguous or too large.
 *
 * parseQueryString("where[status][in][]=draft&limit=5") // { where: { status: { in: ["draft"] } }, limit: "5" }
 */
export function parseQueryString(text: string): QueryObject {
  const root = newGroup("object")
  for (const parameter of splitParameters(text)) addParameter(root, parameter)
  return finishMembers(root)
}

interface Group {
  readonly kind: "object" | "list"
  /**
   * The values by name. List items are stored by index until the whole query string is read, because they may come in
   * any order and with gaps.
   */
  readonly members: QueryObject
  readonly groups: Map<string, Group>
  length: number
}

interface ParameterPosition {
  readonly group: Group
  readonly key: string
  readonly path: string
}

function newGroup(kind: Group["kind"]): Group {
  return { kind, members: Object.create(null), groups: new Map(), length: 0 }
}

function splitParameters(text: string): string[] {
  const query = text.startsWith("?") ? text.slice(1) : text
  const parameters = query.split("&", MAX_PARAMETERS + 1)
  if (parameters.length <= MAX_PARAMETERS) return parameters.filter((parameter) => parameter !== "")
  throw malformed(`Send at most ${MAX_PARAMETERS} query parameters.`)
}

function addParameter(root: Group, parameter: string): void {
  const equals = parameter.indexOf("=")
  const name = equals === -1 ? parameter : parameter.slice(0, equals)
  const value = equals === -1 ? "" : parameter.slice(equals + 1)
  const { group, key, path } = findPosition(root, decode(name, name))
  if (group.members[key] !== undefined) throw refused(path, "Given twice. Send it once.")
  group.members[key] = decode(value, path)
}

function decode(text: string, path: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  const decoded = spaced.includes("%") ? decodePercents(spaced, path) : spaced
  if (decoded.includes("\0")) throw refused(path, "The character U+0000 is not allowed.")
  return decoded
}

function decodePercents(text: string, path: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused(path, "This is not percent-encoded UTF-8.")
  }
}

// Returns the position that a parameter's name stands for. The name is decoded before its brackets are parsed, because
// many clients send brackets as %5B and %5D.
function findPosition(root: Group, name: string): ParameterPosition {
  if (name === "") throw malformed("A query parameter has no name.")
  if (!BRACKET.test(name)) return positionIn(root, name, name)
  const { first, keys } = splitName(name)
  return keys.reduce(enter, positionIn(root, first, first))
}

function splitName(name: string): { first: string; keys: string[] } {
  if (!NAME_WITH_KEYS.test(name)) throw refused(name, "Write it as name[key][key].")
  const open = name.indexOf("[")
  const keys = name.slice(open + 1, -1).split("][")
  if (keys.length >= MAX_DEPTH) throw refused(name, `Nested deeper than ${MAX_DEPTH} levels.`)
  if (keys.slice(0, -1).includes("")) throw refused(name, numberTheItems(name))
  return { first: name.slice(0, open), keys }
}

// Empty brackets before other brackets do not say which parameters belong to the same item of the list.
function numberTheItems(name: string): string {
  const numbered = name.replaceAll(EMPTY_BRACKETS_BEFORE_OTHERS, "[0]")
  return `Empty brackets are allowed at the end only. Number the items of the list: write ${shortened(numbered)}.`
}

function positionIn(group: Group, key: string, path: string): ParameterPosition {
  if (UNSAFE_KEYS.has(key)) throw refused(path, `The name "${key}" is not allowed.`)
  return { group, key, path }
}

function enter(outer: ParameterPosition, key: string): ParameterPosition {
  const group = openGroup(outer, LIST_KEY.test(key) ? "list" : "object")
  const member = group.kind === "list" ? takeIndex(group, key, outer.path) : key
  return positionIn(group, member, `${outer.path}.${member}`)
}

function openGroup({ group, key, path }: ParameterPosition, kind: Group["kind"]): Group {
  if (group.members[key] === undefined) return addGroup(group, key, kind)
  const existing = group.groups.get(key)
  if (existing?.kind !== kind) throw refused(path, "Given in two shapes, such as a value and a list. Use one.")
  return existing
}

function addGroup(outer: Group, key: string, kind: Group["kind"]): Group {
  const group = newGroup(kind)
  outer.groups.set(key, group)
  outer.members[key] = group.members
  return group
}

function takeIndex(list: Group, key: string, path: string): string {
  const index = key === "" ? list.length : Number(key)
  if (index >= MAX_ITEMS) throw refused(path, `Send at most ${MAX_ITEMS} items.`)
  list.length = Math.max(list.length, index + 1)
  return String(index)
}

function finishMembers({ members, groups }: Group): QueryObject {
  for (const [key, group] of groups) {
    const finished = finishMembers(group)
    // JavaScript enumerates numeric keys in ascending order, so `Object.values` sorts the list items and closes the
    // gaps.
    if (group.kind === "list") members[key] = Object.values(finished)
  }
  return members
}

function malformed(message: string): ApiError {
  return new ApiError("BAD_REQUEST", { message })
}

function refused(path: string, message: string): ApiError {
  return invalid(shortened(path), message)
}

function shortened(path: string): string {
  return path.length > MAX_SHOWN_CHARACTERS ? `${path.slice(0, MAX_SHOWN_CHARACTERS)}…` : path
}

/**
 * Returns a query string that `parseQueryString` can read. Leaves out null, undefined, and empty lists and objects.
 *
 * stringifyQuery({ where: { status: { in: ["draft"] } }, limit: 5 }) // "where[status][in][]=draft&limit=5"
 */
export function stringifyQuery(value: Record<string, unknown>): string {
  const parameters: string[] = []
  for (const [key, member] of Object.entries(value)) writeValue(parameters, encodeKey(key, key), member)
  return parameters.join("&")
}

function writeValue(parameters: string[], name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) writeItems(parameters, name, value)
  else if (isPlainObject(value)) writeMembers(parameters, name, value)
  else parameters.push(`${name}=${encode(scalarText(value, name), name)}`)
}

function writeItems(parameters: string[], name: string, items: unknown[]): void {
  const isNested = items.some((item) => Array.isArray(item) || isPlainObject(item))
  for (const [index, item] of items.entries()) writeValue(parameters, `${name}[${isNested ? index : ""}]`, item)
}

function writeMembers(parameters: string[], name: string, members: Record<string, unknown>): void {
  for (const [key, member] of Object.entries(members)) {
    // Refuses empty and numeric keys of objects, because `parseQueryString` would read an object with such keys as a
    // list.
    if (LIST_KEY.test(key)) throw unwritable(name, `the key "${key}" of an object`)
    writeValue(parameters, `${name}[${encodeKey(key, name)}]`, member)
  }
}

/** True if the value is a plain object, and not an instance of a class such as Date. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function scalarText(value: unknown, name: string): string {
  if (typeof value === "string") return value
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isFinite(value)) return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  throw unwritable(name, String(value))
}

function encodeKey(key: string, name: string): string {
  if (key === "" || BRACKET.test(key) || UNSAFE_KEYS.has(key)) throw unwritable(name, `the key "${key}"`)
  return encode(key, name)
}

function encode(text: string, name: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw unwritable(name, "a lone surrogate")
  }
}

function unwritable(name: string, what: string): TypeError {
  const path = name.replaceAll("]", "").replaceAll("[", ".")
  return new TypeError(`A query string cannot hold ${what} (at "${path}").`)
}
