import { INSERT_CHANGES } from "../changes/changes.ts"

/**
 * The value of the column `resource_kind` in a change that announces new updates of a document, or another problem of
 * its value. The column `resource` has the document's id.
 */
export const DOCUMENT_CHANGE = "document"

/** Returns the SQL that appends a change for each document in `source`, a query for rows with `id` and `seq`. */
export function appendDocumentChanges(source: string): string {
  const values = `'${DOCUMENT_CHANGE}', id::text, seq::text, 'edit', null, null`
  return `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after) select ${values} from ${source}`
}
