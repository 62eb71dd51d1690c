// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type GroupedPage, type Page, type Snapshots } from "kit/client"
import type {
  AppCollections,
  AppConfig,
  ArticlesRecord,
  ArticlesRecordByLocale,
  PeopleRecord,
  SettingsRecord,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const signal: AbortSignal
declare const flag: boolean

export function lists() {
  const stop = articles.watch({ where: { status: "done" }, search: "flood", page: 2, total: false }, (page) => {
    same<typeof page, Page<ArticlesRecord>>()
  })
  same<typeof stop, () => void>()
  articles.watch(undefined, (page) => same<typeof page, Page<ArticlesRecord>>(), { signal, onError: () => {} })
  articles.watch({ columns: { title: true } }, ({ docs: [first] }) => {
    same<keyof NonNullable<typeof first>, "id" | "title">()
  })
  articles.watch({ columns: { title: true }, with: { author: { columns: { name: true } } } }, ({ docs: [first] }) => {
    same<keyof NonNullable<typeof first>, "id" | "title" | "author">()
    same<keyof NonNullable<NonNullable<typeof first>["author"]>, "id" | "name">()
  })
  articles.watch({ locale: "*", localeFallback: false }, (page) => same<typeof page, Page<ArticlesRecordByLocale>>())
}

export function groups() {
  articles.watch({ groupBy: "status", columns: { title: true } }, ({ groups: [first] }) => {
    same<NonNullable<typeof first>["value"], "idea" | "writing" | "done">()
    same<keyof NonNullable<typeof first>["docs"][number], "id" | "title">()
  })
  articles.watch({ groupBy: { field: "publishedAt", docs: 0 } }, (page) => {
    same<typeof page, GroupedPage<ArticlesRecord, Date | null>>()
  })
  articles.watch({ groupBy: flag ? "status" : undefined }, (page) => ("groups" in page ? page.groups : page.docs))
  // @ts-expect-error no such field
  articles.watch({ groupBy: "statuss" }, () => {})
}

export function recordsAndCounts() {
  articles.record("a").watch({ with: { editor: true } }, (record) => {
    same<NonNullable<typeof record>["editor"], PeopleRecord | null>()
  })
  articles.record("a").watch({ columns: { title: true } }, (record) => {
    same<keyof NonNullable<typeof record>, "id" | "title">()
    // @ts-expect-error the record may not exist, or be hidden
    record.title
  })
  people.total.watch({ where: { name: "Eva" } }, (count) => same<typeof count, number>())
  people.total.watch(undefined, (count) => count + 1)
  settings.watch({ columns: { siteName: true } }, (record) => same<keyof NonNullable<typeof record>, "siteName">())
  settings.watch({}, (record) => same<typeof record, SettingsRecord | null>())
}

export async function iterators() {
  const pages = articles.watchIter({ columns: { title: true, body: true } }, { signal })
  for await (const { docs } of pages) same<keyof (typeof docs)[number], "id" | "title" | "body">()
  for await (const { docs } of articles.watchIter()) same<typeof docs, readonly ArticlesRecord[]>()
  for await (const record of articles.record("a").watchIter()) same<typeof record, ArticlesRecord | null>()
  same<ReturnType<typeof articles.total.watchIter>, Snapshots<number>>()
  for await (const record of settings.watchIter({ locale: "*" }))
    record?.motto satisfies { en?: string | null } | null | undefined
}

export function wrongOptions() {
  // @ts-expect-error no such field
  articles.watch({ where: { titel: "a" } }, () => {})
  // @ts-expect-error no such column
  articles.watch({ columns: { titel: true } }, () => {})
  // @ts-expect-error no such relation
  articles.watch({ with: { autor: true } }, () => {})
  // @ts-expect-error no such option
  articles.watch({ colums: { title: true } }, () => {})
  // @ts-expect-error one of the two
  articles.watch({ page: 2, offset: 5 }, () => {})
  // @ts-expect-error no such locale
  articles.watch({ locale: "xx" }, () => {})
  // @ts-expect-error people have no stages
  people.watch({ stage: "draft" }, () => {})
  // @ts-expect-error one record has no filter
  articles.record("a").watch({ where: {} }, () => {})
  // @ts-expect-error one record has no groups
  articles.record("a").watch({ groupBy: "status" }, () => {})
  // @ts-expect-error a number has no columns
  articles.total.watch({ columns: { title: true } }, () => {})
  // @ts-expect-error a global has no filter
  settings.watch({ where: {} }, () => {})
  // @ts-expect-error somebody must listen
  articles.watch({})
  // @ts-expect-error an iterator throws its errors
  articles.watchIter({}, { onError: () => {} })
  // @ts-expect-error code on the server has no live queries
  collections.articles.watch({}, () => {})
}

export function withoutAnApp() {
  const { collections: any, globals } = createClient({ baseURL: "http://localhost:3000" })
  any["any"]?.watch({ columns: { a: true }, search: "b" }, ({ docs }) => docs[0]?.["title"])
  any["any"]?.record("a").watch({}, (record) => record?.["title"])
  any["any"]?.total.watch({}, (count) => count satisfies number)
  globals["any"]?.watch({ stage: "draft" }, (record) => record?.["title"])
}
