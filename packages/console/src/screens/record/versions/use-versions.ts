import { useCallback, useEffect, useState } from "react"
import type { RecordPlace } from "../../../kit/record-operations.ts"
import { type ConsoleRecord, collectionHandle, globalHandle } from "../../../kit/resources.ts"
import { type VersionPages, versionPages, withNewest, withOlder } from "./version-pages.ts"

const PAGE = 20

/** The record whose versions are read, and the locale of their texts. */
export interface History {
  readonly place: RecordPlace
  readonly locale: string
  readonly includeDeleted: boolean
}

export interface ReadVersions {
  /** Undefined until the first page is read. */
  readonly pages: VersionPages | undefined
  readonly error: Error | undefined
  readonly readMore: () => void
  readonly retry: () => void
}

interface State {
  readonly pages?: VersionPages
  readonly error?: Error
}

/** Reads the versions of a record page by page, the newest first, and its first page again whenever the record changes. */
export function useVersions({ place, locale, includeDeleted }: History, changedAt: string): ReadVersions {
  const [state, setState] = useState<State>({})
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify({ place, locale, includeDeleted })
  const read = useCallback(
    async (after: string | null, merge: (known: VersionPages | undefined, page: VersionPages) => VersionPages) => {
      try {
        const page = await readPage(JSON.parse(key), after)
        setState((known) => ({ pages: merge(known.pages, page) }))
      } catch (error) {
        setState((known) => ({ ...known, error: asError(error) }))
      }
    },
    [key],
  )
  useEffect(() => {
    // Each of them is a reason to read again.
    if (changedAt !== "" || attempt >= 0) void read(null, withNewest)
  }, [read, changedAt, attempt])
  const { pages } = state
  const readMore = useCallback(() => {
    if (pages?.hasMore) void read(pages.endCursor, (known, page) => (known ? withOlder(known, page) : page))
  }, [read, pages])
  return {
    pages,
    error: state.error,
    readMore,
    retry: () => {
      setState(pages ? { pages } : {})
      setAttempt((count) => count + 1)
    },
  }
}

async function readPage({ place, locale, includeDeleted }: History, after: string | null): Promise<VersionPages> {
  const window = { limit: PAGE, after }
  const options = { locale, localeFallback: false }
  if (place.kind === "global") {
    return versionPages(await globalHandle(place.name).findVersions({ ...window, ...options }))
  }
  const deleted = includeDeleted ? { includeDeleted: true } : {}
  return versionPages(
    await collectionHandle(place.name).findVersions({ id: place.id ?? "", ...window, ...deleted }, options),
  )
}

/** Brings a record back to a version. Returns it as it is stored then. */
export async function restoreVersion(
  { place, locale }: History,
  { version, expectedRevision }: { readonly version: number; readonly expectedRevision: number | undefined },
): Promise<ConsoleRecord> {
  const options = { locale, localeFallback: false }
  const expected = expectedRevision === undefined ? {} : { expectedRevision }
  const restored =
    place.kind === "global"
      ? await globalHandle(place.name).revertToVersion({ version }, { ...options, ...expected })
      : await collectionHandle(place.name).revertToVersion({ id: place.id ?? "", version, ...expected }, options)
  // Every record that the API answers has an id.
  return restored as ConsoleRecord
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
