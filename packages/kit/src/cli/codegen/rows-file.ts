import { isDerived } from "../../schema/compile/field-type.ts"
import { type AppSchema, type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { blockNamesOf } from "./block-types.ts"
import { builderName, builderType } from "./builder-type.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { hasDeclaredType, nullableInLocale, outputType, type TypeContext, valueType } from "./field-types.ts"
import { importText } from "./import-text.ts"
import { inputText, interfaceText, type Member } from "./interface-text.ts"
import { recordMembers } from "./resource-types.ts"
import { type TypeNames, typeName, typeNames } from "./type-names.ts"

const GENERATED_TYPES = [
  "ChangedContext",
  "ChangingContext",
  "CheckedRules",
  "CreatingContext",
  "DeclaredFields",
  "DeclaredFieldsOf",
  "FieldSet",
  "FormOf",
  "IndexDefinition",
  "ListOf",
  "NestedMany",
  "NestedOne",
  "OtherHooks",
  "PreviewOf",
  "PrivateRules",
  "ResourceOptions",
  "ResourceSteps",
  "RuleResult",
  "RulesArgument",
  "SearchableOf",
  "SelectedRecord",
  "UncheckedInput",
]

/**
 * Returns the text of `rows.ts`: each resource's types for hooks, rules and computed fields, hidden fields included,
 * and the builder that uses these types. They are in a separate file, because a client does not need them.
 */
export function rowsFile({ schema, modules }: Pick<CodegenInput, "schema" | "modules">): string {
  const names = typeNames(schema)
  const body = [
    ...schema.resources.map((resource) => rowTypes({ resource, names, sources: modules })),
    interfaceText("AppResources", resourceMembers(schema, names)),
    interfaceText("AppCollectionBuilders", builderMembers(schema.collections, names)),
    interfaceText("AppGlobalBuilders", builderMembers(schema.globals, names)),
  ].join("\n\n")
  const imports = [
    importText(body, ["AccessContext", "CollectionSteps"], "kit"),
    importText(body, GENERATED_TYPES, "kit/generated"),
    importText(body, ["JsonValue", "RichText"], "kit/client"),
    importGenerated(schema, names),
  ]
  return `${[...imports.filter((text) => text !== ""), body].join("\n\n")}\n`
}

function builderMembers(resources: ReadonlyMap<string, Resource>, names: TypeNames): Member[] {
  return [...resources.values()].map((resource) => ({
    name: resource.name,
    type: builderName(typeName(names, resource), resource),
  }))
}

// Imports the types of every resource by their known names, so that the generated text does not have to be searched for
// the names that it uses.
function importGenerated({ resources }: AppSchema, names: TypeNames): string {
  const blocks = resources.flatMap((resource) =>
    [...resource.fields.values()].flatMap((field) => blockNamesOf(names, resource, field)?.item ?? []),
  )
  const lines = resources.flatMap((resource) =>
    ["Record", ...(isRelated(resource) ? ["Relations"] : []), "Types", "Where"].map(
      (suffix) => `  ${typeName(names, resource)}${suffix},\n`,
    ),
  )
  const all = [...lines, ...blocks.map((name) => `  ${name},\n`)]
  return all.length === 0 ? "" : `import type {\n${all.join("")}} from "./index.js"`
}

function isRelated({ fields }: Resource): boolean {
  return [...fields.values()].some(({ relation, hidden }) => relation !== undefined && !hidden)
}

// A collection and a global with the same name share one member, because hooks and rules are typed by the resource's
// name alone.
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
  // The type parameter `Declared` passes in the field types that only the author's file declares.
  const seen = declared.length > 0 ? "<Declared extends DeclaredFields = DeclaredFields>" : ""
  const handedOn = declared.length > 0 ? "<Declared>" : ""
  return [
    interfaceText(`${name}Change${seen}`, changeMembers(context)),
    interfaceText(`${name}Data${seen}`, dataMembers(context), `${name}Change${handedOn}`),
    ...(declared.length > 0 ? declaredRow(context) : [interfaceText(`${name}Row`, rowMembers(context))]),
    interfaceText(`${name}Resource${seen}`, resourceTypeMembers(context, declared)),
    builderType(context, declared.length > 0),
  ].join("\n\n")
}

// Returns the row types. The members that computed fields can read are written once, in a base interface.
function declaredRow(context: TypeContext): string[] {
  const name = typeName(context.names, context.resource)
  const readable = { name: `${name}Readable`, members: readableMembers(context) }
  return [
    interfaceText(readable.name, readable.members),
    inputText(`${name}Row<Declared extends DeclaredFields = DeclaredFields>`, rowMembers(context), readable),
  ]
}

function resourceTypeMembers({ resource, names }: TypeContext, declared: readonly ResourceField[]): Member[] {
  const name = typeName(names, resource)
  const handedOn = declared.length > 0 ? "<Declared>" : ""
  return [
    { name: "where", type: `${name}Where` },
    { name: "input", type: `UncheckedInput<${name}Data>` },
    { name: "data", type: `${name}Data${handedOn}` },
    { name: "change", type: `${name}Change${handedOn}` },
    { name: "row", type: `${name}Row${handedOn}` },
    { name: "firstOriginal", type: resource.kind === "global" ? "null" : "never" },
    { name: "readable", type: declared.length > 0 ? `${name}Readable` : `${name}Record` },
    { name: "shown", type: shownType(name, { isRelated: isRelated(resource), declared }) },
  ]
}

function shownType(
  name: string,
  { isRelated, declared }: { isRelated: boolean; declared: readonly ResourceField[] },
): string {
  const relations = isRelated ? `${name}Relations` : "{}"
  if (declared.length === 0) return `SelectedRecord<${name}Record, ${relations}>`
  const omitted = declared.map((field) => JSON.stringify(field.name)).join(" | ")
  const own = declared.filter(({ hidden }) => !hidden).map((field) => `${field.name}?: ${inferredType(field)}`)
  return `SelectedRecord<Omit<${name}Record, ${omitted}>, ${relations}> & { ${own.join("; ")} }`
}

// Returns the type that the builder has inferred from the field's declaration.
function inferredType(field: ResourceField): string {
  const type = `Declared["${field.name}"]["value"]`
  return field.required || field.type.compute ? type : `${type} | null`
}

// Returns the members for the validated input of an update. The id is left out, because it never changes.
function changeMembers(context: TypeContext): Member[] {
  return writtenFields(context).flatMap((field) =>
    field === context.resource.id ? [] : [changedMember(context, field)],
  )
}

function writtenFields({ resource }: TypeContext): ResourceField[] {
  return [...resource.fields.values()].filter((field) => !field.system && !isDerived(field.type))
}

function changedMember(context: TypeContext, field: ResourceField): Member {
  const { name, type } = writtenMember(context, field)
  return { name, type: nullableInLocale(field, type), isOptional: true }
}

function writtenMember(context: TypeContext, field: ResourceField): Member {
  return { name: field.name, type: hasDeclaredType(field) ? inferredType(field) : valueType(context, field) }
}

// Returns the members for the fields that every new record has once defaults are applied.
function dataMembers(context: TypeContext): Member[] {
  const always = writtenFields(context).filter((field) => !isOptionalInput(field))
  return always.map((field) => writtenMember(context, field))
}

function isOptionalInput(field: ResourceField): boolean {
  return !field.required && field.default === undefined
}

// Returns a member for each stored or computed field, including hidden fields. No member is optional.
function rowMembers(context: TypeContext): Member[] {
  const read = [...context.resource.fields.values()].filter((field) => toManyOf(field) === undefined)
  return read.map((field) => ({
    name: field.name,
    type: hasDeclaredType(field) ? inferredType(field) : outputType(context, field),
    isReadonly: true,
  }))
}

// A field whose type only the author's file declares gets the type `unknown`, because here its inferred type would
// depend on itself.
function readableMembers(context: TypeContext): Member[] {
  const { fields } = context.resource
  return recordMembers(context).flatMap((member) => {
    const field = fields.get(member.name)
    if (field?.type.compute) return []
    const type = field && hasDeclaredType(field) ? "unknown" : member.type
    return [{ ...member, type, isReadonly: true }]
  })
}
