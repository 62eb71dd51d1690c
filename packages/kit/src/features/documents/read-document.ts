import type { Connection } from "../../ports/database.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import { HASH_OF_NULL } from "../../sql/documents/document-place.ts"
import {
  decodePlacedDocument,
  type PlacedDocument,
  selectPlacedDocument,
  selectValue,
} from "../../sql/documents/make-document.ts"
import { decodeWholeDocument, selectWholeDocument, type WholeDocument } from "../../sql/documents/read-documents.ts"

/** The value of a record's field, and its hash. */
export interface FieldValue {
  readonly value: unknown
  readonly hash: string
}

/** Reads the document of a place, and the state of its record. */
export async function readPlacedDocument(connection: Connection, place: DocumentPlace): Promise<PlacedDocument> {
  const { rows } = await connection.query(selectPlacedDocument(place))
  return decodePlacedDocument(place, rows[0])
}

/** Reads a document with all its updates; undefined if it was deleted. */
export async function readWholeDocument(connection: Connection, id: string): Promise<WholeDocument | undefined> {
  return decodeWholeDocument((await connection.query(selectWholeDocument(id))).rows)
}

/** Reads the value of a record's field. Returns undefined if the record does not exist. */
export async function readFieldValue(connection: Connection, place: DocumentPlace): Promise<FieldValue | undefined> {
  const { rows } = await connection.query(selectValue(place))
  const [row] = rows
  // A global has a value before it has a row.
  if (row === undefined) return place.resource.kind === "global" ? { value: null, hash: HASH_OF_NULL } : undefined
  const { type } = place.field
  const value = row[0] !== null && type.sqlType === "jsonb" && type.fromJson ? type.fromJson(row[0]) : row[0]
  return { value, hash: String(row[1]) }
}

/** Returns the state of a document and its updates, in the form in which the codec reads a document. */
export function allUpdates({ state, updates }: WholeDocument): readonly Uint8Array[] {
  return [state, ...updates.map(({ update }) => update)]
}

/** Returns the updates that the record's last known value contains. */
export function updatesOfValue({ state, updates, valueSeq }: WholeDocument): readonly Uint8Array[] {
  const known = updates.filter(({ seq, isOfValue }) => isOfValue || seq <= valueSeq)
  return [state, ...known.map(({ update }) => update)]
}
