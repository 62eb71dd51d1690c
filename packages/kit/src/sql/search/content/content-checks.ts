import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { idList, quote } from "../../text/fragment.ts"
import { SEARCH_CHECKS, SEARCH_QUEUE } from "../queue.ts"

// A transaction that was open when a record's content was computed may have changed a related record without seeing
// that the record links to it. Neither of the two transactions can know of the other. So the content is computed again
// when every transaction has ended that was open when the first one was seen to have committed.

/** Has the content of these records checked when the transactions that are open now have ended, if they still exist. */
export function appendChecks({ table, id }: Resource, ids: readonly string[]): Statement {
  const text = `insert into ${SEARCH_CHECKS} ("table", record_id)
    select $2, ${quote(id.name)}::text from ${quote(table)} where ${quote(id.name)} = any(${idList({ id }, "$1")})`
  return { text, values: [ids, table] }
}

/** Notes for each new check which transactions it waits for. */
export const SCHEDULE_CHECKS: Statement = {
  text: `update ${SEARCH_CHECKS} set due_after = pg_snapshot_xmax(pg_current_snapshot())
    where id in (select id from ${SEARCH_CHECKS} where due_after is null for update skip locked)`,
  values: [],
}

/** Moves the oldest checks whose transactions have all ended to the queue. */
export function queueDueChecks(limit: number): Statement {
  const text = `with _due as (
      delete from ${SEARCH_CHECKS} where id in (
        select id from ${SEARCH_CHECKS} where due_after <= pg_snapshot_xmin(pg_current_snapshot())
        order by due_after limit $1 for update skip locked
      ) returning "table", record_id
    )
    insert into ${SEARCH_QUEUE} ("table", record_id, content) select distinct "table", record_id, true from _due`
  return { text, values: [limit] }
}

export const HAS_CHECKS: Statement = { text: `select exists (select from ${SEARCH_CHECKS})`, values: [] }

/**
 * Deletes rows of the queue for which nothing is left to do. Content that a changed record of `checkedTables` has made
 * the worker compute is checked later; content that was only checked is not.
 */
export function deleteQueued(queueIds: readonly string[], checkedTables: readonly string[]): Statement {
  const text = `with _finished as (
      delete from ${SEARCH_QUEUE} where id = any($1::bigint[]) returning "table", record_id, content, xid
    )
    insert into ${SEARCH_CHECKS} ("table", record_id) select distinct "table", record_id from _finished
    where content and xid is not null and "table" = any($2::text[])`
  return { text, values: [queueIds, checkedTables] }
}
