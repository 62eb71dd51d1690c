import type { AccessRules, FieldAccess } from "./access.ts"
import type { FieldType } from "./field-type.ts"
import type { CompiledHooks } from "./hooks.ts"
import type { Validation } from "./validation.ts"

/** A field of a compiled resource, the server's own fields included. */
export interface ResourceField {
  readonly name: string
  readonly type: FieldType
  /** Kept by the server: no write may name it. */
  readonly system: boolean
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly hidden: boolean
  readonly readOnly: boolean
  readonly default: unknown
  readonly access: FieldAccess
  readonly validations: readonly Validation[]
  readonly label: string | undefined
  readonly description: string | undefined
  /** The resource a relation points to. */
  readonly target: Resource | undefined
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
  readonly table: string
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
  readonly title: string | undefined
  /** The fields that the `search` option looks into. */
  readonly searched: readonly ResourceField[]
  readonly access: AccessRules
  readonly hooks: CompiledHooks
  readonly indexes: readonly ResourceIndex[]
  readonly foreignKeys: readonly ResourceForeignKey[]
}

/** All resources of an app. */
export interface AppSchema {
  readonly collections: ReadonlyMap<string, Resource>
  readonly globals: ReadonlyMap<string, Resource>
  /** Every table, collections first, each in the order of its name. */
  readonly resources: readonly Resource[]
}

/** The one row of a global has this id. */
export const GLOBAL_ROW_ID = "00000000-0000-7000-8000-000000000000"
