import type { Connection } from "../../../ports/database.ts"
import { type ForeignName, foreignNames, unknownName } from "../../../schema/rich-text/foreign-names.ts"
import { rememberNames } from "../../../sql/documents/document-names.ts"
import type { DocumentPlace } from "../../../sql/documents/document-place.ts"
import type { OpenDocument } from "../document-services.ts"

const NO_NAMES = { nodes: [], marks: [] }

/** Stores the names of a value that becomes an edit of its document. */
export async function rememberValueNames(
  connection: Connection,
  { place, id }: OpenDocument,
  value: unknown,
): Promise<void> {
  if (place.field.type.vocabulary === undefined) return
  const names = new Set(Array.from(foreignNames(value, NO_NAMES), keyOf))
  if (names.size > 0) await connection.query(rememberNames({ documentId: id, names: [...names], isComplete: false }))
}

/**
 * Returns the problem of a document's value with a name that is neither in the field's vocabulary nor in the record's
 * present value; undefined if it has none. What a record has is kept.
 */
export function findNewName({ field }: DocumentPlace, present: unknown, value: unknown): string | undefined {
  const { vocabulary } = field.type
  if (vocabulary === undefined) return undefined
  const kept = new Set(Array.from(foreignNames(present, vocabulary), keyOf))
  for (const found of foreignNames(value, vocabulary)) {
    if (!kept.has(keyOf(found))) return unknownName(found.kind, found.name, vocabulary)
  }
  return undefined
}

function keyOf({ kind, name }: ForeignName): string {
  return `${kind} ${name}`
}
