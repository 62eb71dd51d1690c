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
  /** The options with which the record is read. */
  readonly readOptions: ReadOptions
}

interface ReadOptions {
  readonly locale: string
  readonly localeFallback: false
  readonly stage?: string
  readonly includeDeleted?: true
}

/** Reads a record, its description, and what the person may do with it, and follows all three. */
export function useRecord(place: RecordPlace): RecordRead {
  const schema = useSchemaOf(place)
  const { options, isKnown } = useReadOptions(place, schema.data)
  const isSignedIn = useIsSignedIn()
  const live = useLiveRecord(place, isKnown && isSignedIn ? options : null)
  // A person who may not see the draft of this record may still see what is public.
  const isPublicCopy = options.stage !== undefined && live.data === null
  const publicCopy = useLiveRecord(place, isPublicCopy ? withoutStage(options) : null)
  const found = isPublicCopy ? publicCopy : live
  const record = useKept(found.data)
  const rights = useRights(isSignedIn ? place : null, record, options)
  return {
    schema: useKept(schema.data),
    // After it has ended, a live result has no data: what was read is still what the form started from.
    record: found.data === undefined ? record : found.data,
    rights: useKept(rights.data),
    rereadRights: () => void rights.refetch?.(),
    isPublicCopy: isPublicCopy && publicCopy.data !== undefined && publicCopy.data !== null,
    isLive: found.isLive,
    error: schema.error ?? found.error,
    readOptions: options,
  }
}

function useSchemaOf(place: RecordPlace) {
  const collection = useCollectionSchema(place.kind === "collection" ? place.name : null)
  const global = useGlobalSchema(place.kind === "global" ? place.name : null)
  return place.kind === "global" ? global : collection
}

// A person who may see all drafts reads them without naming the stage. The others have to know its name first.
function useReadOptions(place: RecordPlace, schema: ResourceSchema | undefined) {
  const { resources, locales } = useAppIndex()
  const access = resources.find(({ name, kind }) => name === place.name && kind === place.kind)?.access
  const hasTrash = access?.restore !== undefined && access.delete !== false
  const needsStage = access?.drafts === "filtered"
  const workflow = schema?.options.workflow
  const stage = needsStage && workflow?.enabled ? workflow.initialStage : null
  const options: ReadOptions = {
    locale: locales.default,
    localeFallback: false,
    ...(stage !== null && { stage }),
    ...(hasTrash && place.kind === "collection" && { includeDeleted: true }),
  }
  return { options, isKnown: !needsStage || schema !== undefined }
}

function withoutStage({ stage, ...options }: ReadOptions): ReadOptions {
  return options
}

function useLiveRecord(place: RecordPlace, options: ReadOptions | null) {
  const [collection, global] = [place.kind === "collection" ? place : null, place.kind === "global" ? place : null]
  const id = collection?.id ?? null
  const record = useLive(
    collectionHandle(collection?.name ?? place.name).record(id ?? ""),
    id === null ? null : options,
  )
  const ofGlobal = useLive(globalHandle(place.name), global === null ? null : options)
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

/** Returns the values that readers see in the place of localized texts that the edited locale does not have. */
export function useFallbacks(place: RecordPlace, read: RecordRead): ConsoleRecord | undefined {
  const { locales } = useAppIndex()
  const { schema, record, readOptions } = read
  const missing = (schema?.options.localizedFields ?? []).filter((name) => record?.[name] === null)
  const { localeFallback, ...options } = readOptions
  const columns = Object.fromEntries(missing.map((name) => [name, true]))
  const wanted = locales.all.length > 1 && missing.length > 0 ? { ...options, columns } : null
  const id = place.kind === "collection" ? place.id : null
  const ofRecord = useFind(collectionHandle(place.name).record(id ?? ""), id === null ? null : wanted)
  const { includeDeleted, ...globalOptions } = wanted ?? { columns }
  const ofGlobal = useFind(globalHandle(place.name), place.kind === "global" && wanted ? globalOptions : null)
  const { data } = place.kind === "global" ? ofGlobal : ofRecord
  return (data as ConsoleRecord | null | undefined) ?? undefined
}

/** Returns the value, or the last one that was there. */
function useKept<Value>(value: Value | undefined): Value | undefined {
  const [kept, setKept] = useState(value)
  if (value !== undefined && value !== kept) setKept(value)
  return value ?? kept
}
