import type { DocumentShape } from "../../ports/document-codec.ts"
import type { AccessRules, FieldAccess } from "../access/access.ts"
import type { CompiledHooks } from "../builders/hooks.ts"
import type { StoredFileField } from "../builders/upload-options.ts"
import {
  type ChoicePresentation,
  type FieldPresentation,
  PLAIN_FIELD_PRESENTATION,
  type ResourcePresentation,
} from "../presentation/presentation.ts"
import type { SearchContent } from "../search/searchable.ts"
import { type FieldType, isDerived, isOrdered, type PartReference } from "./field-type.ts"
import type { InternalTable } from "./internal-table.ts"
import type { LocaleSelection, Locales, Localized } from "./locales.ts"
import type { Validation } from "./validation.ts"

/** A field of a compiled resource, declared by the author or added by the server. */
export interface ResourceField {
  readonly name: string
  readonly type: FieldType
  /** True if the server sets the field. No write may contain it. */
  readonly system: boolean
  /** True if the field has a column. Computed fields, virtual fields and relations to many records have none. */
  readonly isStored: boolean
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  /** True if the field has an index for filters that look inside of its text. */
  readonly containsIndex: boolean
  /** Set if the field's column holds a map of values by locale. `type` is then the type of one value in the map. */
  readonly localized: Localized | undefined
  readonly hidden: boolean
  readonly readOnly: boolean
  /** Set if the field's value is edited in a shared document. It is the kind of that document's root. */
  readonly collaborative: DocumentShape | undefined
  readonly default: unknown
  readonly access: FieldAccess
  readonly validations: readonly Validation[]
  readonly presentation: FieldPresentation
  /** The resource to which the field refers, if it is a belongsTo relation. */
  readonly target: Resource | undefined
  /** The previous name of the field's column. */
  readonly renamedFrom: string | undefined
  readonly relation: Relation | undefined
  /** The parts of the field's value that are ids of other records. */
  readonly references: readonly FieldReference[]
  /** Set if the field's value is the result of comparing the record's working copy with its public copy. */
  readonly comparison?: PublicComparison
}

/** A part of a field's value, stored as JSON, that is the id of another resource's record. */
export interface FieldReference extends Omit<PartReference, "target"> {
  readonly target: Resource
}

/** A comparison of a record's working copy with its copy in the public stage. */
export interface PublicComparison {
  readonly copies: StageCopies
  /** The fields whose values a transition to the public stage copies, and the many-to-many relations with their links. */
  readonly fields: readonly ResourceField[]
}

/** A stored field of which the author has said nothing but its name and type. */
export const PLAIN_FIELD: Omit<ResourceField, "name" | "type"> = Object.freeze({
  system: false,
  isStored: true,
  required: false,
  unique: false,
  index: false,
  containsIndex: false,
  localized: undefined,
  hidden: false,
  readOnly: false,
  collaborative: undefined,
  default: undefined,
  access: {},
  validations: [],
  presentation: PLAIN_FIELD_PRESENTATION,
  target: undefined,
  renamedFrom: undefined,
  relation: undefined,
  references: [],
})

/** The relation of a field to the records of its target resource. */
export type Relation = BelongsTo | ToManyRelation

/** The effect of deleting a record on the records that refer to it. */
export type OnDelete = "restrict" | "setNull" | "cascade"

/** A relation to one record. The field stores the id of that record. */
interface BelongsTo {
  readonly kind: "belongsTo"
  readonly target: Resource
  readonly onDelete: OnDelete
}

export type ToManyRelation = HasMany | ManyToMany

/** A relation to all records of the target resource that refer to this record in their field `via`. */
interface HasMany {
  readonly kind: "hasMany"
  readonly target: Resource
  readonly via: ResourceField
}

/** A relation to many records of the target resource. Each row of a link table joins two records. */
export interface ManyToMany {
  readonly kind: "manyToMany"
  readonly target: Resource
  readonly link: Link
}

/** A link table, seen from one of the two resources that it joins. */
export interface Link {
  readonly table: string
  /** The names that the table may have had before a collection or field in its name was renamed. */
  readonly earlierTables: readonly string[]
  /** The column that holds the id of the record on this side of the relation. */
  readonly own: string
  /** The column that holds the id of the related record. */
  readonly other: string
  /**
   * The side of the relation on which the links of a record have an order: that of the `own` ids or of the `other` ones.
   * The order is in the column `POSITION`. Undefined if the relation is not ordered.
   */
  readonly ordered: "own" | "other" | undefined
}

/**
 * The column of an ordered link table with a link's position among the links of one record. Only the order of the
 * positions counts. A link without a position was not stored by kit, and comes before those with one.
 */
export const POSITION = "position"

/** A link table. Each row joins two records by their ids, and each pair of ids is unique. */
export interface LinkTable {
  readonly name: string
  readonly earlierNames: readonly string[]
  /**
   * Set if the field of these links was renamed, because versions may still store the links under the field's old name.
   */
  readonly renamedField: RenamedField | undefined
  readonly columns: readonly [LinkColumn, LinkColumn]
  /** The column with the ids of the records whose links have an order. Undefined if the table has no column `POSITION`. */
  readonly orderedBy: string | undefined
}

export interface RenamedField {
  /** The table of the collection that has the field. */
  readonly table: string
  readonly from: string
  readonly to: string
}

interface LinkColumn {
  readonly name: string
  readonly renamedFrom: string | undefined
  readonly target: Resource
  /** The name of the foreign key constraint in the database. */
  readonly key: string
}

/** Returns the field's relation if it is a relation to many records, otherwise undefined. */
export function toManyOf({ relation }: ResourceField): ToManyRelation | undefined {
  return relation === undefined || relation.kind === "belongsTo" ? undefined : relation
}

/** True if the records of the relation have an order of their own, which the author has turned on. */
export function isOrderedRelation(relation: Relation | undefined): relation is ManyToMany {
  return relation?.kind === "manyToMany" && relation.link.ordered === "own"
}

/** True if records can be sorted and grouped by the field. */
export function isSortable(field: ResourceField): boolean {
  return isOrdered(field.type) && toManyOf(field) === undefined
}

/** True if some caller may write the field: it is neither kept nor made by the server, nor hidden, nor read-only. */
export function isWritable({ system, hidden, readOnly, type }: ResourceField): boolean {
  return !system && !hidden && !readOnly && !isDerived(type)
}

/** Like `isWritable`, for an update, which never changes the id. */
export function isUpdatable({ id }: Resource, field: ResourceField): boolean {
  return isWritable(field) && field !== id
}

/**
 * True if an update must not set the field to null. A localized field is required only in the default locale, because
 * the other locales fall back to it.
 */
export function isRequiredInLocale({ required, localized }: ResourceField): boolean {
  return required && (localized === undefined || localized.locale === localized.defaultLocale)
}

/** An index on a resource's table. `name` is its name in the database. */
export interface ResourceIndex {
  readonly name: string
  readonly fields: readonly ResourceField[]
  readonly unique: boolean
  /** True if the index ends with the default sort key of find requests, newest record first. */
  readonly newestFirst: boolean
  /** True if the index leaves out soft-deleted records. */
  readonly activeOnly: boolean
  /** True if the index has the trigrams of a text, by which filters find what is inside of it. */
  readonly isOfTrigrams?: boolean
}

export interface ResourceForeignKey {
  readonly name: string
  readonly field: ResourceField
  readonly target: Resource
}

/** A collection or global, compiled and frozen. The rest of the framework uses only this form. */
export interface Resource {
  readonly kind: "collection" | "global"
  readonly name: string
  /** True for the users collection, whose users can sign in. */
  readonly isIdentity: boolean
  readonly table: string
  /** The previous name of the resource's table. */
  readonly renamedFrom: string | undefined
  /** The fields in a response, in order: the id (except in a global), the author's fields, the server's fields. */
  readonly fields: ReadonlyMap<string, ResourceField>
  /** The fields that have a column. For a global they include the id of its only row. */
  readonly columns: readonly ResourceField[]
  readonly id: ResourceField
  readonly createdAt: ResourceField | undefined
  readonly updatedAt: ResourceField | undefined
  /** The field with the time at which a record was soft-deleted. */
  readonly deletedAt: ResourceField | undefined
  /** The field with the number of writes of a record, if the author has turned it on. */
  readonly revision: ResourceField | undefined
  /** Set if every write of a record stores a version of it. */
  readonly versions: ResourceVersions | undefined
  /** Set if the resource's records have stages. */
  readonly workflow: ResourceWorkflow | undefined
  /**
   * The resource that reads the working copies, on which rules are evaluated. Set only if this resource reads stage
   * copies.
   */
  readonly working: Resource | undefined
  readonly title: string | undefined
  readonly presentation: ResourcePresentation
  /** The fields in which the `search` option of a request searches. */
  readonly searchFields: readonly ResourceField[]
  /** Set if the author has declared the resource searchable. */
  readonly search: ResourceSearch | undefined
  /** Set if each of the resource's records has a file. */
  readonly upload: ResourceUpload | undefined
  readonly access: AccessRules
  readonly hooks: CompiledHooks
  readonly indexes: readonly ResourceIndex[]
  readonly foreignKeys: readonly ResourceForeignKey[]
}

/** How the records of a resource are searched, compiled and frozen. */
export interface ResourceSearch {
  /** The fields that are searched, the title first. */
  readonly fields: readonly SearchedField[]
  readonly content: ResourceContent | undefined
  /** The field whose value is the title of a found record. */
  readonly title: ResourceField | undefined
  readonly facets: readonly ResourceField[]
  /** The factors of the labels A, B, C and D in a score, each from 0 to 1. */
  readonly labelWeights: readonly [a: number, b: number, c: number, d: number]
  /** The stored indexes: one for each locale if a searched field is localized or content is made, otherwise only one. */
  readonly indexes: readonly SearchIndexColumns[]
  /** The name of the search engine outside of the database that gets every change of a record; undefined for none. */
  readonly adapter: string | undefined
}

export interface SearchedField {
  readonly field: ResourceField
  readonly label: WeightLabel
  /**
   * True if the field's text is part of the text that is embedded. The vector of a text serves all callers, so that a
   * field with a read rule of its own is left out.
   */
  readonly isEmbedded: boolean
}

/** The four labels that Postgres can attach to the words of a text. */
export type WeightLabel = "A" | "B" | "C" | "D"

export interface ResourceContent {
  readonly compute: SearchContent
  readonly with: object | undefined
  readonly label: WeightLabel
  /** The column in which the text is stored: a JSON object with the text in each locale. */
  readonly column: string
}

/** The columns of a table that index the text of its rows in one locale. */
export interface SearchIndexColumns {
  /** The locale in which the text is read; undefined if the only index serves all locales. */
  readonly locale: string | undefined
  /** The searched fields as a read in the index's locale returns them, with the values of fallback locales. */
  readonly fields: readonly SearchedField[]
  /** The column with the text as `tsvector`. */
  readonly vector: string
  /**
   * The column with a key (`uuid`) that is equal for equal texts, by which the text's embedding is found. Undefined if
   * the app has no embedder.
   */
  readonly key: string | undefined
  /** The name of the text search configuration, such as `_kit_english`. */
  readonly configuration: string
}

/** The fields that versions need: two in each record's row, and the others in responses that contain versions. */
export interface ResourceVersions {
  readonly max: number
  /** The field with the number of the record's newest version. */
  readonly number: ResourceField
  /** The field with the user who wrote the record's newest version. */
  readonly user: ResourceField
  /** The fields that describe a version in a response, besides the record's own fields. */
  readonly answerFields: readonly ResourceField[]
}

/** The stages that a record can have, from draft to public. */
export interface ResourceWorkflow {
  readonly initial: string
  readonly public: string
  readonly stages: ReadonlyMap<string, Stage>
  /** The field with a record's current stage. */
  readonly stage: ResourceField
  /** The field that says whether a working copy differs from its public copy. Stage copies do not have it. */
  readonly changedSincePublished: ResourceField
}

export interface Stage {
  readonly name: string
  /** The stages to which a record in this stage may transition. */
  readonly to: ReadonlySet<string>
  /** The stages from which a transition to this stage removes the record. */
  readonly withdraws: readonly string[]
  readonly presentation: ChoicePresentation
}

/** The copies of records in one stage. Callers edit a record's working copy; a transition copies it to the stage. */
export interface StageCopies {
  readonly resource: Resource
  readonly stage: string
  /** The links of the stage copies (`to`), by the name of their field, each with the links of the working copies (`from`). */
  readonly links: readonly { readonly name: string; readonly from: Link; readonly to: Link }[]
}

/**
 * The stage to read of each resource, by the name of its table. Of a resource that is not listed, the working copies
 * are read.
 */
export type StageSelection = ReadonlyMap<string, string>

export const WORKING_RECORDS: StageSelection = new Map()

/** The files that a collection accepts, and the fields that describe a record's file. */
export interface ResourceUpload {
  readonly maxBytes: number
  /** The accepted file types. Undefined if every type is accepted. */
  readonly types: readonly string[] | undefined
  readonly fields: Readonly<Record<StoredFileField, ResourceField>>
}

/** An app's compiled definition. */
export interface AppSchema {
  readonly collections: ReadonlyMap<string, Resource>
  readonly globals: ReadonlyMap<string, Resource>
  /** All collections sorted by name, then all globals sorted by name. */
  readonly resources: readonly Resource[]
  /** All collections and globals, then the resources that hold the copies of a stage. */
  readonly tables: readonly Resource[]
  /** The link tables of all manyToMany relations, sorted by name, then the link tables of stage copies. */
  readonly links: readonly LinkTable[]
  /** The framework's own tables that exist only while the feature that uses them is turned on. */
  readonly internal: readonly InternalTable[]
  readonly locales: Locales
  /** The copies of records in each stage, with their tables. No request can address these tables directly. */
  readonly stages: readonly StageCopies[]
  /** Returns this schema for requests in another locale: localized fields are read in that locale. */
  inLocale(reading: LocaleSelection): AppSchema
  /** Returns this schema for requests that read the given stages of the records. */
  inStages(stages: StageSelection): AppSchema
}

/** The id of a global's only row. */
export const GLOBAL_ROW_ID = "00000000-0000-7000-8000-000000000000"
