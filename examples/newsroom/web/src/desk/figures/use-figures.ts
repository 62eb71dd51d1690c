import { useLive } from "kit/react"
import { useLiveAggregate } from "kit/react-reads"
import { client } from "../../client.ts"
import { beginningOf, lastWeeks, TIME_ZONE } from "./weeks.ts"

const MAX_GROUPS = 1_000
const MAX_AUTHORS = 12

const { articles, teams, users } = client.collections

export interface Week {
  /** Its Monday, such as `2026-05-04`. */
  readonly monday: string
  /** The number of articles of each team, in the order of the teams. */
  readonly counts: readonly number[]
  readonly total: number
}

export interface Author {
  readonly id: string
  readonly name: string
  readonly words: number
  readonly articles: number
}

/** The articles that were published since the first of these weeks. The list changes whenever an article is published or withdrawn. */
function publishedSince([first = ""]: readonly string[]) {
  return { stage: "published", where: { publishedAt: { gte: beginningOf(first) } } } as const
}

/** The articles of each team in these weeks. An aggregate has no group for a week without articles. */
export function useWeeks() {
  // Options that are equal are the same read, so they need not be kept from one render to the next.
  const mondays = lastWeeks()
  const counted = useLiveAggregate(articles, {
    ...publishedSince(mondays),
    groupBy: [{ field: "publishedAt", by: "week", timeZone: TIME_ZONE }, "team"],
    count: true,
    limit: MAX_GROUPS,
  })
  const named = useLive(teams, { columns: { name: true }, orderBy: { name: "asc" } })
  const state = { error: counted.error ?? named.error, isLive: counted.isLive && named.isLive }
  if (!counted.data || !named.data) return { ...state, data: undefined }
  const [{ groups }, { docs }] = [counted.data, named.data]
  const weeks = mondays.map((monday): Week => {
    const ofWeek = groups.filter(({ key }) => key.publishedAt === monday)
    const counts = docs.map(({ id }) => ofWeek.find(({ key }) => key.team === id)?.count ?? 0)
    return { monday, counts, total: counts.reduce((sum, count) => sum + count, 0) }
  })
  return { ...state, data: { teams: docs.map(({ name }) => name), weeks } }
}

/** The authors with the most words in these weeks, the first one first. */
export function useAuthors() {
  const summed = useLiveAggregate(articles, {
    ...publishedSince(lastWeeks()),
    groupBy: "author",
    count: true,
    sum: { words: true },
    orderBy: { sum: { words: "desc" } },
    limit: MAX_AUTHORS,
  })
  // A group has the id of its author, and no name.
  const ids = summed.data?.groups.map(({ key }) => key.author)
  const named = useLive(users, ids ? { columns: { name: true }, where: { id: { in: ids } }, limit: MAX_AUTHORS } : null)
  const state = { error: summed.error ?? named.error, isLive: summed.isLive && named.isLive }
  if (!summed.data || !named.data) return { ...state, data: undefined }
  const names = new Map(named.data.docs.map(({ id, name }) => [id, name]))
  const authors = summed.data.groups.map(
    ({ key, count, sum }): Author => ({
      id: key.author,
      name: names.get(key.author) ?? "…",
      words: sum.words ?? 0,
      articles: count,
    }),
  )
  return { ...state, data: authors }
}
