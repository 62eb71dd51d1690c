import type { RecordAccess } from "kit/client"
import { useFind, useLive } from "kit/react"
import { useRead } from "kit/react-reads"
import { useEffect, useRef, useState } from "react"
import { type ResourceSchema, useAppIndex, useCollectionSchema, useGlobalSchema } from "../../kit/descriptions.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { type ConsoleRecord, collectionHandle, globalHandle } from "../../kit/resources.ts"
import { useIsSignedIn } from "../../kit/signed-in.ts"

/** A record, its description and the rights on it. A part that was there once stays there. */
export interface RecordRead {
  readonly schema: ResourceSchema | undefined
  /** The newest record; null if it is not there; undefined until that is known. */
  readonly record: ConsoleRecord | null | undefined
  readonly rights: RecordAccess | undefined
  readonly rereadRights: () => void
  /** True if this is the public copy, because the person may not see the working copy. */
  readonly isPublicCopy: boolean
  readonly isLive: boolean
  readonly error: Error | undefined
  /** The options with which the record was read. The locale is that of its texts. */
  readonly readOptions: ReadOptions
}

interface ReadOptions extends LiveOptions {
  readonly localeFallback: false
}

interface LiveOptions {
  readonly locale: string
  readonly localeFallback?: false
  readonly columns?: Readonly<Record<string, boolean>>
  readonly stage?: string
  readonly includeDeleted?: true
}

/**
 * Reads a record in a locale, its description, and what the person may do with it, and follows all three. After the
 * locale has changed, the record stays in the former one until it is there in the new one.
 */
export function useRecord(place: RecordPlace, locale: string): RecordRead {
  const schema = useSchemaOf(place)
  const { options, isKnown } = useReadOptions(place, { schema: schema.data, locale })
  const isSignedIn = useIsSignedIn()
  const live = useLiveRecord(place, isKnown && isSignedIn ? options : null)
  // A person who may not see the draft of this record may still see what is public.
  const isPublicCopy = options.stage !== undefined && live.data === null
  const publicCopy = useLiveRecord(place, isPublicCopy ? withoutStage(options) : null)
  const found = isPublicCopy ? publicCopy : live
  // After it has ended, a live result has no data: what was read is still what the form started from.
  const isPublic = isPublicCopy && publicCopy.data !== undefined && publicCopy.data !== null
  const shown = useKeptRecord({ record: found.data, locale, isPublicCopy: isPublic })
  const { record } = shown
  const rights = useRights(isSignedIn ? place : null, record, options)
  return {
    schema: useKept(schema.data),
    record,
    rights: useKept(rights.data),
    rereadRights: () => void rights.refetch?.(),
    isPublicCopy: shown.isPublicCopy,
    isLive: found.isLive,
    error: schema.error ?? found.error,
    readOptions: { ...options, locale: shown.locale },
  }
}

function useSchemaOf(place: RecordPlace) {
  const collection = useCollectionSchema(place.kind === "collection" ? place.name : null)
  const global = useGlobalSchema(place.kind === "global" ? place.name : null)
  return place.kind === "global" ? global : collection
}

// A person who may see all drafts reads them without naming the stage. The others have to know its name first.
function useReadOptions(
  place: RecordPlace,
  { schema, locale }: { readonly schema: ResourceSchema | undefined; readonly locale: string },
) {
  const { resources } = useAppIndex()
  const access = resources.find(({ name, kind }) => name === place.name && kind === place.kind)?.access
  const hasTrash = access?.restore !== undefined && access.delete !== false
  const needsStage = access?.drafts === "filtered"
  const workflow = schema?.options.workflow
  const stage = needsStage && workflow?.enabled ? workflow.initialStage : null
  const options: ReadOptions = {
    locale,
    localeFallback: false,
    ...(stage !== null && { stage }),
    ...(hasTrash && place.kind === "collection" && { includeDeleted: true }),
  }
  return { options, isKnown: !needsStage || schema !== undefined }
}

function withoutStage({ stage, ...options }: ReadOptions): ReadOptions {
  return options
}

// The texts of a former locale must not be taken for those of another one.
const OF_THESE_OPTIONS = { keep: false }

function useLiveRecord(place: RecordPlace, options: LiveOptions | null) {
  const [collection, global] = [place.kind === "collection" ? place : null, place.kind === "global" ? place : null]
  const id = collection?.id ?? null
  const record = useLive(
    collectionHandle(collection?.name ?? place.name).record(id ?? ""),
    id === null ? null : options,
    OF_THESE_OPTIONS,
  )
  const ofGlobal = useLive(globalHandle(place.name), global === null ? null : options, OF_THESE_OPTIONS)
  const { data, isLive, error } = global === null ? record : ofGlobal
  // Every record that the API answers has an id.
  return { data: data as ConsoleRecord | null | undefined, isLive: isLive ?? false, error: error ?? undefined }
}

function useRights(
  place: RecordPlace | null,
  record: ConsoleRecord | null | undefined,
  { includeDeleted }: ReadOptions,
) {
  const id = place?.kind === "collection" ? place.id : null
  const input = id === null || record === null ? null : { id, ...(includeDeleted && { includeDeleted }) }
  const ofRecord = useRead(collectionHandle(place?.name ?? "").access, input)
  const ofGlobal = useRead(globalHandle(place?.name ?? "").access, place?.kind === "global" ? {} : null)
  const rights = place?.kind === "global" ? ofGlobal : ofRecord
  const state = stateOf(record)
  const readAt = useRef(state)
  const { refetch } = rights
  useEffect(() => {
    if (state === readAt.current || state === undefined) return
    const isFirst = readAt.current === undefined
    readAt.current = state
    if (!isFirst) void refetch?.()
  }, [state, refetch])
  return rights
}

// The rights on a record depend on this, as far as the record shows it.
function stateOf(record: ConsoleRecord | null | undefined): string | undefined {
  if (!record) return record === null ? "none" : undefined
  return `${record["stage"]}/${record["revision"] ?? record["updatedAt"]}/${record["deletedAt"]}`
}

/** The values of a record's localized fields in every locale; undefined while they are not known, or not to be seen. */
export type TextsByLocale = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

/** Follows the localized fields of a record in all locales: which texts are there, and which are missing. */
export function useTexts(place: RecordPlace, { schema, record, readOptions }: RecordRead): TextsByLocale | undefined {
  const { locales } = useAppIndex()
  const isSignedIn = useIsSignedIn()
  const names = (schema?.options.localizedFields ?? []).filter((name) => record && Object.hasOwn(record, name))
  const isAsked = isSignedIn && locales.all.length > 1 && names.length > 0
  const { localeFallback, ...options } = readOptions
  const columns = Object.fromEntries(names.map((name) => [name, true]))
  const { data } = useLiveRecord(place, isAsked ? { ...options, locale: "*", columns } : null)
  // With `locale=*` each of the columns is a map.
  return (data as TextsByLocale | null | undefined) ?? undefined
}

/** Returns the values that readers see in the place of localized texts that the edited locale does not have. */
export function useFallbacks(place: RecordPlace, read: RecordRead): ConsoleRecord | undefined {
  const { locales } = useAppIndex()
  const { schema, record, readOptions } = read
  const missing = (schema?.options.localizedFields ?? []).filter((name) => record?.[name] === null)
  const { localeFallback, ...options } = readOptions
  const columns = Object.fromEntries(missing.map((name) => [name, true]))
  const wanted = locales.all.length > 1 && missing.length > 0 ? { ...options, columns } : null
  const id = place.kind === "collection" ? place.id : null
  const ofRecord = useFind(collectionHandle(place.name).record(id ?? ""), id === null ? null : wanted, OF_THESE_OPTIONS)
  const { includeDeleted, ...globalOptions } = wanted ?? { columns }
  const ofGlobal = useFind(
    globalHandle(place.name),
    place.kind === "global" && wanted ? globalOptions : null,
    OF_THESE_OPTIONS,
  )
  const { data } = place.kind === "global" ? ofGlobal : ofRecord
  return (data as ConsoleRecord | null | undefined) ?? undefined
}

interface ShownRecord {
  readonly record: ConsoleRecord | null | undefined
  /** The locale of its texts. */
  readonly locale: string
  readonly isPublicCopy: boolean
}

/** Returns the record, or the last one that was there. */
function useKeptRecord(newest: ShownRecord): ShownRecord {
  const [kept, setKept] = useState(newest)
  const { record, locale, isPublicCopy } = newest
  const isSame = record === kept.record && locale === kept.locale && isPublicCopy === kept.isPublicCopy
  if (isSame || (record === undefined && kept.record !== undefined)) return kept
  setKept(newest)
  return newest
}

/** Returns the value, or the last one that was there. */
function useKept<Value>(value: Value | undefined): Value | undefined {
  const [kept, setKept] = useState(value)
  if (value !== undefined && value !== kept) setKept(value)
  return value ?? kept
}
