import type { RowValues, Statement } from "../../ports/database.ts"
import { quote } from "../text/fragment.ts"

/** A name of a node or mark in stored rich texts. */
export interface StoredName {
  readonly kind: "node" | "mark"
  readonly name: string
}

// More rows would take too long to read. They are those that the database finds first.
const MAX_ROWS = 10_000

/** Selects a row if the table has this column. */
export function selectHasColumn(table: string, column: string): Statement {
  return {
    text: `select 1 from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and column_name = $2`,
    values: [table, column],
  }
}

/** Selects the names in the rich texts of a column, in all its locales. */
export function selectStoredNames(table: string, column: string): Statement {
  return {
    text: `select distinct f.kind, f.name #>> '{}' from (
        select ${quote(column)} as value from ${quote(table)} where ${quote(column)} is not null limit ${MAX_ROWS}
      ) r, lateral (
        select 'node' as kind, jsonb_path_query(to_jsonb(r.value), '$.**.content[*].type') as name
        union all select 'mark', jsonb_path_query(to_jsonb(r.value), '$.**.marks[*].type')
      ) f where jsonb_typeof(f.name) = 'string' order by 1, 2`,
    values: [],
  }
}

export function decodeStoredName([kind, name]: RowValues): StoredName {
  return { kind: kind === "mark" ? "mark" : "node", name: String(name) }
}
