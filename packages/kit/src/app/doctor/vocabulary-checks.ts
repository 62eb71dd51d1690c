import type { Connection } from "../../ports/database.ts"
import type { AppSchema, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { decodeStoredName, type StoredName, selectHasColumn, selectStoredNames } from "../../sql/read/stored-names.ts"
import { type Finding, warn } from "./finding.ts"

/** Reports stored rich texts with names that the vocabularies of their fields do not have. They are kept as they are. */
export async function checkStoredNames(connection: Connection, schema: AppSchema): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const fields = schema.resources.flatMap((resource) =>
    [...resource.fields.values()].map((field) => ({ resource, field })),
  )
  for (const { resource, field } of fields) {
    const names = await namesBeyond(connection, resource, field)
    if (names.length > 0) findings.push(findingOf(`${resource.name}.${field.name}`, names))
  }
  return findings
}

async function namesBeyond(
  connection: Connection,
  { table }: Resource,
  { name, type }: ResourceField,
): Promise<readonly StoredName[]> {
  const { vocabulary } = type
  if (vocabulary === undefined) return []
  // The first start with this version of the app may have to create the column.
  if ((await connection.query(selectHasColumn(table, name))).rowCount === 0) return []
  const { rows } = await connection.query(selectStoredNames(table, name))
  const known = { node: vocabulary.nodes, mark: vocabulary.marks }
  return rows.map(decodeStoredName).filter((stored) => !known[stored.kind].includes(stored.name))
}

function findingOf(field: string, names: readonly StoredName[]): Finding {
  const listed = names.map(({ kind, name }) => `the ${kind} "${name}"`).join(", ")
  return warn(
    `rich texts in "${field}" have names that its vocabulary does not have: ${listed}`,
    "Add them: f.richText({ nodes, marks }). Until then they are kept, and writes of such texts are refused.",
  )
}
