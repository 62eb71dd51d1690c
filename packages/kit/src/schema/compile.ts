import { didYouMean } from "../wire/did-you-mean.ts"
import { checkDefinition } from "./check-definition.ts"
import type { ResourceDefinition } from "./definition.ts"
import { Field } from "./field.ts"
import { fieldSet } from "./field-set.ts"
import { datetimeType } from "./fields/datetime.ts"
import { idType, RelationField } from "./fields/relation.ts"
import { compileHooks } from "./hooks.ts"
import { databaseName } from "./names.ts"
import type { AppSchema, Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "./resource.ts"

/** A definition and the file it was read from. */
export interface SourcedDefinition {
  readonly file: string
  readonly definition: ResourceDefinition
}

/** A mistake of the author: where it is, and a sentence that says what to do. */
export interface Mistake {
  readonly file: string
  readonly message: string
  /** The collection that would have to exist. */
  readonly missing?: string
}

export type CompiledApp = { readonly schema: AppSchema } | { readonly mistakes: readonly Mistake[] }

/** Compiles all definitions of an app at once, or lists everything that is wrong with them. */
export function compileSchema(sources: readonly SourcedDefinition[]): CompiledApp {
  const drafts = sources.map(draftResource)
  const mistakes = [
    ...findDuplicates(drafts),
    ...sources.flatMap(({ file, definition }) => checkDefinition(definition).map((message) => ({ file, message }))),
    ...drafts.flatMap((draft) => linkRelations(draft, drafts)),
  ]
  if (mistakes.length > 0) return { mistakes }
  for (const draft of drafts) finishResource(draft)
  return { schema: schemaOf(drafts.map((draft) => draft.resource)) }
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** A resource under construction: relations of its fields are linked before it is frozen. */
interface Draft {
  readonly source: SourcedDefinition
  readonly resource: Writable<Resource>
  readonly fields: Map<string, Writable<ResourceField>>
}

function draftResource(source: SourcedDefinition): Draft {
  const { definition } = source
  const hasTimestamps = definition.options.timestamps !== false
  const id = serverField("id", idType)
  const createdAt = hasTimestamps ? serverField("createdAt", datetimeType) : undefined
  const updatedAt = hasTimestamps ? serverField("updatedAt", datetimeType) : undefined
  const revision = definition.options.revision ? serverField("revision", revisionType, 1) : undefined
  const deletedAt = definition.options.softDelete
    ? { ...serverField("deletedAt", datetimeType), required: false }
    : undefined
  const authored = Object.entries(definition.fields).flatMap(([name, field]) => authoredField(name, field))
  const columns = [id, ...authored, revision, createdAt, updatedAt, deletedAt].filter((field) => field !== undefined)
  const answered = definition.kind === "global" ? columns.slice(1) : columns
  const fields = new Map(answered.map((field) => [field.name, field]))
  const resource: Writable<Resource> = {
    kind: definition.kind,
    name: definition.name,
    table: definition.kind === "global" ? databaseName([`global_${definition.name}`]) : definition.name,
    fields,
    columns,
    id,
    createdAt,
    updatedAt,
    deletedAt,
    revision,
    title: definition.title,
    searched: [],
    access: definition.access,
    hooks: compileHooks(definition.hooks),
    indexes: [],
    foreignKeys: [],
  }
  return { source, resource, fields }
}

// The value is for the rows of a table that gets the column later.
function serverField(name: string, type: ResourceField["type"], value?: unknown): Writable<ResourceField> {
  return { ...PLAIN_FIELD, name, type, system: true, required: true, default: value }
}

const revisionType = Object.freeze(fieldSet.number().integer().compile())

const PLAIN_FIELD = {
  system: false,
  required: false,
  unique: false,
  index: false,
  hidden: false,
  readOnly: false,
  default: undefined,
  access: {},
  validations: [],
  label: undefined,
  description: undefined,
  target: undefined,
}

// What is no field has no type either; the check that follows reports it.
function authoredField(name: string, field: Field): Writable<ResourceField>[] {
  if (!(field instanceof Field)) return []
  return [{ ...PLAIN_FIELD, ...field.traits, name, type: Object.freeze(field.compile()) }]
}

// Two resources of one table: equal names, or a collection that is called like the table of a global.
function findDuplicates(drafts: readonly Draft[]): Mistake[] {
  const seen = new Map<string, string>()
  return drafts.flatMap(({ source: { file, definition }, resource }) => {
    const key = resource.table
    const first = seen.get(key)
    if (first === undefined) seen.set(key, file)
    return first === undefined
      ? []
      : [
          {
            file,
            message: `${definition.kind} "${definition.name}" is already declared in ${first}. Rename one of them.`,
          },
        ]
  })
}

function linkRelations(draft: Draft, drafts: readonly Draft[]): Mistake[] {
  const targets = new Map(
    drafts.filter(({ resource }) => resource.kind === "collection").map((d) => [d.resource.name, d]),
  )
  return Object.entries(draft.source.definition.fields).flatMap(([name, field]) => {
    if (!(field instanceof RelationField)) return []
    const target = targets.get(field.target)
    const drafted = draft.fields.get(name)
    if (target && drafted) drafted.target = target.resource
    if (target) return []
    const hint = didYouMean(field.target, targets.keys())
    const message = `field "${name}" points to collection "${field.target}", which does not exist.${hint}`
    return [{ file: draft.source.file, message, missing: field.target }]
  })
}

function finishResource({ source, resource, fields }: Draft): void {
  resource.searched = searchedFields(source.definition, fields)
  resource.indexes = indexesOf(source.definition, resource)
  resource.foreignKeys = foreignKeysOf(resource)
  for (const field of fields.values()) Object.freeze(field)
  Object.freeze(resource)
}

function searchedFields(definition: ResourceDefinition, fields: Map<string, ResourceField>): ResourceField[] {
  const names = new Set([definition.title, ...(definition.searchable?.fields ?? [])])
  return [...fields.values()].filter((field) => names.has(field.name))
}

function indexesOf(definition: ResourceDefinition, resource: Resource): ResourceIndex[] {
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
  // A field may say for itself what .indexes() says again.
  return indexes.filter((index, place) => indexes.findIndex((other) => other.name === index.name) === place)
}

// Fields that lists are filtered by carry the sort key, so that a filtered page needs no sort.
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
  if (isFilter || field.index) {
    const newestFirst = isFilter && createdAt !== undefined
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

// Another name where another set of records counts, so that the one takes the place of the other.
function uniqueName({ deletedAt }: Resource): string {
  return deletedAt ? "unique_active" : "unique"
}

function foreignKeysOf(resource: Resource): ResourceForeignKey[] {
  return [...resource.fields.values()].flatMap((field) =>
    field.target
      ? [{ name: databaseName([resource.table, field.name, field.target.name, "key"]), field, target: field.target }]
      : [],
  )
}

function schemaOf(resources: readonly Resource[]): AppSchema {
  const sorted = [...resources].sort((left, right) => (left.name < right.name ? -1 : 1))
  const collections = sorted.filter((resource) => resource.kind === "collection")
  const globals = sorted.filter((resource) => resource.kind === "global")
  return Object.freeze({
    collections: new Map(collections.map((resource) => [resource.name, resource])),
    globals: new Map(globals.map((resource) => [resource.name, resource])),
    resources: Object.freeze([...collections, ...globals]),
  })
}
