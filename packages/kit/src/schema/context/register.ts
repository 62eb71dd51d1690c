import type { Session, SessionFacts } from "../../ports/session-provider.ts"
import type { CollectionOperations, GlobalOperations } from "../../wire/results/operations.ts"
import type { ChannelPublisher, UntypedChannel } from "../../wire/typed/typed-channels.ts"
import type { LooseResource } from "../compile/resource-types.ts"
import type { JobPublisher } from "./job-publisher.ts"

/**
 * What the generated code of an app tells the authoring API about itself.
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

/** What hooks and rules see of each collection and global, by its name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface Resources {}

/** What `collection(name)` gives, by that name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface CollectionBuilders {}

/** What `global(name)` gives, by that name; `kit generate` adds one member for each. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated code of an app adds the members.
export interface GlobalBuilders {}

/** The types of a collection or global, once generated. */
export type RegisteredResource<Name extends string> = Name extends keyof Resources ? Resources[Name] : LooseResource

/** Asks for the names alone: what a job takes may depend on a job that publishes it. */
export type RegisteredQueue = [keyof Queue] extends [never]
  ? Readonly<Record<string, JobPublisher<{ readonly given: unknown }>>>
  : Queue

/** As `RegisteredQueue`: a rule of a channel may come upon all of them. */
export type RegisteredChannels = [keyof Channels] extends [never]
  ? Readonly<Record<string, ChannelPublisher<UntypedChannel>>>
  : Channels

export type RegisteredCollections = Register extends { collections: infer Collections }
  ? Collections
  : Readonly<Record<string, CollectionOperations>>

export type RegisteredGlobals = Register extends { globals: infer Globals }
  ? Globals
  : Readonly<Record<string, GlobalOperations>>

/** As they are to system code, which also reads and writes what is hidden and writes what is read-only. */
export type RegisteredSystemCollections = Register extends { systemCollections: infer Collections }
  ? Collections
  : RegisteredCollections

export type RegisteredSystemGlobals = Register extends { systemGlobals: infer Globals } ? Globals : RegisteredGlobals

/**
 * What `db` is: Kysely with the tables of the app, once generated. Its types are in generated code alone, and only in that of
 * an app that mentions `db`: they are more than all others of this package, and a compiler reads them even if nobody asks.
 */
// biome-ignore lint/suspicious/noExplicitAny: until it is generated, anything may be asked of it.
export type RegisteredDatabase = Register extends { db: infer Database } ? Database : any

/** The user of a session: what every user has, and the author's fields. */
export type RegisteredUser = Register extends { user: infer User } ? User : Session["user"]

/** Who makes a call, as rules and hooks see it. */
export interface CallerSession extends SessionFacts {
  readonly user: RegisteredUser
}

/** The email templates by name, each with what is given to send it, once generated. */
export type RegisteredEmails = Register extends { emails: infer Emails } ? Emails : Readonly<Record<string, unknown>>
