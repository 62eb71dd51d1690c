// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import {
  type AppIndex,
  type CollectionSchema,
  type CursorPage,
  createClient,
  type GroupedPage,
  type KitClientError,
  type Page,
  type RecordAccess,
  type VersionFacts,
} from "kit/client"
import {
  type FindResult,
  type IdleRead,
  type LiveResult,
  type PreloadedEntry,
  preload,
  useCount,
  useFind,
  useFindSuspense,
  useLive,
  useLiveSuspense,
} from "kit/react"
import { useAggregate, useLiveAggregate, useRead, useSearch } from "kit/react-reads"
import type {
  AppConfig,
  ArticlesRecord,
  ArticlesRecordByLocale,
  PeopleRecord,
  SettingsRecord,
} from "../../../packages/kit/test/types/newspaper/src/generated/index.ts"
import { same } from "../../../packages/kit/test/types/same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const id: string
declare const isShown: boolean
declare const limit: number | undefined
declare const cursor: string | null

export function useResults() {
  const board = useLive(articles, { where: { status: "done" }, limit: 20 })
  same<typeof board, LiveResult<Page<ArticlesRecord>>>()
  const found = useFind(articles, { where: { status: "done" }, page: 2 })
  same<typeof found, FindResult<Page<ArticlesRecord>>>()
  if (board.status === "pending") return board.data satisfies Page<ArticlesRecord> | undefined
  if (board.status === "error") return board.error satisfies KitClientError
  same<typeof board.data, Page<ArticlesRecord>>()
  same<typeof board.updatedAt, Date>()
  if (board.isLive) same<typeof board.status, "live">()
  return board.data.docs[0]?.title
}

export function useKindsOfHandles() {
  const record = useLive(articles.record(id))
  same<typeof record.data, ArticlesRecord | null | undefined>()
  const global = useLiveSuspense(settings)
  same<typeof global, SettingsRecord | null>()
  const total = useLiveSuspense(articles.total, { where: { status: "done" } })
  same<typeof total, number>()
  const counts = [useCount(articles), useCount(articles.total, { search: "river" })]
  same<(typeof counts)[number], FindResult<number>>()
}

export function useShapes() {
  const { docs } = useLiveSuspense(articles, {
    columns: { title: true },
    with: { author: { columns: { name: true } }, editor: true },
  })
  same<keyof (typeof docs)[number], "id" | "title" | "author" | "editor">()
  same<keyof NonNullable<(typeof docs)[number]["author"]>, "id" | "name">()
  same<(typeof docs)[number]["editor"], PeopleRecord | null>()
  const groups = useFindSuspense(articles, { groupBy: "status" })
  groups satisfies GroupedPage<ArticlesRecord, ArticlesRecord["status"]>
  const everywhere = useFindSuspense(articles, { locale: "*" })
  same<typeof everywhere, Page<ArticlesRecordByLocale>>()
  const motto = useLiveSuspense(settings, { columns: { motto: true } })
  same<keyof NonNullable<typeof motto>, "motto">()
  const many = useLiveSuspense(people, { with: { articles: { limit: 3 } } })
  many.docs[0]?.articles[0]?.title satisfies string | undefined
}

export function useSkippedReads() {
  const result = useLive(articles, isShown ? { limit: 3 } : null)
  same<typeof result.status, "idle" | "pending" | "live" | "stale" | "error">()
  // @ts-expect-error nothing is read if the options are null
  if (result.status !== "pending" && result.status !== "error") result.data.docs
  const selected = useFind(articles, isShown ? { columns: { title: true } } : null)
  if (selected.status === "success") same<keyof (typeof selected.data.docs)[number], "id" | "title">()
  const record = useLive(articles.record(id), isShown ? { with: { editor: true } } : null)
  if (record.status === "live") same<NonNullable<typeof record.data>["editor"], PeopleRecord | null>()
  const count = useCount(articles, isShown ? {} : null)
  same<typeof count.data, number | undefined>()
  const nothing = useLive(settings, null)
  same<typeof nothing.status, "idle" | "pending" | "live" | "stale" | "error">()
  const titles = useLive(articles, isShown ? { limit } : null, { select: ({ docs }) => docs.map(({ title }) => title) })
  same<typeof titles.data, string[] | undefined>()
  // @ts-expect-error no such field
  useLive(articles, isShown ? { where: { titel: "a" } } : null)
  // @ts-expect-error no such column
  useLive(articles, isShown ? { columns: { titel: true } } : null)
  // @ts-expect-error no such option
  useFind(articles.record(id), isShown ? { wiht: {} } : null)
  // @ts-expect-error the options are an object or null
  useLive(articles, isShown ? {} : false)
  // @ts-expect-error a component that suspends cannot do without the data
  useLiveSuspense(articles, null)
  // @ts-expect-error nor if it is only read once
  useFindSuspense(articles, isShown ? {} : null)
}

export function useSettings() {
  const titles = useLive(articles, { limit }, { select: ({ docs }) => docs.map(({ title }) => title) })
  same<typeof titles, LiveResult<string[]>>()
  const chosen = useLiveSuspense(articles, { columns: { status: true } }, { select: ({ docs }) => docs[0]?.status })
  same<typeof chosen, ArticlesRecord["status"] | undefined>()
  useLive(articles.total, {}, { initial: 0, keep: false, onError: ({ code }) => code })
  useLive(settings, {}, { initial: null })
  // @ts-expect-error the data of a count is a number
  useLive(articles.total, {}, { initial: "0" })
  // @ts-expect-error no such setting
  useLive(articles, {}, { refetchInterval: 5 })
  // @ts-expect-error not selected
  useLive(articles, { columns: { title: true } }, { select: ({ docs }) => docs[0]?.status })
}

export function useWrongReads() {
  // @ts-expect-error no such field
  useLive(articles, { where: { titel: "a" } })
  // @ts-expect-error no such column
  useLive(articles, { columns: { titel: true } })
  // @ts-expect-error no such relation
  useFind(articles, { with: { autor: true } })
  // @ts-expect-error no such option of a relation
  useFind(articles, { with: { author: { colums: { name: true } } } })
  // @ts-expect-error no such locale
  useLiveSuspense(articles, { locale: "xx" })
  // @ts-expect-error no such option
  useLive(articles, { wher: {} })
  // @ts-expect-error a page or an offset, not both
  useLive(articles, { page: 2, offset: 10 })
  // @ts-expect-error a global has no filter
  useLive(settings, { where: {} })
  // @ts-expect-error a record has none either
  useLive(articles.record(id), { where: {} })
  // @ts-expect-error nor has a number columns
  useLive(articles.total, { columns: { title: true } })
  // @ts-expect-error an operation is not a handle
  useLive(articles.find)
  // @ts-expect-error nor is a name
  useLive("articles")
  // @ts-expect-error a global cannot be counted
  useCount(settings)
}

export async function preloaded() {
  const entry = await preload(articles, { where: { status: "done" } }, { headers: new Headers() })
  same<typeof entry, PreloadedEntry>()
  await preload(articles.record(id), { with: { editor: true } })
  await preload(articles.total)
  await preload(settings)
  // @ts-expect-error no such field
  await preload(articles, { where: { titel: "a" } })
  // @ts-expect-error there is nothing to skip
  await preload(articles, null)
}

export function useUntyped() {
  const untyped = createClient({ baseURL: "http://localhost:3000" })
  // The cast is safe: every name is a collection of an untyped client.
  const anything = untyped.collections["any"] as NonNullable<(typeof untyped.collections)[string]>
  const { data } = useLive(anything, { where: { a: 1 }, with: { b: true } })
  data?.docs[0]?.["title"] satisfies unknown
}

export function useOtherReads() {
  const schema = useRead(articles.schema)
  const access = useRead(articles.access, isShown ? { id } : null)
  const rights = useRead(articles.accessMany, { ids: [id] })
  const index = useRead(client.schema)
  const name = useRead(settings.schema, { locale: "en" }, { select: (described) => described.name })
  const versions = useRead(articles.findVersions, { id, limit: 5 })
  const found = useSearch(client.search, isShown ? { query: "flood" } : null)
  same<typeof schema, FindResult<CollectionSchema>>()
  same<typeof access, FindResult<RecordAccess> | IdleRead>()
  same<typeof rights, FindResult<readonly (RecordAccess | null)[]>>()
  same<typeof index, FindResult<AppIndex>>()
  same<typeof name, FindResult<string>>()
  const page = useRead(articles.findVersions, { id, limit: 5, after: null })
  const nextPage = useRead(articles.findVersions, isShown ? { id, before: cursor } : null)
  const ofGlobal = useRead(settings.findVersions, { after: cursor }, { select: ({ docs }) => docs[0]?.versionNumber })
  same<typeof page, FindResult<CursorPage<ArticlesRecord & VersionFacts>>>()
  same<typeof nextPage, FindResult<CursorPage<ArticlesRecord & VersionFacts>> | IdleRead>()
  same<typeof ofGlobal, FindResult<number | undefined>>()
  // @ts-expect-error a cursor is a text or null
  useRead(articles.findVersions, { id, after: 3 })
  if (versions.status === "success") same<(typeof versions.data)[number]["lead"], ArticlesRecord["lead"]>()
  if (found.status === "success") same<typeof found.data.total, number>()
  const named = useSearch(client.search, {
    query: "flood",
    collections: ["articles"],
    with: { articles: { author: true } },
    columns: { articles: { title: true } },
  })
  for (const doc of named.data?.docs ?? []) {
    same<keyof typeof doc, "id" | "title" | "author" | "_collection" | "_search">()
    doc.author satisfies PeopleRecord | null
  }
  const titles = useSearch(client.search, isShown ? { query: "", columns: { articles: { title: true } } } : null, {
    select: ({ docs }) => docs.map(({ id }) => id),
  })
  titles.data satisfies readonly string[] | undefined
  // @ts-expect-error no such relation
  useSearch(client.search, { query: "", with: { articles: { writer: true } } })
  // @ts-expect-error
  useRead(articles.access, { ids: [id] })
  // @ts-expect-error
  useRead(articles.access)
  // @ts-expect-error
  useSearch(client.search, { qery: "flood" })
}

export function useAggregates() {
  const once = useAggregate(articles, { count: true, sum: { price: true } })
  if (once.status === "success") same<typeof once.data.sum.price, string | null>()
  const board = useLiveAggregate(articles, { groupBy: "status", count: true, where: { featured: true } })
  same<NonNullable<typeof board.data>["groups"][number]["key"]["status"], "idea" | "writing" | "done">()
  const perhaps = useLiveAggregate(articles, isShown ? { count: true } : null)
  if (perhaps.status === "idle") same<typeof perhaps.data, undefined>()
  const number = useAggregate(articles, { count: true }, { select: ({ count }) => `${count} articles` })
  same<typeof number.data, string | undefined>()
  // @ts-expect-error
  useAggregate(articles, { sum: { title: true } })
  // @ts-expect-error: it has a hook of its own
  useLive(articles.aggregates, { count: true })
}
