import { isDerived } from "../../schema/compile/field-type.ts"
import { isSortable, type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { blockNamesOf, blockTypes } from "./block-types.ts"
import {
  filterType,
  inputType,
  nullableInLocale,
  outputType,
  outputTypeByLocale,
  referenceType,
  type TypeContext,
} from "./field-types.ts"
import { inputText, type Member } from "./interface-text.ts"
import { fieldsWithParts, partsName, partsText, placesText } from "./part-types.ts"
import { typeName } from "./type-names.ts"

/** Returns the interfaces generated for a collection or a global; the last interface combines the others. */
export function resourceTypes(context: TypeContext): string {
  const { resource } = context
  return [
    ...generatedTypesOf(context).map(({ text }) => text(context)),
    ...blockTypesOf(context),
    ...fieldsWithParts(readableFields(context)).map((field) => partsText(context, field)),
    ...(resource.kind === "collection" ? [referenceType(context)] : []),
    sharedType("Types", combinedMembers).text(context),
    ...(context.isLocalized ? [typesByLocale(context)] : []),
  ].join("\n\n")
}

// Callers and system code share the types of blocks.
function blockTypesOf({ resource, names, callerNames }: TypeContext): readonly string[] {
  if (callerNames !== undefined) return []
  return [...resource.fields.values()].flatMap((field) => {
    const ofField = blockNamesOf(names, resource, field)
    return ofField ? blockTypes(field.type, ofField) : []
  })
}

// Returns a type that is generated twice, for callers and for system code. The type for system code extends the type
// for callers, so that shared members are written once.
function sharedType(suffix: string, members: (context: TypeContext) => Member[]): GeneratedType {
  const text = (context: TypeContext) => {
    const { resource, names, callerNames, ...rest } = context
    const name = typeName(names, resource) + suffix
    if (callerNames === undefined) return inputText(name, members(context))
    const ofCaller = { ...rest, resource, names: callerNames }
    return inputText(name, members(context), {
      name: typeName(callerNames, resource) + suffix,
      members: members(ofCaller),
    })
  }
  return { suffix, text }
}

// Returns the input type of a create, which accepts the same fields as an update's input and requires more of them.
function createText(context: TypeContext): string {
  const name = typeName(context.names, context.resource)
  return inputText(`${name}Create`, createMembers(context), { name: `${name}Update`, members: updateMembers(context) })
}

// Returns the type of the `columns` option, by which a read selects fields of the record.
function columnsText(context: TypeContext): string {
  const name = typeName(context.names, context.resource)
  if (answeredFields(context).length === 0) return inputText(`${name}Columns`, [])
  return `export type ${name}Columns = { [Name in keyof ${name}Record]?: boolean }`
}

function combinedMembers(context: TypeContext): Member[] {
  const name = typeName(context.names, context.resource)
  const isRefused = (suffix: string) => suffix === "Create" && context.resource.upload !== undefined
  const parts = generatedTypesOf(context).map(({ suffix }) => ({
    name: uncapitalize(suffix),
    type: isRefused(suffix) ? "never" : name + suffix,
  }))
  const byLocale = { name: "byLocale", type: context.isLocalized ? `${name}TypesByLocale` : `${name}Types` }
  return [...parts, { name: "locale", type: "AppLocale" }, byLocale, ...optionMembers(context)]
}

// Returns the variants of a resource's types for a read that returns the values of all locales.
function typesByLocale(context: TypeContext): string {
  return TYPES_BY_LOCALE.map(({ text }) => text(context)).join("\n\n")
}

function combinedMembersByLocale(context: TypeContext): Member[] {
  const gathered = combinedMembers(context).filter(({ name }) => name !== "client")
  return gathered.map((member) =>
    member.name === "record" || member.name === "relations" ? { ...member, type: `${member.type}ByLocale` } : member,
  )
}

function generatedTypesOf({ resource: { kind } }: TypeContext): readonly GeneratedType[] {
  return kind === "collection" ? COLLECTION_TYPES : GLOBAL_TYPES
}

// An option that the resource does not support gets the type `never`. For a collection of files, `upload` accepts the
// input that `create` accepts for other collections.
function optionMembers({ resource, names, callerNames }: TypeContext): Member[] {
  const { kind, revision, deletedAt, upload, versions } = resource
  return [
    ...(upload ? [{ name: "upload", type: `${typeName(names, resource)}Create` }] : []),
    { name: "expectedRevision", type: revision ? "number" : "never" },
    { name: "stage", type: stageNames(resource) ?? "never" },
    ...(kind === "collection" ? [{ name: "includeDeleted", type: deletedAt ? "boolean" : "never" }] : []),
    ...(kind === "global" && versions ? [{ name: "versions", type: "true" }] : []),
    ...(kind === "collection" ? [{ name: "client", type: `${typeName(callerNames ?? names, resource)}Client` }] : []),
  ]
}

/** Returns the names of the workflow's stages as a union type; undefined if the resource has no workflow. */
export function stageNames({ workflow }: Resource): string | undefined {
  return workflow && [...workflow.stages.keys()].map((name) => JSON.stringify(name)).join(" | ")
}

interface GeneratedType {
  readonly suffix: string
  text(context: TypeContext): string
}

// The types that are generated for a collection, each with the suffix of its name. No suffix ends with another suffix
// of this list, so that the types of two resources cannot get the same name.
const COLLECTION_TYPES: readonly GeneratedType[] = [
  sharedType("Record", (context) => recordMembers(context)),
  { suffix: "Create", text: createText },
  sharedType("Update", updateMembers),
  sharedType("Where", whereMembers),
  sharedType("OrderBy", orderMembers),
  { suffix: "Columns", text: columnsText },
  sharedType("With", withMembers),
  sharedType("Relations", (context) => relationMembers(context)),
]

const TYPES_BY_LOCALE: readonly GeneratedType[] = [
  sharedType("RecordByLocale", (context) => recordMembers(context, outputTypeByLocale)),
  sharedType("RelationsByLocale", (context) => relationMembers(context, "TypesByLocale")),
  sharedType("TypesByLocale", combinedMembersByLocale),
]

const GLOBAL_TYPES = COLLECTION_TYPES.filter(({ suffix }) => suffix !== "Create" && suffix !== "OrderBy")

/** Returns one type member for each field of a record that a caller reads. */
export function recordMembers(context: TypeContext, typeOf = outputType): Member[] {
  return answeredFields(context).map((field) => ({
    name: field.name,
    type: typeOf(context, field),
    isOptional: field.comparison !== undefined || (context.callerNames === undefined && hasReadRule(field)),
  }))
}

// True if the field has a read rule. The field is absent from records for callers who may not read it.
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
  const changeable = writableFields(context).filter((field) => field !== context.resource.id)
  return changeable.map((field) => optional(field, nullableInLocale(field, inputType(context, field))))
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
  const sortable = answeredFields(context).filter(isSortable)
  return sortable.map((field) => {
    const nested = field.target ? ` | ${typeName(context.names, field.target)}OrderBy` : ""
    return optional(field, `Direction${nested}`)
  })
}

function withMembers(context: TypeContext): Member[] {
  const relations = relatedFields(context).map(({ field, type }) => {
    const options = toManyOf(field) ? "ManyOptions" : "RelatedOptions"
    return optional(field, `boolean | ${options}<${type}Types>`)
  })
  const parts = fieldsWithParts(readableFields(context))
  return [...relations, ...parts.map((field) => optional(field, partsName(context, field)))]
}

function relationMembers(context: TypeContext, suffix = "Types"): Member[] {
  const relations = relatedFields(context).map(({ field, type }) => ({
    name: field.name,
    type: `${type}${suffix}${toManyOf(field) ? "[]" : ""}`,
  }))
  const parts = fieldsWithParts(readableFields(context))
  return [...relations, ...parts.map((field) => ({ name: field.name, type: placesText(context, field, suffix) }))]
}

function relatedFields(context: TypeContext): { field: ResourceField; type: string }[] {
  return readableFields(context).flatMap((field) =>
    field.relation ? [{ field, type: typeName(context.names, field.relation.target) }] : [],
  )
}

// Returns the fields that every record has in a response. The records of a to-many relation are included only if `with`
// requests them.
function answeredFields(context: TypeContext): ResourceField[] {
  return readableFields(context).filter((field) => toManyOf(field) === undefined)
}

function readableFields({ resource, callerNames }: TypeContext): ResourceField[] {
  return [...resource.fields.values()].filter((field) => callerNames !== undefined || !field.hidden)
}

function writableFields(context: TypeContext): ResourceField[] {
  const stored = readableFields(context).filter((field) => !field.system && !isDerived(field.type))
  return stored.filter((field) => context.callerNames !== undefined || !field.readOnly)
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
