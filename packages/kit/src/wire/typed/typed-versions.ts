import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { LocaleOptions, LocaleOptionsOf, TypesIn } from "./typed-operations.ts"

/** What a version tells besides the record as it was. */
export interface VersionFacts {
  versionId: string
  /** 1, 2, 3 …, without a gap. */
  versionNumber: number
  /** What made it. */
  versionOperation: "create" | "update" | "delete" | "restore" | "revert" | "transition" | "refused"
  /** Whose write it was; null for what nobody signed in has done. */
  versionUserId: string | null
  versionCreatedAt: Date
  /** The stage whose copy was changed; null where it was what is worked on. Told where records go through stages. */
  versionStage?: string | null
}

/** A record as it was. */
export type VersionOf<Types extends GlobalTypes> = Types["record"] & VersionFacts

/** What a collection that keeps versions can do with them. */
export interface Versions<
  Types extends CollectionTypes,
  Options extends LocaleOptions = LocaleOptionsOf<Types["locale"]>,
> {
  /** The versions of a record, the newest first. */
  findVersions<const Locale extends Types["locale"] | "*" = never>(
    target: { id: string; includeDeleted?: Types["includeDeleted"] | undefined } & VersionRange,
    options?: ReadIn<Options, Locale>,
  ): Promise<readonly VersionOf<TypesIn<Types, Locale>>[]>
  /** Makes a record what it was in a version, which is a new version of it. */
  revertToVersion(
    target: { id: string; expectedRevision?: Types["expectedRevision"] | undefined } & VersionChoice,
    options?: Options,
  ): Promise<Types["record"]>
}

/** As `Versions`, of a global. */
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

/** The options of a call that reads: it may ask for all locales, which a write may not. */
type ReadIn<Options extends LocaleOptions, Locale> = Omit<Options, "locale"> & { locale?: Locale | undefined }

interface VersionRange {
  limit?: number | undefined
  offset?: number | undefined
}

/** One of the two says which version is meant. */
export type VersionChoice = { version: number; versionId?: undefined } | { versionId: string; version?: undefined }
