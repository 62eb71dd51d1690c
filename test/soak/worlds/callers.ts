type Session = { user: { id: string; role: string } }
export type Caller = "nobody" | "bob" | "eva" | "jan" | "ed"

export const SESSIONS: Record<Caller, Session | null> = {
  nobody: null,
  bob: { user: { id: "bob", role: "member" } },
  eva: { user: { id: "eva", role: "member" } },
  // A member of the first team.
  jan: { user: { id: "jan", role: "member" } },
  ed: { user: { id: "ed", role: "editor" } },
}

// The keys of a literal are its names.
export const CALLERS = Object.keys(SESSIONS) as Caller[]

/** The owners of records. Zoe never sends a request. */
export const OWNERS = ["bob", "eva", "jan", "zoe"]

export const MEMBERS: Record<string, readonly string[]> = { "team-1": ["jan"], "team-2": ["zoe"] }

const HEADER = "x-caller"

export function headersOf(caller: Caller): Record<string, string> {
  return caller === "nobody" ? {} : { [HEADER]: caller }
}

/** A session provider that trusts the headers of a request. */
export const sessions = {
  read: (headers: { get(name: string): string | null }) => sessionOf(headers.get(HEADER)),
  load: (id: string) => Promise.resolve(sessionOf(id)),
}

function sessionOf(name: string | null): Session | null {
  return Object.entries(SESSIONS).find(([known]) => known === name)?.[1] ?? null
}
