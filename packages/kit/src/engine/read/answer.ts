import type { Selection } from "../../sql/parse/selection.ts"
import type { ExtendedMeta } from "../../wire/codecs/extended-json.ts"
import { extendedMeta } from "./records.ts"

/** A result, with the type information of an extended JSON response. */
export interface Answer<Value> {
  readonly value: Value
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** The author's code made or changed the value, so its types are only found by searching it. */
  readonly isAuthored?: boolean
  /** Called only if the caller requests extended JSON. */
  meta(): ExtendedMeta | undefined
}

/** A result that the database has already serialized as JSON. */
export interface JsonAnswer {
  readonly json: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  meta(): ExtendedMeta | undefined
}

export function jsonAnswer(json: string, selection: Selection, prefix = ""): JsonAnswer {
  return { json, meta: () => extendedMeta(selection, prefix) }
}

export function answer<Value>(value: Value, selection: Selection, prefix = ""): Answer<Value> {
  return { value, meta: () => extendedMeta(selection, prefix) }
}

/** A result that plain JSON represents without loss. */
export function plainAnswer<Value>(value: Value): Answer<Value> {
  return { value, meta: () => undefined }
}

/** A result that the author's code may have changed in any way. */
export function authoredAnswer<Value>(value: Value): Answer<Value> {
  return { value, isAuthored: true, meta: () => undefined }
}
