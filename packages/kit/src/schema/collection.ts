import {
  type DeclaredFields,
  declareFields,
  emptyDefinition,
  type IndexDefinition,
  ResourceBuilder,
  type SearchableDefinition,
  type ToolsOf,
} from "./definition.ts"
import type { Builders } from "./register.ts"

/** A set of records with the same fields. */
export class Collection<
  out Name extends string = string,
  Declared extends DeclaredFields = DeclaredFields,
> extends ResourceBuilder<Name, Declared> {
  fields<Given extends DeclaredFields>(declare: (tools: ToolsOf<Name>) => Given): Collection<Name, Given> {
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
}

/**
 * Declares a collection; its file exports it as default.
 *
 * export default collection("posts").fields(({ f }) => ({ title: f.text(200).required() })).access({ read: true })
 */
export function collection<const Name extends string>(name: Name): CollectionOf<Name> {
  // The generated types describe this class, with the types of the named collection.
  return new Collection(emptyDefinition("collection", name)) as Collection<Name> as CollectionOf<Name>
}

/** What is generated for the named collection. */
type CollectionOf<Name extends string> = Name extends keyof Builders ? Builders[Name] : Collection<Name, Record<never, never>>
