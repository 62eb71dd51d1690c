import { type Resource, type ResourceField, type ToManyRelation, toManyOf } from "../../schema/compile/resource.ts"
import { type BlockNames, blockNamesOf } from "./block-types.ts"
import { plainFilterType } from "./filter-types.ts"
import { type Modules, moduleType } from "./module-type.ts"
import { type TypeNames, typeName } from "./type-names.ts"

/** A resource with everything that its generated types refer to. */
export interface TypeContext {
  readonly resource: Resource
  readonly names: TypeNames
  readonly sources: Modules
  /** True if any field of the app is localized. */
  readonly isLocalized?: boolean
  /**
   * The type names for callers; set only while the types for system code are generated. System code can read and write
   * every field.
   */
  readonly callerNames?: TypeNames
}

/** Returns the type of a field in a record, as TypeScript code. */
export function outputType(context: TypeContext, field: ResourceField): string {
  if (field.type.compute) return declaredType(context, field)
  return nullable(field, readType(context, field))
}

/** Returns the type of a field in a record that was read with the values of all locales. */
export function outputTypeByLocale(context: TypeContext, field: ResourceField): string {
  if (!field.localized) return outputType(context, field)
  return nullable(field, `ByLocale<${readType(context, field)}>`)
}

function readType(context: TypeContext, field: ResourceField): string {
  if (hasDeclaredType(field)) return declaredType(context, field)
  const blocks = namedBlocks(context, field)
  return blocks ? `${blocks.item}[]` : field.type.typescript.output
}

function namedBlocks({ resource, names, callerNames }: TypeContext, field: ResourceField): BlockNames | undefined {
  return blockNamesOf(callerNames ?? names, resource, field)
}

/** Returns a field's type in the validated input, where a relation may still hold operations on related records. */
export function valueType(context: TypeContext, field: ResourceField): string {
  if (toManyOf(field)) return "NestedMany"
  return field.target ? nullable(field, "string | NestedOne") : outputType(context, field)
}

/** Returns the type of a field in an update. Null removes the value in one locale, even if the field is required. */
export function nullableInLocale({ localized, required }: ResourceField, type: string): string {
  return localized && required ? `${type} | null` : type
}

/** Returns the type of a field in a write's input. */
export function inputType(context: TypeContext, field: ResourceField): string {
  const { relation } = field
  if (relation?.kind === "belongsTo") return nullable(field, `${typeName(context.names, relation.target)}Reference`)
  if (relation) return manyInput(context, relation)
  return nullable(field, writtenType(context, field))
}

function writtenType(context: TypeContext, field: ResourceField): string {
  if (hasDeclaredType(field)) return declaredType(context, field)
  const blocks = namedBlocks(context, field)
  return blocks ? `readonly ${blocks.item}Input[]` : field.type.typescript.input
}

/**
 * Returns the type by which a write's input refers to one record of the collection, or creates that record. All
 * relations to the collection share this type.
 */
export function referenceType({ names, resource }: TypeContext): string {
  const input = `RelationInput<${createType(names, resource)}, ${uniqueType(names, resource)}>`
  return `export type ${typeName(names, resource)}Reference = ${input}`
}

// Leaves out the field that refers back from the related record, because the relation itself fills that field.
function manyInput({ names }: TypeContext, relation: ToManyRelation): string {
  const name = typeName(names, relation.target)
  const whole = createType(names, relation.target)
  const create = relation.kind === "hasMany" && whole !== "never" ? `Omit<${whole}, "${relation.via.name}">` : whole
  return `ManyInput<${create}, ${name}Update, ${uniqueType(names, relation.target)}>`
}

// Returns `never` for a collection of files, because only an upload creates its records.
function createType(names: TypeNames, target: Resource): string {
  return target.upload ? "never" : `${typeName(names, target)}Create`
}

function uniqueType(names: TypeNames, target: Resource): string {
  const unique = [...target.fields.values()].filter((field) => (field.unique && !field.hidden) || field === target.id)
  return `Pick<${typeName(names, target)}Record, ${unique.map(({ name }) => `"${name}"`).join(" | ")}>`
}

/** Returns the type of a field in a filter (`where`). */
export function filterType(context: TypeContext, field: ResourceField): string {
  const { names } = context
  const toMany = toManyOf(field)
  if (toMany) return `ManyFilter<${typeName(names, toMany.target)}Where>`
  if (field.target) return `RelationFilter<${typeName(names, field.target)}Where>`
  const blocks = namedBlocks(context, field)
  return blocks ? `BlocksFilter<${blocks.item}Filter>` : plainFilterType(field.type)
}

function nullable(field: ResourceField, type: string): string {
  return field.required ? type : `${type} | null`
}

/** True if only the author's file declares the field's TypeScript type, as for JSON fields and computed fields. */
export function hasDeclaredType({ type }: ResourceField): boolean {
  return type.name === "json" || type.compute !== undefined
}

/**
 * Returns the field's type as the author's file declares it: the type argument of f.json<Value>(), or the result of a
 * computed field.
 */
export function declaredType({ resource, sources }: TypeContext, field: ResourceField): string {
  const file = moduleType(sources, { kind: resource.kind, name: resource.name })
  return `JsonValue<${file}, "${field.name}">`
}
