import { SCHEMA_LOCK } from "../../../engine/migrate/stored-schema.ts"
import type { Connection } from "../../../ports/database.ts"
import {
  BYTES_TYPE,
  CREATE_VECTOR_EXTENSION,
  createVectors,
  FIND_VECTOR_TYPE,
  HAS_VECTOR_EXTENSION,
  type VectorStorage,
} from "../../../sql/search/vectors.ts"

/**
 * Creates the table of vectors unless the database has it, and returns how it stores them. A new table uses the extension
 * pgvector if the server has it; an existing one stays as it is.
 */
export async function prepareVectors(connection: Connection): Promise<VectorStorage> {
  return (await findVectorStorage(connection)) ?? (await createTable(connection))
}

/** Returns how the database stores vectors, or undefined if it has no table for them. */
export async function findVectorStorage(connection: Connection): Promise<VectorStorage | undefined> {
  const type = (await connection.query(FIND_VECTOR_TYPE)).rows[0]?.[0]
  if (typeof type !== "string") return undefined
  return type === BYTES_TYPE ? "bytes" : "pgvector"
}

function createTable(connection: Connection): Promise<VectorStorage> {
  return connection.transaction(async (transaction) => {
    const run = (text: string) => transaction.query({ text, values: [] })
    await run(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`)
    const existing = await findVectorStorage(transaction)
    if (existing !== undefined) return existing
    await run(CREATE_VECTOR_EXTENSION)
    const { rows } = await transaction.query(HAS_VECTOR_EXTENSION)
    const storage: VectorStorage = rows[0]?.[0] === true ? "pgvector" : "bytes"
    await run(createVectors(storage))
    return storage
  })
}
