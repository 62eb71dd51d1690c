import type { SemanticIndex } from "../../../engine/context/semantic-index.ts"
import type { Database } from "../../../ports/database.ts"
import type { Embedder } from "../../../ports/embedder.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { VectorStorage } from "../../../sql/search/vectors.ts"
import type { IndexStep } from "../index-step.ts"
import { DatabaseIndex } from "./database-index.ts"
import { embedStep } from "./embed-step.ts"
import { LoadedVectors } from "./loaded-vectors.ts"
import { MemoryIndex } from "./memory-index.ts"
import { prepareVectors } from "./prepare-vectors.ts"
import { QueryVectors } from "./query-vectors.ts"

/** The maximum memory for vectors in one process unless the app sets another. */
export const DEFAULT_VECTOR_BYTES = 256 * 1024 * 1024
// Texts of different subjects are less similar than this in most models.
const DEFAULT_MIN_SIMILARITY = 0.2

interface VectorOptions {
  readonly database: Database
  readonly embedder: Embedder
  readonly maxBytes: number | undefined
  readonly logger: Logger
}

/** The search by meaning: the index that queries use, and the step that embeds what has changed. */
export interface OpenVectors {
  readonly index: SemanticIndex
  readonly step: IndexStep
  /** The name under which the embedder's vectors are stored. */
  readonly model: string
}

/** Opens the search by meaning, and creates the table of vectors unless it exists. */
export async function openVectors({ database, embedder, maxBytes, logger }: VectorOptions): Promise<OpenVectors> {
  const storage = await prepareVectors(database)
  const model = modelOf(embedder)
  const step = embedStep({ connection: database, embedder, model, storage })
  return { index: createIndex(storage, { embedder, model, maxBytes, logger }), step, model }
}

/**
 * Returns the name under which the embedder's vectors are stored. Vectors of different lengths are never compared, even
 * if their models have the same name.
 */
export function modelOf({ model, dimensions }: Embedder): string {
  return `${model}/${dimensions}`
}

interface IndexOptions extends Omit<VectorOptions, "database"> {
  readonly model: string
}

function createIndex(storage: VectorStorage, { embedder, model, maxBytes, logger }: IndexOptions): SemanticIndex {
  const { dimensions, minSimilarity = DEFAULT_MIN_SIMILARITY } = embedder
  const queries = new QueryVectors({ embedder, logger })
  if (storage === "pgvector") return new DatabaseIndex({ queries, model, minSimilarity })
  const vectors = new LoadedVectors({ model, dimensions, maxBytes: maxBytes ?? DEFAULT_VECTOR_BYTES })
  return new MemoryIndex({ queries, vectors, minSimilarity })
}
