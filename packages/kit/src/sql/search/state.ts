import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"

/**
 * How far the index of each searchable table is built. A row without `finished_at` stands for a rebuild that is not
 * finished: the rows up to the id `position` are done. Search answers meanwhile with what the rows have. `adapter` is the
 * search engine outside of the database that the definition names.
 */
export const SEARCH_STATE = quote("_kit_search_state")

export const PREPARE_SEARCH_STATE: readonly string[] = [
  `create table if not exists ${SEARCH_STATE} (
  "table" text primary key,
  definition text not null,
  adapter text,
  position text,
  done integer not null default 0,
  total integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
)`,
]

/** The state of a table's index. */
export interface IndexState {
  readonly table: string
  /** The hash of the definition that the index is built for. */
  readonly definition: string
  /** The last id that a rebuild has processed; null before the first one. */
  readonly position: string | null
  readonly done: number
  readonly total: number
  readonly isFinished: boolean
}

const COLUMNS = `"table", definition, position, done, total, finished_at is not null`

/** Selects whether the database has states of indexes yet. */
export const HAS_INDEX_STATES: Statement = {
  text: `select to_regclass(quote_ident(current_schema()) || '.${SEARCH_STATE}') is not null`,
  values: [],
}

/** Selects the state of every index. */
export const SELECT_INDEX_STATES: Statement = { text: `select ${COLUMNS} from ${SEARCH_STATE}`, values: [] }

/** Selects the state of a table's index and locks it, so that only one process rebuilds it at a time. */
export function lockIndexState(table: string): Statement {
  return { text: `select ${COLUMNS} from ${SEARCH_STATE} where "table" = $1 for update skip locked`, values: [table] }
}

export function decodeIndexState(row: readonly unknown[]): IndexState {
  const [table, definition, position, done, total, isFinished] = row
  return {
    table: String(table),
    definition: String(definition),
    position: position === null ? null : String(position),
    done: Number(done),
    total: Number(total),
    isFinished: isFinished === true,
  }
}

interface BuiltFor {
  /** The hash of the definition. */
  readonly definition: string
  readonly adapter: string | undefined
}

/** Begins a rebuild of the table's index, from the first row. The index of an empty table is complete. */
export function startRebuild({ table }: Pick<Resource, "table">, built: BuiltFor): Statement {
  const total = `(select count(*)::integer from ${quote(table)})`
  const text = `insert into ${SEARCH_STATE} as _state ("table", definition, adapter, total, finished_at)
    select $1, $2, $3, _rows.total, case when _rows.total = 0 then now() end from ${total} _rows(total)
    on conflict ("table") do update set definition = excluded.definition, adapter = excluded.adapter,
      position = null, done = 0, total = excluded.total, started_at = now(), finished_at = excluded.finished_at
    returning ${COLUMNS}`
  return { text, values: [table, built.definition, built.adapter ?? null] }
}

interface Progress {
  readonly table: string
  readonly position: string | null
  /** The number of rows that this batch has added. */
  readonly done: number
  readonly isFinished: boolean
}

export function storeProgress({ table, position, done, isFinished }: Progress): Statement {
  const text = `update ${SEARCH_STATE} set position = coalesce($2, position), done = done + $3,
      total = greatest(total, done + $3), finished_at = case when $4 then now() end
    where "table" = $1`
  return { text, values: [table, position, done, isFinished] }
}

/** Selects the ids of the next rows of a table, in order. */
export function selectNextIds({ table, id }: Resource, position: string | null, limit: number): Statement {
  const key = quote(id.name)
  const after = position === null ? "" : ` where ${key} > $2::${id.type.sqlType}`
  const values = position === null ? [limit] : [limit, position]
  return { text: `select ${key}::text from ${quote(table)}${after} order by ${key} limit $1`, values }
}
