/** What every generated `AppConfig` has: `CollectionTypes` and `GlobalTypes` by name. */
export interface AppTypes {
  collections: object
  globals: object
}

/** The generated types of a global. */
export interface GlobalTypes {
  record: object
  update: object
  where: object
  columns: object
  with: object
  /** The types of the collection that each relation points to. */
  relations: object
}

/** The generated types of a collection. */
export interface CollectionTypes extends GlobalTypes {
  create: object
  orderBy: object
}

/** What a relation in `with` takes besides `true`. */
export interface RelatedOptions<Types extends CollectionTypes> {
  columns?: Types["columns"]
  where?: Types["where"]
  with?: Types["with"]
}

/** What a write takes for a relation. */
export type RelationInput = string | { connect: { id: string } }

/** The type argument of `f.json<Value>()`, or what a computed field gives, read from the file that declares the field. */
export type JsonValue<
  Declaration extends { readonly declared: object },
  Name extends keyof Declaration["declared"],
> = Declaration["declared"][Name] extends { default(value: infer Given): unknown }
  ? Exclude<Given, () => unknown>
  : unknown
