// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient } from "kit/client"
import type { AppCollections, AppConfig } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles } = client.collections
declare const collections: AppCollections
declare const maybe: "status" | undefined

export async function values() {
  const { count, sum, avg } = await articles.aggregate({
    where: { status: "done" },
    search: "river",
    stage: "published",
    includeDeleted: true,
    count: true,
    sum: { words: true, views: true, price: true, letters: true },
    avg: { words: true, views: true, price: true },
  })
  same<typeof count, number>()
  same<typeof sum.words, number | null>()
  same<typeof sum.views, bigint | null>()
  same<typeof sum.price, string | null>()
  same<typeof sum.letters, number | null>()
  same<typeof avg.words, number | null>()
  same<typeof avg.views, string | null>()
  same<typeof avg.price, string | null>()
  const { min, max } = await articles.aggregate({
    min: { publishedAt: true, day: true, title: true, status: true, price: true },
    max: { opens: true, contact: true },
  })
  same<typeof min.publishedAt, Date | null>()
  same<typeof min.day, string | null>()
  same<typeof min.status, "idea" | "writing" | "done" | null>()
  same<typeof max.opens, string | null>()
  const alone = await articles.aggregate({ count: true }, { timeout: 5 })
  // @ts-expect-error: it was not requested
  void alone.sum
  // @ts-expect-error: there are no groups
  void alone.groups
  const { count: ofSystem } = await collections.articles.aggregate({ count: true, locale: "en" })
  same<typeof ofSystem, number>()
}

export async function groups() {
  const { groups: byStatus, hasMore } = await articles.aggregate({
    groupBy: "status",
    count: true,
    sum: { price: true },
    having: {
      count: { gte: 2 },
      sum: { price: { gt: 10 }, views: { lt: 5n } },
      min: { publishedAt: { isNull: false } },
    },
    orderBy: [{ count: "desc" }, { sum: { price: "asc" } }, { status: "asc" }],
    limit: 10,
  })
  same<typeof hasMore, boolean>()
  for (const { key, count, sum } of byStatus) {
    same<typeof key.status, "idea" | "writing" | "done">()
    same<typeof count, number>()
    same<typeof sum.price, string | null>()
  }
  const months = await articles.aggregate({
    groupBy: [{ field: "publishedAt", by: "month", timeZone: "Europe/Berlin" }, { field: "day", by: "week" }, "editor"],
    max: { words: true },
  })
  const key = months.groups[0]?.key
  same<
    typeof key,
    { readonly publishedAt: string | null; readonly day: string | null; readonly editor: string | null } | undefined
  >()
  const perhaps = await articles.aggregate({ groupBy: maybe, count: true })
  if ("groups" in perhaps) void perhaps.groups[0]?.key.status
  else same<typeof perhaps.count, number>()
}

export async function withoutTypes() {
  const { orders } = createClient({ baseURL: "http://localhost:3000" }).collections
  if (orders === undefined) return
  const { count, sum } = await orders.aggregate({ count: true, sum: { total: true }, where: { status: "open" } })
  same<typeof count, number>()
  same<typeof sum.total, unknown>()
  const { groups } = await orders.aggregate({
    groupBy: ["status", { field: "at", by: "month" }],
    max: { at: true },
    having: { sum: { total: { gt: 5 } } },
    orderBy: [{ max: { at: "desc" } }, { status: "asc" }],
  })
  same<(typeof groups)[number]["key"]["status"], unknown>()
}

export function refused() {
  // @ts-expect-error
  void articles.aggregate({ sum: { title: true } })
  // @ts-expect-error
  void articles.aggregate({ sum: { words: true, wrods: true } })
  // @ts-expect-error
  void articles.aggregate({ sum: ["words"] })
  // @ts-expect-error
  void articles.aggregate({ min: { featured: true } })
  // @ts-expect-error
  void articles.aggregate({ min: { author: true } })
  // @ts-expect-error
  void articles.aggregate({ max: { meta: true } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: "statsu" })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: ["status", "meta"] })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: { field: "day", by: "fortnight" } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: { field: "words", by: "month" } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: { field: "day", by: "month", timezone: "UTC" } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: "status", having: { cuont: { gt: 1 } } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: "status", having: { sum: { title: { gt: 1 } } } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: "status", orderBy: { count: "down" } })
  // @ts-expect-error
  void articles.aggregate({ count: true, groupBy: "status", orderBy: { sum: { title: "asc" } } })
  // @ts-expect-error
  void articles.aggregate({ count: true, limti: 5 })
}
