import { type ResourceField, toManyOf } from "../../../schema/compile/resource.ts"
import { type PartTree, partTreeOf } from "../../../schema/fields/members/part-tree.ts"
import { COUNT, QUERY_LIMITS } from "../../../wire/options/query-options.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { FLAG, listOf, objectOf, WHOLE_NUMBER } from "../schema-parts.ts"
import { componentName } from "./component-names.ts"
import {
  knownType,
  type OpenRelation,
  openRelation,
  openRelations,
  openTarget,
  type SchemaContext,
  sortableFields,
} from "./described-fields.ts"
import { filterSchema, operatorMembers, valueSchema } from "./filter-schemas.ts"

/** Returns a reference to the schema of a filter (`where`). */
export function whereSchema(context: SchemaContext): JsonSchema {
  const { components, described, readable } = context
  const name = componentName(described.resource, "Where")
  return components.refer(name, () => {
    const self = { $ref: `#/components/schemas/${name}` }
    const conditions = readable.flatMap((field) => {
      const filter = fieldFilter(context, field)
      return filter ? [[field.name, filter] as const] : []
    })
    const properties = { ...Object.fromEntries(conditions), AND: listOf(self), OR: listOf(self), NOT: self }
    return { type: "object", properties, additionalProperties: false }
  })
}

function fieldFilter(context: SchemaContext, field: ResourceField): JsonSchema | undefined {
  const relation = openRelation(context, field)
  if (relation) return relation.isToMany ? manyFilter(relation.target) : relatedFilter(relation)
  return toManyOf(field) ? undefined : filterSchema(knownType(context.described, field), context.components)
}

// Filters on all relations to the same collection are one component.
function relatedFilter({ field, target }: OpenRelation): JsonSchema {
  return target.components.refer(componentName(target.described.resource, "Related"), () => {
    const where = whereSchema(target)
    const orNone = { anyOf: [where, { type: "null" }] }
    const operators = closed({ ...operatorMembers(field.type, target.components), is: orNone, isNot: orNone })
    return { anyOf: [valueSchema(field.type), { type: "null" }, operators, where] }
  })
}

function manyFilter(target: SchemaContext): JsonSchema {
  return target.components.refer(componentName(target.described.resource, "RelatedMany"), () => {
    const where = whereSchema(target)
    return { anyOf: [closed({ some: where, none: where, every: where }), where] }
  })
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, additionalProperties: false }
}

/**
 * Returns a reference to the schema of the filters that a query string takes in one level of brackets: fields with the
 * value that they have to equal. Undefined if there is no such field.
 */
export function matchSchema(context: SchemaContext): JsonSchema | undefined {
  const { components, described } = context
  // The fields that have an order are those that consist of one plain value.
  const fields = sortableFields(context)
  if (fields.length === 0) return undefined
  const properties = () =>
    Object.fromEntries(fields.map((field) => [field.name, valueSchema(knownType(described, field))]))
  return components.refer(componentName(described.resource, "Match"), () => ({
    type: "object",
    properties: properties(),
  }))
}

const DIRECTION: JsonSchema = Object.freeze({ enum: ["asc", "desc"] })

/** Returns the schema of an order (`orderBy`) that a query string takes in one level of brackets. */
export function plainOrderSchema(context: SchemaContext): JsonSchema | undefined {
  const entries = sortableFields(context).map(({ name }) => [name, DIRECTION] as const)
  return entries.length === 0 ? undefined : closed(Object.fromEntries(entries))
}

/** Returns the schema of an order: a map of fields to directions, or a list of such maps. */
export function orderSchema(context: SchemaContext): JsonSchema {
  const map = orderMap(context)
  return { anyOf: [map, { ...listOf(map), maxItems: QUERY_LIMITS.maxOrderKeys }] }
}

function orderMap(context: SchemaContext): JsonSchema {
  const { components, described } = context
  return components.refer(componentName(described.resource, "OrderBy"), () => {
    const entries = sortableFields(context).map((field) => {
      const relation = openRelation(context, field)
      return [field.name, relation ? { anyOf: [DIRECTION, orderMap(relation.target)] } : DIRECTION] as const
    })
    return closed(Object.fromEntries(entries))
  })
}

/** Returns the schema of the relations (`with`) that a query string takes in one level of brackets. */
export function plainWithSchema(context: SchemaContext): JsonSchema | undefined {
  const entries = openRelations(context).map(({ field }) => [field.name, FLAG] as const)
  return entries.length === 0 ? undefined : closed(Object.fromEntries(entries))
}

/** Returns a reference to the schema of the related records that a read includes (`with`). */
export function withSchema(context: SchemaContext): JsonSchema | undefined {
  const relations = openRelations(context)
  const fields = context.readable.filter(({ references }) =>
    references.some(({ target }) => openTarget(context, target)),
  )
  if (relations.length + fields.length === 0) return undefined
  const { components, described } = context
  // The schemas of the relations are made later, because a collection may be related to itself.
  return components.refer(componentName(described.resource, "With"), () => {
    const related = relations.map((relation) => [relation.field.name, includedSchema(relation)] as const)
    const parts = fields.map((field) => [field.name, partsSchema(context, partTreeOf(field)) ?? {}] as const)
    return closed(Object.fromEntries([...related, ...parts]))
  })
}

// Returns the schema of the relations inside of a field's value, by the names that lead to them; undefined if the caller
// may read no related collection.
function partsSchema(context: SchemaContext, { reference, parts }: PartTree): JsonSchema | undefined {
  if (reference) {
    const target = openTarget(context, reference.target)
    return target && includedSchema({ target, isToMany: false })
  }
  const entries = [...parts].flatMap(([name, part]) => {
    const schema = partsSchema(context, part)
    return schema ? [[name, schema] as const] : []
  })
  return entries.length === 0 ? undefined : closed(Object.fromEntries(entries))
}

function includedSchema({ target, isToMany }: Pick<OpenRelation, "target" | "isToMany">): JsonSchema {
  const related = withSchema(target)
  const { stages } = target.described
  const nested = {
    ...(related && { "with?": related }),
    ...(stages.size > 0 && { "stage?": { enum: [...stages] } }),
  }
  const limit = { ...WHOLE_NUMBER, minimum: 0, maximum: QUERY_LIMITS.maxLimit }
  const page = isToMany
    ? {
        "orderBy?": orderSchema(target),
        "limit?": limit,
        "offset?": { ...WHOLE_NUMBER, minimum: 0 },
        [`${COUNT}?`]: FLAG,
      }
    : {}
  return { anyOf: [FLAG, objectOf({ "where?": whereSchema(target), ...nested, ...page })] }
}
