import { linkTableAliases } from "../../schema/compile/link-table-aliases.ts"
import type { LinkTable, ResourceField } from "../../schema/compile/resource.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { declaredType, type TypeContext } from "./field-types.ts"
import { importText } from "./import-text.ts"
import { interfaceText, type Member } from "./interface-text.ts"
import { typeName, typeNames } from "./type-names.ts"

/**
 * Returns the text of `tables.ts`, which types the database tables for `db`, with the values that the driver returns
 * and accepts.
 */
export function tablesFile({ schema, modules }: Pick<CodegenInput, "schema" | "modules">): string {
  const names = typeNames(schema)
  const tables = schema.resources.map((resource) => ({
    name: resource.table,
    type: `${typeName(names, resource)}Table`,
    text: tableText({ resource, names, sources: modules }),
  }))
  const links = [...linkTableAliases(schema)].flatMap(([name, table]) =>
    schema.links.filter((link) => link.name === table).map((link) => ({ name, type: linkText(link) })),
  )
  const body = [
    ...tables.map(({ text }) => text),
    interfaceText(
      "AppTables",
      [...tables, ...links].map(({ name, type }) => ({ name, type })),
    ),
  ].join("\n\n")
  const imports = [
    importText(body, ["JsonValue", "RichText"], "kit/client"),
    importText(body, ["ColumnType"], "kit/db"),
  ]
  return `${[...imports.filter((text) => text !== ""), body].join("\n\n")}\n`
}

function tableText(context: TypeContext): string {
  const { resource, names } = context
  return interfaceText(
    `${typeName(names, resource)}Table`,
    // Leaves out internal columns, such as the columns for versions.
    resource.columns.filter(isNamed).map((field) => columnOf(context, field)),
  )
}

function isNamed({ name }: ResourceField): boolean {
  return !name.startsWith("_")
}

function columnOf(context: TypeContext, field: ResourceField): Member {
  return { name: field.name, type: columnType(context, field) }
}

// No column is optional in an insert through `db`, because columns have no database defaults: only the engine, which
// `db` bypasses, fills in missing values.
function columnType(context: TypeContext, field: ResourceField): string {
  const read = field.localized ? "Readonly<Record<string, unknown>>" : readType(context, field)
  const written = WRITE_TYPES[field.localized ? "jsonb" : field.type.sqlType.replace(/\(.*\)/, "")]
  if (written === undefined) return nullable(field, read)
  return `ColumnType<${nullable(field, read)}, ${nullable(field, written)}, ${nullable(field, written)}>`
}

// The types that the driver accepts in a write, by SQL type. A JSON value is written as a JSON string, because the
// driver would turn a list into an SQL array.
const WRITE_TYPES: Readonly<Record<string, string>> = {
  timestamptz: "Date | string",
  bigint: "bigint | number | string",
  numeric: "string | number",
  jsonb: "string",
}

// Returns the type of a column in a read. Dates and big integers inside JSON are returned as strings, as they are
// stored.
function readType(context: TypeContext, field: ResourceField): string {
  const { sqlType, extendedParts = {}, hasUnlistedParts } = field.type
  if (sqlType === "jsonb" && (hasUnlistedParts || Object.keys(extendedParts).length > 0)) return "unknown"
  if (field.type.name === "json") return declaredType(context, field)
  return field.type.typescript.output
}

function nullable(field: ResourceField, type: string): string {
  return field.required || type === "unknown" ? type : `${type} | null`
}

function linkText({ columns }: LinkTable): string {
  return `{ ${columns.map(({ name }) => `${name}: string`).join("; ")} }`
}
