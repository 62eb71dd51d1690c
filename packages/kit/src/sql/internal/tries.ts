import type { Statement } from "../../ports/database.ts"

/** A rate limit in milliseconds: the share of the window that one attempt uses, and the window itself. */
export interface TryCost {
  readonly tryMs: number
  readonly windowMs: number
}

// The time used so far is capped at the window, in case the clock was set back.
const USED_UNTIL = "least(greatest(tries.free_at_ms, $2::bigint), $2::bigint + $4::bigint) + $3::bigint"

/** Takes one attempt of the slot and returns a row, unless none is left. Concurrent attempts are all counted. */
export function takeTry(slot: number, nowMs: number, { tryMs, windowMs }: TryCost): Statement {
  const text = `insert into "_kit_tries" as tries (slot, free_at_ms) values ($1, $2::bigint + $3::bigint)
    on conflict (slot) do update set free_at_ms = ${USED_UNTIL} where ${USED_UNTIL} <= $2::bigint + $4::bigint
    returning free_at_ms`
  return { text, values: [slot, nowMs, tryMs, windowMs] }
}

export function returnTry(slot: number, { tryMs }: TryCost): Statement {
  return { text: `update "_kit_tries" set free_at_ms = free_at_ms - $2::bigint where slot = $1`, values: [slot, tryMs] }
}

/** Resets the slot: all attempts are available again. */
export function resetSlot(slot: number): Statement {
  return { text: `delete from "_kit_tries" where slot = $1`, values: [slot] }
}

/** Returns the time at which all attempts of the slot will be available again. */
export function findSlot(slot: number): Statement {
  return { text: `select free_at_ms from "_kit_tries" where slot = $1`, values: [slot] }
}
