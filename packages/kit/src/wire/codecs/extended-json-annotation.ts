import { ApiError } from "../errors/api-error.ts"
import { UNSAFE_KEYS } from "./unsafe-keys.ts"

export type ExtendedType = "Date" | "Map" | "Set" | "BigInt" | "undefined"

/** Types by path, such as `{ "docs.*.createdAt": "Date" }`; the path "" is the value itself. */
export type ExtendedMeta = Readonly<Record<string, ExtendedType>>

/** The limits of an envelope from an untrusted client. */
export interface ExtendedLimits {
  readonly entries: number
  readonly depth: number
  readonly items: number
  readonly digits: number
}

/** Stands for every element of an array that is not named by its index. */
export const EACH = Symbol("*")

/** The types that plain JSON cannot express, of a value and of the values inside it. */
export interface Annotation {
  type: ExtendedType | undefined
  readonly children: Map<string | typeof EACH, Annotation>
}

const ESCAPE = /\\([\\.*])/g

// The tags of kit, and the lower-case tags that superjson writes.
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

/** Returns the types of an annotation by path. */
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

/** Reads `meta.values`: kit's `{ path: type }`, and the nested `[type, { path: … }]` of superjson. */
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

/** Returns the annotation of one member; adds it if there is none yet. */
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
