import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { toast } from "../../../parts/toast.tsx"
import { useWords } from "../../../words/words.ts"
import type { ListOptions } from "../list-options.ts"
import { readMatchingIds } from "./read-ids.ts"
import type { Selection } from "./selection.ts"

interface SelectAll {
  /** The selection of the list, of which `selectAll` selects all records that match, also those that were not read. */
  readonly selection: Selection
  /** True while the records that match are being read. */
  readonly isReading: boolean
}

/** Makes "select all" mean all records that match the list, not only those on the screen. */
export function useSelectAll(collection: string, options: ListOptions | null, selection: Selection): SelectAll {
  const { ids, toggle, extendTo, selectAll, clear } = selection
  const { isReading, read, stop } = useMatchingIds({ collection, options, onRead: selectAll })
  const functions = useMemo(() => {
    // A person who selects otherwise meanwhile does not want the rest any more.
    const stopping =
      <Args extends unknown[]>(select: (...args: Args) => void) =>
      (...args: Args) => {
        stop()
        select(...args)
      }
    return {
      toggle: stopping(toggle),
      extendTo: stopping(extendTo),
      clear: stopping(clear),
      selectAll: (rows: readonly string[]) => {
        // The rows that were read are selected immediately, the rest as soon as it is known.
        selectAll(rows)
        read()
      },
    }
  }, [toggle, extendTo, selectAll, clear, read, stop])
  const wrapped = useMemo(() => ({ ids, ...functions }), [ids, functions])
  return { selection: wrapped, isReading }
}

interface Matching {
  readonly collection: string
  readonly options: ListOptions | null
  readonly onRead: (ids: readonly string[]) => void
}

/** Reads the ids of all records that match a list, until it is stopped. */
function useMatchingIds({ collection, options, onRead }: Matching) {
  const { notDone } = useWords("list")
  const [isReading, setReading] = useState(false)
  const reading = useRef<AbortController>(undefined)
  const wanted = useRef(options)
  wanted.current = options
  const stop = useCallback(() => {
    reading.current?.abort()
    setReading(false)
  }, [])
  const read = useCallback(async () => {
    reading.current?.abort()
    if (wanted.current === null) return
    const ended = new AbortController()
    reading.current = ended
    setReading(true)
    const { columns, with: related, ...matching } = wanted.current
    try {
      const ids = await readMatchingIds(collection, matching, ended.signal)
      if (!ended.signal.aborted) onRead(ids)
    } catch (error) {
      if (!ended.signal.aborted) toast({ text: `${notDone}. ${error instanceof Error ? error.message : error}` })
    } finally {
      if (reading.current === ended) setReading(false)
    }
  }, [collection, onRead, notDone])
  // Another list is no longer that of which the records were wanted.
  const key = JSON.stringify(options)
  const lastKey = useRef(key)
  useEffect(() => {
    if (lastKey.current !== key) stop()
    lastKey.current = key
  }, [key, stop])
  useEffect(() => () => reading.current?.abort(), [])
  return { isReading, read: useCallback(() => void read(), [read]), stop }
}
