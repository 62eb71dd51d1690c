import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type IndexDefinition,
  ResourceBuilder,
  type SearchableDefinition,
} from "./definition.ts"
import type { FieldSet } from "./field-set.ts"
import type { UploadOptions } from "./upload-options.ts"

/** A set of records with the same fields. */
export class Collection<
  out Name extends string = string,
  Declared extends DeclaredFields = DeclaredFields,
> extends ResourceBuilder<Name, Declared> {
  fields<Given extends DeclaredFields>(declare: (tools: { f: FieldSet<Name> }) => Given): Collection<Name, Given> {
    return new Collection({ ...this.definition, fields: declareFields(declare) })
  }

  /** The field that stands for a record in lists and in search. */
  title(field: keyof Declared): this {
    return this.changed({ title: String(field) })
  }

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

/**
 * Declares a collection; its file exports it as default.
 *
 * export default collection("posts").fields(({ f }) => ({ title: f.text(200).required() })).access({ read: true })
 */
export function collection<const Name extends string>(name: Name): Collection<Name, Record<never, never>> {
  return new Collection(emptyDefinition("collection", name))
}
