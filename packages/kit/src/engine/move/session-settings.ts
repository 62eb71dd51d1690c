import type { BulkSession } from "../../ports/bulk-session.ts"

/**
 * Both servers must print and read every value in the same way, whatever is set for their databases and roles.
 * No statement has a time limit, but none waits for long for somebody else's lock.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Names are printed with their schema.
  search_path: "",
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  bytea_output: "hex",
  lc_monetary: "C",
  xmloption: "content",
  quote_all_identifiers: "off",
  standard_conforming_strings: "on",
  client_min_messages: "error",
  // Bodies may name what is created later.
  check_function_bodies: "off",
  // A policy that hides rows is an error instead.
  row_security: "off",
  default_transaction_read_only: "off",
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "10s",
}

/** Older servers lack some of the settings. */
export async function applySettings(session: BulkSession): Promise<void> {
  const names = Object.keys(SETTINGS)
  await session.query({
    text: `select set_config(wanted.name, wanted.value, false)
      from unnest($1::text[], $2::text[]) as wanted(name, value)
      where exists (select from pg_catalog.pg_settings known where lower(known.name) = lower(wanted.name))`,
    values: [names, Object.values(SETTINGS)],
  })
  // A server that builds an index for a process that is gone should notice; not every system lets it.
  const attend = "select set_config('client_connection_check_interval', '5s', false)"
  await session.query({ text: attend, values: [] }).catch(() => {})
}
