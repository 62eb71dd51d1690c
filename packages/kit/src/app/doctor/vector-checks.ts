import { DEFAULT_VECTOR_BYTES, modelOf } from "../../features/search/vectors/open-vectors.ts"
import { findVectorStorage } from "../../features/search/vectors/prepare-vectors.ts"
import { bytesPerVector } from "../../features/search/vectors/vector-index.ts"
import type { Connection } from "../../ports/database.ts"
import { countVectors } from "../../sql/search/vectors.ts"
import type { SearchConfig } from "../config/settings/search-settings.ts"
import { type Finding, ok, warn } from "./finding.ts"

const MEGABYTE = 1_000_000

/** Checks whether the vectors of all texts fit into the memory of a process, if they are compared there. */
export async function checkVectorMemory(
  connection: Connection,
  { embedder, vectorBytes = DEFAULT_VECTOR_BYTES }: SearchConfig,
): Promise<readonly Finding[]> {
  if (embedder === undefined || (await findVectorStorage(connection)) !== "bytes") return []
  const { rows } = await connection.query(countVectors(modelOf(embedder)))
  const count = Number(rows[0]?.[0])
  const bytes = count * bytesPerVector(embedder.dimensions)
  const message = `the vectors of ${count} texts need ${Math.ceil(bytes / MEGABYTE)} MB in each process`
  if (bytes <= vectorBytes) return [ok(message)]
  return [
    warn(
      `${message}, but search.vectorBytes allows ${Math.floor(vectorBytes / MEGABYTE)} MB: nothing is found by its meaning`,
      "Raise search.vectorBytes, or use a database with the extension pgvector.",
    ),
  ]
}
