import { isDerived, isSortable } from "../../schema/field-type.ts"
import { type ResourceField, toManyOf } from "../../schema/resource.ts"
import { filterType, inputType, outputType, type TypeContext } from "./field-types.ts"
import { inputText, interfaceText, type Member } from "./interface-text.ts"
import { typeName } from "./type-names.ts"

/** The interfaces of a collection or a global; the last one gathers the others. */
export function resourceTypes(context: TypeContext): string {
  const name = typeName(context.names, context.resource)
  const parts = context.resource.kind === "collection" ? COLLECTION_PARTS : GLOBAL_PARTS
  const interfaces = parts.map(({ suffix, members }) => inputText(name + suffix, members(context)))
  const isRefused = (suffix: string) => suffix === "Create" && context.resource.upload !== undefined
  const gathered = parts.map(({ suffix }) => ({
    name: uncapitalize(suffix),
    type: isRefused(suffix) ? "never" : name + suffix,
  }))
  return [...interfaces, interfaceText(`${name}Types`, [...gathered, ...optionMembers(context)])].join("\n\n")
}

// An option that a resource does not have is a member that takes nothing. Files come with what a create takes elsewhere.
function optionMembers({ resource, names }: TypeContext): Member[] {
  const { kind, revision, deletedAt, upload } = resource
  return [
    ...(upload ? [{ name: "upload", type: `${typeName(names, resource)}Create` }] : []),
    { name: "expectedRevision", type: revision ? "number" : "never" },
    ...(kind === "collection" ? [{ name: "includeDeleted", type: deletedAt ? "boolean" : "never" }] : []),
  ]
}

interface Part {
  readonly suffix: string
  members(context: TypeContext): Member[]
}

// No suffix ends with another one, so that no two resources can be given the same name.
const COLLECTION_PARTS: readonly Part[] = [
  { suffix: "Record", members: recordMembers },
  { suffix: "Create", members: createMembers },
  { suffix: "Update", members: updateMembers },
  { suffix: "Where", members: whereMembers },
  { suffix: "OrderBy", members: orderMembers },
  { suffix: "Columns", members: columnMembers },
  { suffix: "With", members: withMembers },
  { suffix: "Relations", members: relationMembers },
]

const GLOBAL_PARTS = COLLECTION_PARTS.filter(({ suffix }) => suffix !== "Create" && suffix !== "OrderBy")

/** What a caller reads. */
export function recordMembers(context: TypeContext): Member[] {
  return answeredFields(context).map((field) => ({
    name: field.name,
    type: outputType(context, field),
    isOptional: hasReadRule(field),
  }))
}

// A field that some sessions may not read is missing from their records.
function hasReadRule({ access }: ResourceField): boolean {
  return access.read !== undefined && access.read !== true
}

function createMembers(context: TypeContext): Member[] {
  return writableFields(context).map((field) => ({
    name: field.name,
    type: inputType(context, field),
    isOptional: !field.required || field.default !== undefined,
  }))
}

function updateMembers(context: TypeContext): Member[] {
  return writableFields(context).map((field) => optional(field, inputType(context, field)))
}

function whereMembers(context: TypeContext): Member[] {
  const where = `${typeName(context.names, context.resource)}Where`
  return [
    ...filterableFields(context).map((field) => optional(field, filterType(context, field))),
    { name: "AND", type: `readonly ${where}[]`, isOptional: true },
    { name: "OR", type: `readonly ${where}[]`, isOptional: true },
    { name: "NOT", type: where, isOptional: true },
  ]
}

function orderMembers(context: TypeContext): Member[] {
  const sortable = answeredFields(context).filter((field) => isSortable(field.type))
  return sortable.map((field) => {
    const nested = field.target ? ` | ${typeName(context.names, field.target)}OrderBy` : ""
    return optional(field, `Direction${nested}`)
  })
}

function columnMembers(context: TypeContext): Member[] {
  return answeredFields(context).map((field) => optional(field, "boolean"))
}

function withMembers(context: TypeContext): Member[] {
  return relatedFields(context).map(({ field, type }) => {
    const options = toManyOf(field) ? "ManyOptions" : "RelatedOptions"
    return optional(field, `boolean | ${options}<${type}>`)
  })
}

function relationMembers(context: TypeContext): Member[] {
  return relatedFields(context).map(({ field, type }) => ({
    name: field.name,
    type: toManyOf(field) ? `${type}[]` : type,
  }))
}

function relatedFields(context: TypeContext): { field: ResourceField; type: string }[] {
  return readableFields(context).flatMap((field) =>
    field.relation ? [{ field, type: `${typeName(context.names, field.relation.target)}Types` }] : [],
  )
}

// Records of a relation to many are answered only where `with` asks for them.
function answeredFields(context: TypeContext): ResourceField[] {
  return readableFields(context).filter((field) => toManyOf(field) === undefined)
}

function readableFields({ resource }: TypeContext): ResourceField[] {
  return [...resource.fields.values()].filter((field) => !field.hidden)
}

function writableFields(context: TypeContext): ResourceField[] {
  return readableFields(context).filter((field) => !field.system && !field.readOnly && !isDerived(field.type))
}

function filterableFields(context: TypeContext): ResourceField[] {
  return readableFields(context).filter((field) => field.type.operators !== "none")
}

function optional({ name }: ResourceField, type: string): Member {
  return { name, type, isOptional: true }
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
