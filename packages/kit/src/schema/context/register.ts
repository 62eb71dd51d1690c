import type { Session, SessionFacts } from "../../ports/session-provider.ts"
import type { CollectionOperations, GlobalOperations } from "../../wire/results/operations.ts"
import type { ChannelPublisher, UntypedChannel } from "../../wire/typed/typed-channels.ts"
import type { TypedSearch, UntypedSearchable } from "../../wire/typed/typed-search.ts"
import type { LooseResource } from "../compile/resource-types.ts"
import type { JobPublisher } from "./job-publisher.ts"

/**
 * The types of an app that its generated code adds to kit's own types. `kit generate` fills this interface by
 * declaration merging. For an app without generated code, the types in this file fall back to loose types.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Register {}

/** The types of an app's services by name. `kit generate` adds one member for each service. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Services {}

/** The types of an app's jobs by the names of their files. `kit generate` adds one member for each job. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Queue {}

/** The types of an app's channels by the names of their files. `kit generate` adds one member for each channel. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Channels {}

/**
 * The types that the hooks and rules of each resource use, by resource name. `kit generate` adds a member for each
 * resource.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Resources {}

/** The return types of `collection(name)`, by name. `kit generate` adds one member for each collection. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface CollectionBuilders {}

/** The return types of `global(name)`, by name. `kit generate` adds one member for each global. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface GlobalBuilders {}

/** The names of the app's collections. Any name before `kit generate` has run. */
export type CollectionName = [keyof CollectionBuilders] extends [never] ? string : keyof CollectionBuilders & string

/** The types of the named collection or global. Loose types before `kit generate` has run. */
export type RegisteredResource<Name extends string> = Name extends keyof Resources ? Resources[Name] : LooseResource

/**
 * The type of `queue`. It checks only whether `Queue` has members, and does not read the jobs' types: jobs that publish
 * each other would form a type cycle.
 */
export type RegisteredQueue = [keyof Queue] extends [never]
  ? Readonly<Record<string, JobPublisher<{ readonly given: unknown }>>>
  : Queue

/**
 * The type of `channels`. It checks only whether `Channels` has members, and does not read the channels' types: a
 * channel whose rule uses `channels` would form a type cycle.
 */
export type RegisteredChannels = [keyof Channels] extends [never]
  ? Readonly<Record<string, ChannelPublisher<UntypedChannel>>>
  : Channels

export type RegisteredCollections = Register extends { collections: infer Collections }
  ? Collections
  : Readonly<Record<string, CollectionOperations>>

export type RegisteredGlobals = Register extends { globals: infer Globals }
  ? Globals
  : Readonly<Record<string, GlobalOperations>>

/** The type of `search`, by the searchable collections of the app. */
export type RegisteredSearch = TypedSearch<
  Register extends { search: infer Searchable }
    ? Searchable
    : Register extends { collections: unknown }
      ? Record<never, never>
      : UntypedSearchable,
  RegisteredLocale
>

/** The type of `collections` in system code, which can also read and write hidden fields and write read-only fields. */
export type RegisteredSystemCollections = Register extends { systemCollections: infer Collections }
  ? Collections
  : RegisteredCollections

export type RegisteredSystemGlobals = Register extends { systemGlobals: infer Globals } ? Globals : RegisteredGlobals

/**
 * The type of `db`: Kysely with the app's tables, if `kit generate` has run. Only generated code imports Kysely's
 * types, and only for an app that uses `db`: they are larger than all types of this package, and the compiler reads
 * every import.
 */
// biome-ignore lint/suspicious/noExplicitAny: before `kit generate`, every use of `db` has to compile.
export type RegisteredDatabase = Register extends { db: infer Database } ? Database : any

/** The names of the app's locales. Any name before `kit generate` has run. */
export type RegisteredLocale = Register extends { locale: infer Locale extends string } ? Locale : string

/** The type of a session's user: the fields that every user has, and the author's fields. */
export type RegisteredUser = Register extends { user: infer User } ? User : Session["user"]

/** The caller's session, as rules and hooks see it. */
export interface CallerSession extends SessionFacts {
  readonly user: RegisteredUser
}

/** The input types of the email templates, by template name. Loose types before `kit generate` has run. */
export type RegisteredEmails = Register extends { emails: infer Emails } ? Emails : Readonly<Record<string, unknown>>
