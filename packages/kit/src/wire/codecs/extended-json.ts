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

/** The limits for extended JSON that a client sends. */
const REQUEST_LIMITS: ExtendedLimits = { entries: 1_000, depth: 20, items: 10_000, digits: 1_000 }

/** True if this value of the `X-ExtendedJSON` header requests extended JSON. */
export function isExtendedHeader(value: string | null): boolean {
  return value === "1" || value === "true"
}

/**
 * Serializes any value as extended JSON. Searches the value for Dates, Maps, Sets, BigInts and undefined.
 *
 * encodeExtended({ at: new Date(0) }) // {"json":{"at":"1970-01-01T00:00:00.000Z"},"meta":{"values":{"at":"Date"}}}
 */
export function encodeExtended(value: unknown): string {
  const annotation = annotate(value)
  // `JSON.stringify` returns undefined for a function. "null" is written instead, because an envelope without a value
  // could not be read.
  if (!annotation) return `{"json":${JSON.stringify(value) ?? "null"}}`
  const values = toMeta(annotation)
  // The replacer is left out where possible: `JSON.stringify` takes up to twice as long with one (20 records of small
  // values), and Dates do not need it.
  const hasDatesOnly = Object.values(values).every((type) => type === "Date")
  const json = hasDatesOnly ? JSON.stringify(value) : JSON.stringify(value, withNulls)
  return `{"json":${json},"meta":${JSON.stringify({ values })}}`
}

/**
 * Serializes a value as extended JSON. The types in the value are known from the schema, so the value is not searched.
 */
export function encodeWithMeta(value: unknown, meta: ExtendedMeta | undefined): string {
  return wrapWithMeta(JSON.stringify(value, replacerOf(meta)) ?? "null", meta)
}

/**
 * Returns the replacer that `JSON.stringify` needs for a value with these types. The replacer looks only at values, not
 * at keys.
 */
export function replacerOf(meta: ExtendedMeta | undefined): Replacer | undefined {
  return envelopeFormatOf(meta).replacer
}

/** Wraps the JSON text of a value in an extended JSON envelope that names the types in the value. */
export function wrapWithMeta(json: string, meta: ExtendedMeta | undefined): string {
  return `{"json":${json}${envelopeFormatOf(meta).end}}`
}

/** True if a value with these types may contain BigInts, which `JSON.stringify` cannot write without a replacer. */
export function hasBigInts(meta: ExtendedMeta | undefined): boolean {
  return envelopeFormatOf(meta).hasBigInts
}

type Replacer = (key: string, value: unknown) => unknown

/** The parts of an extended JSON envelope that depend only on the types in the value. */
interface EnvelopeFormat {
  readonly replacer: Replacer | undefined
  readonly hasBigInts: boolean
  /** The text of the envelope after the value. */
  readonly end: string
}

const PLAIN: EnvelopeFormat = { replacer: undefined, hasBigInts: false, end: "" }
const envelopeFormats = new WeakMap<ExtendedMeta, EnvelopeFormat>()

// Returns the cached envelope format for these types. One `meta` object serves many responses, and does not change
// after its first use.
function envelopeFormatOf(meta: ExtendedMeta | undefined): EnvelopeFormat {
  if (meta === undefined) return PLAIN
  const known = envelopeFormats.get(meta)
  if (known) return known
  const types = new Set(Object.values(meta))
  const end = types.size === 0 ? "" : `,"meta":${JSON.stringify({ values: meta })}`
  const writing = { replacer: replacerFor(types), hasBigInts: types.has("BigInt"), end }
  envelopeFormats.set(meta, writing)
  return writing
}

// Returns the replacer that these types need, if any. `JSON.stringify` takes up to twice as long with a replacer, and
// Dates need none.
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

/**
 * Decodes a parsed extended JSON envelope, written by kit or superjson, and modifies the envelope's `json` in place.
 */
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
