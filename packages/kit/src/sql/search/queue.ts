import type { Statement } from "../../ports/database.ts"
import { quote } from "../text/fragment.ts"
import { createOwnIndex } from "../text/own-index.ts"
import { SEARCH_STATE } from "./state.ts"

/**
 * The queue of records for which work is left after a write: those whose text has to be embedded or sent to a search
 * engine, and those whose `content` has to be computed again. Triggers append to it, so that a row of it commits together with the write.
 */
export const SEARCH_QUEUE = quote("_kit_search_queue")

/** The records whose content is computed again when the transactions that were open beside their write have ended. */
export const SEARCH_CHECKS = quote("_kit_search_checks")

const AUTOVACUUM = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000`

// A row with `content` stands for a record whose content is out of date, any other row for a record whose text has
// changed. `xid` is the transaction that made the content outdated, and null if the content needs no check afterwards;
// `done` lists the steps that have processed the record. A check is due when every transaction below `due_after` has
// ended. Rows live for a moment, so autovacuum runs after a fixed number of dead rows, not after a share of the table.
export const PREPARE_SEARCH_QUEUE: readonly string[] = [
  `create table if not exists ${SEARCH_QUEUE} (
  id bigint generated always as identity primary key,
  "table" text not null,
  record_id text not null,
  content boolean not null default false,
  xid xid8,
  done text[] not null default '{}',
  attempts integer not null default 0,
  run_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null default now()
) with (${AUTOVACUUM})`,
  createOwnIndex("_kit_search_queue.xid", `${SEARCH_QUEUE} (xid) where content`),
  `create table if not exists ${SEARCH_CHECKS} (
  id bigint generated always as identity primary key,
  "table" text not null,
  record_id text not null,
  due_after xid8,
  created_at timestamptz not null default now()
) with (${AUTOVACUUM})`,
  createOwnIndex("_kit_search_checks.due_after", `${SEARCH_CHECKS} (due_after)`),
]

/** A row of the queue that a worker has claimed. */
export interface QueuedRecord {
  readonly queueId: string
  readonly table: string
  readonly id: string
  /** True if the record's content has to be computed again. */
  readonly isContent: boolean
  /** The names of the steps that have already processed the record. */
  readonly done: readonly string[]
  /** The number of times that the record has failed, when it was processed alone. */
  readonly attempts: number
}

interface Claim {
  readonly limit: number
  readonly leaseMs: number
  /** The tables that this process knows. Rows of other tables belong to another version of the app. */
  readonly tables: readonly string[]
  /** The steps that can run now. A row that only waits for other steps is not claimed. */
  readonly steps: readonly string[]
  readonly worker: QueueWorker
}

/** A process that takes rows from the queue. */
export interface QueueWorker {
  /** The names of all its steps, those included that cannot run now. */
  readonly steps: readonly string[]
  /** The search engine outside of the database to which it sends records. */
  readonly adapter: string | undefined
}

/**
 * Returns SQL that is true if the records of a row's table are sent to another engine than that of `adapter`. During a
 * deployment, processes with and without an engine work side by side.
 */
export function isForOtherEngine(row: string, adapter: string): string {
  return `exists (select from ${SEARCH_STATE} _state
    where _state."table" = ${row}."table" and _state.adapter is not null and _state.adapter is distinct from ${adapter})`
}

/**
 * Claims the oldest rows of the queue. Other workers skip them until the lease expires. Leases use the clock of the
 * database server, which all processes share. A row for which another process has done all steps is claimed to be deleted.
 */
export function claimQueued({ limit, leaseMs, tables, steps, worker }: Claim): Statement {
  const text = `update ${SEARCH_QUEUE} set lease_until = statement_timestamp() + $2 * interval '1 millisecond'
    where id in (
      select id from ${SEARCH_QUEUE} _queue
      where (lease_until is null or lease_until < statement_timestamp())
        and (run_at is null or run_at <= statement_timestamp())
        and "table" = any($3::text[]) 
        and (content or not done @> $4::text[] or done @> $5::text[] and not ${isForOtherEngine("_queue", "$6::text")})
      order by id limit $1 for update skip locked
    )
    returning id::text, "table", record_id, content, done, attempts`
  return { text, values: [limit, leaseMs, tables, steps, worker.steps, worker.adapter ?? null] }
}

export function decodeQueued([queueId, table, id, content, done, attempts]: readonly unknown[]): QueuedRecord {
  return {
    queueId: String(queueId),
    table: String(table),
    id: String(id),
    isContent: content === true,
    done: Array.isArray(done) ? done.map(String) : [],
    attempts: Number(attempts),
  }
}

/** A row for which something is left to do. */
export interface UnfinishedRow {
  readonly queueId: string
  readonly done: readonly string[]
  readonly attempts: number
  /** The time until the next attempt. */
  readonly delayMs: number
}

/** Releases rows for which a step has failed or could not run, and stores which steps have succeeded. */
export function releaseQueued(rows: readonly UnfinishedRow[]): Statement {
  const text = `update ${SEARCH_QUEUE} q set lease_until = null, done = array(select jsonb_array_elements_text(r.done)),
      attempts = r.attempts, run_at = statement_timestamp() + r."delayMs" * interval '1 millisecond'
    from jsonb_to_recordset($1::jsonb) as r("queueId" bigint, done jsonb, attempts integer, "delayMs" double precision)
    where q.id = r."queueId"`
  return { text, values: [JSON.stringify(rows)] }
}

/** Appends a row for each of these records of a table, so that every step processes them. */
export function appendQueued(table: string, ids: readonly string[]): Statement {
  const text = `insert into ${SEARCH_QUEUE} ("table", record_id) select $1, id from unnest($2::text[]) id`
  return { text, values: [table, ids] }
}

/**
 * Selects how many rows wait for a worker, for how many seconds the oldest has waited, and for how many of them a step
 * has failed. A check that a worker has seen waits for a transaction, not for a worker.
 */
export const SELECT_OLDEST_QUEUED: Statement = {
  text: `select count(*)::integer, extract(epoch from now() - min(created_at))::double precision,
      count(*) filter (where has_failed)::integer
    from (
      select created_at, attempts > 0 or run_at is not null as has_failed from ${SEARCH_QUEUE}
      union all select created_at, false from ${SEARCH_CHECKS} where due_after is null
    ) _waiting`,
  values: [],
}
