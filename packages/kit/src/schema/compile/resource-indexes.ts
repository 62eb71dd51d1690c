import type { ResourceDefinition } from "../builders/definition.ts"
import { databaseName } from "./names.ts"
import type { Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "./resource.ts"

/** Returns the indexes that the author declares, and those that reads need. */
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
  // Removes duplicates: .indexes() may repeat the index of a field.
  return indexes.filter((index, place) => indexes.findIndex((other) => other.name === index.name) === place)
}

// Indexes of fields that lists are filtered by end with the sort key, so that a filtered page needs no sort.
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
  // Many records share a target, so an index of the foreign key alone is small. A count of all records reads only it.
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

// With soft delete the index covers other records and has another name, so that a migration replaces the index.
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
