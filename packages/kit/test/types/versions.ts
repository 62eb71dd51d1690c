// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { type CursorPage, createClient, type VersionFacts } from "kit/client"
import type {
  AppCollections,
  AppConfig,
  AppGlobals,
  ArticlesRecord,
  ArticlesRecordByLocale,
  SettingsRecord,
  SettingsRecordByLocale,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const globals: AppGlobals
declare const id: string
declare const cursor: string | null
declare const perhaps: string | null | undefined

export async function versions() {
  const found = await articles.findVersions(
    { id, limit: 10, offset: 5, includeDeleted: true },
    { locale: "sk", timeout: 5 },
  )
  same<typeof found, readonly (ArticlesRecord & VersionFacts)[]>()
  const when: Date | undefined = found[0]?.versionCreatedAt
  const reverted = await articles.revertToVersion({ id, version: 3, expectedRevision: 7 }, { locale: "en" })
  same<typeof reverted, ArticlesRecord>()
  await collections.articles.revertToVersion({ id, versionId: id })
  const ofGlobal = await settings.findVersions({ limit: 1, locale: "sk" })
  same<typeof ofGlobal, readonly (SettingsRecord & VersionFacts)[]>()
  const inAll = await articles.findVersions({ id }, { locale: "*" })
  same<typeof inAll, readonly (ArticlesRecordByLocale & VersionFacts)[]>()
  const ofGlobalInAll = await globals.settings.findVersions({ locale: "*" })
  same<typeof ofGlobalInAll, readonly (SettingsRecordByLocale & VersionFacts)[]>()
  await settings.revertToVersion({ version: 1 }, { signal: new AbortController().signal })
  await globals.settings.revertToVersion({ versionId: id })
  return when
}

export async function pages() {
  const first = await articles.findVersions({ id, limit: 10, after: null }, { locale: "sk", timeout: 5 })
  same<typeof first, CursorPage<ArticlesRecord & VersionFacts>>()
  const next = await articles.findVersions({ id, after: first.endCursor })
  same<typeof next, CursorPage<ArticlesRecord & VersionFacts>>()
  const between = await collections.articles.findVersions({ id, after: cursor, before: null }, { locale: "*" })
  same<typeof between, CursorPage<ArticlesRecordByLocale & VersionFacts>>()
  const ofGlobal = await settings.findVersions({ before: cursor, limit: 3, locale: "sk" })
  same<typeof ofGlobal, CursorPage<SettingsRecord & VersionFacts>>()
  const ofGlobalInAll = await globals.settings.findVersions({ after: null, locale: "*" })
  same<typeof ofGlobalInAll, CursorPage<SettingsRecordByLocale & VersionFacts>>()
  const either = await articles.findVersions({ id, after: perhaps })
  same<typeof either, readonly (ArticlesRecord & VersionFacts)[] | CursorPage<ArticlesRecord & VersionFacts>>()
}

export async function walk() {
  let page = await articles.findVersions({ id, limit: 100, before: null })
  while (page.hasPrevPage) page = await articles.findVersions({ id, limit: 100, before: page.startCursor })
}

export async function refused() {
  // @ts-expect-error which version?
  void articles.revertToVersion({ id })
  // @ts-expect-error one of the two
  void articles.revertToVersion({ id, version: 1, versionId: id })
  // @ts-expect-error a number
  void articles.revertToVersion({ id, version: "1" })
  // @ts-expect-error people keep no versions
  void people.findVersions({ id })
  // @ts-expect-error people keep no versions
  void collections.people.revertToVersion({ id, version: 1 })
  // @ts-expect-error the settings have no revision
  void settings.revertToVersion({ version: 1 }, { expectedRevision: 1 })
  // @ts-expect-error an unknown locale
  void articles.findVersions({ id }, { locale: "fr" })
  // @ts-expect-error a write is in one locale
  void articles.revertToVersion({ id, version: 1 }, { locale: "*" })
  // @ts-expect-error versions have no filter
  void articles.findVersions({ id, where: { title: "x" } })
  // @ts-expect-error a cursor is a text or null
  void articles.findVersions({ id, after: 3 })
  // @ts-expect-error a cursor is a text or null
  void settings.findVersions({ before: 3 })
  // @ts-expect-error a list has no cursors
  void (await articles.findVersions({ id })).endCursor
  // @ts-expect-error a page is no list
  void (await articles.findVersions({ id, after: null })).length
}
