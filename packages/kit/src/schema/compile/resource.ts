import type { AccessRules, FieldAccess } from "../access/access.ts"
import type { CompiledHooks } from "../builders/hooks.ts"
import type { StoredFileField } from "../builders/upload-options.ts"
import type { FieldType } from "./field-type.ts"
import type { InternalTable } from "./internal-table.ts"
import type { LocaleReading, Locales, Localized } from "./locales.ts"
import type { Validation } from "./validation.ts"

/** A field of a compiled resource, the server's own fields included. */
export interface ResourceField {
  readonly name: string
  readonly type: FieldType
  /** Kept by the server: no write may name it. */
  readonly system: boolean
  /** It has a column; what is computed or read from elsewhere has none. */
  readonly isStored: boolean
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  /** Set where the column holds a map of values by locale: the type is that of one value. */
  readonly localized: Localized | undefined
  readonly hidden: boolean
  readonly readOnly: boolean
  readonly default: unknown
  readonly access: FieldAccess
  readonly validations: readonly Validation[]
  readonly label: string | undefined
  readonly description: string | undefined
  /** The resource that a belongsTo relation points to. */
  readonly target: Resource | undefined
  /** The name its column had before. */
  readonly renamedFrom: string | undefined
  readonly relation: Relation | undefined
}

/** How records of a resource are connected to those of another one. */
export type Relation = BelongsTo | ToManyRelation

/** What happens to a record when the one that it points to is deleted. */
export type OnDelete = "restrict" | "setNull" | "cascade"

/** One record, whose id is stored in the field. */
export interface BelongsTo {
  readonly kind: "belongsTo"
  readonly target: Resource
  readonly onDelete: OnDelete
}

export type ToManyRelation = HasMany | ManyToMany

/** The records of the target that point here in their field `via`. */
export interface HasMany {
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

/** A link table as one of its two ends sees it. */
export interface Link {
  readonly table: string
  /** What the table may have been called before one of the names in its own was another. */
  readonly earlierTables: readonly string[]
  /** The column that holds the id of this end. */
  readonly own: string
  /** The column that holds the id of the target. */
  readonly other: string
}

/** A table of two ids: each row joins two records, and no two rows join the same. */
export interface LinkTable {
  readonly name: string
  readonly earlierNames: readonly string[]
  /** Where versions hold these links under the name of their field, and that was another before. */
  readonly renamedField: RenamedField | undefined
  readonly columns: readonly [LinkColumn, LinkColumn]
}

export interface RenamedField {
  /** The table of its collection. */
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

/** The relation of a field to many records; undefined for every other field. */
export function toManyOf({ relation }: ResourceField): ToManyRelation | undefined {
  return relation === undefined || relation.kind === "belongsTo" ? undefined : relation
}

/** A unique constraint, foreign key or index with its name in the database. */
export interface ResourceIndex {
  readonly name: string
  readonly fields: readonly ResourceField[]
  readonly unique: boolean
  /** The last fields are sorted newest first, as lists are read. */
  readonly newestFirst: boolean
  /** Deleted records that are kept do not count. */
  readonly activeOnly: boolean
}

export interface ResourceForeignKey {
  readonly name: string
  readonly field: ResourceField
  readonly target: Resource
}

/** A collection or a global, compiled and frozen; the floors above know nothing else. */
export interface Resource {
  readonly kind: "collection" | "global"
  readonly name: string
  /** The users of identity, who can sign in. */
  readonly isIdentity: boolean
  readonly table: string
  /** The table it was stored in before. */
  readonly renamedFrom: string | undefined
  /** What can be named and answered, in the order of the answer: id (not of a global), the author's fields, timestamps. */
  readonly fields: ReadonlyMap<string, ResourceField>
  /** What is stored: the id of a global's one row included. */
  readonly columns: readonly ResourceField[]
  readonly id: ResourceField
  readonly createdAt: ResourceField | undefined
  readonly updatedAt: ResourceField | undefined
  /** Set in deleted records, where they are kept. */
  readonly deletedAt: ResourceField | undefined
  /** Counts the writes of a record, where the author asked for it. */
  readonly revision: ResourceField | undefined
  /** Set where every write of a record is kept as a version. */
  readonly versions: ResourceVersions | undefined
  /** Set where records go through stages. */
  readonly workflow: ResourceWorkflow | undefined
  /** Set in the reading of a stage's copies: the same resource as it is worked on, by which rights are judged. */
  readonly working: Resource | undefined
  readonly title: string | undefined
  /** The fields that the `search` option looks into. */
  readonly searched: readonly ResourceField[]
  /** Set where each record is that of a file. */
  readonly upload: ResourceUpload | undefined
  readonly access: AccessRules
  readonly hooks: CompiledHooks
  readonly indexes: readonly ResourceIndex[]
  readonly foreignKeys: readonly ResourceForeignKey[]
}

/** What a resource that keeps versions stores in each row about the newest one. */
export interface ResourceVersions {
  readonly max: number
  /** Counts the versions of the record: the number of the newest one. */
  readonly number: ResourceField
  /** Who wrote it. */
  readonly user: ResourceField
  /** What the answer tells of a version besides the row as it was. */
  readonly told: readonly ResourceField[]
}

/** The stages of a record's way from a draft to what everybody sees. */
export interface ResourceWorkflow {
  readonly initial: string
  readonly public: string
  readonly stages: ReadonlyMap<string, Stage>
  /** Says where a record sits. */
  readonly stage: ResourceField
}

export interface Stage {
  readonly name: string
  /** Where a record may move from here. */
  readonly to: ReadonlySet<string>
  /** What it leaves when it moves here. */
  readonly withdraws: readonly string[]
}

/** The copies of a resource's records in one stage. */
export interface StageCopies {
  readonly resource: Resource
  readonly stage: string
  /** The links of the copies, by the relation whose links they are copies of. */
  readonly links: readonly { readonly from: Link; readonly to: Link }[]
}

/** The stage that is read of each resource, by the name of its table; all others as they are worked on. */
export type StageReading = ReadonlyMap<string, string>

export const WORKING_COPIES: StageReading = new Map()

/** What a collection of files takes, and where it keeps what is known about each of them. */
export interface ResourceUpload {
  readonly maxBytes: number
  /** Absent where every type is taken. */
  readonly types: readonly string[] | undefined
  readonly fields: Readonly<Record<StoredFileField, ResourceField>>
}

/** All resources of an app. */
export interface AppSchema {
  readonly collections: ReadonlyMap<string, Resource>
  readonly globals: ReadonlyMap<string, Resource>
  /** Every table, collections first, each in the order of its name. */
  readonly resources: readonly Resource[]
  /** As `resources`, and the copies of stages. */
  readonly tables: readonly Resource[]
  /** The tables of manyToMany relations, in the order of their names. */
  readonly links: readonly LinkTable[]
  /** The tables of the framework's own that come and go with a part of it. */
  readonly internal: readonly InternalTable[]
  readonly locales: Locales
  /** The tables of stages, of which no request names one by itself. */
  readonly stages: readonly StageCopies[]
  /** The same app, its localized fields read in another way. */
  inLocale(reading: LocaleReading): AppSchema
  /** The same app, its records read in these stages. */
  inStages(stages: StageReading): AppSchema
}

/** The one row of a global has this id. */
export const GLOBAL_ROW_ID = "00000000-0000-7000-8000-000000000000"
