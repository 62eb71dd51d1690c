import { ApiError } from "../errors/api-error.ts"
import { UNSAFE_KEYS } from "./unsafe-keys.ts"

export type ExtendedType = "Date" | "Map" | "Set" | "BigInt" | "undefined"

/**
 * The types of values by their paths inside the JSON, such as `{ "docs.*.createdAt": "Date" }`. The path "" stands for
 * the whole value.
 */
export type ExtendedMeta = Readonly<Record<string, ExtendedType>>

/** The limits for an extended JSON envelope from an untrusted client. */
export interface ExtendedLimits {
  readonly entries: number
  readonly depth: number
  readonly items: number
  readonly digits: number
}

/** The key of the annotation that applies to every array element without an annotation for its own index. */
export const EACH = Symbol("*")

/** The types that plain JSON cannot express: the type of a value, and those of the values inside it. */
export interface Annotation {
  type: ExtendedType | undefined
  readonly children: Map<string | typeof EACH, Annotation>
}

const ESCAPE = /\\([\\.*])/g

// The type tags that kit writes, and the lower-case type tags that superjson writes.
const TYPE_BY_TAG: ReadonlyMap<unknown, ExtendedType> = new Map<unknown, ExtendedType>([
  ["Date", "Date"],
  ["Map", "Map"],
  ["Set", "Set"],
  ["BigInt", "BigInt"],
  ["undefined", "undefined"],
  ["map", "Map"],
  ["set", "Set"],
  ["bigint", "BigInt"],
])

export function newAnnotation(): Annotation {
  return { type: undefined, children: new Map() }
}

/** Returns the types in an annotation by their paths inside the JSON. */
export function toMeta(root: Annotation): ExtendedMeta {
  const meta: Record<string, ExtendedType> = {}
  addToMeta(meta, root, [])
  return meta
}

function addToMeta(meta: Record<string, ExtendedType>, { type, children }: Annotation, path: readonly string[]): void {
  if (type) meta[path.join(".")] = type
  for (const [key, child] of children) addToMeta(meta, child, [...path, escapeKey(key)])
}

function escapeKey(key: string | typeof EACH): string {
  if (key === EACH) return "*"
  if (UNSAFE_KEYS.has(key)) throw new TypeError(`Extended JSON cannot hold types under the key "${key}".`)
  return key === "*" ? "\\*" : key.replaceAll(/[\\.]/g, "\\$&")
}

/**
 * Reads the `meta.values` of an envelope. Accepts kit's `{ path: type }` and superjson's nested `[type, { path: … }]`.
 */
export function readAnnotation(values: unknown, limits: ExtendedLimits): Annotation {
  const reader: Reader = { limits, entries: 0 }
  const root: AnnotationPosition = { annotation: newAnnotation(), depth: 0 }
  if (Array.isArray(values)) addEntry(reader, root, values)
  else addEntries(reader, root, values)
  return root.annotation
}

interface Reader {
  readonly limits: ExtendedLimits
  entries: number
}

interface AnnotationPosition {
  readonly annotation: Annotation
  readonly depth: number
}

function addEntries(reader: Reader, spot: AnnotationPosition, entries: unknown): void {
  if (typeof entries !== "object" || entries === null) throw malformed("The types must be given by path.")
  const paths = Object.keys(entries)
  reader.entries += paths.length
  if (reader.entries > reader.limits.entries) throw malformed(`At most ${reader.limits.entries} types may be given.`)
  for (const path of paths) addEntry(reader, findPosition(reader, spot, path), Reflect.get(entries, path))
}

function addEntry(reader: Reader, spot: AnnotationPosition, entry: unknown): void {
  const [tag, inner] = Array.isArray(entry) ? entry : [entry]
  spot.annotation.type = TYPE_BY_TAG.get(tag)
  if (!spot.annotation.type) throw malformed("A type must be one of Date, Map, Set, BigInt and undefined.")
  if (inner !== undefined) addEntries(reader, spot, inner)
}

function findPosition(reader: Reader, start: AnnotationPosition, path: string): AnnotationPosition {
  let { annotation, depth } = start
  for (const part of splitPath(path)) {
    if (depth === reader.limits.depth) throw malformed(`A path may have at most ${depth} levels.`)
    annotation = childOf(annotation, unescapeKey(part))
    depth += 1
  }
  return { annotation, depth }
}

/** Returns the annotation of one member or element; adds an empty annotation if there is none yet. */
export function childOf(annotation: Annotation, key: string | typeof EACH): Annotation {
  const child = annotation.children.get(key) ?? newAnnotation()
  annotation.children.set(key, child)
  return child
}

function* splitPath(path: string): Generator<string> {
  let start = 0
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "\\") at++
    else if (path[at] === ".") {
      yield path.slice(start, at)
      start = at + 1
    }
  }
  yield path.slice(start)
}

function unescapeKey(text: string): string | typeof EACH {
  if (text === "*") return EACH
  if (text.replaceAll(ESCAPE, "").includes("\\")) throw malformed("A path may escape only dots, stars and backslashes.")
  const key = text.replaceAll(ESCAPE, "$1")
  if (UNSAFE_KEYS.has(key)) throw malformed(`A path may not lead through "${key}".`)
  return key
}

function malformed(message: string): ApiError {
  return new ApiError("BAD_REQUEST", { message: `Malformed extended JSON: ${message}` })
}
