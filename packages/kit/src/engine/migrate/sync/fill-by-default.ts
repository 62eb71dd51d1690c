import type { Connection } from "../../../ports/database.ts"
import { isProblem } from "../../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { copyFromWorkingCopies, selectRowsWithout, storeBackfill } from "../../../sql/tables/backfill-sql.ts"
import { SchemaMismatchError } from "../schema-mismatch.ts"

// The number of rows that one statement fills.
const BATCH_ROWS = 500

/**
 * Gives existing rows that have no value in the field the values of its default function, which is called for each row.
 * A stage copy gets the value of its working copy.
 */
export async function fillByDefault(connection: Connection, resource: Resource, field: ResourceField): Promise<void> {
  if (resource.working) {
    await connection.query(copyFromWorkingCopies(resource, field))
    return
  }
  for (;;) {
    const { rows } = await connection.query(selectRowsWithout(resource, field, BATCH_ROWS))
    if (rows.length === 0) return
    const filled = rows.map(([id]) => ({ id, value: callDefault(resource, field) }))
    await connection.query(storeBackfill(resource, field, filled))
  }
}

function callDefault(resource: Resource, { name, type, default: value }: ResourceField): unknown {
  const parsed = type.parse(typeof value === "function" ? value() : value)
  const problem = isProblem(parsed) ? parsed.problem : parsed.value === null && "It is null."
  if (problem) {
    throw new SchemaMismatchError(
      `The default of the field "${name}" of "${resource.name}" returned a value for an existing record that does not fit: ${problem}`,
    )
  }
  return "value" in parsed ? parsed.value : undefined
}
