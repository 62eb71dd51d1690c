import type { AccessRules } from "../access/access.ts"
import type { CollectionBuilders } from "../context/register.ts"
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
import type { UploadOptions } from "./upload-options.ts"

/** The builder methods of all collections. */
export abstract class CollectionSteps extends ResourceSteps {
  /** Sets the field that represents a record in lists and in search. */
  abstract title(field: string): object

  /** Declares indexes over several fields: `.indexes([{ fields: ["team", "slug"], unique: true }])`. */
  indexes(indexes: readonly IndexDefinition[]): this {
    return this.changed({ indexes: Object.freeze([...indexes]) })
  }

  searchable(searchable: SearchableDefinition): this {
    return this.changed({ searchable: Object.freeze({ ...searchable }) })
  }

  /**
   * Gives each record a file: an upload creates the record, and the server stores the file's type, size and so on.
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

  override fields<Given extends DeclaredFields>(declare: (tools: FieldTools) => Given): Collection<Given> {
    return new Collection({ ...this.definition, fields: declareFields(declare) })
  }

  override title(field: keyof Declared): this {
    return this.changed({ title: String(field) })
  }

  override access(rules: AccessRules): this {
    return this.changed({ access: Object.freeze({ ...rules }) })
  }

  override hooks(hooks: Hooks): this {
    return this.withHooks(hooks)
  }

  override options(options: ResourceOptions): this {
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
