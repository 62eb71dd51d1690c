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
 * Locks those of the rows that no other transaction is writing, and returns their ids. Waiting for the others could end
 * in a deadlock, because their writers may wait for the rows that this transaction has written.
 */
export function lockFreeRows({ table, id }: Resource, ids: readonly string[]): Statement {
  const key = quote(id.name)
  const text = `select ${key}::text from ${quote(table)} where ${key} = any(${idList({ id }, "$1")})
    order by ${key} for no key update skip locked`
  return { text, values: [ids] }
}

/** Queues the records whose content the worker has to compute, if they still exist. */
export function queueOutdatedContent({ table, id }: Resource, ids: readonly string[]): Statement {
  const text = `insert into ${SEARCH_QUEUE} ("table", record_id, content)
    select $2, ${quote(id.name)}::text, true from ${quote(table)} where ${quote(id.name)} = any(${idList({ id }, "$1")})`
  return { text, values: [ids, table] }
}

/** Selects the ids of the rows whose stored content is another one. */
export function selectOutdated(
  resource: Resource,
  contentColumn: string,
  contents: readonly StoredContent[],
): Statement {
  const { given, differs, values } = compareContents(resource, contentColumn, contents)
  const text = `select ${column("t", resource.id.name)}::text from ${quote(resource.table)} t, ${given} where ${differs}`
  return { text, values }
}

/** Stores the content of locked rows, and returns the ids of those whose content was another one. */
export function storeContents(
  resource: Resource,
  contentColumn: string,
  contents: readonly StoredContent[],
): Statement {
  const { given, differs, values } = compareContents(resource, contentColumn, contents)
  const text = `update ${quote(resource.table)} t set ${quote(contentColumn)} = _given._content from ${given}
    where ${differs} returning ${column("t", resource.id.name)}::text`
  return { text, values }
}

function compareContents({ id }: Resource, contentColumn: string, contents: readonly StoredContent[]) {
  return {
    given: `unnest(${idList({ id }, "$1")}, $2::jsonb[]) _given(_id, _content)`,
    differs: `${column("t", id.name)} = _given._id and ${column("t", contentColumn)} is distinct from _given._content`,
    values: [contents.map((each) => each.id), contents.map(({ texts }) => JSON.stringify(texts))],
  }
}

/** Has the trigger of a searchable table make the index of locked rows again. Nothing else about the rows changes. */
export function rebuildRows({ table, id }: Resource, setColumn: string, ids: readonly string[]): Statement {
  const text = `update ${quote(table)} set ${quote(setColumn)} = ${quote(setColumn)}
    where ${quote(id.name)} = any(${idList({ id }, "$1")})`
  return { text, values: [ids] }
}
