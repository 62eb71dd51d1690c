import type { Session, SessionFacts } from "../../ports/session-provider.ts"
import type { CollectionOperations, GlobalOperations } from "../../wire/results/operations.ts"
import type { ChannelPublisher, UntypedChannel } from "../../wire/typed/typed-channels.ts"
import type { LooseResource } from "../compile/resource-types.ts"
import type { JobPublisher } from "./job-publisher.ts"

/**
 * The types of an app that its generated code registers with the authoring API.
 * `kit generate` fills it by declaration merging; an app without generated code gets the loose forms below.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Register {}

/** The services of an app by name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Services {}

/** The jobs of an app by the names of their files; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Queue {}

/** The channels of an app by the names of their files; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Channels {}

/** The types that hooks and rules use, by the name of the resource; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Resources {}

/** The return types of `collection(name)`, by name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface CollectionBuilders {}

/** The return types of `global(name)`, by name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface GlobalBuilders {}

/** The types of a collection or global; loose ones before `kit generate`. */
export type RegisteredResource<Name extends string> = Name extends keyof Resources ? Resources[Name] : LooseResource

/** Inspects only the names: the payload type of a job may depend on a job that publishes it, which is a cycle. */
export type RegisteredQueue = [keyof Queue] extends [never]
  ? Readonly<Record<string, JobPublisher<{ readonly given: unknown }>>>
  : Queue

/** Inspects only the names, as `RegisteredQueue` does: a rule of a channel may use all channels. */
export type RegisteredChannels = [keyof Channels] extends [never]
  ? Readonly<Record<string, ChannelPublisher<UntypedChannel>>>
  : Channels

export type RegisteredCollections = Register extends { collections: infer Collections }
  ? Collections
  : Readonly<Record<string, CollectionOperations>>

export type RegisteredGlobals = Register extends { globals: infer Globals }
  ? Globals
  : Readonly<Record<string, GlobalOperations>>

/** The collections for system code, which also reads and writes hidden fields, and writes read-only ones. */
export type RegisteredSystemCollections = Register extends { systemCollections: infer Collections }
  ? Collections
  : RegisteredCollections

export type RegisteredSystemGlobals = Register extends { systemGlobals: infer Globals } ? Globals : RegisteredGlobals

/**
 * The type of `db`: Kysely with the tables of the app, once generated. Only generated code imports Kysely's types, and
 * only for an app that uses `db`: they are larger than all types of this package, and the compiler reads every import.
 */
// biome-ignore lint/suspicious/noExplicitAny: before `kit generate`, every use of it has to compile.
export type RegisteredDatabase = Register extends { db: infer Database } ? Database : any

/** The user of a session: the fields that every user has, and the author's fields. */
export type RegisteredUser = Register extends { user: infer User } ? User : Session["user"]

/** The session of the caller, as rules and hooks see it. */
export interface CallerSession extends SessionFacts {
  readonly user: RegisteredUser
}

/** The input types of the email templates by name; loose ones before `kit generate`. */
export type RegisteredEmails = Register extends { emails: infer Emails } ? Emails : Readonly<Record<string, unknown>>
