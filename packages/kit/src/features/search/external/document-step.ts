import { searchOf } from "../../../engine/search/index/indexed-tables.ts"
import type { Connection, Database } from "../../../ports/database.ts"
import type { SearchDocument, SearchDocumentKey } from "../../../ports/search-adapter.ts"
import type { SearchIndexColumns } from "../../../schema/compile/resource.ts"
import { decodeTexts, lockDocuments, selectTexts } from "../../../sql/search/content/documents.ts"
import type { IndexBatch, IndexStep } from "../index-step.ts"
import type { AdapterIndex } from "./adapter-index.ts"

interface DocumentStepOptions {
  readonly database: Database
  readonly adapter: Pick<AdapterIndex, "name" | "index" | "remove">
  /** The locale of records that have the same text in all locales. */
  readonly defaultLocale: string
}

/** Sends the texts of changed records to the search engine outside of the database, and has it forget deleted records. */
export function documentStep({ database, adapter, defaultLocale }: DocumentStepOptions): IndexStep {
  return {
    // A document that one engine has is still unknown to another.
    name: `documents:${adapter.name}`,
    process: (batch) =>
      database.transaction(async (connection) => {
        await connection.query(lockDocuments(batch.resource))
        for (const index of searchOf(batch).indexes) {
          const keyOf = (id: string): SearchDocumentKey => {
            const { resource, stage } = batch
            return { collection: resource.name, id, locale: index.locale ?? defaultLocale, stage }
          }
          const documents = await readDocuments(connection, batch, { index, keyOf })
          const found = new Set(documents.map(({ id }) => id))
          await adapter.index(documents, batch.signal)
          await adapter.remove(batch.ids.filter((id) => !found.has(id)).map(keyOf), batch.signal)
        }
      }),
  }
}

interface DocumentRead {
  readonly index: SearchIndexColumns
  keyOf(id: string): SearchDocumentKey
}

async function readDocuments(
  connection: Connection,
  batch: IndexBatch,
  { index, keyOf }: DocumentRead,
): Promise<readonly SearchDocument[]> {
  const table = { resource: batch.resource, search: searchOf(batch) }
  const { rows } = await connection.query(selectTexts(table, index, batch.ids))
  return rows.map((row) => {
    const { id, texts } = decodeTexts(row, index)
    return { ...keyOf(id), texts }
  })
}
