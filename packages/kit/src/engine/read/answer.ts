import type { Selection } from "../../sql/parse/selection.ts"
import type { ExtendedMeta } from "../../wire/codecs/extended-json.ts"
import { extendedMeta, hasUnlistedParts } from "./records.ts"

/** The result of an operation, with the type information that an extended JSON response needs. */
export interface Answer<Value> {
  readonly value: Value
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /**
   * True if the value has to be searched for types that JSON does not have: the author's code made or changed it, or it
   * has lists of blocks, in which the types differ from item to item.
   */
  readonly isSearched?: boolean
  /** Returns the type information for extended JSON. Called only if the caller requests extended JSON. */
  meta(): ExtendedMeta | undefined
}

/** The result of an operation that the database has already serialized as JSON. */
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
  return { value, isSearched: hasUnlistedParts(selection), meta: () => extendedMeta(selection, prefix) }
}

/** Returns a result that plain JSON can represent without loss. */
export function plainAnswer<Value>(value: Value): Answer<Value> {
  return { value, meta: () => undefined }
}

/** Returns a result that the author's code may have changed in any way. */
export function authoredAnswer<Value>(value: Value): Answer<Value> {
  return { value, isSearched: true, meta: () => undefined }
}
