import { TimeSlice } from "../../../engine/read/time-slice.ts"
import { SIMILARITY_DIGITS } from "../../../sql/search/nearest.ts"
import type { StoredVector } from "../../../sql/search/vectors.ts"
import { Similarities } from "./similarities.ts"

const BLOCK_VECTORS = 1024
// The memory of a key besides its vector: a text of 36 characters, and its places in a list and in a set.
const BYTES_PER_KEY = 160
// The number of vectors that are compared between two looks at the clock. Comparing 64 of them takes a fraction of a
// millisecond.
const VECTORS_PER_LOOK = 64

/** Returns the memory that one vector takes in the index. */
export function bytesPerVector(dimensions: number): number {
  return dimensions * Float32Array.BYTES_PER_ELEMENT + BYTES_PER_KEY
}

/**
 * The vectors of texts in memory. A search compares the query with all of them, so its result is exact. Vectors are
 * only ever added.
 */
export class VectorIndex {
  readonly #dimensions: number
  readonly #keys: string[] = []
  readonly #known = new Set<string>()
  // The vectors one after the other, each with the length 1, in blocks, so that a growing index is not copied.
  readonly #blocks: Float32Array[] = []

  constructor(dimensions: number) {
    this.#dimensions = dimensions
  }

  get size(): number {
    return this.#keys.length
  }

  has(key: string): boolean {
    return this.#known.has(key)
  }

  /** Adds vectors. Those whose key is known already, or which have another length, are ignored. */
  add(vectors: Iterable<StoredVector>): void {
    for (const { key, vector } of vectors) {
      if (this.#known.has(key) || vector.length !== this.#dimensions) continue
      const place = this.#keys.length % BLOCK_VECTORS
      if (place === 0) this.#blocks.push(new Float32Array(BLOCK_VECTORS * this.#dimensions))
      this.#blocks.at(-1)?.set(normalized(vector), place * this.#dimensions)
      this.#keys.push(key)
      this.#known.add(key)
    }
  }

  /** Compares the query with all vectors, in time slices, so that other work of the process goes on meanwhile. */
  async compare(query: Float32Array): Promise<Similarities> {
    const unit = normalized(query)
    const count = this.#keys.length
    const similarities = new Float64Array(count)
    const slice = new TimeSlice()
    for (let from = 0; from < count; from += VECTORS_PER_LOOK) {
      if (slice.isOver) await slice.next()
      const block = this.#blocks[Math.floor(from / BLOCK_VECTORS)]
      const until = Math.min(from + VECTORS_PER_LOOK, count)
      for (let place = from; block && place < until; place++) similarities[place] = this.#similarity(unit, block, place)
    }
    return new Similarities(this.#keys, similarities)
  }

  #similarity(unit: Float32Array, block: Float32Array, place: number): number {
    return round(dot(unit, block, (place % BLOCK_VECTORS) * this.#dimensions))
  }
}

/**
 * Returns the dot product of the vector and the numbers of the block from `start` on. Four sums at a time take half as
 * long as one, because no addition has to wait for the one before it.
 */
function dot(vector: Float32Array, block: Float32Array, start: number): number {
  const inFours = vector.length - (vector.length % 4)
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let at = 0; at < inFours; at += 4) {
    const from = start + at
    first += (vector[at] ?? 0) * (block[from] ?? 0)
    second += (vector[at + 1] ?? 0) * (block[from + 1] ?? 0)
    third += (vector[at + 2] ?? 0) * (block[from + 2] ?? 0)
    fourth += (vector[at + 3] ?? 0) * (block[from + 3] ?? 0)
  }
  for (let at = inFours; at < vector.length; at++) first += (vector[at] ?? 0) * (block[start + at] ?? 0)
  return first + second + third + fourth
}

const FACTOR = 10 ** SIMILARITY_DIGITS

function round(value: number): number {
  return Math.round(value * FACTOR) / FACTOR
}

/** Returns the vector with the length 1. A vector without a direction, of zeros only, stays as it is. */
function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}
