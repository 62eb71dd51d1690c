import { checkDefinition } from "./check-definition.ts"
import type { ResourceDefinition } from "./definition.ts"
import { Field } from "./field.ts"
import { fieldSet } from "./field-set.ts"
import { isDerived } from "./field-type.ts"
import { datetimeType } from "./fields/datetime.ts"
import { idType, ToManyField } from "./fields/relation.ts"
import { compileHooks } from "./hooks.ts"
import type { InternalTable } from "./internal-table.ts"
import {
  type Draft,
  findLinkTables,
  linkRelations,
  type Mistake,
  type SourcedDefinition,
  type Writable,
} from "./link-relations.ts"
import { databaseName } from "./names.ts"
import type {
  AppSchema,
  LinkTable,
  Resource,
  ResourceField,
  ResourceForeignKey,
  ResourceIndex,
  ResourceUpload,
} from "./resource.ts"
import { fileFields } from "./upload-fields.ts"
import type { StoredFileField } from "./upload-options.ts"

export type { Mistake, SourcedDefinition } from "./link-relations.ts"

export type CompiledApp = { readonly schema: AppSchema } | { readonly mistakes: readonly Mistake[] }

/** Compiles all definitions of an app at once, or lists everything that is wrong with them. Files lie below the base path. */
export function compileSchema(
  sources: readonly SourcedDefinition[],
  internal: readonly InternalTable[] = [],
  basePath = "",
): CompiledApp {
  const drafts = sources.map((source) => draftResource(source, basePath))
  const mistakes = [
    ...findDuplicates(drafts),
    ...findTakenNames(drafts),
    ...sources.flatMap(({ file, definition }) => checkDefinition(definition).map((message) => ({ file, message }))),
    ...linkRelations(drafts),
  ]
  if (mistakes.length > 0) return { mistakes }
  for (const draft of drafts) finishResource(draft)
  const resources = drafts.map((draft) => draft.resource)
  return { schema: schemaOf(resources, { links: findLinkTables(drafts), internal }) }
}

function draftResource(source: SourcedDefinition, basePath: string): Draft {
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
  const files = fileFieldsOf(definition, basePath)
  const named = [id, ...authored, ...files, revision, createdAt, updatedAt, deletedAt].filter(
    (field) => field !== undefined,
  )
  const answered = definition.kind === "global" ? named.slice(1) : named
  const fields = new Map(answered.map((field) => [field.name, field]))
  const resource: Writable<Resource> = {
    kind: definition.kind,
    name: definition.name,
    isIdentity: definition.identity !== undefined,
    table: tableOf(definition.kind, definition.name),
    renamedFrom: definition.renamedFrom === undefined ? undefined : tableOf(definition.kind, definition.renamedFrom),
    fields,
    columns: named.filter((field) => field.isStored),
    id,
    createdAt,
    updatedAt,
    deletedAt,
    revision,
    title: titleOf(definition),
    searched: [],
    upload: uploadOf(definition, files),
    access: definition.access,
    hooks: compileHooks(definition.hooks),
    indexes: [],
    foreignKeys: [],
  }
  return { source, resource, fields }
}

function fileFieldsOf({ name, upload }: ResourceDefinition, basePath: string): Writable<ResourceField>[] {
  if (!upload) return []
  const fields = fileFields(upload, { basePath, collection: name })
  return fields.map(({ name, type, change }) => ({ ...serverField(name, type), ...change }))
}

const DEFAULT_UPLOAD_BYTES = 50 * 1024 * 1024

function uploadOf({ upload }: ResourceDefinition, fields: readonly ResourceField[]): ResourceUpload | undefined {
  if (!upload) return undefined
  const { maxSize = DEFAULT_UPLOAD_BYTES, types } = upload
  // `fileFields` has made one for each of the names.
  const named = Object.fromEntries(fields.map((field) => [field.name, field])) as Record<StoredFileField, ResourceField>
  return Object.freeze({ maxBytes: maxSize, types, fields: named })
}

function titleOf({ title, upload }: ResourceDefinition): string | undefined {
  return title ?? (upload ? "filename" : undefined)
}

function tableOf(kind: Resource["kind"], name: string): string {
  return kind === "global" ? databaseName([`global_${name}`]) : name
}

// The value is for the rows of a table that gets the column later.
function serverField(name: string, type: ResourceField["type"], value?: unknown): Writable<ResourceField> {
  return { ...PLAIN_FIELD, name, type, system: true, required: true, default: value }
}

const revisionType = Object.freeze(fieldSet.number().integer().compile())

const PLAIN_FIELD = {
  system: false,
  isStored: true,
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
  renamedFrom: undefined,
  relation: undefined,
}

// What is no field has no type either; the check that follows reports it.
function authoredField(name: string, field: Field): Writable<ResourceField>[] {
  if (!(field instanceof Field)) return []
  const type = Object.freeze(field.compile())
  const isStored = !isDerived(type) && !(field instanceof ToManyField)
  return [{ ...PLAIN_FIELD, ...field.traits, name, type, isStored }]
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

// A name that is still, or twice, in use says nothing about which table became which.
function findTakenNames(drafts: readonly Draft[]): Mistake[] {
  const taken = new Set(drafts.map(({ resource }) => resource.table))
  return drafts.flatMap(({ source: { file, definition }, resource: { renamedFrom } }) => {
    if (renamedFrom === undefined) return []
    const isFree = taken.size !== taken.add(renamedFrom).size
    const message = `.renamedFrom("${definition.renamedFrom}") names a ${definition.kind} that is there, or that another one was renamed from. Remove it.`
    return isFree ? [] : [{ file, message }]
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
  const names = new Set([titleOf(definition), ...(definition.searchable?.fields ?? [])])
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
  const newestFirst = isFilter && createdAt !== undefined
  // Many records share a target, so an index of the key alone is small: a count of all records reads nothing else.
  if (field.target && newestFirst)
    indexes.push({
      name: databaseName([table, field.name, "target"]),
      fields: [field],
      unique: false,
      newestFirst: false,
      activeOnly: false,
    })
  if (isFilter || field.index) {
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

function schemaOf(
  resources: readonly Resource[],
  { links, internal }: { links: readonly LinkTable[]; internal: readonly InternalTable[] },
): AppSchema {
  const sorted = [...resources].sort((left, right) => (left.name < right.name ? -1 : 1))
  const collections = sorted.filter((resource) => resource.kind === "collection")
  const globals = sorted.filter((resource) => resource.kind === "global")
  return Object.freeze({
    collections: new Map(collections.map((resource) => [resource.name, resource])),
    globals: new Map(globals.map((resource) => [resource.name, resource])),
    resources: Object.freeze([...collections, ...globals]),
    links: Object.freeze([...links]),
    internal,
  })
}
