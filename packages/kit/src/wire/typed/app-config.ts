/** What every generated `AppConfig` has: `CollectionTypes` and `GlobalTypes` by name, and the calls of the routes and channels. */
export interface AppTypes {
  collections: object
  globals: object
  routes: object
  /** Where the app has some. */
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
  /** The types of the collection that each relation points to; as a list where it leads to many records. */
  relations: object
  locale: string
  /** The same types where the values of all locales are asked for at once. */
  byLocale: object
  /** A number where records have a revision, else never. */
  expectedRevision: number
  /** The names of its stages, else never. */
  stage: string
}

/** The generated types of a collection. */
export interface CollectionTypes extends GlobalTypes {
  create: object
  orderBy: object
  /** A boolean where deleted records are kept, else never. */
  includeDeleted: boolean
}

/** What a relation in `with` takes besides `true`. */
export interface RelatedOptions<Types extends CollectionTypes> {
  columns?: Types["columns"]
  where?: Types["where"]
  with?: Types["with"]
}

/** What a relation to many records in `with` takes besides `true`; the limit and the offset are those of each parent. */
export interface ManyOptions<Types extends CollectionTypes> extends RelatedOptions<Types> {
  orderBy?: Types["orderBy"] | readonly Types["orderBy"][]
  limit?: number
  offset?: number
  /** Answers the number of all that match the filter, as `_count: { name: number }`. */
  _count?: boolean
}

/** What a write takes for a relation to one record. */
export type RelationInput<Create, Unique> =
  | string
  | { connect: { id: string } }
  | { create: Create }
  | { connectOrCreate: CreateChoice<Create, Unique> }
  | { disconnect: true }

/** What a write takes for a relation to many records: the ids of all of them, or operations. */
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

/** The type argument of `f.json<Value>()`, or what a computed field gives, read from the file that declares the field. */
export type JsonValue<
  Declaration extends { readonly declared: object },
  Name extends keyof Declaration["declared"],
> = Declaration["declared"][Name] extends { readonly value: infer Value } ? Value : unknown
