import type { Statement } from "../../ports/database.ts"

/**
 * A rate limit: the length of its window, and the part of the window that one attempt uses up, both in milliseconds.
 */
export interface TryCost {
  readonly tryMs: number
  readonly windowMs: number
}

// The new value of the column `free_at_ms` after one more attempt: the stored time (or now, `$2`, if that is later)
// plus the cost of an attempt, `$3`. The stored time counts as at most now plus the window, `$4`, in case the clock was
// set back.
const USED_UNTIL = "least(greatest(tries.free_at_ms, $2::bigint), $2::bigint + $4::bigint) + $3::bigint"

/**
 * Uses up one attempt of the rate limit in this row (slot) of `_kit_tries`. Returns a row, or no row if no attempt is
 * left. Concurrent attempts are all counted.
 */
export function takeTry(slot: number, nowMs: number, { tryMs, windowMs }: TryCost): Statement {
  const text = `insert into "_kit_tries" as tries (slot, free_at_ms) values ($1, $2::bigint + $3::bigint)
    on conflict (slot) do update set free_at_ms = ${USED_UNTIL} where ${USED_UNTIL} <= $2::bigint + $4::bigint
    returning free_at_ms`
  return { text, values: [slot, nowMs, tryMs, windowMs] }
}

export function returnTry(slot: number, { tryMs }: TryCost): Statement {
  return { text: `update "_kit_tries" set free_at_ms = free_at_ms - $2::bigint where slot = $1`, values: [slot, tryMs] }
}

/** Resets the rate limit in this row (slot) of `_kit_tries`, so that all attempts are available again. */
export function resetSlot(slot: number): Statement {
  return { text: `delete from "_kit_tries" where slot = $1`, values: [slot] }
}

/** Selects the time at which all attempts of the rate limit in this row (slot) will be available again. */
export function findSlot(slot: number): Statement {
  return { text: `select free_at_ms from "_kit_tries" where slot = $1`, values: [slot] }
}
