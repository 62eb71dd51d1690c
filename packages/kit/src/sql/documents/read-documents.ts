import type { RowValues, Statement } from "../../ports/database.ts"
import { DOCUMENT_UPDATES_TABLE, DOCUMENTS_TABLE } from "./document-tables.ts"

/** A document with its state and the updates after it. */
export interface WholeDocument {
  readonly seq: number
  readonly stateSeq: number
  readonly valueSeq: number
  readonly valueHash: string
  readonly valueRev: number
  readonly problem: string | null
  readonly state: Uint8Array
  readonly updates: readonly StoredUpdate[]
}

interface StoredUpdate {
  readonly seq: number
  readonly update: Uint8Array
  readonly userId: string | null
  /** True if the server has made the update from a value of the record, so that the value contains it. */
  readonly isOfValue: boolean
}

const FACTS = `jsonb_build_object('seq', d.seq, 'stateSeq', d.state_seq, 'valueSeq', d.value_seq,
  'valueHash', d.value_hash, 'valueRev', d.value_rev, 'problem', d.problem)`

/** Selects a document with all its updates. The first row has the document, each other row has an update. */
export function selectWholeDocument(documentId: string): Statement {
  return {
    text: `select d.state_seq as place, d.state, null, false, ${FACTS} from ${DOCUMENTS_TABLE} d where d.id = $1
      union all
      select u.seq, u.update, u.user_id, u.is_of_value, null
      from ${DOCUMENTS_TABLE} d join ${DOCUMENT_UPDATES_TABLE} u on u.document = d.id and u.seq > d.state_seq
      where d.id = $1 order by place`,
    values: [documentId],
  }
}

export function decodeWholeDocument([first, ...rest]: readonly RowValues[]): WholeDocument | undefined {
  if (first === undefined) return undefined
  // The casts are safe: the first row has the bytes of the state and the object that `FACTS` builds.
  const [state, facts] = [first[1] as Uint8Array, first[4] as Omit<WholeDocument, "state" | "updates">]
  return { ...facts, state, updates: rest.map(decodeUpdate) }
}

function decodeUpdate([seq, update, userId, isOfValue]: RowValues): StoredUpdate {
  // The casts are safe: the columns are `bytea not null` and `text`.
  return {
    seq: Number(seq),
    update: update as Uint8Array,
    userId: userId as string | null,
    isOfValue: isOfValue === true,
  }
}

/** The updates of a document after a position. */
interface DocumentPage {
  readonly seq: number
  readonly problem: string | null
  readonly updates: readonly Uint8Array[]
}

export function selectUpdatesSince(documentId: string, seq: number): Statement {
  return {
    text: `select d.seq::text, d.problem, u.update from ${DOCUMENTS_TABLE} d
      left join ${DOCUMENT_UPDATES_TABLE} u on u.document = d.id and u.seq > $2 where d.id = $1 order by u.seq`,
    values: [documentId, seq],
  }
}

/** Returns undefined if the document does not exist, or if some of the updates have been compacted. */
export function decodeUpdatesSince(from: number, rows: readonly RowValues[]): DocumentPage | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  // The casts are safe: the columns are `bytea` and `text`.
  const updates = rows.flatMap(([, , update]) => (update === null ? [] : [update as Uint8Array]))
  const page = { seq: Number(first[0]), problem: first[1] as string | null, updates }
  // The numbers have no gaps, so that a missing update shows in the count.
  return updates.length === Math.max(0, page.seq - from) ? page : undefined
}

/** A document whose newest updates the record's value does not contain. */
export interface UnwrittenDocument {
  readonly id: string
  readonly kind: string
  readonly resource: string
  readonly recordId: string
  readonly field: string
  readonly locale: string
}

interface UnwrittenFilter {
  /** The fields that are collaborative now, each as `fieldKey` returns it. Documents of other fields are at rest. */
  readonly fields: readonly string[]
  /** The least time since the last edit, in milliseconds. */
  readonly idleMs: number
  /** True if values are wanted, too, that their records have already refused. */
  readonly includesRefused: boolean
}

const MAX_UNWRITTEN = 200

/** Returns a text that identifies a field and one of its locales, for `selectUnwritten`. */
export function fieldKey({ kind, resource, field, locale }: Omit<UnwrittenDocument, "id" | "recordId">): string {
  return `${kind} ${resource} ${field} ${locale}`
}

/** Selects documents whose value is not written, those first that were edited longest ago. */
export function selectUnwritten({ fields, idleMs, includesRefused }: UnwrittenFilter): Statement {
  return {
    text: `select id, resource_kind, resource, record, field, locale from ${DOCUMENTS_TABLE}
      where seq > value_seq and ($3 or seq > refused_seq) and edited_at <= now() - $2::bigint * interval '1 ms'
        and concat_ws(' ', resource_kind, resource, field, locale) = any($1::text[])
      order by edited_at limit ${MAX_UNWRITTEN}`,
    values: [fields, idleMs, includesRefused],
  }
}

export function decodeUnwritten(row: RowValues): UnwrittenDocument {
  const [id = "", kind = "", resource = "", recordId = "", field = "", locale = ""] = row.map(String)
  return { id, kind, resource, recordId, field, locale }
}
