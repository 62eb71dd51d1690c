import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { JOBS_TABLE } from "../internal/job-tables.ts"
import { quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"

/** The name of the job that runs a pending transition when its time has come. */
export const TRANSITION_JOB_NAME = "kit.transition"

const TABLE = quote("_kit_pending_transitions")

/**
 * Creates the table of pending transitions, at most one per record. The token distinguishes a record's pending
 * transition from its earlier ones.
 */
export const PREPARE_PENDING_TRANSITIONS: readonly string[] = [
  `create table if not exists ${TABLE} (
  "table" text not null,
  record text not null,
  token uuid not null,
  stage text not null,
  run_at timestamptz(3) not null,
  user_id text,
  primary key ("table", record)
)`,
]

/**
 * Returns the SQL that keeps pending transitions when their table is renamed. It also updates their jobs, because the
 * payload of each job names the table.
 */
export function renamePendingTransitionTable(from: string, to: string): readonly string[] {
  const [was, is] = [quoteText(from), quoteText(to)]
  const jobs = `payload = payload || jsonb_build_object('table', ${is}) where name = '${TRANSITION_JOB_NAME}' and payload->>'table' = ${was}`
  return [`update ${TABLE} set "table" = ${is} where "table" = ${was}`, `update ${JOBS_TABLE} set ${jobs}`]
}

/** Returns the SQL that deletes the pending transitions of a dropped table. Their jobs then find nothing to do. */
export function deletePendingTransitionsOf(table: string): string {
  return `delete from ${TABLE} where "table" = ${quoteText(table)}`
}

interface PendingTransition {
  readonly id: string
  readonly token: string
}

interface NewPendingTransition extends PendingTransition {
  readonly stage: string
  readonly at: Date
  /** The user who requested the transition; null if system code or an anonymous caller did. */
  readonly userId: string | null
}

/** Stores a record's pending transition, in place of an existing one. */
export function setPendingTransition(
  { table }: Resource,
  { id, token, stage, at, userId }: NewPendingTransition,
): Statement {
  const insert = `insert into ${TABLE} ("table", record, token, stage, run_at, user_id) values ($1, $2, $3, $4, $5, $6)`
  const taken = "token = excluded.token, stage = excluded.stage, run_at = excluded.run_at, user_id = excluded.user_id"
  return {
    text: `${insert} on conflict ("table", record) do update set ${taken}`,
    values: [table, id, token, stage, at.toISOString(), userId],
  }
}

/** Selects the stage, the time and the user of a record's pending transition. */
export function selectPendingTransition({ table }: Resource, id: string): Statement {
  const text = `select stage, run_at, user_id from ${TABLE} where "table" = $1 and record = $2`
  return { text, values: [table, id] }
}

/** Deletes a record's pending transition, if there is one. */
export function deletePendingTransition({ table }: Resource, id: string): Statement {
  return { text: `delete from ${TABLE} where "table" = $1 and record = $2`, values: [table, id] }
}

/**
 * Like `deletePendingTransition`, but only if the token still matches. The statement locks the record before the
 * pending transition, as an immediate transition does; otherwise the two statements could deadlock.
 */
export function takePendingTransition({ table, id: key }: Resource, { id, token }: PendingTransition): Statement {
  const record = `select 1 from ${quote(table)} where ${quote(key.name)} = $4 for no key update`
  const isThis = `pending."table" = $1 and pending.record = $2 and pending.token = $3`
  return {
    text: `with _record as materialized (${record}) delete from ${TABLE} pending using _record where ${isThis}`,
    values: [table, id, token, id],
  }
}
