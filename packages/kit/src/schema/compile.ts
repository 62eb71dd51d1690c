import { checkDefinition } from "./check-definition.ts"
import type { ResourceDefinition } from "./definition.ts"
import { Field } from "./field.ts"
import { fieldSet } from "./field-set.ts"
import { isDerived } from "./field-type.ts"
import { clientIdType } from "./fields/client-id.ts"
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
import { indexesByLocale } from "./locale-indexes.ts"
import { defaultReading, type LocaleReading, type Locales, type Localized, localizedBy, ONE_LOCALE } from "./locales.ts"
import { databaseName } from "./names.ts"
import type {
  AppSchema,
  Resource,
  ResourceField,
  ResourceForeignKey,
  ResourceIndex,
  ResourceUpload,
} from "./resource.ts"
import { fileFields } from "./upload-fields.ts"
import type { StoredFileField } from "./upload-options.ts"
import { compileVersions } from "./versions.ts"

export type { Mistake, SourcedDefinition } from "./link-relations.ts"

export type CompiledApp = { readonly schema: AppSchema } | { readonly mistakes: readonly Mistake[] }

/** Compiles all definitions of an app at once, or lists everything that is wrong with them. */
export function compileSchema(sources: readonly SourcedDefinition[], parts: SchemaParts = {}): CompiledApp {
  const { locales = ONE_LOCALE, internal = [], basePath = "" } = parts
  const drafts = draftsOf(sources, { localized: localizedBy(locales, defaultReading(locales)), basePath })
  const mistakes = [
    ...findDuplicates(drafts),
    ...findTakenNames(drafts),
    ...sources.flatMap(({ file, definition }) => checkDefinition(definition).map((message) => ({ file, message }))),
    ...linkRelations(drafts),
  ]
  return mistakes.length > 0 ? { mistakes } : { schema: schemaInLocales(drafts, { locales, internal, basePath }) }
}

interface SchemaParts {
  readonly locales?: Locales | undefined
  /** The tables of the framework's own. */
  readonly internal?: readonly InternalTable[]
  /** Files lie below it. */
  readonly basePath?: string
}

/** What the fields of all resources depend on. */
interface Reading {
  readonly localized: Localized
  readonly basePath: string
}

// Another locale is compiled when it is first asked for: whoever reads it works with fields that mean that locale.
function schemaInLocales(
  drafts: readonly Draft[],
  { locales, internal, basePath }: Pick<AppSchema, "locales" | "internal"> & Pick<Reading, "basePath">,
): AppSchema {
  const sources = drafts.map(({ source }) => source)
  const isLocalized = drafts.some(({ fields }) => [...fields.values()].some((field) => field.localized))
  const known = new Map<string, AppSchema>()
  const keyOf = ({ locale, hasFallback }: LocaleReading) => (isLocalized ? `${locale} ${hasFallback}` : "")
  const keep = (reading: LocaleReading, linked: readonly Draft[]) => {
    const schema = schemaOf(linked, { locales, internal, inLocale })
    known.set(keyOf(reading), schema)
    return schema
  }
  const inLocale = (reading: LocaleReading): AppSchema =>
    known.get(keyOf(reading)) ??
    keep(reading, linkedDrafts(sources, { localized: localizedBy(locales, reading), basePath }))
  return keep(defaultReading(locales), drafts)
}

function linkedDrafts(sources: readonly SourcedDefinition[], reading: Reading): readonly Draft[] {
  const drafts = draftsOf(sources, reading)
  linkRelations(drafts)
  return drafts
}

function draftsOf(sources: readonly SourcedDefinition[], reading: Reading): Draft[] {
  return sources.map((source) => draftResource(source, reading))
}

function draftResource(source: SourcedDefinition, { localized, basePath }: Reading): Draft {
  const { definition } = source
  const hasTimestamps = definition.options.timestamps !== false
  const id = definition.options.id === "client" ? clientId() : serverField("id", idType)
  const createdAt = hasTimestamps ? serverField("createdAt", datetimeType) : undefined
  const updatedAt = hasTimestamps ? serverField("updatedAt", datetimeType) : undefined
  const revision = definition.options.revision ? serverField("revision", revisionType, 1) : undefined
  const deletedAt = definition.options.softDelete
    ? { ...serverField("deletedAt", datetimeType), required: false }
    : undefined
  const authored = withVirtuals(
    Object.entries(definition.fields).flatMap(([name, field]) => authoredField(name, field, localized)),
  )
  const files = fileFieldsOf(definition, basePath)
  const named = [id, ...authored, ...files, revision, createdAt, updatedAt, deletedAt].filter(
    (field) => field !== undefined,
  )
  const answered = definition.kind === "global" ? named.slice(1) : named
  const fields = new Map(answered.map((field) => [field.name, field]))
  const versions = definition.options.versions ? compileVersions(definition.options.versions, serverField) : undefined
  const resource: Writable<Resource> = {
    kind: definition.kind,
    name: definition.name,
    isIdentity: definition.identity !== undefined,
    table: tableOf(definition.kind, definition.name),
    renamedFrom: definition.renamedFrom === undefined ? undefined : tableOf(definition.kind, definition.renamedFrom),
    fields,
    columns: [...named.filter((field) => field.isStored), ...(versions ? [versions.number, versions.user] : [])],
    id,
    createdAt,
    updatedAt,
    deletedAt,
    revision,
    versions,
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

// It comes with each new record, as a field of the author's does.
function clientId(): Writable<ResourceField> {
  return { ...serverField("id", clientIdType), system: false }
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
  localized: undefined,
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
function authoredField(name: string, field: Field, localized: Localized): Writable<ResourceField>[] {
  if (!(field instanceof Field)) return []
  const { traits } = field
  const type = Object.freeze(field.compile())
  const isStored = !isDerived(type) && !(field instanceof ToManyField)
  return [{ ...PLAIN_FIELD, ...traits, name, type, isStored, localized: traits.localized ? localized : undefined }]
}

// Where the SQL of a virtual field names a localized column, it means the value that is read.
function withVirtuals(fields: readonly Writable<ResourceField>[]): readonly Writable<ResourceField>[] {
  const localized = new Map(
    fields.flatMap(({ name, type, localized }) =>
      localized ? [[name, { chain: localized.chain, sqlType: type.sqlType }] as const] : [],
    ),
  )
  if (localized.size === 0) return fields
  return fields.map((field) => {
    const expression = field.type.expression?.map((part) => {
      const read = "column" in part ? localized.get(part.column) : undefined
      return "column" in part && read ? { column: part.column, localized: read } : part
    })
    return expression ? { ...field, type: Object.freeze({ ...field.type, expression }) } : field
  })
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

function finishResource({ source, resource, fields }: Draft, locales: Locales): void {
  resource.searched = searchedFields(source.definition, fields)
  resource.indexes = indexesOf(source.definition, resource).flatMap((index) => indexesByLocale(index, locales))
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

function schemaOf(drafts: readonly Draft[], parts: Pick<AppSchema, "internal" | "locales" | "inLocale">): AppSchema {
  for (const draft of drafts) finishResource(draft, parts.locales)
  const resources = drafts.map((draft) => draft.resource)
  const sorted = resources.sort((left, right) => (left.name < right.name ? -1 : 1))
  const collections = sorted.filter((resource) => resource.kind === "collection")
  const globals = sorted.filter((resource) => resource.kind === "global")
  return Object.freeze({
    collections: new Map(collections.map((resource) => [resource.name, resource])),
    globals: new Map(globals.map((resource) => [resource.name, resource])),
    resources: Object.freeze([...collections, ...globals]),
    links: Object.freeze(findLinkTables(drafts)),
    ...parts,
  })
}
