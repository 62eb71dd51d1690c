import type { Connection } from "../ports/database.ts"
import { JOBS_TABLE, type JobState } from "../sql/internal/job-tables.ts"

/** A job as a test sees it: one that has ended is not forgotten. */
export interface TestJob {
  readonly id: string
  readonly name: string
  readonly payload: unknown
  readonly state: JobState | "done" | "cancelled"
  readonly attempts: number
  readonly runAt: Date
  /** Of the last try that failed. */
  readonly error: string | null
}

export interface TestJobFilter {
  readonly name?: string
  readonly state?: TestJob["state"]
}

const JOURNAL = "kit_testing.jobs"
const COPIED = "id, name, payload, state, attempts, run_at, error"
const NEW_ROW = COPIED.replaceAll(/\w+/g, "new.$&")

/** Lets the database note what becomes of each job: the queue itself forgets those that have ended. */
export const PREPARE_JOURNAL = `create schema kit_testing;
  create table ${JOURNAL} (id uuid primary key, name text not null, payload jsonb not null, state text not null,
    attempts integer not null, run_at timestamptz not null, error text);
  create function kit_testing.note_job() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      update ${JOURNAL} set state = case old.state when 'running' then 'done' else 'cancelled' end where id = old.id;
      return null;
    end if;
    insert into ${JOURNAL} (${COPIED}) values (${NEW_ROW}) on conflict (id) do update
      set state = excluded.state, attempts = excluded.attempts, run_at = excluded.run_at, error = excluded.error;
    return null;
  end $$;
  create trigger kit_testing after insert or update or delete on ${JOBS_TABLE}
    for each row execute function kit_testing.note_job()`

const LIST = `select ${COPIED} from ${JOURNAL} where name not like 'kit.%'
  and ($1::text is null or name = $1) and ($2::text is null or state = $2) order by id`

/** The jobs of the author, in the order in which they were published. */
export async function listTestJobs(connection: Connection, filter: TestJobFilter = {}): Promise<readonly TestJob[]> {
  const values = [filter.name ?? null, filter.state ?? null]
  const { rows } = await connection.query({ text: LIST, values }).catch(explainMissing)
  return rows.map(([id, name, payload, state, attempts, runAt, error]) => {
    // The columns have these types.
    return { id, name, payload, state, attempts, runAt, error } as TestJob
  })
}

const MISSING_TABLE = "42P01"

function explainMissing(cause: Error & { readonly code?: string }): never {
  if (cause.code !== MISSING_TABLE) throw cause
  throw new Error("Only the database that testApp() makes keeps jobs that have ended. Leave config.db.url out.", {
    cause,
  })
}
