import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"

// Any numbers that no other lock of the framework uses.
const FIRST_WRITE_LOCKS = 7_501
const UNIQUE_VALUE_LOCKS = 7_502

/** Lets one transaction at a time make the row of a global; a row that is not there cannot be locked itself. */
export function lockFirstWrite({ table }: Resource): Statement {
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [FIRST_WRITE_LOCKS, table] }
}

/** Lets one transaction at a time look for a unique value and make the record that has it, if there is none. */
export function lockUniqueValue({ table }: Resource, { name, localized }: ResourceField, value: unknown): Statement {
  const place = [table, name, localized?.locale, String(value)].join(" ")
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [UNIQUE_VALUE_LOCKS, place] }
}
