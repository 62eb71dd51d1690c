import type { RowValues, Statement } from "../../ports/database.ts"
import { quote } from "../text/fragment.ts"
import { DOCUMENTS_TABLE } from "./document-tables.ts"

const NAMES_TABLE = quote("_kit_document_names")

/** The most names that are kept of a document. One that has had more is inspected each time. */
const MAX_NAMES = 1_000

/**
 * The names of nodes and marks that a shared rich text has, or has had. They are stored before the update that adds
 * them. `is_complete` is false as long as nobody has looked at what the document was made of.
 */
export const PREPARE_DOCUMENT_NAMES: readonly string[] = [
  `create table if not exists ${NAMES_TABLE} (
  document uuid primary key references ${DOCUMENTS_TABLE} (id) on delete cascade on update cascade,
  names text[] not null,
  is_complete boolean not null
)`,
]

interface KnownNames {
  readonly documentId: string
  readonly names: readonly string[]
  /** True if these are all names that the document has. */
  readonly isComplete: boolean
}

/** Adds names to those of a document. A document that has had too many is never complete again. */
export function rememberNames({ documentId, names, isComplete }: KnownNames): Statement {
  const all = "array(select distinct unnest(n.names || excluded.names))"
  return {
    text: `insert into ${NAMES_TABLE} as n (document, names, is_complete)
      select d.id, $2::text[], $3 and cardinality($2::text[]) <= ${MAX_NAMES} from ${DOCUMENTS_TABLE} d
      where d.id = $1 for key share
      on conflict (document) do update set names = (${all})[1:${MAX_NAMES + 1}],
        is_complete = (n.is_complete or excluded.is_complete) and cardinality(${all}) <= ${MAX_NAMES}
      where not n.names @> excluded.names or (excluded.is_complete and not n.is_complete)`,
    values: [documentId, names.slice(0, MAX_NAMES + 1), isComplete],
  }
}

/** Selects whether a document may have names other than these. */
export function selectOtherNames(documentId: string, names: readonly string[]): Statement {
  return {
    text: `select not (is_complete and names <@ $2::text[]) from ${NAMES_TABLE} where document = $1`,
    values: [documentId, names],
  }
}

/** A document whose names nobody has stored yet may have any. */
export function decodeOtherNames([row]: readonly RowValues[]): boolean {
  return row?.[0] !== false
}
