import type { Connection } from "../ports/database.ts"
import { JOBS_TABLE, type JobState } from "../sql/internal/job-tables.ts"

/** A job as a test sees it in the journal. Unlike the queue, the journal keeps jobs that have ended. */
export interface TestJob {
  readonly id: string
  readonly name: string
  readonly payload: unknown
  readonly state: JobState | "done" | "cancelled"
  readonly attempts: number
  readonly runAt: Date
  /** The error message of the last failed attempt. */
  readonly error: string | null
}

export interface TestJobFilter {
  readonly name?: string
  readonly state?: TestJob["state"]
}

const JOURNAL = "kit_testing.jobs"
const JOURNAL_COLUMNS = "id, name, payload, state, attempts, run_at, error"
const NEW_ROW = JOURNAL_COLUMNS.replaceAll(/\w+/g, "new.$&")

/** The SQL for a trigger that copies each state of a job into a journal, because the queue deletes ended jobs. */
export const PREPARE_JOURNAL = `create schema kit_testing;
  create table ${JOURNAL} (id uuid primary key, name text not null, payload jsonb not null, state text not null,
    attempts integer not null, run_at timestamptz not null, error text);
  create function kit_testing.note_job() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      update ${JOURNAL} set state = case old.state when 'running' then 'done' else 'cancelled' end where id = old.id;
      return null;
    end if;
    insert into ${JOURNAL} (${JOURNAL_COLUMNS}) values (${NEW_ROW}) on conflict (id) do update
      set state = excluded.state, attempts = excluded.attempts, run_at = excluded.run_at, error = excluded.error;
    return null;
  end $$;
  create trigger kit_testing after insert or update or delete on ${JOBS_TABLE}
    for each row execute function kit_testing.note_job()`

const LIST = `select ${JOURNAL_COLUMNS} from ${JOURNAL} where name not like 'kit.%'
  and ($1::text is null or name = $1) and ($2::text is null or state = $2) order by id`

/** Returns the jobs that the author's code has published, in the order of publishing. */
export async function listTestJobs(connection: Connection, filter: TestJobFilter = {}): Promise<readonly TestJob[]> {
  const values = [filter.name ?? null, filter.state ?? null]
  const { rows } = await connection.query({ text: LIST, values }).catch(rethrowMissingJournal)
  return rows.map(([id, name, payload, state, attempts, runAt, error]) => {
    // The cast is safe: the columns of the journal have the types of TestJob's properties.
    return { id, name, payload, state, attempts, runAt, error } as TestJob
  })
}

const MISSING_TABLE = "42P01"

function rethrowMissingJournal(cause: Error & { readonly code?: string }): never {
  if (cause.code !== MISSING_TABLE) throw cause
  throw new Error("Only the database that testApp() makes keeps jobs that have ended. Leave config.db.url out.", {
    cause,
  })
}
