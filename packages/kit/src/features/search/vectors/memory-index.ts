import type { SemanticIndex, SemanticSearch } from "../../../engine/context/semantic-index.ts"
import type { Connection } from "../../../ports/database.ts"
import type { RankedRecords } from "../../../sql/search/fusion.ts"
import { nearestByKeys } from "../../../sql/search/nearest.ts"
import { decodeNearest } from "./decode-nearest.ts"
import type { LoadedVectors } from "./loaded-vectors.ts"
import type { QueryVectors } from "./query-vectors.ts"
import type { Similarities } from "./similarities.ts"
import type { VectorIndex } from "./vector-index.ts"

// The numbers of texts that are looked up in the database, one after the other, until enough of their records are
// readable. The last one stands for all.
const PORTIONS = [1_000, 8_000, Number.POSITIVE_INFINITY]

interface MemoryIndexOptions {
  readonly queries: QueryVectors
  readonly vectors: LoadedVectors
  readonly minSimilarity: number
}

interface Comparison {
  readonly query: Float32Array
  readonly size: number
  readonly similarities: Promise<Similarities>
}

/** Compares queries with the vectors in the memory of this process. */
export class MemoryIndex implements SemanticIndex {
  readonly #options: MemoryIndexOptions
  // A search in several collections compares its query only once.
  #last: Comparison | undefined

  constructor(options: MemoryIndexOptions) {
    this.#options = options
  }

  async findNearest(connection: Connection, { query, ...rows }: SemanticSearch): Promise<RankedRecords> {
    const { queries, vectors, minSimilarity } = this.#options
    const vector = await queries.vectorOf(query)
    const similarities = await this.#compare(await vectors.current(connection), vector)
    let found: RankedRecords = []
    for (const count of PORTIONS) {
      const texts = similarities.best(count, minSimilarity)
      if (texts.keys.length > 0) found = decodeNearest(await connection.query(nearestByKeys(rows, texts)))
      // Enough readable records are among these texts, or no other text is similar: hidden records change nothing.
      if (found.length >= rows.limit || texts.isAll) return found
    }
    return found
  }

  #compare(index: VectorIndex, query: Float32Array): Promise<Similarities> {
    const { size } = index
    if (this.#last?.query !== query || this.#last.size !== size) {
      this.#last = { query, size, similarities: index.compare(query) }
    }
    return this.#last.similarities
  }
}
