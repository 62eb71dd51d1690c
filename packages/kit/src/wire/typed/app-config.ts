/**
 * The shape of every generated `AppConfig`: the types of the app's collections, globals, routes and channels, and the
 * names of its locales.
 */
export interface AppTypes {
  collections: object
  globals: object
  routes: object
  /** The types of the app's channels; present only if the app has channels. */
  channels?: object
  /** The types of the searchable collections; present only if there are any. */
  search?: object
  /** The collaborative fields of the collections and globals; present only if there are any. */
  documents?: object
  /** The types of the app's users; absent if the app has its own session provider. */
  auth?: object
  /** The names of the app's locales, as a union. */
  locale: string
}

/** The generated types of a global. */
export interface GlobalTypes {
  record: object
  update: object
  where: object
  columns: object
  with: object
  /**
   * For each relation, the generated types of its target collection; as an array type if the relation leads to many
   * records. For each field with relations in its value, the places of the ids, each with the types of its collection.
   */
  relations: object
  locale: string
  /** The generated types for a read that returns the values of all locales. */
  byLocale: object
  /** The type of a revision number; `never` if the records have no revision. */
  expectedRevision: number
  /** The names of the resource's stages, as a union; `never` if the resource has no stages. */
  stage: string
}

/** The generated types of a collection. */
export interface CollectionTypes extends GlobalTypes {
  create: object
  orderBy: object
  /** The type of the `includeDeleted` option: a boolean if the collection has soft delete, otherwise `never`. */
  includeDeleted: boolean
}

/** The options that a relation can have in `with`, in place of `true`. */
export interface RelatedOptions<Types extends CollectionTypes> {
  columns?: Types["columns"]
  where?: Types["where"]
  with?: Types["with"]
  /** The stage in which the related records, and what they are related to, are read. */
  stage?: Types["stage"]
}

/**
 * The options that a relation to many records can have in `with`, in place of `true`. `limit` and `offset` apply to
 * each parent record separately.
 */
export interface ManyOptions<Types extends CollectionTypes> extends RelatedOptions<Types> {
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][]
  limit?: number
  offset?: number
  /**
   * Requests the number of all related records that match the filter. For the relation `comments`, the result then
   * contains `_count: { comments: 3 }`.
   */
  _count?: boolean
}

/** The input for a relation to one record. */
export type RelationInput<Create, Unique> =
  | string
  | { connect: { id: string } }
  | { create: Create }
  | { connectOrCreate: CreateChoice<Create, Unique> }
  | { disconnect: true }

/** The input for a relation to many records: the ids of all related records, or operations on them. */
export type ManyInput<Create, Update, Unique> = readonly string[] | ManyOperations<Create, Update, Unique>

interface ManyOperations<Create, Update, Unique> {
  set?: readonly IdInput[]
  disconnect?: IdInput | readonly IdInput[]
  delete?: IdInput | readonly IdInput[]
  update?: { id: string; data: Update } | readonly { id: string; data: Update }[]
  connect?: IdInput | readonly IdInput[]
  create?: Create | readonly Create[]
  connectOrCreate?: CreateChoice<Create, Unique> | readonly CreateChoice<Create, Unique>[]
}

/** Like `ManyInput`, for a relation that is declared with `ordered: true`. */
export type OrderedManyInput<Create, Update, Unique> = readonly string[] | OrderedManyOperations<Create, Update, Unique>

interface OrderedManyOperations<Create, Update, Unique> extends ManyOperations<Create, Update, Unique> {
  /** Changes the order, after all other operations. Several moves are made one after the other. */
  move?: MoveInput | readonly MoveInput[]
}

/** Moves a related record next to another one, or to one of the two ends of the list. */
type MoveInput = { id: string; before: string } | { id: string; after: string } | { id: string; to: "start" | "end" }

type IdInput = string | { id: string }

interface CreateChoice<Create, Unique> {
  /** The record to connect, by one unique field and its value. */
  where: Partial<Unique>
  create: Create
}

/**
 * The type of a JSON field (the type argument of `f.json<Value>()`) or of a computed field, taken from the file that
 * declares the field.
 */
export type JsonValue<
  Declaration extends { readonly declared: object },
  Name extends keyof Declaration["declared"],
> = Declaration["declared"][Name] extends { readonly value: infer Value } ? Value : unknown
