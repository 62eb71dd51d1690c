import type { Embedder } from "../../ports/embedder.ts"
import { callWithin } from "./time-limit.ts"

// The largest number of dimensions that a column of pgvector can have.
const MAX_DIMENSIONS = 16_000
// An embedder that does not answer must not hold up the rest of the search index for ever.
const TIMEOUT_MS = 300_000

/**
 * Makes an embedder from a function that turns texts into vectors. The result of the function is checked: it has one
 * vector for each text, of the right length, with finite numbers only. A call fails after five minutes, or when its
 * signal is aborted, even if the function ignores signals.
 *
 * embedderOf({ model: "my-model-2", dimensions: 384, embed: (texts) => myModel.encode(texts) })
 */
export function embedderOf(embedder: Embedder): Embedder {
  const { model, dimensions, batchSize, minSimilarity } = embedder
  checkDescription(embedder)
  return {
    model,
    dimensions,
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    async embed(texts, signal) {
      if (texts.length === 0) return []
      const vectors: unknown = await callWithin({ ms: TIMEOUT_MS, signal }, (inner) => embedder.embed(texts, inner))
      return checkVectors(vectors, { model, dimensions, count: texts.length })
    },
    close: async () => embedder.close?.(),
  }
}

function checkDescription({ model, dimensions, batchSize = 1, minSimilarity = 0 }: Embedder): void {
  if (typeof model !== "string" || model === "") throw new Error('An embedder needs the name of its "model".')
  if (!isCount(dimensions) || dimensions > MAX_DIMENSIONS) {
    throw new Error(`The "dimensions" of the embedder "${model}" must be a whole number from 1 to ${MAX_DIMENSIONS}.`)
  }
  if (!isCount(batchSize)) throw new Error(`The "batchSize" of the embedder "${model}" must be a whole number above 0.`)
  if (!(minSimilarity >= -1 && minSimilarity <= 1)) {
    throw new Error(`The "minSimilarity" of the embedder "${model}" must be a number from -1 to 1.`)
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

interface Expected {
  readonly model: string
  readonly dimensions: number
  readonly count: number
}

function checkVectors(vectors: unknown, { model, dimensions, count }: Expected): readonly Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    const found = Array.isArray(vectors) ? `${vectors.length} vectors` : "no list of vectors"
    throw new Error(`The embedder "${model}" returned ${found} for ${count} texts.`)
  }
  return vectors.map((vector: unknown) => {
    const numbers = toNumbers(vector)
    if (numbers === undefined) {
      throw new Error(`The embedder "${model}" returned a vector that is not a list of finite numbers.`)
    }
    if (numbers.length === dimensions) return numbers
    throw new Error(
      `The embedder "${model}" returned a vector of ${numbers.length} numbers, but its "dimensions" are ${dimensions}. ` +
        `Set "dimensions" to the length of the model's vectors.`,
    )
  })
}

function toNumbers(vector: unknown): Float32Array | undefined {
  if (!(vector instanceof Float32Array || Array.isArray(vector))) return undefined
  // Numbers are checked before the conversion, which would turn null into 0, and after it, which turns large ones into
  // infinity.
  for (const value of vector) if (typeof value !== "number") return undefined
  const numbers = Float32Array.from(vector)
  return numbers.every(Number.isFinite) ? numbers : undefined
}
