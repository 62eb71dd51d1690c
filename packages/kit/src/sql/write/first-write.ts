import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"

// The keys of two advisory locks: arbitrary numbers that no other advisory lock of the framework uses.
const FIRST_WRITE_LOCKS = 7_501
const UNIQUE_VALUE_LOCKS = 7_502

/**
 * Lets only one transaction at a time create the row of a global. An advisory lock is used because a row that does not
 * exist cannot be locked.
 */
export function lockFirstWrite({ table }: Resource): Statement {
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [FIRST_WRITE_LOCKS, table] }
}

/**
 * Lets only one transaction at a time search for a unique value and create a record with it if no record has the value.
 */
export function lockUniqueValue({ table }: Resource, { name, localized }: ResourceField, value: unknown): Statement {
  const place = [table, name, localized?.locale, String(value)].join(" ")
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [UNIQUE_VALUE_LOCKS, place] }
}
