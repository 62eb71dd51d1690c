import type { AccessRules, FieldAccess } from "../access/access.ts"
import type { CompiledHooks } from "../builders/hooks.ts"
import type { StoredFileField } from "../builders/upload-options.ts"
import type { FieldType } from "./field-type.ts"
import type { InternalTable } from "./internal-table.ts"
import type { LocaleSelection, Locales, Localized } from "./locales.ts"
import type { Validation } from "./validation.ts"

/** A field of a compiled resource, the server's own fields included. */
export interface ResourceField {
  readonly name: string
  readonly type: FieldType
  /** Set by the server: no write may contain it. */
  readonly system: boolean
  /** True if the field has a column; computed and virtual fields, and relations to many records, have none. */
  readonly isStored: boolean
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  /** Set if the column holds a map of values by locale; `type` is then the type of one value. */
  readonly localized: Localized | undefined
  readonly hidden: boolean
  readonly readOnly: boolean
  readonly default: unknown
  readonly access: FieldAccess
  readonly validations: readonly Validation[]
  readonly label: string | undefined
  readonly description: string | undefined
  /** The resource that a belongsTo relation refers to. */
  readonly target: Resource | undefined
  /** The previous name of the column. */
  readonly renamedFrom: string | undefined
  readonly relation: Relation | undefined
}

/** The relation of a field to the records of another resource. */
type Relation = BelongsTo | ToManyRelation

/** The effect on a record when the record that it refers to is deleted. */
export type OnDelete = "restrict" | "setNull" | "cascade"

/** One record, whose id is stored in the field. */
interface BelongsTo {
  readonly kind: "belongsTo"
  readonly target: Resource
  readonly onDelete: OnDelete
}

export type ToManyRelation = HasMany | ManyToMany

/** The records of the target that refer to this record in their field `via`. */
interface HasMany {
  readonly kind: "hasMany"
  readonly target: Resource
  readonly via: ResourceField
}

/** Records of the target, joined by rows of a link table. */
export interface ManyToMany {
  readonly kind: "manyToMany"
  readonly target: Resource
  readonly link: Link
}

/** A link table, seen from one of its two ends. */
export interface Link {
  readonly table: string
  /** The names that the table may have had, before one of the names in its own name was changed. */
  readonly earlierTables: readonly string[]
  /** The column that holds the id of this end. */
  readonly own: string
  /** The column that holds the id of the target. */
  readonly other: string
}

/** A table with two ids: each row joins two records, and each pair is unique. */
export interface LinkTable {
  readonly name: string
  readonly earlierNames: readonly string[]
  /** Set if versions store these links under the name of a field that was renamed. */
  readonly renamedField: RenamedField | undefined
  readonly columns: readonly [LinkColumn, LinkColumn]
}

export interface RenamedField {
  /** The table of the field's collection. */
  readonly table: string
  readonly from: string
  readonly to: string
}

export interface LinkColumn {
  readonly name: string
  readonly renamedFrom: string | undefined
  readonly target: Resource
  /** The foreign key's name in the database. */
  readonly key: string
}

/** Returns the relation of a field to many records; undefined for every other field. */
export function toManyOf({ relation }: ResourceField): ToManyRelation | undefined {
  return relation === undefined || relation.kind === "belongsTo" ? undefined : relation
}

/** An index, unique or not, with its name in the database. */
export interface ResourceIndex {
  readonly name: string
  readonly fields: readonly ResourceField[]
  readonly unique: boolean
  /** True if the index ends with the sort key of lists, newest first. */
  readonly newestFirst: boolean
  /** True if the index leaves out soft-deleted records. */
  readonly activeOnly: boolean
}

export interface ResourceForeignKey {
  readonly name: string
  readonly field: ResourceField
  readonly target: Resource
}

/** A collection or a global, compiled and frozen; the other layers use only this form. */
export interface Resource {
  readonly kind: "collection" | "global"
  readonly name: string
  /** True for the collection of the users who can sign in. */
  readonly isIdentity: boolean
  readonly table: string
  /** The previous name of the table. */
  readonly renamedFrom: string | undefined
  /** The fields of an answer, in order: the id (except of a global), the author's fields, the server's fields. */
  readonly fields: ReadonlyMap<string, ResourceField>
  /** The stored fields, including the id of a global's only row. */
  readonly columns: readonly ResourceField[]
  readonly id: ResourceField
  readonly createdAt: ResourceField | undefined
  readonly updatedAt: ResourceField | undefined
  /** The time of the soft delete of a record. */
  readonly deletedAt: ResourceField | undefined
  /** The number of writes of a record, if the author has turned it on. */
  readonly revision: ResourceField | undefined
  /** Set if every write of a record is stored as a version. */
  readonly versions: ResourceVersions | undefined
  /** Set if records have stages. */
  readonly workflow: ResourceWorkflow | undefined
  /** Set for the copies of a stage: the same resource with its working copies, on which rules are evaluated. */
  readonly working: Resource | undefined
  readonly title: string | undefined
  /** The fields that the `search` option searches. */
  readonly searchFields: readonly ResourceField[]
  /** Set if each record has a file. */
  readonly upload: ResourceUpload | undefined
  readonly access: AccessRules
  readonly hooks: CompiledHooks
  readonly indexes: readonly ResourceIndex[]
  readonly foreignKeys: readonly ResourceForeignKey[]
}

/** The version fields of a resource: in each row about its newest version, and in the answers about versions. */
export interface ResourceVersions {
  readonly max: number
  /** The number of the record's newest version. */
  readonly number: ResourceField
  /** The user who wrote the newest version. */
  readonly user: ResourceField
  /** The fields that an answer contains about a version, besides the fields of the record. */
  readonly answerFields: readonly ResourceField[]
}

/** The stages of a record, from a draft to the public record. */
export interface ResourceWorkflow {
  readonly initial: string
  readonly public: string
  readonly stages: ReadonlyMap<string, Stage>
  /** The field with the current stage of a record. */
  readonly stage: ResourceField
}

export interface Stage {
  readonly name: string
  /** The stages that a record may transition to from here. */
  readonly to: ReadonlySet<string>
  /** The stages that a record leaves on a transition here. */
  readonly withdraws: readonly string[]
}

/** The copies of records in one stage. A transition copies the working copy, which callers edit, to its stage. */
export interface StageCopies {
  readonly resource: Resource
  readonly stage: string
  /** The link tables of the copies (`to`), each with the link table of the working copies (`from`). */
  readonly links: readonly { readonly from: Link; readonly to: Link }[]
}

/** The stage to read, by the name of the resource's table; other resources are read as working copies. */
export type StageSelection = ReadonlyMap<string, string>

export const WORKING_RECORDS: StageSelection = new Map()

/** The files that a collection accepts, and the fields that describe each file. */
export interface ResourceUpload {
  readonly maxBytes: number
  /** Undefined if every type is accepted. */
  readonly types: readonly string[] | undefined
  readonly fields: Readonly<Record<StoredFileField, ResourceField>>
}

/** The compiled definition of an app. */
export interface AppSchema {
  readonly collections: ReadonlyMap<string, Resource>
  readonly globals: ReadonlyMap<string, Resource>
  /** All resources: collections first, then globals, both sorted by name. */
  readonly resources: readonly Resource[]
  /** All resources, and the copies of stages. */
  readonly tables: readonly Resource[]
  /** The link tables of manyToMany relations, sorted by name. */
  readonly links: readonly LinkTable[]
  /** The framework's own tables that exist only while the feature that uses them is turned on. */
  readonly internal: readonly InternalTable[]
  readonly locales: Locales
  /** The tables of stage copies; no request can address them directly. */
  readonly stages: readonly StageCopies[]
  /** Returns the schema whose localized fields are read in another locale. */
  inLocale(reading: LocaleSelection): AppSchema
  /** Returns the schema whose records are read in these stages. */
  inStages(stages: StageSelection): AppSchema
}

/** The id of the only row of a global. */
export const GLOBAL_ROW_ID = "00000000-0000-7000-8000-000000000000"
