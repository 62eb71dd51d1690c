import type { ResourceDefinition } from "../builders/definition.ts"
import { Field } from "../builders/field.ts"
import { compileHooks } from "../builders/hooks.ts"
import type { StoredFileField } from "../builders/upload-options.ts"
import { documentShapeOf, isCollaborative } from "../documents/collaborative-field.ts"
import { clientIdType } from "../fields/client-id.ts"
import { datetimeType } from "../fields/datetime.ts"
import { fieldSet } from "../fields/field-set.ts"
import { idType, ToManyField } from "../fields/relation.ts"
import { checkFilters, type FindFilterProblem } from "../presentation/check-filters.ts"
import { checkPresentation } from "../presentation/check-presentation.ts"
import { PLAIN_RESOURCE_PRESENTATION } from "../presentation/presentation.ts"
import { findLinkTables, linkRelations } from "../relations/link-relations.ts"
import { checkSearchable } from "../search/check-searchable.ts"
import { compileSearch, type SearchScope } from "../search/compile-search.ts"
import { withPublicComparison } from "../workflow/changed-since-published.ts"
import { compileStageCopies } from "../workflow/stage-copies.ts"
import { compileVersions } from "../workflow/versions.ts"
import { compileWorkflow, stageTable, workflowFields } from "../workflow/workflow.ts"
import { checkDefinition } from "./check-definition.ts"
import { isDerived } from "./field-type.ts"
import type { InternalTable } from "./internal-table.ts"
import { indexesByLocale } from "./locale-indexes.ts"
import {
  defaultLocaleSelection,
  knownLocales,
  type LocaleSelection,
  type Locales,
  type Localized,
  localizedBy,
  ONE_LOCALE,
} from "./locales.ts"
import { databaseName } from "./names.ts"
import {
  type AppSchema,
  PLAIN_FIELD,
  type Resource,
  type ResourceField,
  type ResourceUpload,
  type StageSelection,
  WORKING_RECORDS,
} from "./resource.ts"
import type { Mistake, ResourceDraft, SourcedDefinition, Writable } from "./resource-draft.ts"
import { foreignKeysOf, indexesOf } from "./resource-indexes.ts"
import { fileFields } from "./upload-fields.ts"

export type { Mistake, SourcedDefinition } from "./resource-draft.ts"

export type CompiledApp = { readonly schema: AppSchema } | { readonly mistakes: readonly Mistake[] }

/** Compiles all resource definitions of an app into its schema, or returns all mistakes in the definitions. */
export function compileSchema(sources: readonly SourcedDefinition[], parts: CompileOptions = {}): CompiledApp {
  const { locales = ONE_LOCALE, internal = [], basePath = "", search = {} } = parts
  const { findFilterProblem = () => undefined } = parts
  const localized = localizedBy(locales, defaultLocaleSelection(locales))
  const drafts = draftsOf(sources, { localized, basePath, stages: WORKING_RECORDS })
  const mistakes = [
    ...findDuplicates(drafts),
    ...findRenameConflicts(drafts),
    ...mistakesOf(drafts, ({ source: { definition } }) => checkDefinition(definition)),
    ...linkRelations(drafts),
    ...mistakesOf(drafts, ({ source: { definition }, resource }) => [
      ...checkPresentation({ definition, resource }, knownLocales(locales)),
      ...checkFilters({ definition, resource }, findFilterProblem),
      ...checkSearchable({ definition, fields: resource.fields, title: resource.title }),
    ]),
  ]
  if (mistakes.length > 0) return { mistakes }
  return { schema: schemaInLocales(drafts, { locales, internal, basePath, search }) }
}

function mistakesOf(drafts: readonly ResourceDraft[], check: (draft: ResourceDraft) => readonly string[]): Mistake[] {
  return drafts.flatMap((draft) => check(draft).map((message) => ({ file: draft.source.file, message })))
}

interface CompileOptions {
  readonly locales?: Locales | undefined
  /** The framework's own tables, which the schema has to contain. */
  readonly internal?: readonly InternalTable[]
  /** The base path of the API. The URLs of uploaded files begin with it. */
  readonly basePath?: string
  /** Checks the filters that the author declares for lists and forms. They are not checked without it. */
  readonly findFilterProblem?: FindFilterProblem
  readonly search?: SearchScope
}

/** The locale, base path and stages for which the resources are compiled. */
interface CompileScope {
  readonly localized: Localized
  readonly basePath: string
  readonly stages: StageSelection
}

interface SchemaParts extends Pick<AppSchema, "locales" | "internal">, Pick<CompileScope, "basePath"> {
  readonly search: SearchScope
}

// Returns the schema for the default locale and the working copies. The schema for another locale or stage is compiled
// when it is first requested, and then cached.
function schemaInLocales(
  drafts: readonly ResourceDraft[],
  { locales, internal, basePath, search }: SchemaParts,
): AppSchema {
  const sources = drafts.map(({ source }) => source)
  const isLocalized = drafts.some(({ fields }) => [...fields.values()].some((field) => field.localized))
  const known = new Map<string, AppSchema>()
  const inDefault = { localized: localizedBy(locales, defaultLocaleSelection(locales)), basePath }
  const { stages, links } = compileStageCopies(drafts, (reading) => {
    const linked = linkedDrafts(sources, { ...inDefault, stages: reading })
    for (const draft of linked) finishResource(draft, { locales, search })
    return linked
  })
  const keyOf = ({ locale, hasFallback, stages }: LocaleAndStages) =>
    [isLocalized ? `${locale} ${hasFallback}` : "", ...[...stages].map((pair) => pair.join("="))].join()
  const keep = (reading: LocaleAndStages, linked: readonly ResourceDraft[]) => {
    for (const draft of linked) finishResource(withPublicComparison(draft, stages), { locales, search })
    const schema: AppSchema = schemaOf(linked, {
      ...{ locales, internal, stages },
      links: [...findLinkTables(drafts), ...links],
      // Every request asks for its locale. Mostly it is the one of this schema, and then no key is made.
      inLocale: (asked) => (!isLocalized || isSameLocale(reading, asked) ? schema : at({ ...reading, ...asked })),
      inStages: (asked) => (asked === reading.stages ? schema : at({ ...reading, stages: asked })),
    })
    known.set(keyOf(reading), schema)
    return schema
  }
  const at = (reading: LocaleAndStages): AppSchema => {
    const found = known.get(keyOf(reading))
    if (found) return found
    const linked = linkedDrafts(sources, {
      localized: localizedBy(locales, reading),
      basePath,
      stages: reading.stages,
    })
    if (reading.stages.size > 0) setWorkingResources(linked, at({ ...reading, stages: WORKING_RECORDS }))
    return keep(reading, linked)
  }
  return keep({ ...defaultLocaleSelection(locales), stages: WORKING_RECORDS }, drafts)
}

function isSameLocale(one: LocaleSelection, other: LocaleSelection): boolean {
  return one.locale === other.locale && one.hasFallback === other.hasFallback
}

interface LocaleAndStages extends LocaleSelection {
  readonly stages: StageSelection
}

// Sets `working` in each resource that reads stage copies, because access rules are evaluated on the working copies.
function setWorkingResources(drafts: readonly ResourceDraft[], { collections, globals }: AppSchema): void {
  for (const { resource, stage } of drafts) {
    if (stage !== undefined) resource.working = (resource.kind === "global" ? globals : collections).get(resource.name)
  }
}

function linkedDrafts(sources: readonly SourcedDefinition[], reading: CompileScope): readonly ResourceDraft[] {
  const drafts = draftsOf(sources, reading)
  linkRelations(drafts)
  return drafts
}

function draftsOf(sources: readonly SourcedDefinition[], reading: CompileScope): ResourceDraft[] {
  return sources.map((source) => draftResource(source, reading))
}

function draftResource(source: SourcedDefinition, { localized, basePath, stages }: CompileScope): ResourceDraft {
  const { definition } = source
  const stage = stages.get(tableOf(definition.kind, definition.name))
  const place = (name: string) => {
    const table = tableOf(definition.kind, name)
    return stage === undefined ? table : stageTable(table, stage)
  }
  const hasTimestamps = definition.options.timestamps !== false
  const id = definition.options.id === "client" ? clientId() : serverField("id", idType)
  const createdAt = hasTimestamps ? serverField("createdAt", datetimeType) : undefined
  const updatedAt = hasTimestamps ? serverField("updatedAt", datetimeType) : undefined
  const revision = hasRevision(definition) ? serverField("revision", revisionType, 1) : undefined
  const deletedAt = definition.options.softDelete
    ? { ...serverField("deletedAt", datetimeType), required: false }
    : undefined
  const authored = withLocalizedColumns(
    Object.entries(definition.fields).flatMap(([name, field]) => authoredField(name, field, localized)),
  )
  const files = fileFieldsOf(definition, basePath)
  const workflow = compileWorkflow(definition.options.workflow, serverField)
  const kept = [...workflowFields(workflow, stage), revision, createdAt, updatedAt, deletedAt]
  const named = [id, ...authored, ...files, ...kept].filter((field) => field !== undefined)
  const answered = definition.kind === "global" ? named.slice(1) : named
  const fields = new Map(answered.map((field) => [field.name, field]))
  // Stage copies of records have no version history.
  const { versions: kind } = stage === undefined ? definition.options : {}
  const hasDocuments = authored.some(({ collaborative }) => collaborative !== undefined)
  const versions = kind
    ? compileVersions(kind, { hasStages: workflow !== undefined, hasDocuments }, serverField)
    : undefined
  const resource: Writable<Resource> = {
    kind: definition.kind,
    name: definition.name,
    isIdentity: definition.identity !== undefined,
    table: place(definition.name),
    renamedFrom: definition.renamedFrom === undefined ? undefined : place(definition.renamedFrom),
    fields,
    columns: [...named.filter((field) => field.isStored), ...(versions ? [versions.number, versions.user] : [])],
    id,
    createdAt,
    updatedAt,
    deletedAt,
    revision,
    versions,
    workflow,
    working: undefined,
    title: titleOf(definition),
    presentation: Object.freeze({ ...PLAIN_RESOURCE_PRESENTATION, ...definition.presentation }),
    searchFields: [],
    search: undefined,
    upload: uploadOf(definition, files),
    access: definition.access,
    hooks: compileHooks(stage === undefined ? definition.hooks : readHooksOnly(definition)),
    indexes: [],
    foreignKeys: [],
  }
  return { source, resource, fields, stage }
}

// Returns only the read hooks. A resource that is compiled for a stage is only read: stage copies are written through a
// resource that stage-copies.ts makes from the working resource.
function readHooksOnly({ hooks: { beforeRead, afterRead } }: ResourceDefinition): ResourceDefinition["hooks"] {
  return { ...(beforeRead && { beforeRead }), ...(afterRead && { afterRead }) }
}

function fileFieldsOf({ name, upload }: ResourceDefinition, basePath: string): Writable<ResourceField>[] {
  if (!upload) return []
  const fields = fileFields(upload, { basePath, collection: name })
  return fields.map(({ name, type, overrides }) => ({ ...serverField(name, type), ...overrides }))
}

const DEFAULT_UPLOAD_BYTES = 50 * 1024 * 1024

function uploadOf({ upload }: ResourceDefinition, fields: readonly ResourceField[]): ResourceUpload | undefined {
  if (!upload) return undefined
  const { maxSize = DEFAULT_UPLOAD_BYTES, types } = upload
  // The cast is safe: `fileFields` returns a field for each name in StoredFileField.
  const named = Object.fromEntries(fields.map((field) => [field.name, field])) as Record<StoredFileField, ResourceField>
  return Object.freeze({ maxBytes: maxSize, types, fields: named })
}

function titleOf({ title, upload }: ResourceDefinition): string | undefined {
  return title ?? (upload ? "filename" : undefined)
}

function tableOf(kind: Resource["kind"], name: string): string {
  return kind === "global" ? databaseName([`global_${name}`]) : name
}

// The value of a collaborative field changes while other callers edit the record, which they notice by its revision.
function hasRevision({ options, fields }: ResourceDefinition): boolean {
  return options.revision === true || Object.values(fields).some(isCollaborative)
}

// Returns the id field for ids that callers choose. It is not a system field, because a create contains the id.
function clientId(): Writable<ResourceField> {
  return { ...serverField("id", clientIdType), system: false }
}

// Returns a field that the server sets. A migration that adds the field's column sets it to `value` in existing rows.
function serverField(name: string, type: ResourceField["type"], value?: unknown): Writable<ResourceField> {
  return { ...PLAIN_FIELD, name, type, system: true, required: true, default: value }
}

const revisionType = Object.freeze(fieldSet.number().integer().compile())

// Compiles an author's field. Returns an empty list if the value is not a field, a mistake that `checkDefinition`
// reports.
function authoredField(name: string, field: Field, localized: Localized): Writable<ResourceField>[] {
  if (!(field instanceof Field)) return []
  const { traits } = field
  const type = Object.freeze(field.compile())
  const isStored = !isDerived(type) && !(field instanceof ToManyField)
  const { label, description, placeholder, width, visible, ...kept } = traits
  const presentation = Object.freeze({ label, description, placeholder, width, visible })
  return [
    {
      ...PLAIN_FIELD,
      ...{ ...kept, name, type, isStored, presentation },
      localized: traits.localized ? localized : undefined,
      collaborative: traits.collaborative ? documentShapeOf(type) : undefined,
    },
  ]
}

// Marks each localized column in a virtual field's SQL, so that the SQL uses the column's value in the current locale.
function withLocalizedColumns(fields: readonly Writable<ResourceField>[]): readonly Writable<ResourceField>[] {
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

// Finds resources that would share a table: two with equal names, or a collection named like a global's table.
function findDuplicates(drafts: readonly ResourceDraft[]): Mistake[] {
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

// Finds each previous name that is still in use, or that two resources share. For such a name, a migration could not
// determine which table to rename.
function findRenameConflicts(drafts: readonly ResourceDraft[]): Mistake[] {
  const taken = new Set(drafts.map(({ resource }) => resource.table))
  return drafts.flatMap(({ source: { file, definition }, resource: { renamedFrom } }) => {
    if (renamedFrom === undefined) return []
    const isFree = taken.size !== taken.add(renamedFrom).size
    const message = `.renamedFrom("${definition.renamedFrom}") names a ${definition.kind} that still exists, or that another one was renamed from too. Remove it.`
    return isFree ? [] : [{ file, message }]
  })
}

function finishResource({ source, resource, fields }: ResourceDraft, parts: FinishOptions): void {
  const { definition } = source
  resource.search = compileSearch({ definition, fields, title: resource.title }, parts)
  resource.searchFields = resource.search?.fields.map(({ field }) => field) ?? titleField(resource)
  resource.indexes = indexesOf(definition, resource).flatMap((index) => indexesByLocale(index, parts.locales))
  resource.foreignKeys = foreignKeysOf(resource)
  for (const field of fields.values()) Object.freeze(field)
  Object.freeze(resource)
}

interface FinishOptions {
  readonly locales: Locales
  readonly search: SearchScope
}

function titleField({ title, fields }: Resource): readonly ResourceField[] {
  const field = title === undefined ? undefined : fields.get(title)
  return field === undefined ? [] : [field]
}

type SchemaCommon = Pick<AppSchema, "internal" | "links" | "locales" | "stages" | "inLocale" | "inStages">

function schemaOf(drafts: readonly ResourceDraft[], parts: SchemaCommon): AppSchema {
  const resources = drafts.map((draft) => draft.resource)
  const sorted = resources.sort((left, right) => (left.name < right.name ? -1 : 1))
  const collections = sorted.filter((resource) => resource.kind === "collection")
  const globals = sorted.filter((resource) => resource.kind === "global")
  return Object.freeze({
    collections: new Map(collections.map((resource) => [resource.name, resource])),
    globals: new Map(globals.map((resource) => [resource.name, resource])),
    resources: Object.freeze([...collections, ...globals]),
    tables: Object.freeze([...collections, ...globals, ...parts.stages.map(({ resource }) => resource)]),
    ...parts,
  })
}
