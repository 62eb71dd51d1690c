import type { CodeExample } from "../../as-code/code-call.ts"

/** The number of accounts that are read at first, and with each "Show more". */
export const PAGE_SIZE = 50

/** Returns the call of the list of accounts. */
export function peopleExamples(search: string): readonly CodeExample[] {
  const asked = { ...(search !== "" && { search }), limit: PAGE_SIZE }
  return [{ purpose: "people", call: { path: ["auth", "admin", "list"], args: [asked] } }]
}
