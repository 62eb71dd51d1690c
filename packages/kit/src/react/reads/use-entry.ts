import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import type { ClientParts } from "../../client/client-parts.ts"
import type { HandleFacts } from "../../client/handle-facts.ts"
import type { QuestpieClientError } from "../../client/transport/client-error.ts"
import { isServer } from "../provider/is-server.ts"
import { type Provided, storeOf, useProvided } from "../provider/kit-context.ts"
import type { Entry } from "../store/entry.ts"
import { type Query, queryOf } from "../store/query-key.ts"
import type { Result } from "../store/result.ts"
import { useNewest } from "../use-newest.ts"
import { ShownResult, type ViewSettings } from "./shown-result.ts"

export interface ReadSettings extends ViewSettings {
  readonly onError?: ((error: QuestpieClientError) => void) | undefined
}

/** A kind of read: its name begins the keys of its entries. */
export interface ReadKind {
  readonly name: string
  /** Returns the read of these options. It is that of a handle if the function is missing. */
  queryOf?(facts: HandleFacts, options: object): Query
  make(store: Entry["store"], query: Query, key: string): Entry
}

/** A read as a component asks for it; options that are null ask for nothing. */
export interface AskedRead {
  readonly kind: ReadKind
  readonly facts: HandleFacts
  readonly options: object | null | undefined
}

interface UsedEntry {
  readonly entry: Entry | undefined
  readonly result: Result
}

export const subscribeToNothing = () => () => {}

/** Shows the shared result of a read, and keeps it read while the component is mounted. */
export function useEntry(read: AskedRead, settings: ReadSettings = {}): UsedEntry {
  const provided = useProvided()
  const entry = useEntryOf(read, provided)
  const [shown] = useState(() => new ShownResult())
  const result = useSyncExternalStore(
    entry?.subscribe ?? subscribeToNothing,
    () => (entry ? shown.of(entry, entry.result, settings) : shown.idle()),
    () => (entry ? shown.of(entry, entry.serverResult, settings) : shown.idle()),
  )
  useReportedError(result.error, settings, provided)
  return { entry, result }
}

/** Returns the entry of a read in the client's current locale; undefined if the options are null. */
function useEntryOf({ kind, facts, options = {} }: AskedRead, provided: Provided): Entry | undefined {
  useClientLocale(facts.parts)
  if (options === null) return undefined
  return entryOf(kind, (kind.queryOf ?? queryOf)(facts, options), provided)
}

/** Returns the entry of a query, which all components with the same one share. */
export function entryOf(kind: ReadKind, query: Query, provided: Provided): Entry {
  const { parts } = query.facts
  const store = storeOf(provided, parts)
  const entry = store.entry(`${kind.name}${query.key}`, (key) => {
    const made = kind.make(store, query, key)
    // On a server there are no subscribers, and the store ends with the render.
    if (!isServer()) made.awaitSubscriber()
    return made
  })
  const found = provided.found?.(parts, query.key)
  if (found) entry.preload(found)
  return entry
}

/** Renders the component again when `setLocale` has changed the client's locale, which it returns. */
export function useClientLocale({ transport, localeListeners }: ClientParts): string | undefined {
  const localeOf = () => transport.locale
  const subscribe = useCallback(
    (listener: () => void) => {
      localeListeners.add(listener)
      return () => localeListeners.delete(listener)
    },
    [localeListeners],
  )
  return useSyncExternalStore(subscribe, localeOf, localeOf)
}

/** Calls `onError` once with each new error. */
export function useReportedError(
  error: QuestpieClientError | undefined,
  { onError }: ReadSettings,
  provided: Provided,
): void {
  const newest = useNewest(onError ?? provided.onError)
  useEffect(() => {
    if (error) newest.current?.(error)
  }, [error, newest])
}
