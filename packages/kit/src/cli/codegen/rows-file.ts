import { isDerived } from "../../schema/field-type.ts"
import { type AppSchema, type ResourceField, toManyOf } from "../../schema/resource.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { hasDeclaredType, outputType, type TypeContext, valueType } from "./field-types.ts"
import { importText } from "./import-text.ts"
import { inputText, interfaceText, type Member } from "./interface-text.ts"
import { recordMembers } from "./resource-types.ts"
import { type TypeNames, typeName, typeNames } from "./type-names.ts"

/**
 * The text of `rows.ts`: what hooks, rules and computed fields see of each resource, hidden fields included. It is a file
 * of its own: a client has no use for it.
 */
export function rowsFile({ schema, modules }: Pick<CodegenInput, "schema" | "modules">): string {
  const names = typeNames(schema)
  const body = [
    ...schema.resources.map((resource) => rowTypes({ resource, names, sources: modules })),
    interfaceText("AppResources", resourceMembers(schema, names)),
  ].join("\n\n")
  const imports = [
    importText(body, ["NestedMany", "NestedOne", "Sent", "Shown"], "kit"),
    importText(body, ["JsonValue", "RichText"], "kit/client"),
    importGenerated(schema, names),
  ]
  return `${[...imports.filter((text) => text !== ""), body].join("\n\n")}\n`
}

// Every resource uses these, so the text need not be searched for them.
function importGenerated({ resources }: AppSchema, names: TypeNames): string {
  const lines = resources.flatMap((resource) =>
    ["Record", "Relations", "Where"].map((suffix) => `  ${typeName(names, resource)}${suffix},\n`),
  )
  return lines.length === 0 ? "" : `import type {\n${lines.join("")}} from "./index.js"`
}

// Hooks and rules are typed by name alone, and a collection and a global may share one.
function resourceMembers({ resources }: AppSchema, names: TypeNames): Member[] {
  const types = new Map<string, string>()
  for (const resource of resources) {
    const type = `${typeName(names, resource)}Resource`
    const other = types.get(resource.name)
    types.set(resource.name, other === undefined ? type : `${other} | ${type}`)
  }
  return [...types].map(([name, type]) => ({ name, type }))
}

function rowTypes(context: TypeContext): string {
  const name = typeName(context.names, context.resource)
  const row = rowMembers(context)
  const readable = readableMembers(context)
  const parts = [
    inputText(`${name}Data`, dataMembers(context)),
    ...(row.length > 0 ? [interfaceText(`${name}Row`, row, `${name}Record`)] : []),
    ...(readable ? [interfaceText(`${name}Readable`, readable)] : []),
  ]
  const whole = row.length > 0 ? `${name}Row` : `${name}Record`
  const gathered = [
    { name: "where", type: `${name}Where` },
    { name: "input", type: `Sent<${name}Data>` },
    { name: "data", type: `${name}Data` },
    { name: "change", type: `Partial<${name}Data>` },
    { name: "row", type: whole },
    { name: "original", type: context.resource.kind === "global" ? `${whole} | null` : whole },
    { name: "readable", type: readable ? `${name}Readable` : `${name}Record` },
    { name: "shown", type: `Shown<${name}Record, ${name}Relations>` },
  ]
  return [...parts, interfaceText(`${name}Resource`, gathered)].join("\n\n")
}

// The values of a new record once they are checked and the defaults are in place.
function dataMembers(context: TypeContext): Member[] {
  const written = [...context.resource.fields.values()].filter((field) => !field.system && !isDerived(field.type))
  return written.map((field) => ({
    name: field.name,
    type: valueType(context, field),
    isOptional: !field.required && field.default === undefined,
  }))
}

// The record of a caller who may read everything: hidden fields are there, and no field is missing.
function rowMembers(context: TypeContext): Member[] {
  const answered = new Map(recordMembers(context).map((member) => [member.name, member]))
  const stored = [...context.resource.fields.values()].filter((field) => toManyOf(field) === undefined)
  const differing = stored.filter(({ name }) => answered.get(name)?.isOptional ?? true)
  return differing.map((field) => ({ name: field.name, type: outputType(context, field) }))
}

// Types that only the author's file knows are left out: it cannot be asked while it is being read.
function readableMembers(context: TypeContext): Member[] | undefined {
  const { fields } = context.resource
  const isPlain = ![...fields.values()].some((field) => hasDeclaredType(field))
  if (isPlain) return undefined
  return recordMembers(context).flatMap((member) => readableMember(member, fields.get(member.name)))
}

function readableMember(member: Member, field: ResourceField | undefined): Member[] {
  if (field?.type.compute) return []
  return [field && hasDeclaredType(field) ? { ...member, type: "unknown" } : member]
}
