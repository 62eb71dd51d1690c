import type { Result } from "../store/result.ts"
import type { ListPage, ReadPage } from "./list-page.ts"

/** The result of an endless list. The type of the hook narrows its members by `status`. */
export interface ListResult extends Result {
  readonly isLive: boolean
  readonly totalDocs: number
  readonly totalIs: unknown
  readonly hasNextPage: boolean
  readonly isLoadingMore: boolean
  loadMore(): void
}

type State = Pick<ListResult, "status" | "error" | "updatedAt" | "isLive">

/** Returns the state of several pages as that of one list. A page that is still on its way does not change it. */
export function stateOf(pages: readonly ListPage[]): State {
  const results = pages.map((page) => page.entry.result)
  const status = STATUSES.find((each) => results.some((result) => result.status === each)) ?? "pending"
  const times = results.flatMap(({ updatedAt }) => updatedAt ?? [])
  return {
    status,
    error: results.find((result) => result.error)?.error,
    updatedAt: times.reduce<Date | undefined>((one, other) => (one && one >= other ? one : other), undefined),
    isLive: status === "live",
  }
}

// The status of the list is the first one of these that a page has.
const STATUSES = ["error", "stale", "live"] as const

/** Returns the total of the list, which the first page has; -1 if it is unknown. */
export function totalOf(first: ReadPage | undefined): Pick<ListResult, "totalDocs" | "totalIs"> {
  return { totalDocs: first?.totalDocs ?? -1, totalIs: first?.totalIs }
}

export function isSameResult(one: ListResult, other: ListResult): boolean {
  const names = Object.keys(other) as (keyof ListResult)[]
  return names.every((name) => Object.is(one[name], other[name]))
}
