import type { Statement } from "../../ports/database.ts"

// The key of an advisory lock: an arbitrary number that no other advisory lock of the framework uses.
const SET_UP_LOCK = 7_402_113_920

/** Lets only one transaction at a time create the first account, over all processes. */
export function lockSetUp(): Statement {
  return { text: `select pg_advisory_xact_lock(${SET_UP_LOCK})`, values: [] }
}

/** Selects one row if an account has the role `admin`, also if it is banned. A user may have several roles. */
export function findAdmin(): Statement {
  return { text: `select 1 from "users" where 'admin' = any(string_to_array(role, ',')) limit 1`, values: [] }
}
