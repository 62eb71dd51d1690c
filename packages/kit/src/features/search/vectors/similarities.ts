import type { SimilarTexts } from "../../../sql/search/nearest.ts"

// Similarities are counted in this many intervals from -1 to 1, to find the best ones without sorting all.
const INTERVALS = 8192

/** How similar each text of an index is to a query. */
export class Similarities {
  readonly #keys: readonly string[]
  readonly #values: Float64Array

  constructor(keys: readonly string[], values: Float64Array) {
    this.#keys = keys
    this.#values = values
  }

  /**
   * Returns the most similar texts, in no particular order: at least `count` of them, and all that are at least as
   * similar as the last of these, but none below `minSimilarity`. `isAll` is true if no other texts reach it.
   */
  best(count: number, minSimilarity: number): SimilarTexts & { readonly isAll: boolean } {
    const bound = Math.max(minSimilarity, this.#boundOf(count))
    const keys: string[] = []
    const similarities: number[] = []
    let isAll = true
    this.#values.forEach((value, place) => {
      if (value < bound) {
        isAll &&= value < minSimilarity
        return
      }
      keys.push(String(this.#keys[place]))
      similarities.push(value)
    })
    return { keys, similarities, isAll }
  }

  // Returns a similarity that at least `count` texts reach, as high as the intervals allow.
  #boundOf(count: number): number {
    const counts = new Uint32Array(INTERVALS + 1)
    for (const value of this.#values) {
      const interval = intervalOf(value)
      counts[interval] = (counts[interval] ?? 0) + 1
    }
    let found = 0
    for (let interval = INTERVALS; interval > 0; interval--) {
      found += counts[interval] ?? 0
      if (found >= count) return (interval / INTERVALS) * 2 - 1
    }
    return -1
  }
}

function intervalOf(value: number): number {
  return Math.min(INTERVALS, Math.max(0, Math.floor(((value + 1) / 2) * INTERVALS)))
}
