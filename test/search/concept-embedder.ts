import { createHash } from "node:crypto"
import { type Embedder, embedderOf } from "kit/embedders"

const DIMENSIONS = 256

// Words that mean the same, as far as the tests need it.
const CONCEPTS: Readonly<Record<string, string>> = {
  automobile: "car",
  vehicle: "car",
  auto: "car",
  puppy: "dog",
  hound: "dog",
  hund: "dog",
  elections: "vote",
  ballot: "vote",
}

export interface ConceptEmbedder extends Embedder {
  /** All texts that have been embedded so far, in the order of the calls. */
  readonly embedded: readonly string[]
  /** While it is set, every call fails with this error. */
  failure: Error | undefined
}

/**
 * An embedder whose vectors count the words of a text. Words that mean the same count as one word, so a text is found by
 * words that it does not contain, and every result can be foretold.
 */
export function conceptEmbedder(model = "concepts"): ConceptEmbedder {
  const embedded: string[] = []
  const own: { failure: Error | undefined } = { failure: undefined }
  const embedder = embedderOf({
    model,
    dimensions: DIMENSIONS,
    batchSize: 8,
    embed: (texts) => {
      if (own.failure) return Promise.reject(own.failure)
      embedded.push(...texts)
      return Promise.resolve(texts.map(vectorOf))
    },
  })
  return Object.assign(own, embedder, { embedded })
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = placeOf(CONCEPTS[word] ?? word)
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

function placeOf(word: string): number {
  return createHash("md5").update(word).digest().readUInt32LE(0) % DIMENSIONS
}
