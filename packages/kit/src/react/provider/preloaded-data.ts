import { decodeAnswer } from "../../wire/codecs/extended-json-answer.ts"
import type { PreloadedData } from "../store/result.ts"
import type { PreloadedEntry } from "./preload.ts"

const decoded = new WeakMap<PreloadedEntry, PreloadedData>()

/** Returns the data of a preloaded result: always the same object for the same entry. */
export function preloadedData(entry: PreloadedEntry): PreloadedData {
  const known = decoded.get(entry)
  if (known) return known
  const { body, hash, at } = entry
  // The decoder changes what it decodes, but the framework may use the entry again.
  const data = decodeAnswer(structuredClone(body))
  const made = { data, hash: hash ?? undefined, at, arrivedAt: performance.now(), isUsed: false }
  decoded.set(entry, made)
  return made
}
