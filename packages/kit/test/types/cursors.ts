// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { type CursorPage, createClient, type Page } from "kit/client"
import type { AppCollections, AppConfig, ArticlesRecord } from "./newspaper/src/generated/index.ts"

const { articles } = createClient<AppConfig>({ baseURL: "http://localhost:3000" }).collections
declare const collections: AppCollections
declare const cursor: string | null

export async function lists() {
  const first: CursorPage<ArticlesRecord> = await articles.find({ after: null, limit: 20 })
  const next = await articles.find({ after: first.endCursor, orderBy: { title: "asc" }, total: { max: 100 } })
  next.startCursor satisfies string | null
  const last = await collections.articles.find({ before: cursor, columns: { title: true } })
  last.endCursor satisfies string | null
  last.docs[0]?.title satisfies string | undefined
  const plain: Page<ArticlesRecord> = await articles.find({ limit: 20 })
  // @ts-expect-error a page that was not read by a cursor has none
  plain.endCursor
  // @ts-expect-error a cursor is a text or null
  articles.find({ after: 3 })
  // @ts-expect-error one record is not a page
  articles.findOne({ after: null })
  // @ts-expect-error neither is a number of records
  articles.count({ after: null })
}

export async function walk() {
  const list = { orderBy: { title: "asc" }, limit: 100 } as const
  let page = await articles.find({ ...list, after: null })
  while (page.hasNextPage) page = await articles.find({ ...list, after: page.endCursor })
}

export function watched() {
  articles.watch({ after: cursor, before: null }, ({ startCursor }) => startCursor satisfies string | null)
  // @ts-expect-error a page that was not read by a cursor has none
  articles.watch({ limit: 3 }, ({ startCursor }) => startCursor)
  // @ts-expect-error a live query by `live` has no cursors
  articles.live({ after: cursor }, () => {})
}
