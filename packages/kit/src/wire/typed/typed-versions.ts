import type { CursorPage } from "../results/results.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { CursorValue, LocaleOptions, LocaleOptionsOf, TypesIn } from "./typed-operations.ts"
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
  /**
   * Returns the versions of a record, the newest version first. With `stage`, only those of that stage. With `after` or
   * `before`, returns a page of them, which has cursors.
   */
  findVersions<const Locale extends Types["locale"] | "*" = never, Cursor extends CursorValue = undefined>(
    target: VersionedRecord<Types> & VersionRange & VersionCursors<Cursor>,
    options?: ReadIn<Options, Locale> & StageOption<Types>,
  ): Promise<VersionsBy<Cursor, VersionOf<TypesIn<Types, Locale>>>>
  // The compiler infers from the last signatures, for a function that is given this operation.
  findVersions(
    target: VersionedRecord<Types> & VersionRange & PageCursor,
    options?: Options & StageOption<Types>,
  ): Promise<CursorPage<VersionOf<Types>>>
  findVersions(
    target: VersionedRecord<Types> & VersionRange & VersionCursors<undefined>,
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
  findVersions<const Locale extends Types["locale"] | "*" = never, Cursor extends CursorValue = undefined>(
    options?: GlobalRecord & VersionRange & VersionCursors<Cursor> & ReadIn<Options, Locale> & StageOption<Types>,
  ): Promise<VersionsBy<Cursor, VersionOf<TypesIn<Types, Locale>>>>
  findVersions(
    options: GlobalRecord & VersionRange & PageCursor & Options & StageOption<Types>,
  ): Promise<CursorPage<VersionOf<Types>>>
  findVersions(
    options?: GlobalRecord & VersionRange & VersionCursors<undefined> & Options & StageOption<Types>,
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

/** A record of a collection. */
interface VersionedRecord<Types extends CollectionTypes> {
  id: string
  includeDeleted?: Types["includeDeleted"] | undefined
}

interface VersionRange {
  limit?: number | undefined
  offset?: number | undefined
}

/** The cursors between which a page of versions lies. `Cursor` is their inferred type. */
interface VersionCursors<Cursor extends CursorValue> {
  /** The `endCursor` of a page, to get the older versions behind it; null for the newest ones. */
  after?: Cursor
  /**
   * The `startCursor` of a page, to get the newer versions before it; null for the oldest ones. With `after`, the page
   * has the newest versions between both.
   */
  before?: Cursor
}

/** At least one cursor of a page. */
type PageCursor = VersionCursors<CursorValue> & ({ after: string | null } | { before: string | null })

/** The type of versions that are read by a cursor of this type: a page or, without a cursor, a list. */
type VersionsBy<Cursor extends CursorValue, Version> = [Cursor] extends [undefined]
  ? readonly Version[]
  : undefined extends Cursor
    ? readonly Version[] | CursorPage<Version>
    : CursorPage<Version>

/** A version of a record, named by either its number or its id. */
export type VersionChoice = { version: number; versionId?: undefined } | { versionId: string; version?: undefined }
