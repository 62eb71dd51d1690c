import type { Statement } from "../ports/database.ts"
import type { Resource } from "../schema/resource.ts"

// Any number that no other lock of the framework uses.
const FIRST_WRITE_LOCKS = 7_501

/** Lets one transaction at a time make the row of a global; a row that is not there cannot be locked itself. */
export function lockFirstWrite({ table }: Resource): Statement {
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [FIRST_WRITE_LOCKS, table] }
}
