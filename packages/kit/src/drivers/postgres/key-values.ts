import type { Connection } from "../../ports/database.ts"
import type { KeyValueStore } from "../../ports/key-value-store.ts"

const SWEEP_ROWS = 1_000

const GET = `select value::text from "_kit_kv" where key = $1 and (expires_at is null or expires_at > $2)`

const SET = `insert into "_kit_kv" (key, value, expires_at) values ($1, $2::json, $3)
  on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`

const DELETE = `delete from "_kit_kv" where key = $1 returning expires_at is null or expires_at > $2`

// Adds $2 to the integer that is stored under the key $1. An expired row counts as absent. Only a CASE guarantees that
// the stored value is checked to be an integer before it is cast to one.
const INCREMENT = `insert into "_kit_kv" as kv (key, value, expires_at) values ($1, to_json($2::bigint), $3)
  on conflict (key) do update set
    value = case when kv.expires_at <= $4 then excluded.value
      else to_json((kv.value::text)::bigint + $2::bigint) end,
    expires_at = case when kv.expires_at <= $4 then excluded.expires_at else kv.expires_at end
  where case when kv.expires_at <= $4 then true
    when kv.value::text ~ '^-?[0-9]{1,16}$' then abs((kv.value::text)::bigint + $2::bigint) <= ${Number.MAX_SAFE_INTEGER}
    else false end
  returning value::text`

const SWEEP = `delete from "_kit_kv" where key in (
  select key from "_kit_kv" where expires_at <= $1 limit ${SWEEP_ROWS} for update skip locked)`

interface PostgresKvDependencies {
  /** The connection to use. If it is a transaction, changes to values commit or roll back with that transaction. */
  readonly connection: Connection
  now(): Date
}

/**
 * Stores values in the unlogged table `_kit_kv`. The table is fast to write, and is empty after the database has
 * crashed.
 */
export function postgresKv({ connection, now }: PostgresKvDependencies): KeyValueStore {
  const query = async (text: string, ...values: unknown[]) => (await connection.query({ text, values })).rows
  const endOf = (ttlMs: number | undefined) => (ttlMs === undefined ? null : new Date(now().getTime() + ttlMs))
  const get = async (key: string) => {
    const [row] = await query(GET, key, now())
    return row && String(row[0])
  }
  return {
    get,
    set: async (key, json, ttlMs) => {
      await query(SET, key, json, endOf(ttlMs))
    },
    delete: async (key) => (await query(DELETE, key, now()))[0]?.[0] === true,
    has: async (key) => (await get(key)) !== undefined,
    increment: async (key, by, ttlMs) => {
      const [row] = await query(INCREMENT, key, by, endOf(ttlMs), now())
      return row ? Number(row[0]) : null
    },
  }
}

/**
 * Deletes the expired rows, and resolves to the number of deleted rows. Reads ignore expired rows, so this can run at
 * any time.
 */
export async function sweepPostgresKv({ connection, now }: PostgresKvDependencies): Promise<number> {
  let removed = 0
  for (;;) {
    const { rowCount } = await connection.query({ text: SWEEP, values: [now()] })
    removed += rowCount
    if (rowCount < SWEEP_ROWS) return removed
  }
}
