import { quote } from "../text/fragment.ts"

export const JOBS_TABLE = quote("_kit_jobs")
export const CRON_TABLE = quote("_kit_cron")

/**
 * `scheduled` jobs wait for their time, `waiting` ones for a worker: as two states, neither has to be read past the
 * other, however many there are. A job that has ended well is gone; `failed` ones are kept.
 */
export const JOB_STATES = ["scheduled", "waiting", "running", "failed"] as const

export type JobState = (typeof JOB_STATES)[number]

// Rows live for moments, so the table is cleaned by count, not by share of its size.
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

// By name first: a worker looks only at jobs that it knows and has room for, whatever else is in front of them.
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

/** Makes the tables of the job queue, once. Where they are, a start takes no lock that running jobs would hold up. */
export const PREPARE_JOBS: readonly string[] = [
  `do $$ begin
    if to_regclass(quote_ident(current_schema()) || '.${JOBS_TABLE}') is null then
      ${[CREATE_JOBS_TABLE, ...INDEXES, CREATE_CRON_TABLE].join(";\n      ")};
    end if;
  end $$`,
]
