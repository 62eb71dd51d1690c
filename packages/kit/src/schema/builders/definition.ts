import type { AccessRules } from "../access/access.ts"
import { type FieldSet, fieldSet } from "../fields/field-set.ts"
import { inertCopy } from "../presentation/inert-copy.ts"
import type { AuthorText, ResourcePresentation } from "../presentation/presentation.ts"
import type { SearchableDefinition } from "../search/searchable.ts"
import type { VersionsOptions } from "../workflow/versions.ts"
import type { WorkflowOptions } from "../workflow/workflow.ts"
import type { DeclaredField, DeclaredFieldOf, Field } from "./field.ts"
import type { Hooks } from "./hooks.ts"
import type { IdentityDefinition } from "./identity-definition.ts"
import type { UploadOptions } from "./upload-options.ts"

type Fields = Readonly<Record<string, Field>>

/** The fields that an author declares in `.fields(({ f }) => …)`, by name. */
export interface DeclaredFields {
  readonly [name: string]: DeclaredField
}

/** The fields that an author declares on a resource with the filter type `Where`, which `.visible(where)` uses. */
export interface DeclaredFieldsOf<Where> {
  readonly [name: string]: DeclaredFieldOf<Where>
}

/** The argument of the callback that is passed to `.fields(({ f }) => …)`. */
export interface FieldTools {
  readonly f: FieldSet
}

export interface IndexDefinition<Name extends string = string> {
  readonly fields: readonly Name[]
  readonly unique?: boolean
}

export interface ResourceOptions {
  /** Adds the fields `createdAt` and `updatedAt`, which the server sets. On unless set to false. */
  readonly timestamps?: boolean
  /**
   * Adds the field `revision`, which counts a record's writes. Callers can send back the revision that they have read,
   * so that they do not overwrite newer data.
   */
  readonly revision?: boolean
  /** Keeps deleted records, hidden and with a `deletedAt` time, until they are restored or purged. */
  readonly softDelete?: boolean
  /** Stores a version of a record on every write. Callers can read the versions and revert a record to a version. */
  readonly versions?: boolean | VersionsOptions
  /**
   * Gives records stages, so that edits do not change the public copy of a record. `true` means the stages `draft` and
   * `published`.
   */
  readonly workflow?: boolean | WorkflowOptions
  /**
   * With "client", the caller of a create chooses the record's id, which is a string. Otherwise the server generates a
   * UUID.
   */
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
  /** The texts and layouts for people. They are checked when the app is compiled. */
  readonly presentation: Partial<ResourcePresentation>
  /** Set for a collection whose records each have a file. */
  readonly upload?: UploadOptions
  /** Set only for the users collection, by `users()`. */
  readonly identity?: IdentityDefinition
}

/**
 * The builder methods that all collections and globals have. For each resource, `kit generate` writes a subclass in
 * which the abstract methods have that resource's types. Each method returns a new frozen builder.
 */
export abstract class ResourceSteps {
  readonly definition: ResourceDefinition

  constructor(definition: ResourceDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }

  /** Declares the fields: `.fields(({ f }) => ({ title: f.text(200).required() }))`. */
  abstract fields(declare: (tools: FieldTools) => DeclaredFields): object

  /** Sets the access rules by operation. An operation without a rule is denied to everyone except system code. */
  abstract access(rules: object): object

  /** Adds functions that run during reads and writes. A write's hooks run in its transaction; a throw rolls it back. */
  abstract hooks(hooks: object): object

  abstract options(options: ResourceOptions): object

  /**
   * Sets the layout of a form for a record. Fields that it does not name follow at its end.
   *
   * .form(({ tab, section, side }) => [tab("Text", ["title", "body"]), side(["status"])])
   */
  abstract form(layout: object): object

  /**
   * Sets the function that returns the address of a page that shows a record, or null if there is none.
   *
   * .preview(({ record, locale }) => `https://example.com/${locale}/${record.slug}`)
   */
  abstract preview(urlOf: object): object

  /** Sets the previous name of the collection or global. The migration renames its table and keeps the records. */
  renamedFrom(name: string): this {
    return this.changed({ renamedFrom: name })
  }

  /** Sets the name of the resource for people, and the name of one record: `.label("Articles", "Article")`. */
  label(label: AuthorText, singular?: AuthorText): this {
    return this.presented({ label: inertCopy(label), singularLabel: inertCopy(singular) })
  }

  description(description: AuthorText): this {
    return this.presented({ description: inertCopy(description) })
  }

  /** Sets the name of an icon of the user interface, such as `newspaper`. */
  icon(icon: string): this {
    return this.presented({ icon })
  }

  /** Sets the heading under which a menu lists the resource, together with others of the same group. */
  group(group: AuthorText): this {
    return this.presented({ group: inertCopy(group) })
  }

  protected presented(change: Partial<ResourcePresentation>): this {
    return this.changed({ presentation: Object.freeze({ ...this.definition.presentation, ...change }) })
  }

  protected withOptions(options: ResourceOptions): this {
    const given = { ...this.definition.options, ...options }
    const workflow = given.workflow === undefined ? {} : { workflow: inertCopy(given.workflow) }
    return this.changed({ options: Object.freeze({ ...given, ...workflow }) })
  }

  protected withHooks(hooks: Hooks): this {
    return this.changed({ hooks: Object.freeze({ ...this.definition.hooks, ...hooks }) })
  }

  protected changed(change: Partial<ResourceDefinition>): this {
    // The cast is safe: subclasses add methods but no constructor of their own, so the copy has the original's class.
    const Copy = this.constructor as new (definition: ResourceDefinition) => this
    return new Copy({ ...this.definition, ...change })
  }
}

export function declareFields(declare: (tools: FieldTools) => DeclaredFields): Fields {
  // The cast is safe: fields can only come from `f`, and the check of the app's definition reports any other value.
  return Object.freeze(declare({ f: fieldSet })) as Fields
}

export function emptyDefinition(kind: ResourceDefinition["kind"], name: string): ResourceDefinition {
  return { kind, name, fields: {}, access: {}, indexes: [], options: {}, hooks: {}, presentation: {} }
}
