/** @typedef {{ user: { id: string, role: string } }} Session */
/** @typedef {"nobody" | "bob" | "eva" | "jan" | "ed"} Caller */

/** @type {Record<Caller, Session | null>} */
export const SESSIONS = {
  nobody: null,
  bob: { user: { id: "bob", role: "member" } },
  eva: { user: { id: "eva", role: "member" } },
  // A member of the first team.
  jan: { user: { id: "jan", role: "member" } },
  ed: { user: { id: "ed", role: "editor" } },
}

export const CALLERS = /** @type {Caller[]} */ (Object.keys(SESSIONS))

/** The owners of records. Zoe never sends a request. */
export const OWNERS = ["bob", "eva", "jan", "zoe"]

/** @type {Record<string, readonly string[]>} */
export const MEMBERS = { "team-1": ["jan"], "team-2": ["zoe"] }

const HEADER = "x-caller"

/** @param {Caller} caller @returns {Record<string, string>} */
export function headersOf(caller) {
  return caller === "nobody" ? {} : { [HEADER]: caller }
}

/** A session provider that trusts the headers of a request. */
export const sessions = {
  read: (/** @type {{ get(name: string): string | null }} */ headers) => sessionOf(headers.get(HEADER)),
  load: (/** @type {string} */ id) => Promise.resolve(sessionOf(id)),
}

/** @param {string | null} name @returns {Session | null} */
function sessionOf(name) {
  return Object.entries(SESSIONS).find(([known]) => known === name)?.[1] ?? null
}
