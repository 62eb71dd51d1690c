import { quote } from "../text/fragment.ts"

export const JOBS_TABLE = quote("_kit_jobs")
export const CRON_TABLE = quote("_kit_cron")

/**
 * The states of a job. `scheduled` jobs wait for their time, `waiting` jobs for a worker. These are separate states so
 * that a scan for one kind does not read past jobs of the other kind, however many there are. A job that succeeds is
 * deleted; `failed` jobs are kept.
 */
export const JOB_STATES = ["scheduled", "waiting", "running", "failed"] as const

export type JobState = (typeof JOB_STATES)[number]

// The rows of jobs are short-lived, so autovacuum runs after a fixed number of dead rows, not after a share of the
// table.
const CREATE_JOBS_TABLE = `create table ${JOBS_TABLE} (
  id uuid primary key,
  name text not null,
  state text not null check (state in (${JOB_STATES.map((state) => `'${state}'`).join(", ")})),
  payload jsonb not null,
  priority integer not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  singleton_key text,
  published_by text,
  lease uuid,
  lease_until timestamptz,
  worker text,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000)`

// The index for waiting jobs begins with the job name, because a worker reads only jobs for which it has a handler and
// a free slot, and skips all others.
const INDEXES = [
  `create index "_kit_jobs.waiting" on ${JOBS_TABLE} (name, priority desc, run_at, id) where state = 'waiting'`,
  `create index "_kit_jobs.scheduled" on ${JOBS_TABLE} (run_at) where state = 'scheduled'`,
  `create index "_kit_jobs.running" on ${JOBS_TABLE} (lease_until) where state = 'running'`,
  `create index "_kit_jobs.failed" on ${JOBS_TABLE} (id) where state = 'failed'`,
  `create unique index "_kit_jobs.singleton" on ${JOBS_TABLE} (name, singleton_key) where singleton_key is not null`,
]

const CREATE_CRON_TABLE = `create table ${CRON_TABLE} (
  name text primary key,
  pattern text not null,
  last_at timestamptz not null
)`

/**
 * Creates the tables of the job queue if they do not exist. If they exist, they are not locked, so that an app can
 * start while jobs are running.
 */
export const PREPARE_JOBS: readonly string[] = [
  `do $$ begin
    if to_regclass(quote_ident(current_schema()) || '.${JOBS_TABLE}') is null then
      ${[CREATE_JOBS_TABLE, ...INDEXES, CREATE_CRON_TABLE].join(";\n      ")};
    end if;
  end $$`,
]
