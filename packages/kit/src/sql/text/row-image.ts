import type { ResourceField } from "../../schema/compile/resource.ts"
import { column } from "./fragment.ts"

// The maximum number of fields for `jsonb_build_object`. A Postgres function takes at most 100 arguments, and each
// field needs two: a name and a value.
const MAX_ARGUMENT_FIELDS = 50

/** Returns the SQL that builds one JSON object from these columns of a row. */
export function rowImage(fields: readonly ResourceField[], alias: string): string {
  if (fields.length <= MAX_ARGUMENT_FIELDS) {
    return `jsonb_build_object(${fields.map(({ name }) => `'${name}', ${column(alias, name)}`).join(", ")})`
  }
  const columns = fields.map(({ name }) => column(alias, name))
  // Field names cannot begin with an underscore, so no field collides with the alias `_row`.
  return `(select to_jsonb(_row) from (select ${columns.join(", ")}) _row)`
}
