import type { JsonSchema } from "./json-schema.ts"
import type { RichTextVocabulary } from "./rich-text.ts"

/**
 * The verdict of the rules on an operation of the caller: allowed (`true`), denied (`false`), or depending on the record
 * or on the input (`"filtered"`).
 */
export type Allowed = boolean | "filtered"

/** The operations that a collection or global may have. */
export type OperationName =
  | "read"
  | "create"
  | "update"
  | "delete"
  | "restore"
  | "purge"
  | "versions"
  | "transition"
  | "drafts"
  | "upload"
  | "serve"

/** The verdicts of the rules for the caller, by operation. It contains only operations that the resource has. */
export type OperationAccess = { readonly [Name in OperationName]?: Allowed }

/** The field that represents a record, for callers who may read it. */
type TitleMeta =
  | { readonly defined: true; readonly type: "field"; readonly fieldName: string }
  | { readonly defined: false }

interface FieldMeta {
  readonly name: string
  readonly localized: boolean
  /** True if the value is computed when the record is read, so that no write contains it. */
  readonly virtual: boolean
}

export interface StageMeta {
  readonly name: string
  readonly label: string
  readonly description: string | null
  readonly color: string | null
  /** The stages to which a record in this stage may transition. */
  readonly transitions: readonly string[]
}

type WorkflowMeta =
  | { readonly enabled: false }
  | {
      readonly enabled: true
      /** The stage of new records, or null if the caller may not know it. */
      readonly initialStage: string | null
      readonly publicStage: string
      /** The stages that the caller may know: the public one, and those that the caller may read or move records to. */
      readonly stages: readonly StageMeta[]
    }

/** The files that a collection accepts. `types` is null if it accepts all types. */
interface UploadMeta {
  readonly maxSize: number
  readonly types: readonly string[] | null
}

/** How the records of a collection are searched, as far as the caller may know it. */
interface SearchMeta {
  /** The fields over whose values found records can be counted. */
  readonly facets: readonly string[]
}

/** A short description of a collection or global, in the locale of the request. */
export interface ResourceMeta {
  readonly name: string
  readonly label: string
  /** The name of one record. */
  readonly singularLabel: string
  readonly title: TitleMeta
  /** The fields that the caller may read or write. */
  readonly fields: readonly FieldMeta[]
  readonly localizedFields: readonly string[]
  readonly virtualFields: readonly string[]
  readonly relations: readonly string[]
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly versioning: boolean
  readonly revision: boolean
  /** The side that chooses the id of a new record. */
  readonly id: "server" | "client"
  readonly upload: UploadMeta | null
  /** Null if the records cannot be searched, or if the caller may not read any. */
  readonly search: SearchMeta | null
  readonly workflow: WorkflowMeta
}

export interface CollectionMeta extends ResourceMeta {
  readonly kind: "collection"
}

export interface GlobalMeta extends ResourceMeta {
  readonly kind: "global"
}

export interface OptionSchema {
  readonly value: string
  readonly label: string
  readonly color: string | null
}

/** The limits of a field's values, for a form. The JSON Schema of the resource has them in full. */
export interface FieldLimits {
  readonly minLength?: number
  readonly maxLength?: number
  /** The source of a regular expression. */
  readonly pattern?: string
  /** A string if the value is a bigint or a decimal, which a JSON number could not hold. */
  readonly min?: number | string
  readonly max?: number | string
  readonly minItems?: number
  readonly maxItems?: number
  readonly precision?: number
  readonly scale?: number
}

/** The kind of numbers that a number field holds. In plain JSON, a bigint and a decimal are strings. */
export type NumberType = "integer" | "bigint" | "double" | "decimal"

/** The description of a value that is a part of another one: a member of an object, or the items of a list. */
export interface PartSchema {
  /** The type of the field: `text`, `number`, `relation` … */
  readonly type: string
  readonly label: string
  readonly description: string | null
  readonly placeholder: string | null
  readonly required: boolean
  readonly width: string | null
  /**
   * A filter over the other fields of the record or, for a member of an object, over the other members of this object. A
   * form shows the value while they match it.
   */
  readonly visible: Readonly<Record<string, unknown>> | null
  readonly limits: FieldLimits
  /** The kind of a number. */
  readonly numberType?: NumberType
  /** The names that a rich text may have. */
  readonly vocabulary?: RichTextVocabulary
  /** The options of a select. */
  readonly options?: readonly OptionSchema[]
  /** The members of an object, by name. */
  readonly fields?: Readonly<Record<string, PartSchema>>
  /** The items of a list. */
  readonly items?: PartSchema
  /** The blocks of which the items of a list of blocks are, by name, in the order of their declaration. */
  readonly blocks?: Readonly<Record<string, BlockSchema>>
  /** The relation of a part that is one. Relations that are fields are listed beside the fields. */
  readonly relation?: PartRelationSchema
}

/** The description of a relation inside of a field's value, such as the picture of a block. */
export interface PartRelationSchema extends Pick<RelationSchema, "targetCollection" | "titleField"> {
  /** The effect of deleting the related record on this part of the value. */
  readonly onDelete: "restrict" | "setNull"
}

/** The description of a block, of which items of a list of blocks are. */
export interface BlockSchema {
  readonly label: string
  readonly description: string | null
  readonly icon: string | null
  /** The members that the block has beside `type` and `id`, by name. */
  readonly fields: Readonly<Record<string, PartSchema>>
}

export interface FieldSchema extends PartSchema {
  readonly name: string
  readonly localized: boolean
  readonly unique: boolean
  /** True if several callers can edit the value at the same time, in a shared document. */
  readonly collaborative: boolean
  /** True if no caller may write the field: the server sets it, or it is computed. */
  readonly readOnly: boolean
  /**
   * Only for a computed or virtual field: the type of the values that it gives, such as `number`. It is null if no type
   * was declared, as for every computed field.
   */
  readonly valueType?: string | null
  /** The default value, if it is not computed and the caller may write the field of a new record or of a global. */
  readonly default?: unknown
  /** The filter operators of the field; empty for callers who may not read it. */
  readonly operators: readonly string[]
  readonly sortable: boolean
  readonly groupable: boolean
  readonly searchable: boolean
  readonly access: { readonly read: Allowed; readonly create: Allowed; readonly update: Allowed }
}

export interface RelationSchema {
  readonly type: "belongsTo" | "hasMany" | "manyToMany"
  /** The name of the related collection, or null if the caller may not know it. */
  readonly targetCollection: string | null
  /** The field of the related collection that represents a record, if the caller may read it. */
  readonly titleField: string | null
  /** The effect of deleting the related record on the record with this field. */
  readonly onDelete: "restrict" | "setNull" | "cascade" | null
  /** The field of the related collection that refers to this record, if the relation is `hasMany`. */
  readonly via: string | null
  /** Present if the related records have an order of their own, in which they are answered and can be moved. */
  readonly ordered?: true
}

export type FormPartSchema =
  | string
  | { readonly kind: "tab" | "section"; readonly label: string; readonly parts: readonly FormPartSchema[] }
  | { readonly kind: "side"; readonly parts: readonly FormPartSchema[] }

export interface ListViewSchema {
  readonly label: string
  readonly where: Readonly<Record<string, unknown>> | null
  readonly orderBy: Readonly<Record<string, unknown>> | null
  readonly columns: readonly string[] | null
}

/** How the author wants a list of the records to look. Fields that the caller may not read are left out. */
export interface ListSchema {
  readonly columns: readonly string[]
  readonly orderBy: Readonly<Record<string, unknown>> | null
  readonly filters: readonly string[]
  readonly views: readonly ListViewSchema[]
}

/** A stage, and the transitions that are open to the caller. */
interface StageSchema extends StageMeta {
  /** The verdict of the rules on moving records to this stage. */
  readonly access: Allowed
}

/** The full description of a collection or global for the caller, in the locale of the request. */
interface ResourceSchema<Meta extends ResourceMeta> extends Pick<Meta, "name" | "label" | "singularLabel"> {
  readonly kind: Meta extends CollectionMeta ? "collection" : "global"
  readonly description: string | null
  readonly icon: string | null
  readonly group: string | null
  /** The fields that the caller may read or write, by name. */
  readonly fields: Readonly<Record<string, FieldSchema>>
  readonly relations: Readonly<Record<string, RelationSchema>>
  readonly access: {
    readonly visible: true
    /** `true` if all operations are allowed, `false` if none is, otherwise `"filtered"`. */
    readonly level: Allowed
    readonly operations: OperationAccess
  }
  /** The stages, with the transitions that are open to the caller; null without a workflow. */
  readonly workflow: { readonly stages: readonly StageSchema[] } | null
  readonly options: Meta
  readonly list: ListSchema
  /** The layout of a form; null if the author declared none. */
  readonly form: readonly FormPartSchema[] | null
  /** True if the author declared the address of a page that shows a record. */
  readonly preview: boolean
  /** JSON Schemas of the input of a create and of an update; null if the caller may not do it. */
  readonly validation: { readonly insert: JsonSchema | null; readonly update: JsonSchema | null }
  /** A value that changes whenever this description does. */
  readonly hash: string
}

export type CollectionSchema = ResourceSchema<CollectionMeta>
export type GlobalSchema = ResourceSchema<GlobalMeta>

/** A collection or global in the index of an app. */
export interface ResourceSummary {
  readonly name: string
  readonly kind: "collection" | "global"
  readonly label: string
  readonly singularLabel: string
  readonly icon: string | null
  readonly group: string | null
  /** The field that represents a record, if the caller may read it. */
  readonly title: string | null
  readonly columns: readonly string[]
  readonly access: OperationAccess
  /** A value that changes whenever the full description of the resource does. */
  readonly hash: string
}

/** The index of an app: what the caller may know of it, without the fields. */
export interface AppIndex {
  readonly name: string
  /** The locale of the labels. */
  readonly locale: string
  readonly locales: { readonly default: string; readonly all: readonly string[] }
  readonly limits: Readonly<Record<string, number>>
  readonly user: { readonly id: string; readonly name: string | null; readonly role: string | null } | null
  /** True if the caller may open the console. */
  readonly console: boolean
  readonly resources: readonly ResourceSummary[]
}

/** The operations that the caller may do with one record. */
export interface RecordAccess {
  readonly operations: { readonly [Name in OperationName]?: boolean }
  readonly fields: Readonly<Record<string, { readonly read: boolean; readonly update: boolean }>>
  /** The stages to which the caller may move the record now. */
  readonly transitions: readonly string[]
}
