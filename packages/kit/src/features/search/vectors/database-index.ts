import type { SemanticIndex, SemanticSearch } from "../../../engine/context/semantic-index.ts"
import type { Connection } from "../../../ports/database.ts"
import type { RankedRecords } from "../../../sql/search/fusion.ts"
import { nearestByVector } from "../../../sql/search/nearest.ts"
import { decodeNearest } from "./decode-nearest.ts"
import type { QueryVectors } from "./query-vectors.ts"

interface DatabaseIndexOptions {
  readonly queries: QueryVectors
  readonly model: string
  readonly minSimilarity: number
}

/** Has the database compare queries with vectors, by the extension pgvector. */
export class DatabaseIndex implements SemanticIndex {
  readonly #options: DatabaseIndexOptions

  constructor(options: DatabaseIndexOptions) {
    this.#options = options
  }

  async findNearest(connection: Connection, { query, ...rows }: SemanticSearch): Promise<RankedRecords> {
    const { queries, model, minSimilarity } = this.#options
    const vector = await queries.vectorOf(query)
    return decodeNearest(await connection.query(nearestByVector(rows, { model, vector, minSimilarity })))
  }
}
