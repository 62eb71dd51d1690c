import type { Connection } from "../../../ports/database.ts"
import type { Embedder } from "../../../ports/embedder.ts"
import { keepVectors, keyedIndexes, missingTexts } from "../../../sql/search/missing-vectors.ts"
import { type StoredVector, storeVectors, type VectorStorage } from "../../../sql/search/vectors.ts"
import type { IndexBatch, IndexStep } from "../index-step.ts"

const EMBED_STEP = "vectors"
const DEFAULT_BATCH_SIZE = 64

interface EmbedStepOptions {
  readonly connection: Connection
  readonly embedder: Embedder
  /** The name under which the embedder's vectors are stored. */
  readonly model: string
  readonly storage: VectorStorage
}

interface MissingText {
  readonly key: string
  readonly text: string
}

/** Embeds the texts of changed records, in batches, and stores their vectors. A text that has a vector is not embedded again. */
export function embedStep(options: EmbedStepOptions): IndexStep {
  const { embedder } = options
  return {
    name: EMBED_STEP,
    async process(batch) {
      const missing = await findMissing(options, batch)
      for (const texts of inBatches(missing, embedder.batchSize ?? DEFAULT_BATCH_SIZE)) {
        await embedTexts(options, texts, batch.signal)
      }
    },
  }
}

async function findMissing(
  { connection, model }: EmbedStepOptions,
  batch: IndexBatch,
): Promise<readonly MissingText[]> {
  const texts = new Map<string, string>()
  for (const index of keyedIndexes(batch.resource)) {
    await connection.query(keepVectors(index, batch.ids, model))
    const { rows } = await connection.query(missingTexts(index, batch.ids, model))
    for (const [key, text] of rows) texts.set(String(key), String(text))
  }
  return Array.from(texts, ([key, text]) => ({ key, text }))
}

async function embedTexts(
  { connection, embedder, model, storage }: EmbedStepOptions,
  texts: readonly MissingText[],
  signal: AbortSignal,
): Promise<void> {
  const vectors = await embedder.embed(
    texts.map(({ text }) => text),
    signal,
  )
  const stored: StoredVector[] = texts.map(({ key }, place) => ({
    key,
    vector: Float32Array.from(vectors[place] ?? []),
  }))
  await connection.query(storeVectors(storage, model, stored))
}

function inBatches<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, place) => items.slice(place * size, (place + 1) * size))
}
