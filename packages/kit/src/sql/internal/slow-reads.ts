import type { ReadShape, Statement } from "../../ports/database.ts"

/** The reads of one shape that were slow. */
export interface SlowReadsOfShape {
  readonly shape: ReadShape
  readonly times: number
  readonly longestMs: number
}

/** The table of slow reads. It has the names of fields, and never a value of a request. */
export const CREATE_SLOW_READS = `create table if not exists "_kit_slow_reads" (
  shape text collate "C" primary key,
  times bigint not null,
  longest_ms integer not null,
  last_at timestamptz(3) not null
)`

// Callers choose how they filter, so the table has a limited number of rows.
const MAX_ROWS = 200
const KEPT_FOR = "30 days"

export function addSlowReads(reads: readonly SlowReadsOfShape[], now: Date): Statement {
  // Processes that store the same shapes at the same time lock them in the same order.
  const rows = reads.map(({ shape, ...rest }) => ({ ...rest, text: JSON.stringify(shape) }))
  const sorted = rows.sort((left, right) => (left.text < right.text ? -1 : 1))
  const text = `insert into "_kit_slow_reads" as slow (shape, times, longest_ms, last_at)
    select shape, times, longest_ms, $4 from unnest($1::text[], $2::bigint[], $3::integer[]) as seen (shape, times, longest_ms)
    on conflict (shape) do update set times = slow.times + excluded.times,
      longest_ms = greatest(slow.longest_ms, excluded.longest_ms), last_at = excluded.last_at`
  const columns = [sorted.map((row) => row.text), sorted.map((row) => row.times), sorted.map((row) => row.longestMs)]
  return { text, values: [...columns, now] }
}

/** Deletes what has not been seen for 30 days, and what is more than the table may hold. */
export function trimSlowReads(now: Date): Statement {
  const text = `delete from "_kit_slow_reads" where last_at < $1::timestamptz - interval '${KEPT_FOR}'
    or shape in (select shape from "_kit_slow_reads" order by last_at desc offset ${MAX_ROWS})`
  return { text, values: [now] }
}

export const HAS_SLOW_READS: Statement = { text: `select to_regclass('"_kit_slow_reads"') is not null`, values: [] }

/** Selects the slow reads, the longest first. The table must exist. */
export const SELECT_SLOW_READS: Statement = {
  text: `select shape, times::float8, longest_ms from "_kit_slow_reads" order by longest_ms desc, shape`,
  values: [],
}
