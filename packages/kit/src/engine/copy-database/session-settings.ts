import type { BulkSession } from "../../ports/bulk-session.ts"

/**
 * The settings of both sessions. The source and the target must print and parse every value in the same way, whatever
 * is set for their databases and roles. No statement has a time limit, but none waits longer than ten seconds for a
 * lock.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // With an empty search_path, PostgreSQL prints the names of objects together with their schema.
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
  // Off, because a function body may refer to objects that are created after the function.
  check_function_bodies: "off",
  // Off means that a query raises an error if a row security policy would hide rows from it.
  row_security: "off",
  default_transaction_read_only: "off",
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
  lock_timeout: "10s",
}

/** Applies the settings to a session, except settings that do not exist in an older version of PostgreSQL. */
export async function applySettings(session: BulkSession): Promise<void> {
  const names = Object.keys(SETTINGS)
  await session.query({
    text: `select set_config(wanted.name, wanted.value, false)
      from unnest($1::text[], $2::text[]) as wanted(name, value)
      where exists (select from pg_catalog.pg_settings known where lower(known.name) = lower(wanted.name))`,
    values: [names, Object.values(SETTINGS)],
  })
  // Lets PostgreSQL notice, even during a long statement, that this process is gone. Not every operating system
  // supports this setting, so an error is ignored.
  const attend = "select set_config('client_connection_check_interval', '5s', false)"
  await session.query({ text: attend, values: [] }).catch(() => {})
}

/** Returns the schema in which a session creates tables. Call it before `applySettings`, which empties the search_path. */
export async function readCurrentSchema(session: BulkSession): Promise<string> {
  const { rows } = await session.query({ text: "select coalesce(current_schema()::text, 'public')", values: [] })
  return String(rows[0]?.[0])
}
