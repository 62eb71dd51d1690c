import type { Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { idList, quote } from "../../text/fragment.ts"
import { isForOtherEngine, type QueueWorker, SEARCH_CHECKS, SEARCH_QUEUE } from "../queue.ts"

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
 * Selects whether a check waits for a transaction of this database. Transaction ids are shared by all databases of a
 * server, so that checks also wait for those of others.
 */
export const IS_HELD_UP_HERE: Statement = {
  text: `select exists (
    select from pg_locks join pg_stat_activity using (pid)
    where locktype = 'transactionid' and mode = 'ExclusiveLock' and datname = current_database()
      and exists (select from ${SEARCH_CHECKS} where age(transactionid) > age(due_after::xid))
  )`,
  values: [],
}

interface FinishedRows {
  readonly queueIds: readonly string[]
  /** The tables whose content is checked again after it was computed. */
  readonly checkedTables: readonly string[]
  readonly worker: QueueWorker
}

/**
 * Deletes rows of the queue for which nothing is left to do. Content that a changed record of `checkedTables` has made
 * the worker compute is checked later; content that was only checked is not. A row that another engine needs stays for
 * a worker that knows this engine.
 */
export function deleteQueued({ queueIds, checkedTables, worker }: FinishedRows): Statement {
  const isLeft = `not content and ${isForOtherEngine("_queue", "$3::text")}`
  const text = `with _left as (
      update ${SEARCH_QUEUE} _queue set lease_until = null, done = array(select unnest(done) union select unnest($4::text[]))
      where id = any($1::bigint[]) and ${isLeft}
    ), _finished as (
      delete from ${SEARCH_QUEUE} _queue where id = any($1::bigint[]) and not (${isLeft})
      returning "table", record_id, content, xid
    )
    insert into ${SEARCH_CHECKS} ("table", record_id) select distinct "table", record_id from _finished
    where content and xid is not null and "table" = any($2::text[])`
  return { text, values: [queueIds, checkedTables, worker.adapter ?? null, worker.steps] }
}
