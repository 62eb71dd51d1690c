import type { FieldSchema } from "kit/client"
import type { FieldValues } from "../../../form/form-store.ts"
import { isSameValue } from "../../../form/same-value.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"

/** A state of a record that has been kept. */
export interface Version {
  /** Counted from 1, within the record. */
  readonly number: number
  readonly operation: string
  readonly at: Date
  /** The person who wrote it; null for the app itself. */
  readonly userId: string | null
  /** All people whose texts are in it, in a version of a field that several people write together. */
  readonly authors: readonly string[]
  /** The stage whose copy was written; null for the working copy. */
  readonly stage: string | null
  readonly values: ConsoleRecord
}

/** The newest versions of a record, as far as they are read. */
export interface VersionPages {
  readonly versions: readonly Version[]
  /** Reads the versions behind these. */
  readonly endCursor: string | null
  readonly hasMore: boolean
}

/** A page of versions, as the API answers it. */
interface AnsweredPage {
  readonly docs: readonly Readonly<Record<string, unknown>>[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean
}

export function versionPages({ docs, endCursor, hasNextPage }: AnsweredPage): VersionPages {
  return { versions: docs.map(versionOf), endCursor, hasMore: hasNextPage }
}

function versionOf(doc: Readonly<Record<string, unknown>>): Version {
  const { versionNumber, versionOperation, versionCreatedAt, versionUserId, versionStage, versionAuthors } = doc
  const userId = textOf(versionUserId)
  const authors = Array.isArray(versionAuthors) ? versionAuthors.map(String) : []
  return {
    number: Number(versionNumber),
    operation: String(versionOperation),
    at: versionCreatedAt instanceof Date ? versionCreatedAt : new Date(String(versionCreatedAt)),
    userId,
    authors: authors.length > 0 ? authors : userId === null ? [] : [userId],
    stage: textOf(versionStage),
    // A version has the fields of its record, and so its id.
    values: doc as ConsoleRecord,
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

/** Puts a newer first page before the versions that are read already, if it reaches them. */
export function withNewest(known: VersionPages | undefined, page: VersionPages): VersionPages {
  const newest = known?.versions[0]?.number
  const reaches = page.versions.some(({ number }) => number === newest)
  if (known === undefined || !reaches) return page
  const read = new Set(page.versions.map(({ number }) => number))
  return { ...known, versions: [...page.versions, ...known.versions.filter(({ number }) => !read.has(number))] }
}

/** Puts a further page behind the versions that are read already, once. */
export function withOlder(known: VersionPages, page: VersionPages): VersionPages {
  const oldest = known.versions.at(-1)?.number ?? Number.POSITIVE_INFINITY
  return { ...page, versions: [...known.versions, ...page.versions.filter(({ number }) => number < oldest)] }
}

/** Returns the newest version of the working copy: what the form shows. */
export function currentVersion({ versions }: VersionPages): Version | undefined {
  return versions.find(({ stage }) => stage === null)
}

// They change with every write, or say where the record stands.
const NOT_CONTENT = new Set(["id", "stage", "revision", "createdAt", "updatedAt", "deletedAt", "changedSincePublished"])

/** Returns the fields that have other values in a version than now. Those that the app computes are none of them. */
export function differingFields(
  fields: Readonly<Record<string, Pick<FieldSchema, "valueType">>>,
  { version, now }: { readonly version: FieldValues; readonly now: FieldValues },
): ReadonlySet<string> {
  const isStored = (name: string) => !NOT_CONTENT.has(name) && fields[name]?.valueType === undefined
  const names = Object.keys(fields).filter((name) => Object.hasOwn(version, name) && Object.hasOwn(now, name))
  return new Set(names.filter((name) => isStored(name) && !isSameValue(version[name] ?? null, now[name] ?? null)))
}
