// Random reads with every option of `find`.
import { type Chance, columnsOf } from "./random.ts"

const SEARCHED = ["apple", "pear", "a_b", "žltý", "section apple", "nothing at all"]
const GROUPED: Record<string, readonly string[]> = {
  teams: ["rank", "name"],
  projects: ["kind", "isPublic", "size", "team", "title"],
  tasks: ["done", "project"],
  tags: ["name"],
  articles: ["section", "author"],
}
const KEEPS_DELETED = ["projects", "articles"]
const NO_RECORD = "01890000-0000-7000-8000-000000000000"

/** Returns the topic with options that only watched reads have. `ids` are some ids of the topic's collection. */
export function watched(c: Chance, topic: Record<string, any>, ids: readonly string[]): Record<string, any> {
  const { resource, resourceType } = topic
  if (resourceType === "global") return { ...topic, read: c.some({ localeFallback: false }, 50) }
  const shared = sharedOptions(c, resource)
  if (c.is(20)) return { ...topic, read: { operation: "count", ...shared, ...c.some({ max: 2 + c.below(9) }, 30) } }
  const shown = { ...shared, ...(c.is(50) ? { columns: columnsOf(c, resource) } : {}) }
  if (c.is(25)) {
    const { limit: _limit, offset: _offset, ...one } = topic
    return { ...one, read: { operation: "record", id: c.of([...ids, NO_RECORD]), ...shown } }
  }
  if (GROUPED[resource] && c.is(20)) {
    const field = c.of(GROUPED[resource])
    const total = c.some({ total: c.of([false, { max: 1 + c.below(9) }]) }, 40)
    return {
      ...topic,
      read: { ...shown, ...total, groupBy: c.of([field, { field, docs: c.below(4), order: "desc" }]) },
    }
  }
  return { ...topic, read: { ...shown, ...c.some({ total: c.of([false, "estimate", { max: 1 + c.below(9) }]) }, 50) } }
}

/** Returns options that every read of a collection can have. */
function sharedOptions(c: Chance, of: string) {
  return {
    ...c.some({ search: c.of(SEARCHED) }, of === "articles" ? 50 : 5),
    ...(KEEPS_DELETED.includes(of) ? c.some({ includeDeleted: true }, 20) : {}),
    ...(of === "articles" ? c.some({ stage: c.of(["draft", "published"]) }, 40) : {}),
    ...c.some({ localeFallback: false }, 30),
  }
}
