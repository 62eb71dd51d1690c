import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { LocaleOptions, LocaleOptionsOf, TypesIn } from "./typed-operations.ts"
import type { StageOption } from "./typed-stages.ts"

/** The members that a version has in addition to the record's fields. */
export interface VersionFacts {
  versionId: string
  /** The number of the version among the record's versions: 1, 2, 3 … without gaps. */
  versionNumber: number
  /** The operation that created the version. */
  versionOperation: "create" | "update" | "delete" | "restore" | "revert" | "transition" | "refused"
  /** The id of the user who made the write; null if no user was signed in. */
  versionUserId: string | null
  versionCreatedAt: Date
  /**
   * The stage whose copy of the record was changed; null for the working copy. Present only if the records have stages.
   */
  versionStage?: string | null
  /**
   * The ids of the users whose edits the version contains: of a version that was written from a shared document, all who
   * have edited the document since the version before. Present only if the records have collaborative fields.
   */
  versionAuthors?: readonly string[]
}

/** A version of a record: the record's fields as they were, and the members that describe the version. */
export type VersionOf<Types extends GlobalTypes> = Types["record"] & VersionFacts

/** The operations on the versions of records in a collection. */
export interface Versions<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Returns the versions of a record, the newest version first. With `stage`, only those of that stage. */
  findVersions<const Locale extends Types["locale"] | "*" = never>(
    target: { id: string; includeDeleted?: Types["includeDeleted"] | undefined } & VersionRange,
    options?: ReadIn<Options, Locale> & StageOption<Types>,
  ): Promise<readonly VersionOf<TypesIn<Types, Locale>>[]>
  // The last signature is the one that the compiler infers from, for a function that is given this operation.
  findVersions(
    target: { id: string; includeDeleted?: Types["includeDeleted"] | undefined } & VersionRange,
    options?: Options & StageOption<Types>,
  ): Promise<readonly VersionOf<Types>[]>
  /**
   * Sets a record back to its content in an earlier version. This creates a new version. With `stage`, sets the copy of
   * the record in that stage.
   */
  revertToVersion(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined } & VersionChoice,
    options?: Options & StageOption<Types>,
  ): Promise<Types["record"]>
}

/** The operations on the versions of a global, as `Versions` has them for a collection. */
export interface GlobalVersions<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  findVersions<const Locale extends Types["locale"] | "*" = never>(
    options?: GlobalRecord & VersionRange & ReadIn<Options, Locale> & StageOption<Types>,
  ): Promise<readonly VersionOf<TypesIn<Types, Locale>>[]>
  findVersions(
    options?: GlobalRecord & VersionRange & Options & StageOption<Types>,
  ): Promise<readonly VersionOf<Types>[]>
  revertToVersion(
    version: GlobalRecord & VersionChoice,
    options?: Options & StageOption<Types> & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<Types["record"]>
}

/** The options of a read. Unlike a write, a read may request all locales. */
type ReadIn<Options extends LocaleOptions, Locale> = Omit<Options, "locale"> & { locale?: Locale | undefined }

/** The record of a global. Its id may be left out, because a global has only one record. */
interface GlobalRecord {
  id?: string | undefined
}

interface VersionRange {
  limit?: number | undefined
  offset?: number | undefined
}

/** A version of a record, named by either its number or its id. */
export type VersionChoice = { version: number; versionId?: undefined } | { versionId: string; version?: undefined }
