import type { ResourceField } from "../../schema/compile/resource.ts"
import { column } from "./fragment.ts"

// A function of Postgres takes 100 arguments: a name and a value for each field.
const MAX_ARGUMENT_FIELDS = 50

/** The SQL of these columns of a row as one JSON object. */
export function rowImage(fields: readonly ResourceField[], alias: string): string {
  if (fields.length <= MAX_ARGUMENT_FIELDS) {
    return `jsonb_build_object(${fields.map(({ name }) => `'${name}', ${column(alias, name)}`).join(", ")})`
  }
  // No field can be called as the row is.
  const columns = fields.map(({ name }) => column(alias, name))
  return `(select to_jsonb(_row) from (select ${columns.join(", ")}) _row)`
}
