import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { LocaleOptions, LocaleOptionsOf, TypesIn } from "./typed-operations.ts"

/** The members of a version beside the fields of the record. */
export interface VersionFacts {
  versionId: string
  /** Counts 1, 2, 3 … without gaps. */
  versionNumber: number
  /** The operation that created the version. */
  versionOperation: "create" | "update" | "delete" | "restore" | "revert" | "transition" | "refused"
  /** The user who made the write; null if no user was signed in. */
  versionUserId: string | null
  versionCreatedAt: Date
  /** The stage whose copy was changed; null for the working copy. Present only if records have stages. */
  versionStage?: string | null
}

/** A version of a record: its fields as they were, and the members of the version. */
export type VersionOf<Types extends GlobalTypes> = Types["record"] & VersionFacts

/** The operations on the versions of a collection's records. */
export interface Versions<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** Returns the versions of a record, the newest first. */
  findVersions<const Locale extends Types["locale"] | "*" = never>(
    target: { id: string; includeDeleted?: Types["includeDeleted"] | undefined } & VersionRange,
    options?: ReadIn<Options, Locale>,
  ): Promise<readonly VersionOf<TypesIn<Types, Locale>>[]>
  /** Restores a record to what it was in a version. This creates a new version. */
  revertToVersion(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined } & VersionChoice,
    options?: Options,
  ): Promise<Types["record"]>
}

/** The same as `Versions`, for a global. */
export interface GlobalVersions<
  Types extends GlobalTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  findVersions<const Locale extends Types["locale"] | "*" = never>(
    options?: VersionRange & ReadIn<Options, Locale>,
  ): Promise<readonly VersionOf<TypesIn<Types, Locale>>[]>
  revertToVersion(
    version: VersionChoice,
    options?: Options & { expectedRevision?: Types["expectedRevision"] | undefined },
  ): Promise<Types["record"]>
}

/** The options of a read. Unlike a write, it may request all locales. */
type ReadIn<Options extends LocaleOptions, Locale> = Omit<Options, "locale"> & { locale?: Locale | undefined }

interface VersionRange {
  limit?: number | undefined
  offset?: number | undefined
}

/** A version, by its number or by its id. */
export type VersionChoice = { version: number; versionId?: undefined } | { versionId: string; version?: undefined }
