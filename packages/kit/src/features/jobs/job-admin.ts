import { type DueClock, dueTime } from "../../engine/database/due-clock.ts"
import type { Connection, RowValues } from "../../ports/database.ts"
import { JOB_STATES, JOBS_TABLE, type JobState } from "../../sql/internal/job-tables.ts"
import type { JobQueue } from "./job-queue.ts"

/** A job as administrators see it. */
export interface JobRecord {
  readonly id: string
  readonly name: string
  readonly state: JobState
  readonly payload: unknown
  readonly priority: number
  readonly runAt: Date
  readonly attempts: number
  readonly maxAttempts: number
  readonly singletonKey: string | null
  readonly publishedBy: string | null
  readonly worker: string | null
  /** The error of the job's last failed attempt. */
  readonly error: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

interface JobFilter {
  readonly state?: JobState
  readonly name?: string
  /** The maximum number of jobs to return; 50 by default. */
  readonly limit?: number
}

interface JobAdminDependencies {
  readonly queue: JobQueue
  readonly dueNow: DueClock
}

const DEFAULT_LIMIT = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const COLUMNS = `id, name, state, payload, priority, run_at, attempts, max_attempts, singleton_key, published_by, worker,
  error, created_at, started_at, finished_at`

/** Returns jobs, newest first. */
export async function listJobs(connection: Connection, filter: JobFilter = {}): Promise<readonly JobRecord[]> {
  const { state, name, limit = DEFAULT_LIMIT } = filter
  const text = `select ${COLUMNS} from ${JOBS_TABLE} where ${stateIs(state)} and ($1::text is null or name = $1)
    order by id desc limit $2`
  const { rows } = await connection.query({ text, values: [name ?? null, limit] })
  return rows.map(toRecord)
}

// Returns the SQL condition on the job state. The state is a literal instead of a parameter, so that PostgreSQL can use
// the partial index for that state.
function stateIs(state: JobState | undefined): string {
  if (state === undefined) return "true"
  if (!JOB_STATES.includes(state)) throw new Error(`"${state}" is not a job state. Use ${JOB_STATES.join(", ")}.`)
  return `state = '${state}'`
}

export async function getJob(connection: Connection, id: string): Promise<JobRecord | undefined> {
  if (!UUID.test(id)) return undefined
  const text = `select ${COLUMNS} from ${JOBS_TABLE} where id = $1`
  const { rows } = await connection.query({ text, values: [id] })
  return rows.map(toRecord)[0]
}

const RETRY = `update ${JOBS_TABLE} set state = 'waiting', attempts = 0, run_at = ${dueTime("$2")}, finished_at = null
  where id = $1 and state in ('failed', 'scheduled') returning name`

/**
 * Makes a failed or a scheduled job run now, with its full number of attempts. Resolves to false if no failed or
 * scheduled job has this id.
 */
export async function retryJobNow(
  { queue, dueNow }: JobAdminDependencies,
  connection: Connection,
  id: string,
): Promise<boolean> {
  if (!UUID.test(id)) return false
  const { rows } = await connection.query({ text: RETRY, values: [id, dueNow()] })
  const [row] = rows
  if (row) queue.notify({ kind: "due", name: String(row[0]) })
  return row !== undefined
}

/** Deletes a job. If the job is running, it can no longer complete: its transaction is rolled back. */
export async function cancelJob(connection: Connection, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false
  const text = `delete from ${JOBS_TABLE} where id = $1`
  return (await connection.query({ text, values: [id] })).rowCount > 0
}

function toRecord(row: RowValues): JobRecord {
  const [id, name, state, payload, priority, runAt, attempts, maxAttempts, ...rest] = row
  const [singletonKey, publishedBy, worker, error, createdAt, startedAt, finishedAt] = rest
  // The casts are safe: they match the types of the selected columns.
  return {
    ...{ id, name, state, payload, priority, runAt, attempts, maxAttempts },
    ...{ singletonKey, publishedBy, worker, error, createdAt, startedAt, finishedAt },
  } as JobRecord
}
