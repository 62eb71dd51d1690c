import type { Texts } from "../../../engine/introspect/texts.ts"
import type { FieldType } from "../../../schema/compile/field-type.ts"
import { isSortable, type Resource, type ResourceField, toManyOf } from "../../../schema/compile/resource.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import type { DescribedResource } from "../described-app.ts"
import type { Components } from "./components.ts"

/** A resource whose schemas are made, with access to the others that it is related to. */
export interface SchemaContext {
  readonly described: DescribedResource
  readonly components: Components
  readonly locales: readonly string[]
  /** The author's texts, in the locale of the document. */
  readonly texts: Texts
  /** The fields that the caller may read. */
  readonly readable: readonly ResourceField[]
  /** Returns the described collection with this name; undefined if the reader may not know it. */
  collection(name: string): SchemaContext | undefined
}

export function readableFields({ resource, fields }: DescribedResource): readonly ResourceField[] {
  return [...resource.fields.values()].filter(({ name }) => (fields.get(name)?.read ?? false) !== false)
}

export function writableFields(
  { resource, fields }: DescribedResource,
  operation: "create" | "update",
): readonly ResourceField[] {
  return [...resource.fields.values()].filter(({ name }) => (fields.get(name)?.[operation] ?? false) !== false)
}

/** Returns the schema of a field's values with the author's description of the field, if there is one. */
export function withDescription(schema: JsonSchema, field: ResourceField, texts: Texts): JsonSchema {
  const description = texts.find(field.presentation.description)
  return description === null ? schema : { ...schema, description }
}

/** Returns the type of a field, as far as the caller may know it: the field `stage` has the stages as its options. */
export function knownType({ resource, stages }: DescribedResource, field: ResourceField): FieldType {
  return field === resource.workflow?.stage ? { ...field.type, options: [...stages] } : field.type
}

/** Returns the fields by which the caller may sort. */
export function sortableFields({ readable }: SchemaContext): readonly ResourceField[] {
  return readable.filter(isSortable)
}

/** A relation that the caller may follow, and the related collection. */
export interface OpenRelation {
  readonly field: ResourceField
  readonly target: SchemaContext
  readonly isToMany: boolean
}

/** Returns the field's relation, if the caller may read the related collection. */
export function openRelation(context: SchemaContext, field: ResourceField): OpenRelation | undefined {
  const target = field.relation && openTarget(context, field.relation.target)
  return target && { field, target, isToMany: toManyOf(field) !== undefined }
}

/** Returns the related collection, if the caller may read it. */
export function openTarget(context: SchemaContext, { name }: Resource): SchemaContext | undefined {
  const target = context.collection(name)
  return (target?.described.operations.read ?? false) === false ? undefined : target
}

export function openRelations(context: SchemaContext): readonly OpenRelation[] {
  return context.readable.flatMap((field) => openRelation(context, field) ?? [])
}
