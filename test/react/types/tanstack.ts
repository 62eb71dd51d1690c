// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { QueryClient, QueryObserver, skipToken } from "@tanstack/query-core"
import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { createClient, type DeleteResult, type GroupedPage, type Page } from "kit/client"
import type { UntypedApp } from "kit/generated"
import { queryOptions } from "kit/tanstack"
import type {
  AppConfig,
  ArticlesRecord,
  ArticlesRecordByLocale,
  PeopleRecord,
  SettingsRecord,
} from "../../../packages/kit/test/types/newspaper/src/generated/index.ts"
import { same } from "../../../packages/kit/test/types/same.ts"

const q = queryOptions(createClient<AppConfig>({ baseURL: "http://localhost:3000" }), { locale: "en" })
const queries = new QueryClient()
declare const id: string

export async function useReads() {
  const page = useQuery(q.articles.find({ where: { status: "done" }, limit: 5 })).data
  same<typeof page, Page<ArticlesRecord> | undefined>()
  const board = useSuspenseQuery(q.articles.live({ with: { author: { columns: { name: true } } } })).data
  same<keyof NonNullable<(typeof board.docs)[number]["author"]>, "id" | "name">()
  const { docs } = useSuspenseQuery(q.articles.live({ columns: { title: true } })).data
  same<keyof (typeof docs)[number], "id" | "title">()
  const groups = useSuspenseQuery(q.articles.find({ groupBy: "status" })).data
  groups satisfies GroupedPage<ArticlesRecord, ArticlesRecord["status"]>
  const everywhere = await queries.fetchQuery(q.articles.find({ locale: "*" }))
  same<typeof everywhere, Page<ArticlesRecordByLocale>>()
  const one = await queries.ensureQueryData(q.articles.findOne({ where: { id }, with: { editor: true } }))
  same<NonNullable<typeof one>["editor"], PeopleRecord | null>()
  same<typeof record, ArticlesRecord | null>()
  const record = useSuspenseQuery(q.articles.record(id).live()).data
  same<typeof number, number>()
  const number = useSuspenseQuery(q.articles.total.live({ where: { status: "done" } })).data
  await queries.prefetchQuery(q.articles.live({ stage: "published" }))
  const titles = useQuery({ ...q.articles.find(), select: ({ docs }) => docs.map(({ title }) => title) }).data
  same<typeof titles, string[] | undefined>()
  const known = queries.getQueryData(q.articles.live().queryKey)
  same<typeof known, Page<ArticlesRecord> | undefined>()
  new QueryObserver(queries, q.articles.live({ limit: 5 })).subscribe(({ data }) =>
    same<typeof data, Page<ArticlesRecord> | undefined>(),
  )
  useQuery({ ...q.articles.count(), queryFn: skipToken })
  // @ts-expect-error no such field
  q.articles.find({ where: { titel: "x" } })
  // @ts-expect-error no such relation
  q.articles.live({ with: { writer: true } })
  // @ts-expect-error no such column
  q.articles.find({ columns: { titel: true } })
  // @ts-expect-error no such collection
  q.article.find()
}

export function usePages() {
  const { data } = useInfiniteQuery(q.articles.pages({ where: { status: "done" }, limit: 50 }))
  same<typeof data, { pages: Page<ArticlesRecord>[]; pageParams: number[] } | undefined>
  data?.pages[0]?.docs[0]?.title satisfies string | undefined
  // @ts-expect-error an infinite query chooses its pages itself
  q.articles.pages({ page: 2 })
  const archive = useInfiniteQuery(q.articles.cursorPages({ columns: { title: true }, limit: 50 }))
  archive.data?.pages[0]?.endCursor satisfies string | null | undefined
  // @ts-expect-error an infinite query chooses its cursors itself
  q.articles.cursorPages({ after: null })
}

export async function useWrites() {
  const create = useMutation(q.articles.create({ locale: "en" }))
  create.mutate({ title: "", author: id })
  same<typeof create.data, ArticlesRecord | undefined>()
  // @ts-expect-error a field is missing
  create.mutate({})
  const change = useMutation({ ...q.articles.updateById(), onMutate: ({ id }) => ({ id }) })
  await change.mutateAsync({ id, data: { title: "" } })
  const detailed = useMutation(q.articles.updateById({ with: { author: true }, columns: { title: true } }))
  detailed.mutate({ id, data: { title: "" } })
  same<keyof NonNullable<typeof detailed.data>, "id" | "title" | "author">()
  detailed.data?.author satisfies PeopleRecord | null | undefined
  // @ts-expect-error no such relation
  q.articles.create({ with: { writer: true } })
  // @ts-expect-error a delete returns no selection
  q.people.deleteById({ with: { boss: true } })
  const removed = await useMutation(q.people.deleteById()).mutateAsync({ id })
  same<typeof removed, DeleteResult<PeopleRecord>>()
  useMutation(q.articles.transitionStage()).mutate({ id, stage: "published" })
  // @ts-expect-error the collection has no stages
  q.people.transitionStage()
}

export function useGlobals() {
  const { settings } = q.globals
  same<typeof record, SettingsRecord | null>()
  const record = useSuspenseQuery(settings.live()).data
  useQuery(settings.get({ columns: { motto: true } })).data?.motto satisfies string | null | undefined
  const update = useMutation(settings.update({ locale: "en" }))
  update.mutate({ motto: "" })
  same<typeof update.data, SettingsRecord | undefined>()
  const motto = useMutation(settings.update({ columns: { motto: true } })).data
  same<typeof motto, Pick<SettingsRecord, "motto"> | undefined>()
  useMutation(settings.cancelTransition()).mutate()
  void queries.invalidateQueries(settings.filter())
}

export async function useRoutes() {
  const stats = await queries.fetchQuery(q.routes.stats.get())
  same<typeof stats, { articles: bigint; since: Date }>()
  useQuery(q.routes.adminSearch.get({ term: "x" })).data?.hits satisfies string[] | undefined
  // @ts-expect-error the input is missing
  q.routes.adminSearch.get()
  const invite = useMutation(q.routes.clubs.$club("a").invite())
  invite.mutate({ email: "a@b.sk" })
  // @ts-expect-error a member is missing
  invite.mutate({})
  useMutation(q.routes.clubs.$club(5).delete()).mutate()
}

export function keysAndFilters() {
  void queries.invalidateQueries(q.articles.filter({ where: { status: "done" } }))
  void queries.invalidateQueries({ queryKey: q.articles.key() })
  q.collections.articles.key() satisfies readonly unknown[]
}

type LoosePosts = ReturnType<typeof queryOptions<UntypedApp>>["collections"][string]

export function useWithoutTypes() {
  // The cast is safe: a client without types has every name.
  const posts = queryOptions(createClient({ baseURL: "http://localhost:3000" })).collections["posts"] as LoosePosts
  const { docs } = useSuspenseQuery(posts.live({ where: { a: 1 } })).data
  same<typeof docs, readonly { readonly [field: string]: unknown }[]>()
}
