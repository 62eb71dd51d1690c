import type { RowValues, Statement } from "../../ports/database.ts"
import { type DocumentClients, storeClients } from "./document-clients.ts"
import {
  type DocumentPlace,
  HASH_OF_NULL,
  hashSql,
  IS_AT_PLACE,
  placeValues,
  selectFromRecord,
  valueSql,
} from "./document-place.ts"
import { DOCUMENTS_TABLE } from "./document-tables.ts"

/** The document of a place, and the state of its record. */
export interface PlacedDocument {
  /** False if the record does not exist or is soft-deleted. A global may be read before it has a row. */
  readonly hasRecord: boolean
  /** Undefined if no document has been made yet. */
  readonly document:
    | {
        readonly id: string
        readonly seq: number
        readonly problem: string | null
        /** True if the record has the value that the document knows. */
        readonly isCurrent: boolean
        /** True if the document's value was not written, because the record was soft-deleted. */
        readonly isSetAside: boolean
      }
    | undefined
}

/** Selects the document of a place, and whether the record still has the value that the document knows. */
export function selectPlacedDocument(place: DocumentPlace): Statement {
  const record = selectFromRecord(place, `${hashSql(place)} as hash`, "$6")
  return {
    text: `select r.hash, d.id, d.seq::text, d.problem, d.value_hash,
        d.problem is null and d.seq > d.value_seq and d.refused_seq = d.seq from (select 1) _one
      left join lateral (${record}) r on true left join ${DOCUMENTS_TABLE} d on ${IS_AT_PLACE}`,
    values: [...placeValues(place), place.recordId],
  }
}

export function decodePlacedDocument({ resource }: DocumentPlace, row: RowValues = []): PlacedDocument {
  const [hash, id, seq, problem, knownHash, isSetAside] = row
  const hasRecord = typeof hash === "string" || resource.kind === "global"
  if (typeof id !== "string") return { hasRecord, document: undefined }
  const isCurrent = (hash ?? HASH_OF_NULL) === knownHash
  return {
    hasRecord,
    document: {
      id,
      seq: Number(seq),
      problem: problem === null ? null : String(problem),
      isCurrent,
      isSetAside: isSetAside === true,
    },
  }
}

/** Selects the value of a place's field, and the hash of the value. Returns no row if the record does not exist. */
export function selectValue(place: DocumentPlace): Statement {
  const columns = `${valueSql(place)}, ${hashSql(place)}`
  return { text: selectFromRecord(place, columns, "$1"), values: [place.recordId] }
}

interface NewDocument {
  readonly state: Uint8Array
  /** The hash of the value from which the document was made. */
  readonly hash: string
  /** The clients in the state. */
  readonly clients: DocumentClients
}

/**
 * Makes the document of a place, unless it exists. The record's row is locked meanwhile, so that it is not deleted
 * without its document.
 */
export function insertDocument(place: DocumentPlace, { state, hash, clients }: NewDocument): Statement {
  const isGlobal = place.resource.kind === "global"
  const record = isGlobal ? "select 1" : `${selectFromRecord(place, "1", "$8")} for key share`
  const stored = storeClients(clients, "_document", isGlobal ? 8 : 9)
  return {
    text: `with _locked as materialized (${record}), _document as (
        insert into ${DOCUMENTS_TABLE} (resource_kind, resource, record, field, locale, state, size, value_hash, has_clients)
        select $1, $2, $3, $4, $5, $6, octet_length($6::bytea), $7, true from _locked on conflict do nothing returning id
      ) ${stored.text}`,
    values: [...placeValues(place), state, hash, ...(isGlobal ? [] : [place.recordId]), ...stored.values],
  }
}
