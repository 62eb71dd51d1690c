import { createHash } from "node:crypto"
import type { Statement } from "../../../ports/database.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import { column, quote } from "../../text/fragment.ts"
import { SEARCH_QUEUE } from "../queue.ts"
import { type WatchedTable, watchedTables } from "./content-paths.ts"

/**
 * A function of the database that appends the records whose content depends on changed rows to the queue, in the
 * transaction that changed the rows. It is called for every statement, also for SQL of the author and for foreign keys.
 */
export interface ContentFunction {
  readonly name: string
  /** Identifies the definition. It is stored with the function, so that an equal one is not created again. */
  readonly hash: string
  /** Creates the function and the triggers of its table. */
  readonly create: readonly string[]
}

const PREFIX = "_kit_content_"
const HASH_CHARACTERS = 16

export function contentFunctions(schema: AppSchema): readonly ContentFunction[] {
  return [...watchedTables(schema).values()].map(contentFunction)
}

/** Selects the name and the hash of each function that exists. */
export const SELECT_CONTENT_FUNCTIONS: Statement = {
  text: `select proname::text, obj_description(oid, 'pg_proc') from pg_proc
    where starts_with(proname::text, '${PREFIX}') and pronamespace = current_schema()::regnamespace`,
  values: [],
}

/** Drops a function and the triggers that call it. */
export function dropContentFunction(name: string): Statement {
  return { text: `drop function if exists ${quote(name)} cascade`, values: [] }
}

function contentFunction(watched: WatchedTable): ContentFunction {
  const name = PREFIX + hashOf(watched.table)
  const body = `create function ${quote(name)}() returns trigger language plpgsql as $function$
begin
  if tg_op = 'INSERT' then
    ${append(watched, inserted(watched), watched.isContentTable)}
  elsif tg_op = 'UPDATE' then
    ${append(watched, updated(watched), watched.isContentTable)}
  else
    ${append(watched, deleted(watched), false)}
  end if;
  return null;
exception when undefined_table or undefined_column then
  -- The tables are being changed. The function is replaced before the app serves the changed tables.
  return null;
end
$function$`
  const triggers = EVENTS.map(
    ([event, rows]) => `create trigger ${quote(`${PREFIX}${event}`)} after ${event} on ${quote(watched.table)}
  referencing ${rows} for each statement execute function ${quote(name)}()`,
  )
  const hash = hashOf([body, ...triggers].join("\n"))
  return { name, hash, create: [body, `comment on function ${quote(name)}() is '${hash}'`, ...triggers] }
}

const EVENTS = [
  ["insert", "new table as new_rows"],
  ["update", "old table as old_rows new table as new_rows"],
  ["delete", "old table as old_rows"],
] as const

function append({ dependents, keys, table }: WatchedTable, rows: string, isOwn: boolean): string {
  const own = isOwn ? [`select '${table}', ${column("_rows", "id")}::text from _rows`] : []
  const others = [...dependents].flatMap(([other, queries]) =>
    [...queries].map((query) => `select '${other}', _id::text from (${query}) _dependent(_id) where _id is not null`),
  )
  const all = [...own, ...others]
  if (all.length === 0 || keys.size === 0) return "null;"
  return `with _rows as (${rows})
    insert into ${SEARCH_QUEUE} ("table", record_id, content, xid)
    select _table, _record, true, pg_current_xact_id() from (${all.join(" union ")}) _all(_table, _record);`
}

function inserted({ keys }: WatchedTable): string {
  return `select ${list(keys, "n")} from new_rows n`
}

function deleted({ keys }: WatchedTable): string {
  return `select ${list(keys, "o")} from old_rows o`
}

// A changed row counts twice, as it was and as it is, because it may have pointed to another record before.
function updated(watched: WatchedTable): string {
  const { columns, keys } = watched
  if (columns === undefined) return `${inserted(watched)} union all ${deleted(watched)}`
  const changed = `from new_rows n join old_rows o on ${column("o", "id")} = ${column("n", "id")}
      where (${list(columns, "n")}) is distinct from (${list(columns, "o")})`
  return `select ${list(keys, "n")} ${changed} union all select ${list(keys, "o")} ${changed}`
}

function list(names: Iterable<string>, alias: string): string {
  return [...names].map((name) => column(alias, name)).join(", ")
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARACTERS)
}
