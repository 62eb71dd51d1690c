import type { AccessRules } from "./access.ts"
import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type FieldTools,
  type IndexDefinition,
  type ResourceOptions,
  ResourceSteps,
  type SearchableDefinition,
} from "./definition.ts"
import type { Hooks } from "./hooks.ts"
import type { CollectionBuilders } from "./register.ts"
import type { UploadOptions } from "./upload-options.ts"

/** The steps whose types are the same for every collection; what is generated for each one extends them. */
export class CollectionSteps extends ResourceSteps {
  /** Indexes over several fields: `.indexes([{ fields: ["team", "slug"], unique: true }])`. */
  indexes(indexes: readonly IndexDefinition[]): this {
    return this.changed({ indexes: Object.freeze([...indexes]) })
  }

  searchable(searchable: SearchableDefinition): this {
    return this.changed({ searchable: Object.freeze({ ...searchable }) })
  }

  /**
   * Makes each record that of a file: it comes in by an upload, and the server keeps what it finds out about it.
   *
   * collection("media").upload({ types: ["image/*"], maxSize: 20 * 1024 * 1024 }).access({ read: true })
   */
  upload(options: UploadOptions = {}): this {
    return this.changed({ upload: Object.freeze({ ...options }) })
  }
}

/** A set of records with the same fields. */
export class Collection<Declared extends DeclaredFields = DeclaredFields> extends CollectionSteps {
  /** Types only: the declared fields, for the generated code. */
  declare readonly declared: Declared

  fields<Given extends DeclaredFields>(declare: (tools: FieldTools) => Given): Collection<Given> {
    return new Collection({ ...this.definition, fields: declareFields(declare) })
  }

  /** The field that stands for a record in lists and in search. */
  title(field: keyof Declared): this {
    return this.changed({ title: String(field) })
  }

  /** Who may do what. An operation without a rule is denied to everyone but system code. */
  access(rules: AccessRules): this {
    return this.changed({ access: Object.freeze({ ...rules }) })
  }

  /** Code that takes part in reads and writes; that of a write runs in its transaction, and a throw rolls it back. */
  hooks(hooks: Hooks): this {
    return this.withHooks(hooks)
  }

  options(options: ResourceOptions): this {
    return this.withOptions(options)
  }
}

/**
 * Declares a collection; its file exports it as default.
 *
 * export default collection("posts").fields(({ f }) => ({ title: f.text(200).required() })).access({ read: true })
 */
export function collection<Name extends keyof CollectionBuilders>(name: Name): CollectionBuilders[Name]
export function collection(name: string): Collection<Record<never, never>>
export function collection(name: string): object {
  return new Collection(emptyDefinition("collection", name))
}
