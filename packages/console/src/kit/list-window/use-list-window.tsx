import type { QuestpieClientError } from "kit/client"
import { useLive } from "kit/react"
import { memo, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { collectionHandle } from "../resources.ts"
import { type ListPage, pageOptions, type ReadPage } from "./list-pages.ts"
import { ListWindow, type WindowState } from "./list-window.ts"
import { PAGE_SIZE } from "./page-size.ts"

/** The options of a list, without those that say where a page begins. */
type WindowOptions = object

type WindowStatus = "pending" | "live" | "stale" | "error" | "idle"

export interface FollowedWindow {
  readonly window: ListWindow
  readonly state: WindowState
  readonly status: WindowStatus
  readonly error: QuestpieClientError | undefined
  /** Reads the part of the list around a place. `count` is the length of the list, as far as it is known. */
  readonly jump: (place: number, count: number | undefined) => Promise<void>
  /** Reads again after an error. */
  readonly retry: () => void
  /** Follows the pages that are near to what is in view. It draws nothing, but has to be rendered. */
  readonly followers: React.ReactNode
}

interface PageStatus {
  readonly status: WindowStatus
  readonly error: QuestpieClientError | undefined
}

// The status of the list is the first of these that a page has.
const STATUSES = ["error", "stale", "live"] as const
// The most that one read may return: the steps on the way to a place that is far from all known cursors.
const LONGEST_STEP = 1000

/** Follows a part of a list that grows as it is scrolled, and can begin anywhere. Options that are null read nothing. */
export function useListWindow(collection: string, options: WindowOptions | null): FollowedWindow {
  const [attempt, setAttempt] = useState(0)
  const key = options && `${collection}:${attempt}:${JSON.stringify(options)}`
  const newList = () => ({ key, options, window: new ListWindow() })
  const [held, hold] = useState(newList)
  // The same options in another object are no other list.
  const list = held.key === key ? held : newList()
  // React renders again with this list.
  if (list !== held) hold(list)
  const state = useSyncExternalStore(list.window.subscribe, list.window.read)
  const [statuses, setStatuses] = useState<ReadonlyMap<number, PageStatus>>(new Map())
  const onStatus = useCallback((page: number, status: PageStatus | null) => {
    setStatuses((former) => {
      const next = new Map(former)
      if (status === null) next.delete(page)
      else next.set(page, status)
      return next
    })
  }, [])
  const jump = useJump(collection, list)
  const found = [...statuses.values()]
  const status =
    options === null ? "idle" : (STATUSES.find((each) => found.some((page) => page.status === each)) ?? "pending")
  const followers =
    list.options &&
    list.window
      .followedPages()
      .map((page) => (
        <FollowedPage
          key={page.key}
          {...{ collection, page, onStatus }}
          window={list.window}
          options={list.options ?? {}}
        />
      ))
  const retry = useCallback(() => setAttempt((former) => former + 1), [])
  return { window: list.window, state, status, error: found.find(({ error }) => error)?.error, jump, retry, followers }
}

interface FollowedPageProps {
  readonly collection: string
  readonly window: ListWindow
  readonly page: ListPage
  readonly options: WindowOptions
  readonly onStatus: (page: number, status: PageStatus | null) => void
}

const FollowedPage = memo(function FollowedPage({ collection, window, page, options, onStatus }: FollowedPageProps) {
  const { key } = page
  const { data, status, error } = useLive(collectionHandle(collection), {
    ...options,
    ...pageOptions(page),
    total: false,
  })
  useEffect(() => {
    // Each read by cursors has the members of such a page. Data of former options is not that of this range.
    if (data !== undefined && status !== "pending") window.receive(key, data as unknown as ReadPage)
  }, [window, key, data, status])
  useEffect(() => {
    onStatus(key, { status, error })
    return () => onStatus(key, null)
  }, [onStatus, key, status, error])
  return null
})

/** Returns a function that starts the window again at a place. The newest jump wins. */
function useJump(
  collection: string,
  list: { readonly window: ListWindow; readonly options: WindowOptions | null },
): FollowedWindow["jump"] {
  const [jumps] = useState({ newest: 0 })
  return useCallback(
    async (place, count) => {
      jumps.newest += 1
      const jump = jumps.newest
      const { window, options } = list
      if (place < PAGE_SIZE) {
        window.restart({ after: null }, 0)
        return
      }
      if (count !== undefined && place >= count - PAGE_SIZE) {
        window.restart({ before: null }, Math.max(0, count - PAGE_SIZE))
        return
      }
      const target = place - PAGE_SIZE / 4
      let { cursor, place: at } = window.cursorNear(target)
      while (at < target) {
        const step = { ...options, columns: { id: true }, with: undefined, limit: Math.min(LONGEST_STEP, target - at) }
        const { docs, endCursor, hasNextPage } = await readStep(collection, { ...step, after: cursor })
        if (jump !== jumps.newest) return
        cursor = endCursor
        at += docs.length
        if (!hasNextPage || cursor === null) break
      }
      window.restart({ after: cursor }, at)
    },
    [collection, list, jumps],
  )
}

async function readStep(collection: string, options: object): Promise<ReadPage> {
  // Each read by cursors has the members of such a page.
  return (await collectionHandle(collection).find({ ...options, total: false })) as unknown as ReadPage
}
