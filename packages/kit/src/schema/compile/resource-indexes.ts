import type { ResourceDefinition } from "../builders/definition.ts"
import { databaseName } from "./names.ts"
import type { Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "./resource.ts"

/** Returns the indexes that the author declares, and the indexes that the framework's reads need. */
export function indexesOf(definition: ResourceDefinition, resource: Resource): ResourceIndex[] {
  const { table, fields, createdAt, deletedAt } = resource
  if (resource.kind === "global") return []
  const indexes: ResourceIndex[] = []
  if (createdAt)
    indexes.push({
      name: databaseName([table, "newest"]),
      fields: [],
      unique: false,
      newestFirst: true,
      activeOnly: false,
    })
  for (const field of fields.values()) indexes.push(...indexesOfField(resource, field))
  for (const { fields: names, unique = false } of definition.indexes) {
    const named = names.map((name) => fields.get(name)).filter((field) => field !== undefined)
    const activeOnly = unique && deletedAt !== undefined
    const name = databaseName([table, ...names, unique ? uniqueName(resource) : "index"])
    indexes.push({ name, fields: named, unique, newestFirst: false, activeOnly })
  }
  // Removes duplicate indexes, because .indexes() may repeat an index that a field already has.
  return indexes.filter((index, place) => indexes.findIndex((other) => other.name === index.name) === place)
}

// Returns the indexes of one field. The index of a relation or select field ends with the default sort key, so that
// PostgreSQL needs no sort for a page that is filtered by the field.
function indexesOfField(resource: Resource, field: ResourceField): ResourceIndex[] {
  const { table, createdAt, deletedAt } = resource
  const isFilter = field.target !== undefined || field.type.name === "select"
  const indexes: ResourceIndex[] = []
  if (field.unique)
    indexes.push({
      name: databaseName([table, field.name, uniqueName(resource)]),
      fields: [field],
      unique: true,
      newestFirst: false,
      activeOnly: deletedAt !== undefined,
    })
  const newestFirst = isFilter && createdAt !== undefined
  // An index on the foreign key alone is small, because many records have the same target. Counting all records reads
  // it.
  if (field.target && newestFirst)
    indexes.push({
      name: databaseName([table, field.name, "target"]),
      fields: [field],
      unique: false,
      newestFirst: false,
      activeOnly: false,
    })
  if (isFilter || field.index || (field.unique && field.localized)) {
    indexes.push({
      name: databaseName([table, field.name, "index"]),
      fields: [field],
      unique: false,
      newestFirst,
      activeOnly: false,
    })
  }
  if (field.containsIndex)
    indexes.push({
      name: databaseName([table, field.name, "contains"]),
      fields: [field],
      unique: false,
      newestFirst: false,
      activeOnly: false,
      isOfTrigrams: true,
    })
  return indexes
}

// With soft delete, a unique index leaves out deleted records. Its name is then a different one, so that a migration
// replaces the index when soft delete is turned on or off.
function uniqueName({ deletedAt }: Resource): string {
  return deletedAt ? "unique_active" : "unique"
}

export function foreignKeysOf(resource: Resource): ResourceForeignKey[] {
  return [...resource.fields.values()].flatMap((field) =>
    field.target
      ? [{ name: databaseName([resource.table, field.name, field.target.name, "key"]), field, target: field.target }]
      : [],
  )
}
