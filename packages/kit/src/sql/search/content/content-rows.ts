import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { column, idList, quote } from "../../text/fragment.ts"
import { SEARCH_CHECKS, SEARCH_QUEUE } from "../queue.ts"

/**
 * Removes the records from the queue whose content this transaction has made outdated, and returns their tables and
 * ids. Those of `checkedTables` are checked later. If there are more than `most`, they all stay in the queue.
 */
export function takeOutdatedContent(most: number, checkedTables: readonly string[]): Statement {
  const text = `with _mine as materialized (
      select id, "table", record_id from ${SEARCH_QUEUE} where content and xid = pg_current_xact_id()
    ), _count as (
      select count(*) as records from (select distinct "table", record_id from _mine limit $1 + 1) _each
    ), _taken as (
      delete from ${SEARCH_QUEUE} _queue using _mine, _count
      where _queue.id = _mine.id and _count.records <= $1
      returning _queue."table", _queue.record_id
    ), _checked as (
      insert into ${SEARCH_CHECKS} ("table", record_id)
      select distinct "table", record_id from _taken where "table" = any($2::text[])
    )
    select distinct "table", record_id from _taken`
  return { text, values: [most, checkedTables] }
}

/** A record's text by locale. */
export interface StoredContent {
  readonly id: string
  readonly texts: Readonly<Record<string, string>>
}

/**
 * Locks rows of a searchable table, in the order of their ids, so that writes that index the same rows wait for each
 * other instead of deadlocking. What is read after it is as new as the row.
 */
export function lockRowsToIndex({ table, id }: Resource, ids: readonly string[]): Statement {
  const key = quote(id.name)
  const text = `select from ${quote(table)} where ${key} = any(${idList({ id }, "$1")}) order by ${key} for no key update`
  return { text, values: [ids] }
}

/**
 * Like `lockRowsToIndex`, but does not wait for rows that other transactions have locked. Returns the ids of the rows
 * that exist, each with whether it is locked now.
 */
export function lockFreeRows({ table, id }: Resource, ids: readonly string[]): Statement {
  const key = quote(id.name)
  const rows = `from ${quote(table)} where ${key} = any(${idList({ id }, "$1")})`
  const text = `with _free as materialized (select ${key} ${rows} order by ${key} for no key update skip locked)
    select ${key}::text, ${key} in (select ${key} from _free) ${rows}`
  return { text, values: [ids] }
}

/** Stores the content of locked rows. A row whose content is the same stays as it is. */
export function storeContents(
  { table, id }: Resource,
  contentColumn: string,
  contents: readonly StoredContent[],
): Statement {
  const given = `unnest(${idList({ id }, "$1")}, $2::jsonb[]) _given(_id, _content)`
  const text = `update ${quote(table)} t set ${quote(contentColumn)} = _given._content from ${given}
    where ${column("t", id.name)} = _given._id and ${column("t", contentColumn)} is distinct from _given._content`
  return { text, values: [contents.map((each) => each.id), contents.map(({ texts }) => JSON.stringify(texts))] }
}

/** Has the trigger of a searchable table make the index of locked rows again. Nothing else about the rows changes. */
export function rebuildRows({ table, id }: Resource, setColumn: string, ids: readonly string[]): Statement {
  const text = `update ${quote(table)} set ${quote(setColumn)} = ${quote(setColumn)}
    where ${quote(id.name)} = any(${idList({ id }, "$1")})`
  return { text, values: [ids] }
}
