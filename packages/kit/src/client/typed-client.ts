import type { AppTypes, CollectionTypes, GlobalTypes } from "../wire/app-config.ts"
import type { CallOptions } from "../wire/call-options.ts"
import type { WhereInput } from "../wire/query-options.ts"
import type { LocaleOptions, SoftDeleteCollection, TypedCollection, TypedGlobal } from "../wire/typed-operations.ts"
import type { UntypedRoute } from "../wire/typed-routes.ts"
import type { FileUploads } from "../wire/uploads.ts"

/** What `createClient<AppConfig>()` returns. */
export interface Client<Config extends AppTypes> {
  readonly collections: ClientCollections<Config["collections"]>
  readonly globals: ClientGlobals<Config["globals"]>
  /** The author's routes by the segments of their paths: `client.routes.teams.invite(input)`. */
  readonly routes: Config["routes"]
  /** The locale of later requests; without one the server chooses. */
  setLocale(locale: string | undefined): void
  getLocale(): string | undefined
  /** The mount path with a leading slash and without a trailing one; empty for the root. */
  getBasePath(): string
  /** Throws: a collaborative client is made with `createCrdtClient(client)`. */
  readonly crdt: never
}

type ClientOptions = LocaleOptions & CallOptions
type PerCall = [call?: CallOptions]

type Plain<Types extends CollectionTypes> = TypedCollection<Types, ClientOptions, PerCall>
type SoftDelete<Types extends CollectionTypes> = SoftDeleteCollection<Types, ClientOptions, PerCall>

export type ClientCollection<Types extends CollectionTypes> = RecordOperations<Types> & UploadsOf<Types>

type RecordOperations<Types extends CollectionTypes> = [Types["includeDeleted"]] extends [never]
  ? Plain<Types> & ShortNames<Types>
  : SoftDelete<Types> & ShortNames<Types> & RestoreName<Types>

type UploadsOf<Types extends CollectionTypes> = Types extends { upload: infer Data }
  ? FileUploads<Types["record"], Data>
  : unknown

interface ShortNames<Types extends CollectionTypes> {
  /** Another name of `updateById`. */
  update: Plain<Types>["updateById"]
  /** Another name of `deleteById`. */
  delete: Plain<Types>["deleteById"]
}

interface RestoreName<Types extends CollectionTypes> {
  /** Another name of `restoreById`. */
  restore: SoftDelete<Types>["restoreById"]
}

export type ClientGlobal<Types extends GlobalTypes> = TypedGlobal<Types, ClientOptions, PerCall>

type ClientCollections<Collections> = {
  readonly [Name in keyof Collections]: Collections[Name] extends CollectionTypes
    ? ClientCollection<Collections[Name]>
    : never
}

type ClientGlobals<Globals> = {
  readonly [Name in keyof Globals]: Globals[Name] extends GlobalTypes ? ClientGlobal<Globals[Name]> : never
}

/** Stands in for a generated `AppConfig`: every name is accepted and nothing is known about it. */
export interface UntypedApp {
  collections: { [name: string]: UntypedResource }
  globals: { [name: string]: UntypedResource }
  routes: UntypedRoute
}

interface UntypedResource {
  record: { readonly [field: string]: unknown }
  create: { readonly [field: string]: unknown }
  update: { readonly [field: string]: unknown }
  where: WhereInput
  orderBy: { readonly [field: string]: unknown }
  columns: { readonly [field: string]: boolean }
  with: { readonly [relation: string]: unknown }
  relations: { readonly [relation: string]: UntypedResource }
  expectedRevision: number
  includeDeleted: boolean
  upload: { readonly [field: string]: unknown }
}
