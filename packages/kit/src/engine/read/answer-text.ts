import {
  type ExtendedMeta,
  encodeExtended,
  encodeWithMeta,
  hasBigInts,
  replacerOf,
  wrapWithMeta,
} from "../../wire/codecs/extended-json.ts"
import type { Answer, JsonAnswer } from "./answer.ts"
import { jsonInTurns } from "./json-in-turns.ts"

/** A result as JSON, or as extended JSON. */
export function answerText(answer: Answer<unknown> | JsonAnswer, isExtended: boolean): string {
  if ("json" in answer) return isExtended ? wrapWithMeta(answer.json, answer.meta()) : answer.json
  return answer.isAuthored ? authoredJson(answer.value, isExtended) : recordsJson(answer, isExtended)
}

/** As `answerText`, in several turns of the event loop. */
export async function answerTextInTurns(answer: Answer<unknown>, isExtended: boolean): Promise<string> {
  const { value, isAuthored } = answer
  // What an author made of records has to be searched for what JSON cannot hold.
  if (isAuthored && isExtended) return authoredJson(value, isExtended)
  const meta = answer.meta()
  if (isExtended) return wrapWithMeta((await jsonInTurns(value, replacerOf(meta))) ?? "null", meta)
  return (await jsonInTurns(value, isAuthored || hasBigInts(meta) ? bigintsAsText : undefined)) ?? "null"
}

function recordsJson(answer: Answer<unknown>, isExtended: boolean): string {
  const meta = answer.meta()
  return isExtended ? encodeWithMeta(answer.value, meta) : plainJson(answer.value, meta)
}

function authoredJson(value: unknown, isExtended: boolean): string {
  if (typeof value === "function" || typeof value === "symbol") throw new Error(`JSON cannot hold a ${typeof value}.`)
  return isExtended ? encodeExtended(value) : searchedJson(value)
}

// A replacer makes JSON.stringify several times slower, so it is used where it turns out to be needed.
function searchedJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return JSON.stringify(value, bigintsAsText)
  }
}

// Plain JSON has no big integers: they are written as strings of digits.
function plainJson(value: unknown, meta: ExtendedMeta | undefined): string {
  return hasBigInts(meta) ? JSON.stringify(value, bigintsAsText) : JSON.stringify(value)
}

/** Writes big integers as strings of digits, as a replacer of `JSON.stringify`. */
export function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
