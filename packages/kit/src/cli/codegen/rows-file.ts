import { isDerived } from "../../schema/field-type.ts"
import { type AppSchema, type Resource, type ResourceField, toManyOf } from "../../schema/resource.ts"
import { builderType } from "./builder-type.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { hasDeclaredType, outputType, type TypeContext, valueType } from "./field-types.ts"
import { importText } from "./import-text.ts"
import { interfaceText, type Member } from "./interface-text.ts"
import { recordMembers } from "./resource-types.ts"
import { type TypeNames, typeName, typeNames } from "./type-names.ts"

const IMPORTABLE = [
  "AccessContext",
  "CollectionSteps",
  "DeclaredFields",
  "Denied",
  "FieldSet",
  "HooksOf",
  "NestedMany",
  "NestedOne",
  "ResourceOptions",
  "Sent",
  "Shown",
  "Whole",
]

/**
 * The text of `rows.ts`: what hooks, rules and computed fields see of each resource, hidden fields included. It is a file
 * of its own: a client has no use for it.
 */
export function rowsFile({ schema, modules }: Pick<CodegenInput, "schema" | "modules">): string {
  const names = typeNames(schema)
  const body = [
    ...schema.resources.map((resource) => rowTypes({ resource, names, sources: modules })),
    interfaceText("AppResources", resourceMembers(schema, names)),
    interfaceText("AppBuilders", builderMembers(schema, names)),
  ].join("\n\n")
  const imports = [
    importText(body, IMPORTABLE, "kit"),
    importText(body, ["JsonValue", "RichText"], "kit/client"),
    importGenerated(schema, names),
  ]
  return `${[...imports.filter((text) => text !== ""), body].join("\n\n")}\n`
}

function builderMembers({ collections }: AppSchema, names: TypeNames): Member[] {
  const built = [...collections.values()].filter(({ isIdentity }) => !isIdentity)
  return built.map((resource) => ({ name: resource.name, type: `${typeName(names, resource)}Collection` }))
}

// What every resource uses is known, so the text need not be searched for it.
function importGenerated({ resources }: AppSchema, names: TypeNames): string {
  const lines = resources.flatMap((resource) =>
    ["Record", ...(isRelated(resource) ? ["Relations"] : []), "Where"].map(
      (suffix) => `  ${typeName(names, resource)}${suffix},\n`,
    ),
  )
  return lines.length === 0 ? "" : `import type {\n${lines.join("")}} from "./index.js"`
}

function isRelated({ fields }: Resource): boolean {
  return [...fields.values()].some(({ relation, hidden }) => relation !== undefined && !hidden)
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
  const { resource, names } = context
  const name = typeName(names, resource)
  const declared = [...resource.fields.values()].filter(hasDeclaredType)
  const parts = [
    interfaceText(`${name}Change`, changeMembers(context)),
    interfaceText(`${name}Data`, dataMembers(context), `${name}Change`),
    interfaceText(`${name}Row`, rowMembers(context)),
    ...(declared.length > 0 ? [interfaceText(`${name}Readable`, readableMembers(context))] : []),
  ]
  const builder = resource.kind === "collection" && !resource.isIdentity ? [builderType(name, declared.length > 0)] : []
  return [...parts, interfaceText(`${name}Resource`, gathered(context, declared)), ...builder].join("\n\n")
}

function gathered({ resource, names }: TypeContext, declared: readonly ResourceField[]): Member[] {
  const name = typeName(names, resource)
  const written = declared.filter(({ type }) => !isDerived(type))
  const omitted = declared.map((field) => JSON.stringify(field.name)).join(" | ")
  const shown = declared.length > 0 ? `Omit<${name}Record, ${omitted}>` : `${name}Record`
  return [
    { name: "where", type: `${name}Where` },
    { name: "input", type: `Sent<${name}Data${written.length > 0 ? ` & ${declaredText(written)}` : ""}>` },
    { name: "data", type: `${name}Data` },
    { name: "change", type: `${name}Change` },
    { name: "row", type: `${name}Row` },
    { name: "firstOriginal", type: resource.kind === "global" ? "null" : "never" },
    { name: "readable", type: declared.length > 0 ? `${name}Readable` : `${name}Record` },
    { name: "shown", type: `Shown<${shown}, ${isRelated(resource) ? `${name}Relations` : "{}"}>` },
    { name: "declaredRow", type: declared.length > 0 ? declaredText(declared) : "never" },
    { name: "declaredData", type: declaredText(written, isLeftOut) },
  ]
}

// What each may be besides the type that its declaration says.
function declaredText(fields: readonly ResourceField[], isOptional: (field: ResourceField) => boolean = () => false) {
  const members = fields.map(
    (field) =>
      `${field.name}${isOptional(field) ? "?" : ""}: ${field.required || isDerived(field.type) ? "never" : "null"}`,
  )
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`
}

// The values of a change once they are checked.
function changeMembers(context: TypeContext): Member[] {
  const fields = [...context.resource.fields.values()]
  const written = fields.filter((field) => !field.system && !isDerived(field.type) && !hasDeclaredType(field))
  return written.map((field) => ({ name: field.name, type: valueType(context, field), isOptional: true }))
}

// With the defaults in place, these are part of every new record.
function dataMembers(context: TypeContext): Member[] {
  const always = changeMembers(context).filter(({ name }) => {
    const field = context.resource.fields.get(name)
    return field !== undefined && !isLeftOut(field)
  })
  return always.map(({ name, type }) => ({ name, type }))
}

function isLeftOut(field: ResourceField): boolean {
  return !field.required && field.default === undefined
}

// Everything that is stored, and what is made of it by SQL: hidden fields are there, and no field is missing.
function rowMembers(context: TypeContext): Member[] {
  const fields = [...context.resource.fields.values()]
  const read = fields.filter((field) => toManyOf(field) === undefined && !hasDeclaredType(field))
  return read.map((field) => ({ name: field.name, type: outputType(context, field), isReadonly: true }))
}

// Types that only the author's file knows are left open: it cannot be asked while it is being read.
function readableMembers(context: TypeContext): Member[] {
  const { fields } = context.resource
  return recordMembers(context).flatMap((member) => {
    const field = fields.get(member.name)
    if (field?.type.compute) return []
    const type = field && hasDeclaredType(field) ? "unknown" : member.type
    return [{ ...member, type, isReadonly: true }]
  })
}
