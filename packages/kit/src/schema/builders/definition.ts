import type { AccessRules } from "../access/access.ts"
import { type FieldSet, fieldSet } from "../fields/field-set.ts"
import type { VersionsOptions } from "../workflow/versions.ts"
import type { WorkflowOptions } from "../workflow/workflow.ts"
import type { DeclaredField, Field } from "./field.ts"
import type { Hooks } from "./hooks.ts"
import type { IdentityDefinition } from "./identity-definition.ts"
import type { UploadOptions } from "./upload-options.ts"

export type Fields = Readonly<Record<string, Field>>

/** The fields that `.fields(({ f }) => …)` declares. */
export interface DeclaredFields {
  readonly [name: string]: DeclaredField
}

/** The argument of the callback of `.fields(({ f }) => …)`. */
export interface FieldTools {
  readonly f: FieldSet
}

export interface IndexDefinition {
  readonly fields: readonly string[]
  readonly unique?: boolean
}

export interface SearchableDefinition {
  /** The text fields that the `search` option searches, besides the title. */
  readonly fields: readonly string[]
}

export interface ResourceOptions {
  /** Adds `createdAt` and `updatedAt`, set by the server; on unless set to false. */
  readonly timestamps?: boolean
  /** Adds `revision`, the number of writes of a record, by which a caller can avoid overwriting newer data. */
  readonly revision?: boolean
  /** Keeps deleted records, hidden and with `deletedAt`, until they are restored or purged. */
  readonly softDelete?: boolean
  /** Stores a version of the record on every write, which can be read and reverted to. */
  readonly versions?: boolean | VersionsOptions
  /** Gives records stages: the working copy is separate from the public one. `true` means draft and published. */
  readonly workflow?: boolean | WorkflowOptions
  /** The ids are texts that the caller of a create chooses, instead of UUIDs from the server. */
  readonly id?: "client"
}

/** The declaration of a collection or a global. */
export interface ResourceDefinition {
  readonly kind: "collection" | "global"
  readonly name: string
  readonly renamedFrom?: string
  readonly fields: Fields
  readonly access: AccessRules
  readonly title?: string
  readonly indexes: readonly IndexDefinition[]
  readonly searchable?: SearchableDefinition
  readonly options: ResourceOptions
  readonly hooks: Hooks
  /** Set for a collection of files. */
  readonly upload?: UploadOptions
  /** Set by `users()` only. */
  readonly identity?: IdentityDefinition
}

/**
 * The builder methods of all collections and globals. The generated class of each resource extends this one, and adds
 * the types of the methods that are abstract here. Each method returns a new frozen value.
 */
export abstract class ResourceSteps {
  readonly definition: ResourceDefinition

  constructor(definition: ResourceDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }

  /** Declares the fields: `.fields(({ f }) => ({ title: f.text(200).required() }))`. */
  abstract fields(declare: (tools: FieldTools) => DeclaredFields): object

  /** Sets the rules by operation. An operation without a rule is denied to everyone except system code. */
  abstract access(rules: object): object

  /** Adds functions that run during reads and writes. Hooks of a write run in its transaction; a throw rolls back. */
  abstract hooks(hooks: object): object

  abstract options(options: ResourceOptions): object

  /** Sets the previous name: the migration renames the table and keeps the records. */
  renamedFrom(name: string): this {
    return this.changed({ renamedFrom: name })
  }

  protected withOptions(options: ResourceOptions): this {
    return this.changed({ options: Object.freeze({ ...this.definition.options, ...options }) })
  }

  protected withHooks(hooks: Hooks): this {
    return this.changed({ hooks: Object.freeze({ ...this.definition.hooks, ...hooks }) })
  }

  protected changed(change: Partial<ResourceDefinition>): this {
    // Subclasses add methods but no constructor of their own, so the copy has the class of the original.
    const Copy = this.constructor as new (definition: ResourceDefinition) => this
    return new Copy({ ...this.definition, ...change })
  }
}

export function declareFields(declare: (tools: FieldTools) => DeclaredFields): Fields {
  // Only `f` makes fields; the check of the app reports any other value.
  return Object.freeze(declare({ f: fieldSet })) as Fields
}

export function emptyDefinition(kind: ResourceDefinition["kind"], name: string): ResourceDefinition {
  return { kind, name, fields: {}, access: {}, indexes: [], options: {}, hooks: {} }
}
