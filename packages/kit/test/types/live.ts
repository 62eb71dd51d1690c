// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import {
  buildCollectionTopic,
  buildGlobalTopic,
  createClient,
  type Page,
  type Snapshots,
  type TopicConfig,
} from "kit/client"
import type {
  AppCollections,
  AppConfig,
  ArticlesRecord,
  ArticlesRecordByLocale,
  PeopleRecord,
  SettingsRecord,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000", realtime: { pauseHidden: false } })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const signal: AbortSignal

export function snapshotsOfACollection() {
  const stop = articles.live({ where: { status: "done" }, orderBy: { createdAt: "desc" }, limit: 5 }, (page) => {
    same<typeof page, Page<ArticlesRecord>>()
  })
  same<typeof stop, () => void>()
  articles.live(undefined, (page) => same<typeof page, Page<ArticlesRecord>>(), {
    signal,
    onError: (error) => error.message,
  })
  articles.live({ with: { author: { columns: { name: true } }, editor: true } }, ({ docs: [first] }) => {
    if (!first) return
    same<keyof NonNullable<typeof first.author>, "id" | "name">()
    same<typeof first.editor, PeopleRecord | null>()
    // @ts-expect-error the columns of the author leave it out
    first.author?.email
  })
  articles.live({ locale: "*" }, (page) => same<typeof page, Page<ArticlesRecordByLocale>>())
  articles.live({ locale: "pt-BR" }, (page) => same<typeof page, Page<ArticlesRecord>>())
  people.live(
    { with: { articles: { limit: 3 } } },
    ({ docs }) => docs[0]?.articles[0]?.title satisfies string | undefined,
  )
}

export async function iterators() {
  const pages = articles.liveIter({ where: { status: "done" } }, { signal })
  same<typeof pages, Snapshots<Page<ArticlesRecord>>>()
  for await (const { docs } of articles.liveIter({ with: { editor: true } }))
    same<(typeof docs)[number]["editor"], PeopleRecord | null>()
  for await (const record of settings.liveIter()) same<typeof record, SettingsRecord | null>()
}

export function snapshotsOfAGlobal() {
  settings.live({}, (record) => same<typeof record, SettingsRecord | null>())
  settings.live({ locale: "*" }, (record) => record?.motto satisfies { en?: string } | undefined)
  // @ts-expect-error a global has no filter
  settings.live({ where: {} }, () => {})
}

export function wrongOptions() {
  // @ts-expect-error a topic has no columns
  articles.live({ columns: { title: true } }, () => {})
  // @ts-expect-error a topic has no groups
  articles.live({ groupBy: "status" }, () => {})
  // @ts-expect-error a topic has no search
  articles.live({ search: "a" }, () => {})
  // @ts-expect-error a topic has no page, only an offset
  articles.live({ page: 2 }, () => {})
  // @ts-expect-error no such field
  articles.live({ where: { titel: "a" } }, () => {})
  // @ts-expect-error no such relation
  articles.live({ with: { autor: true } }, () => {})
  // @ts-expect-error no such option of a relation
  articles.live({ with: { author: { colums: { name: true } } } }, () => {})
  // @ts-expect-error no such locale
  articles.live({ locale: "xx" }, () => {})
  // @ts-expect-error somebody must listen
  articles.live({})
  // @ts-expect-error an iterator throws its errors
  articles.liveIter({}, { onError: () => {} })
  // @ts-expect-error code on the server has no live queries
  collections.articles.live({}, () => {})
  // @ts-expect-error nor iterators of them
  collections.articles.liveIter()
}

export async function topics() {
  const topic = buildCollectionTopic("articles", { where: { status: "done" } })
  same<typeof topic, TopicConfig>()
  client.realtime.subscribe<Page<ArticlesRecord>>(
    topic,
    ({ docs }) => docs[0]?.title,
    signal,
    "mine",
    (error) => error.message,
  )
  client.realtime.subscribe(topic, (snapshot) => same<typeof snapshot, unknown>())
  for await (const record of client.realtime.stream<SettingsRecord>(buildGlobalTopic("settings"), signal)) record.theme
  same<typeof client.realtime.topicCount, number>()
  same<typeof client.realtime.subscriberCount, number>()
  client.realtime.destroy()
  // @ts-expect-error a topic is about a collection or a global
  client.realtime.subscribe({ resourceType: "route", resource: "a" }, () => {})
}

export function withoutAnApp() {
  const untyped = createClient({ baseURL: "http://localhost:3000" })
  untyped.collections["any"]?.live({ where: { a: 1 }, with: { b: true } }, ({ docs }) => docs[0]?.["title"])
  untyped.globals["any"]?.live({}, (record) => record?.["title"])
}
