import type { Connection } from "../../ports/database.ts"
import type { AppSchema, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { virtualFieldProbe } from "../../sql/text/field-sql.ts"

/** Runs the SQL of each virtual field and returns the database's errors, as sentences for the author. */
export async function findVirtualProblems(connection: Connection, schema: AppSchema): Promise<string[]> {
  const problems: string[] = []
  for (const { resource, field } of virtualFields(schema)) {
    const problem = await findProblem(connection, resource, field)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

function virtualFields(schema: AppSchema): { resource: Resource; field: ResourceField }[] {
  return schema.resources.flatMap((resource) => {
    const virtual = [...resource.fields.values()].filter((field) => field.type.expression)
    return virtual.map((field) => ({ resource, field }))
  })
}

async function findProblem(
  connection: Connection,
  resource: Resource,
  field: ResourceField,
): Promise<string | undefined> {
  try {
    // Runs in a savepoint, so that an error does not abort the surrounding transaction.
    await connection.transaction((inner) => inner.query(virtualFieldProbe(resource, field)))
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || !isMistake(error)) throw error
    return (
      `The field "${field.name}" of "${resource.name}" has SQL that the database refuses: ${error.message}. ` +
      'Write one expression over the columns of the record, each in double quotes: length("title").'
    )
  }
}

// True if the author's SQL caused the error. PostgreSQL's error class 42 is for syntax errors, unknown names and
// missing privileges, class 22 for data exceptions, and class 0A for unsupported features.
function isMistake(error: Error): boolean {
  return "code" in error && typeof error.code === "string" && /^(42|22|0A)/.test(error.code)
}
