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
  return answer.isSearched ? searchedText(answer.value, isExtended) : recordsJson(answer, isExtended)
}

/** Like `answerText`, but yields to the event loop during long work. */
export async function answerTextInSlices(answer: Answer<unknown>, isExtended: boolean): Promise<string> {
  const { value, isSearched } = answer
  // Such a value must be searched for types that plain JSON does not have.
  if (isSearched && isExtended) return searchedText(value, isExtended)
  const meta = answer.meta()
  if (isExtended) return wrapWithMeta((await stringifyInSlices(value, replacerOf(meta))) ?? "null", meta)
  return (await stringifyInSlices(value, isSearched || hasBigInts(meta) ? plainValue : undefined)) ?? "null"
}

function recordsJson(answer: Answer<unknown>, isExtended: boolean): string {
  const meta = answer.meta()
  return isExtended ? encodeWithMeta(answer.value, meta) : plainJson(answer.value, meta)
}

function searchedText(value: unknown, isExtended: boolean): string {
  if (typeof value === "function" || typeof value === "symbol") throw new Error(`JSON cannot hold a ${typeof value}.`)
  return isExtended ? encodeExtended(value) : searchedJson(value)
}

// Uses a replacer function only if the value needs it, because JSON.stringify takes 1.3 times as long with one for a page
// of long texts, and twice as long for a page of small values (20 records). Without it, JSON.stringify fails for a big
// integer, and writes `{}` for a Map or a Set.
function searchedJson(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined && !text.includes("{}")) return text
  } catch {
    // The value may contain a big integer. If it cannot be serialized for another reason, the next line throws as well.
  }
  return JSON.stringify(value, plainValue)
}

// Serializes a value as plain JSON. Big integers, which plain JSON does not have, become strings of digits.
function plainJson(value: unknown, meta: ExtendedMeta | undefined): string {
  return hasBigInts(meta) ? JSON.stringify(value, plainValue) : JSON.stringify(value)
}

/**
 * A replacer for `JSON.stringify` that writes values which plain JSON does not have: a big integer as a string of
 * digits, a Set as a list, and a Map as an object, or as a list of its entries if a key is not a string.
 */
export function plainValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value)
  if (value instanceof Set) return [...value]
  return value instanceof Map ? plainMap(value) : value
}

function plainMap(map: ReadonlyMap<unknown, unknown>): object {
  const entries = [...map]
  return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries
}
