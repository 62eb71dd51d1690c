import { ApiError } from "../errors/api-error.ts"
import { annotate } from "./extended-json-annotate.ts"
import {
  type ExtendedLimits,
  type ExtendedMeta,
  type ExtendedType,
  readAnnotation,
  toMeta,
} from "./extended-json-annotation.ts"
import { revive } from "./extended-json-revive.ts"
import { isObject } from "./is-object.ts"

export type { ExtendedMeta, ExtendedType } from "./extended-json-annotation.ts"

/** What a stranger may send. */
const REQUEST_LIMITS: ExtendedLimits = { entries: 1_000, depth: 20, items: 10_000, digits: 1_000 }

/** Whether the `X-ExtendedJSON` header asks for this format. */
export function isExtendedHeader(value: string | null): boolean {
  return value === "1" || value === "true"
}

/**
 * Writes any value with its Dates, Maps, Sets, BigInts and undefineds; the value is searched for them.
 *
 * encodeExtended({ at: new Date(0) }) // {"json":{"at":"1970-01-01T00:00:00.000Z"},"meta":{"values":{"at":"Date"}}}
 */
export function encodeExtended(value: unknown): string {
  const annotation = annotate(value)
  // A function has no JSON at all, and an envelope without a value could not be read.
  if (!annotation) return `{"json":${JSON.stringify(value) ?? "null"}}`
  const values = toMeta(annotation)
  // Dates need no replacer, and it makes JSON.stringify several times slower.
  const hasDatesOnly = Object.values(values).every((type) => type === "Date")
  const json = hasDatesOnly ? JSON.stringify(value) : JSON.stringify(value, withNulls)
  return `{"json":${json},"meta":${JSON.stringify({ values })}}`
}

/** Writes a value of which the schema knows where those are, without a search. */
export function encodeWithMeta(value: unknown, meta: ExtendedMeta | undefined): string {
  return wrapWithMeta(JSON.stringify(value, replacerOf(meta)) ?? "null", meta)
}

/** What `JSON.stringify` needs to write such a value; it goes by the value alone. */
export function replacerOf(meta: ExtendedMeta | undefined): Replacer | undefined {
  return writingOf(meta).replacer
}

/** The envelope around a value that is JSON text already. */
export function wrapWithMeta(json: string, meta: ExtendedMeta | undefined): string {
  return `{"json":${json}${writingOf(meta).end}}`
}

/** Whether plain JSON cannot write the value without a replacer. */
export function hasBigInts(meta: ExtendedMeta | undefined): boolean {
  return writingOf(meta).hasBigInts
}

type Replacer = (key: string, value: unknown) => unknown

/** What an envelope needs of its description. */
interface Writing {
  readonly replacer: Replacer | undefined
  readonly hasBigInts: boolean
  /** What follows the value. */
  readonly end: string
}

const PLAIN: Writing = { replacer: undefined, hasBigInts: false, end: "" }
const writings = new WeakMap<ExtendedMeta, Writing>()

// The same description serves many answers, and does not change once it is used.
function writingOf(meta: ExtendedMeta | undefined): Writing {
  if (meta === undefined) return PLAIN
  const known = writings.get(meta)
  if (known) return known
  const types = new Set(Object.values(meta))
  const end = types.size === 0 ? "" : `,"meta":${JSON.stringify({ values: meta })}`
  const writing = { replacer: replacerFor(types), hasBigInts: types.has("BigInt"), end }
  writings.set(meta, writing)
  return writing
}

// A replacer makes JSON.stringify several times slower, and Dates need none.
function replacerFor(types: ReadonlySet<ExtendedType>): Replacer | undefined {
  if (types.has("undefined")) return withNulls
  return types.has("BigInt") || types.has("Map") || types.has("Set") ? (_key, value) => toPlain(value) : undefined
}

function withNulls(_key: string, value: unknown): unknown {
  return value === undefined ? null : toPlain(value)
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value)
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/** Reads a parsed envelope, ours or one that superjson wrote, and takes its `json` over. */
export function decodeExtended(envelope: unknown): unknown {
  if (!isObject(envelope) || !("json" in envelope)) throw malformed("{ json, meta? }")
  if (!("meta" in envelope)) return envelope.json
  if (!isObject(envelope.meta)) throw malformed("{ json, meta: { values } }")
  if (!("values" in envelope.meta)) return envelope.json
  return revive(envelope.json, readAnnotation(envelope.meta.values, REQUEST_LIMITS), REQUEST_LIMITS)
}

function malformed(shape: string): ApiError {
  return new ApiError("BAD_REQUEST", { message: `Malformed extended JSON: send ${shape}.` })
}
