import type { Statement } from "../../ports/database.ts"

const MAX_ADDRESSES = 200

/** Selects the IP addresses from which the user opened the sessions that are still open. */
export function findSessionAddresses(email: string, now: Date): Statement {
  const text = `select distinct s."ipAddress" from "users" u join "_kit_sessions" s on s."userId" = u.id
    where u.email = $1 and s."expiresAt" > $2 limit ${MAX_ADDRESSES}`
  return { text, values: [email, now] }
}
