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

// Returns the indexes of one field. If find requests filter by the field, its index ends with the sort key, so that
// PostgreSQL needs no sort for a filtered page.
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
  // Many records have the same target, so an index on the foreign key alone is small. A count of all records reads it.
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
  return indexes
}

// With soft delete, the unique index leaves out deleted records. Its name differs, so that a migration replaces it.
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
