import {
  declareFields,
  emptyDefinition,
  type Fields,
  type FieldsFunction,
  type IndexDefinition,
  ResourceBuilder,
  type SearchableDefinition,
} from "./definition.ts"

/** A set of records with the same fields. */
export class Collection<out Name extends string = string, Declared extends Fields = Fields> extends ResourceBuilder<
  Name,
  Declared
> {
  fields<Given extends Fields>(declare: FieldsFunction<Given, Name>): Collection<Name, Given> {
    return new Collection({ ...this.definition, fields: declareFields(declare) })
  }

  /** The field that stands for a record in lists and in search. */
  title(field: keyof Declared & string): this {
    return this.changed({ title: field })
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
export function collection<const Name extends string>(name: Name): Collection<Name, Record<never, never>> {
  return new Collection(emptyDefinition("collection", name))
}
