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

/** What `.fields(({ f }) => …)` works with. */
export interface FieldTools {
  readonly f: FieldSet
}

export interface IndexDefinition {
  readonly fields: readonly string[]
  readonly unique?: boolean
}

export interface SearchableDefinition {
  /** Text fields that the `search` option looks into, besides the title. */
  readonly fields: readonly string[]
}

export interface ResourceOptions {
  /** `createdAt` and `updatedAt`, kept by the server; on unless set to false. */
  readonly timestamps?: boolean
  /** `revision`, a number that grows by one with every write, so that a caller can refuse to overwrite what is newer. */
  readonly revision?: boolean
  /** Deleted records are kept, hidden, with their `deletedAt`, until they are restored or purged. */
  readonly softDelete?: boolean
  /** Every write of a record is kept as a version of it, which can be read and reverted to. */
  readonly versions?: boolean | VersionsOptions
  /** Records go through stages: what is worked on is not what everybody sees. `true` means draft and published. */
  readonly workflow?: boolean | WorkflowOptions
  /** Ids are texts that come with each new record, in place of UUIDs made by the server. */
  readonly id?: "client"
}

/** What an author has said about a collection or a global. */
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
  /** Set in a collection of files. */
  readonly upload?: UploadOptions
  /** Set by `users()` alone. */
  readonly identity?: IdentityDefinition
}

/**
 * The steps of all collections and globals. What is generated for each one extends them, and knows the types of those that
 * are abstract here. Each method returns a new frozen value.
 */
export abstract class ResourceSteps {
  readonly definition: ResourceDefinition

  constructor(definition: ResourceDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }

  /** `.fields(({ f }) => ({ title: f.text(200).required() }))` */
  abstract fields(declare: (tools: FieldTools) => DeclaredFields): object

  /** Who may do what. An operation without a rule is denied to everyone but system code. */
  abstract access(rules: object): object

  /** Code that takes part in reads and writes; that of a write runs in its transaction, and a throw rolls it back. */
  abstract hooks(hooks: object): object

  abstract options(options: ResourceOptions): object

  /** The name it had before: its table is renamed, and the records stay. */
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
  // Only `f` makes fields; what is none of them is reported when the app is checked.
  return Object.freeze(declare({ f: fieldSet })) as Fields
}

export function emptyDefinition(kind: ResourceDefinition["kind"], name: string): ResourceDefinition {
  return { kind, name, fields: {}, access: {}, indexes: [], options: {}, hooks: {} }
}
