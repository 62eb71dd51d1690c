import type { Statement } from "../../ports/database.ts"

/** A limit in milliseconds: what one try takes of the window, and the window itself. */
export interface TryCost {
  readonly tryMs: number
  readonly windowMs: number
}

// Never more than the window, should the clock be set back.
const USED_UNTIL = "least(greatest(tries.free_at_ms, $2::bigint), $2::bigint + $4::bigint) + $3::bigint"

/** Takes one try of the slot and answers a row, unless there is none left. Of tries that meet, each is counted. */
export function takeTry(slot: number, nowMs: number, { tryMs, windowMs }: TryCost): Statement {
  const text = `insert into "_kit_tries" as tries (slot, free_at_ms) values ($1, $2::bigint + $3::bigint)
    on conflict (slot) do update set free_at_ms = ${USED_UNTIL} where ${USED_UNTIL} <= $2::bigint + $4::bigint
    returning free_at_ms`
  return { text, values: [slot, nowMs, tryMs, windowMs] }
}

export function giveTryBack(slot: number, { tryMs }: TryCost): Statement {
  return { text: `update "_kit_tries" set free_at_ms = free_at_ms - $2::bigint where slot = $1`, values: [slot, tryMs] }
}

/** Gives back everything that the slot has used. */
export function freeSlot(slot: number): Statement {
  return { text: `delete from "_kit_tries" where slot = $1`, values: [slot] }
}

/** When everything that the slot has used will have been given back. */
export function findSlot(slot: number): Statement {
  return { text: `select free_at_ms from "_kit_tries" where slot = $1`, values: [slot] }
}
