import type { Statement } from "../../ports/database.ts"

const MAX_ADDRESSES = 200
// The key of an advisory lock: an arbitrary number that no other advisory lock of the framework uses.
const SET_UP_LOCK = 7_402_113_920

/** Selects the IP addresses from which the user opened the sessions that are still open. */
export function findSessionAddresses(email: string, now: Date): Statement {
  const text = `select distinct s."ipAddress" from "users" u join "_kit_sessions" s on s."userId" = u.id
    where u.email = $1 and s."expiresAt" > $2 limit ${MAX_ADDRESSES}`
  return { text, values: [email, now] }
}

/** Lets only one transaction at a time create the first account, over all processes. */
export function lockSetUp(): Statement {
  return { text: `select pg_advisory_xact_lock(${SET_UP_LOCK})`, values: [] }
}

/** Selects one row if an account has the role `admin`, also if it is banned. A user may have several roles. */
export function findAdmin(): Statement {
  return { text: `select 1 from "users" where 'admin' = any(string_to_array(role, ',')) limit 1`, values: [] }
}
