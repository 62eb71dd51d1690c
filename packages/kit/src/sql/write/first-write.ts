import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"

// Arbitrary numbers that no other advisory lock of the framework uses.
const FIRST_WRITE_LOCKS = 7_501
const UNIQUE_VALUE_LOCKS = 7_502

/** Lets one transaction at a time create the row of a global: a row that does not exist cannot be locked. */
export function lockFirstWrite({ table }: Resource): Statement {
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [FIRST_WRITE_LOCKS, table] }
}

/** Lets one transaction at a time search for a unique value and create the record if none has it. */
export function lockUniqueValue({ table }: Resource, { name, localized }: ResourceField, value: unknown): Statement {
  const place = [table, name, localized?.locale, String(value)].join(" ")
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [UNIQUE_VALUE_LOCKS, place] }
}
