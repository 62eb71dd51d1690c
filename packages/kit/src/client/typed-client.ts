import type { CallOptions } from "../wire/options/call-options.ts"
import type { WhereInput } from "../wire/options/query-options.ts"
import type { UntypedChannels } from "../wire/realtime/channel-operations.ts"
import type { RealtimeApi } from "../wire/realtime/live-operations.ts"
import type { AppIndex } from "../wire/results/introspection.ts"
import type { FileUploads } from "../wire/results/uploads.ts"
import type { AppTypes, CollectionTypes, GlobalTypes } from "../wire/typed/app-config.ts"
import type { AuthTypes, ClientAuth } from "../wire/typed/typed-auth.ts"
import type { DescriptionOptions } from "../wire/typed/typed-descriptions.ts"
import type { LiveCollection, LiveGlobal } from "../wire/typed/typed-live.ts"
import type {
  CountAndWrites,
  KeptRecords,
  LocaleOptions,
  LocaleOptionsOf,
  TypedCollection,
  TypedGlobal,
} from "../wire/typed/typed-operations.ts"
import type { UntypedRoute } from "../wire/typed/typed-routes.ts"
import type { ClientSearch, UntypedSearchable } from "../wire/typed/typed-search.ts"
import type { GlobalStages, StagedWrites, Stages } from "../wire/typed/typed-stages.ts"
import type { GlobalVersions, Versions } from "../wire/typed/typed-versions.ts"

/** The client that `createClient<AppConfig>()` returns. */
export interface Client<Config extends AppTypes> {
  readonly collections: ClientCollections<Config["collections"]>
  readonly globals: ClientGlobals<Config["globals"]>
  /** The author's custom routes, by the segments of their URL paths: `client.routes.teams.invite(input)`. */
  readonly routes: Config["routes"]
  /**
   * The channels, by the names of the files that declare them: `client.channels.room.subscribe({ roomId }, onEvent)`.
   */
  readonly channels: ChannelsOf<Config>
  /**
   * Subscribes to live queries by topic, without result types. The `live` and `liveIter` operations of a resource are
   * typed.
   */
  readonly realtime: RealtimeApi
  /** Searches the collections that are declared as searchable: `client.search.search({ query: "river flood" })`. */
  readonly search: SearchOf<Config>
  /** Signs the client's user in and out, and follows their session: `client.auth.signIn({ email, password })`. */
  readonly auth: AuthOf<Config>
  /** Returns the index of the app: the collections and globals that the caller may know, without their fields. */
  schema(options?: DescriptionOptions<Config["locale"]>, call?: CallOptions): Promise<AppIndex>
  /** Sets the locale of later requests. If the locale is undefined, the server chooses one. */
  setLocale(locale: Config["locale"] | undefined): void
  getLocale(): string | undefined
  /**
   * Returns the API's mount path, with a leading slash and without a trailing slash; empty if the API is mounted at the
   * root.
   */
  getBasePath(): string
  /** Throws when it is read. To create a client for collaborative documents, call `createCrdtClient(client)`. */
  readonly crdt: never
}

type ChannelsOf<Config extends AppTypes> = Config extends { channels: infer Channels } ? Channels : Record<never, never>

type AuthOf<Config extends AppTypes> = Config extends { auth: infer Types extends AuthTypes }
  ? ClientAuth<Types>
  : Record<never, never>

type SearchOf<Config extends AppTypes> = ClientSearch<
  Config extends { search: infer Searchable } ? Searchable : Record<never, never>,
  Config["locale"],
  PerCall
>

/** The options of a write operation, besides the data to write. */
export interface ClientOptions<Locale> extends LocaleOptionsOf<Locale>, CallOptions {}

type PerCall = [call?: CallOptions]

/** The operations of a collection: the generated operations, or all operations if the client is not typed by an app. */
export type ClientCollection<Types extends CollectionTypes> = Types extends { client: infer Written }
  ? Written
  : AnyCollection<Types> & UploadsOf<Types>

interface AnyCollection<Types extends CollectionTypes>
  extends TypedCollection<Types, ClientOptions<Types["locale"]>, PerCall>,
    ShortNames<Types, ClientOptions<Types["locale"]>>,
    ClientKeptRecords<Types, ClientOptions<Types["locale"]>>,
    Versions<Types, ClientOptions<Types["locale"]>>,
    Stages<Types, ClientOptions<Types["locale"]>>,
    LiveCollection<Types> {
  create: AnyWrites<Types>["create"]
  updateById: AnyWrites<Types>["updateById"]
  update: AnyWrites<Types>["updateById"]
  deleteById: AnyWrites<Types>["deleteById"]
  delete: AnyWrites<Types>["deleteById"]
  updateMany: AnyWrites<Types>["updateMany"]
  updateBatch: AnyWrites<Types>["updateBatch"]
  deleteMany: AnyWrites<Types>["deleteMany"]
}

type AnyWrites<Types extends CollectionTypes> = StagedWrites<Types, ClientOptions<Types["locale"]>>

/**
 * The count and write operations of a collection, under their full and their short names, such as `deleteById` and
 * `delete`.
 */
export interface ClientWrites<Types extends CollectionTypes, Options extends LocaleOptions>
  extends CountAndWrites<Types, Options, PerCall>,
    ShortNames<Types, Options> {}

/** Like `ClientWrites`, for a collection whose records have stages. */
export interface ClientStagedWrites<Types extends CollectionTypes, Options extends LocaleOptions>
  extends StagedWrites<Types, Options, PerCall>,
    ShortNames<Types, Options> {
  update: StagedWrites<Types, Options>["updateById"]
  delete: StagedWrites<Types, Options>["deleteById"]
}

type UploadsOf<Types extends CollectionTypes> = Types extends { upload: infer Data }
  ? FileUploads<Types["record"], Data>
  : unknown

interface ShortNames<Types extends CollectionTypes, Options extends LocaleOptions> {
  /** Another name for `updateById`. */
  update: CountAndWrites<Types, Options>["updateById"]
  /** Another name for `deleteById`. */
  delete: CountAndWrites<Types, Options>["deleteById"]
}

/** The operations on deleted records, for a collection with soft delete. */
export interface ClientKeptRecords<Types extends CollectionTypes, Options extends LocaleOptions>
  extends KeptRecords<Types, Options> {
  /** Another name for `restoreById`. */
  restore: KeptRecords<Types, Options>["restoreById"]
}

export type ClientGlobal<Types extends GlobalTypes> = TypedGlobal<Types, ClientOptions<Types["locale"]>, PerCall> &
  LiveGlobal<Types> &
  (Types extends { versions: true } ? GlobalVersions<Types, ClientOptions<Types["locale"]>> : unknown) &
  ([Types["stage"]] extends [never] ? unknown : GlobalStages<Types, ClientOptions<Types["locale"]>>)

type ClientCollections<Collections> = {
  readonly [Name in keyof Collections]: Collections[Name] extends { client: infer Written }
    ? Written
    : Collections[Name] extends CollectionTypes
      ? ClientCollection<Collections[Name]>
      : never
}

type ClientGlobals<Globals> = {
  readonly [Name in keyof Globals]: Globals[Name] extends GlobalTypes ? ClientGlobal<Globals[Name]> : never
}

/**
 * The types of an app for a client without a generated `AppConfig`: every name is accepted, and the results are
 * untyped.
 */
export interface UntypedApp {
  collections: { [name: string]: UntypedResource }
  globals: { [name: string]: UntypedResource }
  routes: UntypedRoute
  channels: UntypedChannels
  search: UntypedSearchable
  documents: { collections: UntypedDocuments; globals: UntypedDocuments }
  auth: UntypedUsers
  locale: string
}

/** The users of an app whose types are not known. */
interface UntypedUsers {
  user: { readonly id: string; readonly [field: string]: unknown }
  signUp: { readonly [field: string]: unknown }
  update: { readonly [field: string]: unknown }
}

/** The collaborative fields of resources whose types are not known. */
interface UntypedDocuments {
  [name: string]: { [field: string]: string }
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
  locale: string
  byLocale: UntypedResource
  expectedRevision: number
  includeDeleted: boolean
  versions: true
  stage: string
  upload: { readonly [field: string]: unknown }
}
