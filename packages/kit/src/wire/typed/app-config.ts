/**
 * The shape of every generated `AppConfig`: the types of collections and globals, and the calls of routes and channels.
 */
export interface AppTypes {
  collections: object
  globals: object
  routes: object
  /** Present if the app has channels. */
  channels?: object
  /** The locales of the app. */
  locale: string
}

/** The generated types of a global. */
export interface GlobalTypes {
  record: object
  update: object
  where: object
  columns: object
  with: object
  /** The types of the collection that each relation points to; a list if the relation leads to many records. */
  relations: object
  locale: string
  /** The same types for a read of all locales. */
  byLocale: object
  /** A number if records have a revision, otherwise never. */
  expectedRevision: number
  /** The names of its stages, otherwise never. */
  stage: string
}

/** The generated types of a collection. */
export interface CollectionTypes extends GlobalTypes {
  create: object
  orderBy: object
  /** A boolean if the collection has soft delete, otherwise never. */
  includeDeleted: boolean
}

/** The options of a relation in `with`, in place of `true`. */
export interface RelatedOptions<Types extends CollectionTypes> {
  columns?: Types["columns"]
  where?: Types["where"]
  with?: Types["with"]
}

/** The options of a relation to many records in `with`, in place of `true`. Limit and offset apply to each parent. */
export interface ManyOptions<Types extends CollectionTypes> extends RelatedOptions<Types> {
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][]
  limit?: number
  offset?: number
  /** Returns the number of all records that match the filter, as `_count: { name: number }`. */
  _count?: boolean
}

/** The input of a relation to one record. */
export type RelationInput<Create, Unique> =
  | string
  | { connect: { id: string } }
  | { create: Create }
  | { connectOrCreate: CreateChoice<Create, Unique> }
  | { disconnect: true }

/** The input of a relation to many records: the ids of all of them, or operations. */
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

type IdInput = string | { id: string }

interface CreateChoice<Create, Unique> {
  /** One unique field and its value. */
  where: Partial<Unique>
  create: Create
}

/** The type argument of `f.json<Value>()`, or the type of a computed field, read from the file that declares it. */
export type JsonValue<
  Declaration extends { readonly declared: object },
  Name extends keyof Declaration["declared"],
> = Declaration["declared"][Name] extends { readonly value: infer Value } ? Value : unknown
