import type { AccessRules } from "../access/access.ts"
import type { CollectionBuilders } from "../context/register.ts"
import { type FormLayout, layOutForm } from "../presentation/form-tools.ts"
import { inertCopy } from "../presentation/inert-copy.ts"
import type { ListPresentation, PreviewFunction } from "../presentation/presentation.ts"
import type { SearchableDefinition } from "../search/searchable.ts"
import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type FieldTools,
  type IndexDefinition,
  type ResourceOptions,
  ResourceSteps,
} from "./definition.ts"
import type { Hooks } from "./hooks.ts"
import type { UploadOptions } from "./upload-options.ts"

/** The builder methods that all collections have. */
export abstract class CollectionSteps extends ResourceSteps {
  /** Sets the field whose value represents a record in lists and in search results. */
  abstract title(field: string): object

  /**
   * Sets how a list of the records should look.
   *
   * .list({ columns: ["title", "author"], orderBy: { publishedAt: "desc" }, filters: ["status"] })
   */
  abstract list(list: object): object

  /** Declares indexes, each over one or more fields: `.indexes([{ fields: ["team", "slug"], unique: true }])`. */
  indexes(indexes: readonly IndexDefinition[]): this {
    return this.changed({ indexes: Object.freeze([...indexes]) })
  }

  /**
   * Declares how the records are searched.
   *
   * .searchable({ fields: ["lead", "body"], facets: ["section"], weights: { lead: 2 } })
   */
  abstract searchable(searchable: object): object

  /**
   * Gives each record a file. An upload creates the record, and the server sets fields such as the file's size.
   *
   * collection("media").upload({ types: ["image/*"], maxSize: 20 * 1024 * 1024 }).access({ read: true })
   */
  upload(options: UploadOptions = {}): this {
    return this.changed({ upload: Object.freeze({ ...options }) })
  }
}

/** The builder of a collection: a set of records with the same fields. */
export class Collection<Declared extends DeclaredFields = DeclaredFields> extends CollectionSteps {
  /** Exists only at compile time: the types of the declared fields, for the generated code. */
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

  override searchable(searchable: SearchableDefinition): this {
    return this.changed({ searchable: Object.freeze({ ...searchable }) })
  }

  override list(list: ListPresentation): this {
    return this.presented({ list: inertCopy(list) })
  }

  override form(layout: FormLayout): this {
    return this.presented({ form: layOutForm(layout) })
  }

  override preview(urlOf: PreviewFunction): this {
    return this.presented({ preview: urlOf })
  }
}

/**
 * Declares a collection. The collection's file exports it as default.
 *
 * export default collection("posts").fields(({ f }) => ({ title: f.text(200).required() })).access({ read: true })
 */
export function collection<Name extends keyof CollectionBuilders>(name: Name): CollectionBuilders[Name]
export function collection(name: string): Collection<Record<never, never>>
export function collection(name: string): object {
  return new Collection(emptyDefinition("collection", name))
}
