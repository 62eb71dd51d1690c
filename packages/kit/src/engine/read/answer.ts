import type { Selection } from "../../sql/parse/selection.ts"
import type { ExtendedMeta } from "../../wire/codecs/extended-json.ts"
import { extendedMeta } from "./records.ts"

/** A result, and what an extended JSON answer has to say about it. */
export interface Answer<Value> {
  readonly value: Value
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** The author's code had a hand in it: only a search tells what it holds. */
  readonly isAuthored?: boolean
  /** Made only when the caller asks for extended JSON. */
  meta(): ExtendedMeta | undefined
}

/** A result that the database has already written as JSON. */
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

/** A result that plain JSON holds as it is. */
export function plainAnswer<Value>(value: Value): Answer<Value> {
  return { value, meta: () => undefined }
}

/** A result that went through the author's code, which may have put anything into it. */
export function authoredAnswer<Value>(value: Value): Answer<Value> {
  return { value, isAuthored: true, meta: () => undefined }
}
