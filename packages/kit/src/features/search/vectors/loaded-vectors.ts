import type { Connection } from "../../../ports/database.ts"
import { CURRENT_POSITION } from "../../../sql/changes/read-changes.ts"
import {
  countVectors,
  decodeVector,
  nextVectors,
  type StoredVector,
  vectorKeysSince,
  vectorsOf,
} from "../../../sql/search/vectors.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { bytesPerVector, VectorIndex } from "./vector-index.ts"

// A page of vectors is parsed in one go, so it is short enough not to delay other work.
const PAGE_VECTORS = 500
// Less than every other key.
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000"

interface LoadedVectorOptions {
  readonly model: string
  readonly dimensions: number
  /** The maximum memory for the vectors. */
  readonly maxBytes: number
}

interface LoadedIndex {
  readonly index: VectorIndex
  /** The snapshot of the database up to which the index is current. */
  position: string
}

/**
 * The vectors of the database in memory. They are loaded for the first search. Each search first adds the vectors that
 * this process or others have stored since, which it finds by the same snapshots as the readers of changes.
 */
export class LoadedVectors {
  readonly #options: LoadedVectorOptions
  readonly #maxCount: number
  #loaded: LoadedIndex | undefined
  #loading: Promise<LoadedIndex> | undefined

  constructor(options: LoadedVectorOptions) {
    this.#options = options
    this.#maxCount = Math.floor(options.maxBytes / bytesPerVector(options.dimensions))
  }

  /** Returns the index with all vectors that are visible to the connection. Throws if they need too much memory. */
  async current(connection: Connection): Promise<VectorIndex> {
    const loaded = this.#loaded ?? (await this.#load(connection))
    await this.#catchUp(connection, loaded)
    return loaded.index
  }

  // Searches that come while the vectors are being loaded wait for them. If the load fails, for example because its
  // caller has left, each of them tries again.
  async #load(connection: Connection): Promise<LoadedIndex> {
    while (this.#loading !== undefined) {
      const loaded = await this.#loading.catch(() => undefined)
      if (loaded !== undefined) return loaded
    }
    this.#loading = this.#readAll(connection)
    try {
      this.#loaded = await this.#loading
      return this.#loaded
    } finally {
      this.#loading = undefined
    }
  }

  async #readAll(connection: Connection): Promise<LoadedIndex> {
    const { model, dimensions } = this.#options
    const { rows } = await connection.query(countVectors(model))
    if (Number(rows[0]?.[0]) > this.#maxCount) throw tooManyVectors()
    const position = String((await connection.query(CURRENT_POSITION)).rows[0]?.[0])
    const index = new VectorIndex(dimensions)
    for (let key: string | undefined = BEFORE_ALL; key !== undefined; ) {
      const page = await connection.query(nextVectors(model, { key, limit: PAGE_VECTORS }))
      const vectors = page.rows.map(decodeRow)
      index.add(vectors)
      if (index.size > this.#maxCount) throw tooManyVectors()
      key = vectors.at(-1)?.key
    }
    return { index, position }
  }

  async #catchUp(connection: Connection, loaded: LoadedIndex): Promise<void> {
    const { index, position } = loaded
    const { rows } = await connection.query(vectorKeysSince(this.#options.model, position))
    const keys = rows.flatMap(([, key]) => (typeof key === "string" && !index.has(key) ? [key] : []))
    // Vectors that nobody needs any more may have been deleted in the meantime, so the next search loads all again.
    if (index.size + keys.length > this.#maxCount) {
      this.#loaded = undefined
      throw tooManyVectors()
    }
    for (let from = 0; from < keys.length; from += PAGE_VECTORS) {
      const page = await connection.query(vectorsOf(this.#options.model, keys.slice(from, from + PAGE_VECTORS)))
      index.add(page.rows.map(decodeRow))
    }
    loaded.position = String(rows[0]?.[0] ?? position)
  }
}

function decodeRow([key, vector]: readonly unknown[]): StoredVector {
  return { key: String(key), vector: decodeVector(vector instanceof Uint8Array ? vector : new Uint8Array()) }
}

function tooManyVectors(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", {
    message:
      'The vectors of all texts need more memory than the setting "search.vectorBytes" allows. ' +
      'Raise it, or use a database with the extension pgvector. The mode "lexical" needs no vectors.',
  })
}
