import { dueTime } from "../../engine/database/due-clock.ts"
import type { Connection, RowValues, Statement } from "../../ports/database.ts"
import { JOBS_TABLE } from "../../sql/internal/job-tables.ts"

/** A job that a worker is running. The worker holds the job as long as the job's row still contains this lease id. */
export interface JobLease {
  readonly id: string
  readonly lease: string
}

/** A lease to extend. The new length counts from now, by the database server's clock. */
interface JobLeaseExtension extends JobLease {
  readonly leaseMs: number
}

/** The free capacity of a worker for jobs with one name. */
export interface JobCapacity {
  readonly name: string
  /** The number of additional jobs with this name that may run. */
  readonly free: number
  readonly leaseMs: number
}

export interface ClaimedJob extends JobLease {
  readonly name: string
  readonly payload: unknown
  readonly attempt: number
  readonly maxAttempts: number
  readonly publishedBy: string | null
}

interface NewJob {
  readonly id: string
  readonly name: string
  readonly payload: string
  readonly priority: number
  readonly start: JobStart
  readonly maxAttempts: number
  readonly singletonKey: string | null
  readonly publishedBy: string | null
  /** The time of the `DueClock`, here and in all functions of this file. */
  readonly now: Date | null
}

/** The time of a job's first attempt. */
export type JobStart = { readonly at: Date } | { readonly delayMs: number }

interface StoredJob {
  readonly id: string
  /** True if the job can run now. */
  readonly isDue: boolean
}

const NOW = dueTime("$8")
const START = `coalesce($9::timestamptz, ${NOW} + $10::double precision * interval '1 millisecond')`

const INSERT = `insert into ${JOBS_TABLE}
  (id, name, state, payload, priority, run_at, max_attempts, singleton_key, published_by, created_at)
  values ($1, $2, case when ${START} > ${NOW} then 'scheduled' else 'waiting' end, $3::jsonb, $4,
    greatest(${START}, ${NOW}), $5, $6, $7, ${NOW})`

// If a job with the same name and singleton key exists, its row is updated to the same values. This update locks the
// row against workers until this transaction ends, so that the existing job sees this transaction's writes when it
// runs.
const OR_FIND = `on conflict (name, singleton_key) where singleton_key is not null
  do update set singleton_key = excluded.singleton_key`

/**
 * Stores a job. If a job with the same name and singleton key exists that has not started yet, returns that job
 * instead.
 */
export async function insertJob(connection: Connection, job: NewJob): Promise<StoredJob> {
  const text = `${INSERT} ${job.singletonKey === null ? "" : OR_FIND} returning id, state = 'waiting'`
  const { id, name, payload, priority, maxAttempts, singletonKey, publishedBy, now } = job
  const start = "at" in job.start ? [job.start.at, null] : [null, job.start.delayMs]
  const values = [id, name, payload, priority, maxAttempts, singletonKey, publishedBy, now, ...start]
  const { rows } = await connection.query({ text, values })
  return { id: String(rows[0]?.[0]), isDue: rows[0]?.[1] === true }
}

interface ClaimRequest {
  readonly capacities: readonly JobCapacity[]
  /** The maximum number of jobs to claim, over all job names. */
  readonly limit: number
  readonly lease: string
  readonly worker: string
  readonly now: Date | null
}

// Lets the commit of a claim return before it is on disk (synchronous_commit = off). If the database crashes and loses
// the claim, the job is claimed again. A later write by the job is never on disk without the claim.
const ASYNC_COMMIT = `(select set_config('synchronous_commit', 'off', true)) unhurried`

const CLAIM = `with picked as materialized (
    select head.id, ${leaseEnd("wanted.lease_ms")} as lease_until
    from unnest($1::text[], $2::integer[], $7::integer[]) as wanted(name, room, lease_ms) cross join lateral (
      select id, priority, run_at from ${JOBS_TABLE} where state = 'waiting' and name = wanted.name
      order by priority desc, run_at, id limit wanted.room for update skip locked) head
    order by head.priority desc, head.run_at, head.id limit $3)
  update ${JOBS_TABLE} job set state = 'running', attempts = attempts + 1, lease = $4, lease_until = picked.lease_until,
    worker = $5, started_at = ${dueTime("$6")}, singleton_key = null
  from picked cross join ${ASYNC_COMMIT} where job.id = picked.id
  returning job.id, job.name, job.payload, job.attempts, job.max_attempts, job.published_by, job.priority, job.run_at`

/**
 * Claims waiting jobs, the most urgent first. A claimed job gives up its singleton key, so another job with that key
 * can be published.
 */
export async function claimJobs(connection: Connection, request: ClaimRequest): Promise<readonly ClaimedJob[]> {
  const { capacities, limit, lease, worker, now } = request
  const [names, free, leases] = [
    capacities.map(({ name }) => name),
    capacities.map(({ free }) => free),
    leasesOf(capacities),
  ]
  const values = [names, free, limit, lease, worker, now, leases]
  const { rows } = await connection.query({ text: CLAIM, values })
  return rows.toSorted(byUrgency).map(([id, name, payload, attempts, maxAttempts, publishedBy]) => ({
    id: String(id),
    lease,
    name: String(name),
    payload,
    attempt: Number(attempts),
    maxAttempts: Number(maxAttempts),
    publishedBy: publishedBy === null ? null : String(publishedBy),
  }))
}

function leaseEnd(milliseconds: string): string {
  return `now() + ${milliseconds} * interval '1 millisecond'`
}

function leasesOf(leased: readonly { readonly leaseMs: number }[]): readonly number[] {
  return leased.map(({ leaseMs }) => leaseMs)
}

// Compares two rows of jobs by urgency. Claimed rows are sorted with it, because UPDATE … RETURNING guarantees no
// order.
function byUrgency(a: RowValues, b: RowValues): number {
  return Number(b[6]) - Number(a[6]) || Number(a[7]) - Number(b[7]) || (String(a[0]) < String(b[0]) ? -1 : 1)
}

const OWNED = `(id, lease) in (select * from unnest($1::uuid[], $2::uuid[]))`

/** Deletes a finished job. Resolves to true if this worker still held the job's lease. */
export async function deleteJob(connection: Connection, { id, lease }: JobLease): Promise<boolean> {
  const text = `delete from ${JOBS_TABLE} where id = $1 and lease = $2`
  return (await connection.query({ text, values: [id, lease] })).rowCount > 0
}

/** Deletes finished jobs. Returns the ids of the deleted jobs: those whose lease this worker still held. */
export function deleteJobs(connection: Connection, claims: readonly JobLease[]): Promise<readonly string[]> {
  return idsOf(connection, { text: `delete from ${JOBS_TABLE} where ${OWNED} returning id`, values: pairs(claims) })
}

// Extends leases. Rows of jobs that are just finishing are locked: the statement skips these rows instead of waiting.
const EXTEND = `update ${JOBS_TABLE} job set lease_until = ${leaseEnd("held.lease_ms")} from (
    select id, lease_ms from unnest($1::uuid[], $2::uuid[], $3::integer[]) as owned(id, lease, lease_ms)
    join ${JOBS_TABLE} own using (id, lease) for update of own skip locked) held
  where job.id = held.id returning job.id`

export function extendLeases(connection: Connection, claims: readonly JobLeaseExtension[]): Promise<readonly string[]> {
  return idsOf(connection, { text: EXTEND, values: [...pairs(claims), leasesOf(claims)] })
}

const RELEASE = `lease = null, lease_until = null, worker = null`

const RETURN_TO_QUEUE = `update ${JOBS_TABLE} set state = 'waiting', attempts = attempts - 1, ${RELEASE}`

/**
 * Releases jobs that this worker cannot finish, so that other workers run them. The interrupted attempts do not count.
 */
export function releaseJobs(connection: Connection, claims: readonly JobLease[]): Promise<readonly string[]> {
  return idsOf(connection, { text: `${RETURN_TO_QUEUE} where ${OWNED} returning id`, values: pairs(claims) })
}

/** Releases all jobs that were claimed with these leases. The interrupted attempts do not count. */
export function releaseLeases(connection: Connection, leases: readonly string[]): Promise<readonly string[]> {
  const text = `${RETURN_TO_QUEUE} where state = 'running' and lease = any ($1::uuid[]) returning id`
  return idsOf(connection, { text, values: [leases] })
}

interface JobFailure {
  readonly error: string
  readonly now: Date | null
}

const RETRY_AT = `${dueTime("$3")} + $5::double precision * interval '1 millisecond'`

const RETRY = `update ${JOBS_TABLE} set state = 'scheduled', run_at = ${RETRY_AT}, error = $4, ${RELEASE}
  where id = $1 and lease = $2 returning id`

export function retryJob(connection: Connection, claim: JobLease, failure: JobFailure & { readonly delayMs: number }) {
  const { now, error, delayMs } = failure
  return idsOf(connection, { text: RETRY, values: [claim.id, claim.lease, now, error, delayMs] })
}

const FAIL = `update ${JOBS_TABLE} set state = 'failed', finished_at = ${dueTime("$3")}, error = $4, ${RELEASE}
  where id = $1 and lease = $2 returning id`

export function failJob(connection: Connection, claim: JobLease, { now, error }: JobFailure) {
  return idsOf(connection, { text: FAIL, values: [claim.id, claim.lease, now, error] })
}

const BATCH = 1_000

const REQUEUE = `update ${JOBS_TABLE} set
    state = case when attempts >= max_attempts then 'failed' else 'waiting' end,
    finished_at = case when attempts >= max_attempts then ${dueTime("$1")} end,
    error = 'The worker ' || coalesce(worker, '') || ' was lost while it ran this job.', ${RELEASE}
  where id in (select id from ${JOBS_TABLE} where state = 'running' and lease_until < now()
    and (id, lease) not in (select * from unnest($2::uuid[], $3::uuid[]))
    order by lease_until limit ${BATCH} for update skip locked)
  returning id`

/**
 * Makes jobs with an expired lease available to workers again, or marks them as failed if they have no attempts left.
 * Skips the jobs that this worker is still running: they are not lost, even if their lease was extended too late.
 */
export function requeueExpired(
  connection: Connection,
  { now, held }: { readonly now: Date | null; readonly held: readonly JobLease[] },
): Promise<readonly string[]> {
  return idsOf(connection, { text: REQUEUE, values: [now, ...pairs(held)] })
}

const PROMOTE = `update ${JOBS_TABLE} set state = 'waiting' from ${ASYNC_COMMIT} where id in
    (select id from ${JOBS_TABLE} where state = 'scheduled' and run_at <= ${dueTime("$1")} order by run_at limit ${BATCH}
     for update skip locked)
  returning id`

/** Makes scheduled jobs available to workers if their scheduled time has come. */
export function promoteDue(connection: Connection, now: Date | null): Promise<readonly string[]> {
  return idsOf(connection, { text: PROMOTE, values: [now] })
}

const NEXT_DUE = `select run_at from ${JOBS_TABLE} where state = 'scheduled' order by run_at limit 1`

export async function nextDueAt(connection: Connection): Promise<Date | undefined> {
  const { rows } = await connection.query({ text: NEXT_DUE, values: [] })
  // The cast is safe: the database driver parses timestamps to Date.
  return rows[0]?.[0] as Date | undefined
}

const UNTIL_NEXT = `select extract(epoch from run_at - ${dueTime("$1")})::double precision * 1000
  from ${JOBS_TABLE} where state = 'scheduled' order by run_at limit 1`

/** Returns the number of milliseconds until the next scheduled job is due; undefined if no job is scheduled. */
export async function msUntilNextDue(connection: Connection, now: Date | null): Promise<number | undefined> {
  const { rows } = await connection.query({ text: UNTIL_NEXT, values: [now] })
  return rows[0] && Number(rows[0][0])
}

const HAS_DUE = `select exists (select from ${JOBS_TABLE} where name = any ($1::text[])
  and (state = 'waiting' or state = 'scheduled' and run_at <= ${dueTime("$2")}))`

interface DueRequest {
  readonly names: readonly string[]
  readonly now: Date | null
}

/** True if a job with one of these names could run now. */
export async function hasDueJobs(connection: Connection, { names, now }: DueRequest): Promise<boolean> {
  const { rows } = await connection.query({ text: HAS_DUE, values: [names, now] })
  return rows[0]?.[0] === true
}

async function idsOf(connection: Connection, statement: Statement): Promise<readonly string[]> {
  const { rows } = await connection.query(statement)
  return rows.map(([id]) => String(id))
}

function pairs(claims: readonly JobLease[]): readonly (readonly string[])[] {
  return [claims.map(({ id }) => id), claims.map(({ lease }) => lease)]
}
