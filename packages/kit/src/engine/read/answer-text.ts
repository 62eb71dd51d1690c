import {
  type ExtendedMeta,
  encodeExtended,
  encodeWithMeta,
  hasBigInts,
  replacerOf,
  wrapWithMeta,
} from "../../wire/codecs/extended-json.ts"
import type { Answer, JsonAnswer } from "./answer.ts"
import { stringifyInSlices } from "./stringify-in-slices.ts"

/** Serializes a result as JSON, or as extended JSON. */
export function answerText(answer: Answer<unknown> | JsonAnswer, isExtended: boolean): string {
  if ("json" in answer) return isExtended ? wrapWithMeta(answer.json, answer.meta()) : answer.json
  return answer.isAuthored ? authoredJson(answer.value, isExtended) : recordsJson(answer, isExtended)
}

/** Like `answerText`, but yields to the event loop during long work. */
export async function answerTextInSlices(answer: Answer<unknown>, isExtended: boolean): Promise<string> {
  const { value, isAuthored } = answer
  // A value that the author's code made must be searched for types that plain JSON does not have.
  if (isAuthored && isExtended) return authoredJson(value, isExtended)
  const meta = answer.meta()
  if (isExtended) return wrapWithMeta((await stringifyInSlices(value, replacerOf(meta))) ?? "null", meta)
  return (await stringifyInSlices(value, isAuthored || hasBigInts(meta) ? bigintsAsText : undefined)) ?? "null"
}

function recordsJson(answer: Answer<unknown>, isExtended: boolean): string {
  const meta = answer.meta()
  return isExtended ? encodeWithMeta(answer.value, meta) : plainJson(answer.value, meta)
}

function authoredJson(value: unknown, isExtended: boolean): string {
  if (typeof value === "function" || typeof value === "symbol") throw new Error(`JSON cannot hold a ${typeof value}.`)
  return isExtended ? encodeExtended(value) : searchedJson(value)
}

// Uses a replacer function only if JSON.stringify fails without it, because JSON.stringify takes 1.3 times as long with
// one for a page of long texts, and twice as long for a page of small values (20 records).
function searchedJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return JSON.stringify(value, bigintsAsText)
  }
}

// Serializes a value as plain JSON. Big integers, which plain JSON does not have, become strings of digits.
function plainJson(value: unknown, meta: ExtendedMeta | undefined): string {
  return hasBigInts(meta) ? JSON.stringify(value, bigintsAsText) : JSON.stringify(value)
}

/** A replacer for `JSON.stringify` that writes big integers as strings of digits. */
export function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
