// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type GroupedPage, type Page, type RichText, type TotalIs } from "kit/client"
import type {
  AppConfig,
  ArticlesColumns,
  ArticlesFindOptions,
  ArticlesRecord,
  ArticlesWith,
  PeopleRecord,
  SettingsRecord,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, teams } = client.collections
const { settings } = client.globals
declare const id: string
declare const flag: boolean

export function namesOfTheApp() {
  // @ts-expect-error no such collection
  client.collections.artikles
  // @ts-expect-error no such global
  client.globals.setings
  // @ts-expect-error no such operation
  articles.findd()
  // @ts-expect-error throws when read, so it is of no use
  client.crdt.collections
  client.setLocale("pt-BR")
  client.setLocale(undefined)
  same<ReturnType<typeof client.getLocale>, string | undefined>()
}

export async function results() {
  const page = await articles.find()
  same<typeof page, Page<ArticlesRecord>>()
  same<(typeof page.docs)[number]["author"], string>()
  const one = await articles.findOne({ where: { id } })
  same<typeof one, ArticlesRecord | null>()
  const count = await articles.count({ where: { status: "done" } })
  same<typeof count, number>()
  const created = await articles.create({ title: "Hello", author: id })
  same<typeof created, ArticlesRecord>()
  const deleted = await articles.deleteById({ id })
  same<typeof deleted.data, ArticlesRecord>()
  same<typeof deleted.success, true>()
  const global = await settings.get()
  same<typeof global, SettingsRecord | null>()
  same<SettingsRecord["theme"], "light" | "dark">()
  same<ArticlesRecord["notes"], string | null | undefined>()
  same<ArticlesRecord["day"], string | null>()
  same<ArticlesRecord["topics"], ("sport" | "culture")[]>()
  same<ArticlesRecord["moments"], Date[] | null>()
  same<ArticlesRecord["place"], { city: string; since: Date | null; size: bigint | null } | null>()
  same<ArticlesRecord["links"], { url: string; label: string | null }[] | null>()
  same<ArticlesRecord["story"], RichText | null>()
  same<ArticlesRecord["shout"], { text: string; size: number }>()
  same<ArticlesRecord["letters"], number>()
  const seoTitle: string | undefined = one?.meta?.seo.title
  // @ts-expect-error the author's type of the JSON field has no such member
  one?.meta?.seo.titel
  // @ts-expect-error hidden fields are not part of a record
  one?.secret
  return seoTitle
}

export async function hydration() {
  const page = await articles.find({
    with: { author: { columns: { name: true } }, editor: true },
  })
  const first = page.docs[0]
  if (!first) return
  same<keyof NonNullable<typeof first.author>, "id" | "name">()
  const name: string | undefined = first.author?.name
  same<typeof first.editor, PeopleRecord | null>()
  same<typeof first.title, string>()
  // @ts-expect-error the columns of the author leave it out
  first.author?.email
  const authorId: string | undefined = first.author?.id

  const deep = await articles.findOne({ with: { author: { with: { boss: { with: { team: true } } } } } })
  const team: string | undefined = deep?.author?.boss?.team?.name
  same<NonNullable<NonNullable<typeof deep>["author"]>["team"], string | null>()

  const chosen = await articles.findOne({ with: { author: flag, editor: false } })
  same<NonNullable<typeof chosen>["author"], PeopleRecord | string | null>()
  same<NonNullable<typeof chosen>["editor"], string | null>()

  const owner = await settings.get({ with: { owner: { columns: { email: false } } } })
  const ownerName: string | undefined = owner?.owner?.name
  const owned = await settings.update({}, { with: { owner: { columns: { email: false } } } })
  same<typeof owned, NonNullable<typeof owner>>()
  // @ts-expect-error left out
  owner?.owner?.email
  return [name, authorId, team, ownerName]
}

export async function columns() {
  const titles = await articles.find({ columns: { title: true } })
  same<keyof (typeof titles.docs)[number], "id" | "title">()
  const bodiless = await articles.findOne({ columns: { body: false, id: false } })
  same<keyof NonNullable<typeof bodiless>, Exclude<keyof ArticlesRecord, "body">>()
  const both = await articles.findOne({ columns: { title: true }, with: { author: true } })
  same<keyof NonNullable<typeof both>, "id" | "title" | "author">()
  const siteName = await settings.get({ columns: { siteName: true } })
  const chosen = await settings.update({}, { columns: { siteName: true }, timeout: 5 })
  same<typeof chosen, NonNullable<typeof siteName>>()
  const whole = await settings.update({})
  const found = await settings.get()
  same<typeof whole, NonNullable<typeof found>>()
  same<keyof NonNullable<typeof siteName>, "siteName">()
  const notes = await articles.findOne({ columns: { notes: true } })
  same<NonNullable<typeof notes>["notes"], string | null | undefined>()

  const wide: ArticlesColumns = { title: flag }
  const unsure = await articles.findOne({ columns: wide })
  same<NonNullable<typeof unsure>["id"], string>()
  same<NonNullable<typeof unsure>["title"], string | undefined>()
  const relations: ArticlesWith = { author: true }
  const anyDepth = await articles.findOne({ with: relations })
  const author = anyDepth?.author
  return typeof author === "string" ? author : author?.name
}

export async function groups() {
  const byStatus = await articles.find({ groupBy: "status", columns: { title: true } })
  const first = byStatus.groups[0]
  same<NonNullable<typeof first>["value"], "idea" | "writing" | "done">()
  same<keyof NonNullable<typeof first>["docs"][number], "id" | "title">()
  same<typeof byStatus.totalGroups, number>()
  // @ts-expect-error groups in place of records
  byStatus.docs
  const byDay = await articles.find({ groupBy: { field: "publishedAt", order: "desc", docs: 0 } })
  same<typeof byDay, GroupedPage<ArticlesRecord, Date | null>>()
  const byNotes = await articles.find({ groupBy: "notes" })
  same<(typeof byNotes.groups)[number]["value"], string | null>()
  const without = await articles.find({ groupBy: undefined })
  same<typeof without, Page<ArticlesRecord>>()
  const maybe = await articles.find({ groupBy: flag ? "status" : undefined })
  const count: number = "groups" in maybe ? maybe.totalGroups : maybe.docs.length
  // @ts-expect-error no such field
  void articles.find({ groupBy: "statuss" })
  // @ts-expect-error JSON has no groups
  void articles.find({ groupBy: "meta" })
  // @ts-expect-error hidden
  void articles.find({ groupBy: { field: "secret" } })
  // @ts-expect-error no such order
  void articles.find({ groupBy: { field: "status", order: "down" } })
  // @ts-expect-error no such option
  void articles.find({ groupBy: { field: "status", limit: 5 } })
  // @ts-expect-error one record has no groups
  void articles.findOne({ groupBy: "status" })
  // @ts-expect-error nor has a number
  void articles.count({ groupBy: "status" })
  return count
}

export function pages(n: number, maybe: number | undefined, held: ArticlesFindOptions) {
  void articles.find({ page: 2 })
  void articles.find({ page: n, limit: 5 })
  void articles.find({ offset: n })
  void articles.find({ page: undefined, offset: 5 })
  void articles.find({ page: 2, offset: undefined })
  // @ts-expect-error a page is named by one of the two
  void articles.find({ page: 2, offset: 5 })
  // @ts-expect-error and so it is with numbers that are known only later
  void articles.find({ page: n, offset: n, where: { status: "done" } })
  // @ts-expect-error in a read of one record, too
  void articles.findOne({ page: 1, offset: n })
  // @ts-expect-error and in a read of groups
  void articles.find({ groupBy: "status", page: n, offset: 0 })
  // @ts-expect-error a page is a number
  void articles.find({ page: "2" })

  // Options that a program puts together may have either one.
  const options: ArticlesFindOptions = { limit: 5 }
  if (maybe === undefined) options.offset = 5
  else options.page = maybe
  void articles.find(options)
  void articles.findOne(held)
  void articles.find({ ...held, where: { status: "done" }, with: { author: true } })
  void articles.find({ page: maybe, offset: maybe === undefined ? 5 : undefined })
}

export function readOptions() {
  // @ts-expect-error no such option
  void articles.find({ wher: { title: "x" } })
  void articles.find({ total: { max: 100 } }).then((page) => same<typeof page.totalIs, TotalIs | undefined>())
  void articles.find({ total: "estimate" })
  void articles.count({ where: { status: "done" }, max: 100 })
  // @ts-expect-error A total is no other text.
  void articles.find({ total: "exact" })
  // @ts-expect-error A total counts at most a number.
  void articles.find({ total: { min: 3 } })
  void articles.find({ limit: 5, offset: 5, search: "x", total: false, locale: "sk", localeFallback: false })
  void articles.find({ where: undefined, with: undefined, columns: undefined, orderBy: undefined, limit: undefined })
  // @ts-expect-error counting takes no columns
  void articles.count({ columns: { title: true } })
  // @ts-expect-error a global is one record
  void settings.get({ where: { siteName: "x" } })
  void articles.find({ orderBy: { createdAt: "desc", author: { team: { name: "asc" } } } })
  void articles.find({ orderBy: [{ createdAt: "desc" }, { id: "asc" }] })
  // @ts-expect-error no such direction
  void articles.find({ orderBy: { createdAt: "down" } })
  // @ts-expect-error no such field
  void articles.find({ orderBy: { createdat: "desc" } })
  // @ts-expect-error no such field, in the list form
  void articles.find({ orderBy: [{ createdAt: "desc" }, { createdat: "desc" }] })
  // @ts-expect-error JSON has no order
  void articles.find({ orderBy: { meta: "asc" } })
  // @ts-expect-error no such field of the relation
  void articles.find({ orderBy: { author: { nmae: "asc" } } })
}

export function unknownNamesOfSelections() {
  // @ts-expect-error no such relation
  void articles.find({ with: { autor: true } })
  // @ts-expect-error no such relation beside one that exists
  void articles.find({ with: { author: true, autor: true } })
  // @ts-expect-error a field that is no relation
  void articles.find({ with: { title: true } })
  // @ts-expect-error no such relation of the relation
  void articles.find({ with: { author: { with: { bos: true } } } })
  // @ts-expect-error no such relation three levels down
  void articles.find({ with: { author: { with: { boss: { with: { team: true, taem: true } } } } } })
  // @ts-expect-error no such option of a relation
  void articles.find({ with: { author: { columns: { name: true }, colums: {} } } })
  // @ts-expect-error no such column
  void articles.find({ columns: { titel: true } })
  // @ts-expect-error no such column beside one that exists
  void articles.find({ columns: { title: true, titel: true } })
  // @ts-expect-error hidden
  void articles.find({ columns: { secret: true } })
  // @ts-expect-error neither true nor false
  void articles.find({ columns: { title: 1 } })
  // @ts-expect-error no such column of the relation
  void articles.find({ with: { author: { columns: { name: true, emial: true } } } })
  // @ts-expect-error no such field in the filter of the relation
  void articles.find({ with: { author: { where: { name: "x", nmae: "x" } } } })
  // @ts-expect-error no such operator in the filter of the relation
  void articles.find({ with: { author: { where: { name: { startsWith: "x", startswith: "x" } } } } })
  // @ts-expect-error no such field in a list of the filter of the relation
  void articles.find({ with: { author: { where: { OR: [{ name: "x" }, { name: "x", nmae: "y" }] } } } })
  // @ts-expect-error teams have no relations
  void teams.find({ with: { members: true } })
  // @ts-expect-error no such relation of a global
  void settings.get({ with: { owner: true, ower: true } })
  // @ts-expect-error no such relation
  void settings.update({}, { with: { owner: true, ower: true } })
  // @ts-expect-error no such field
  void settings.update({}, { columns: { siteNam: true } })
  void articles.find({
    with: { author: { where: { OR: [{ name: "x" }, { team: { is: { name: { in: ["a"] } } } }] } } },
  })
}

export function callOptions(signal: AbortSignal) {
  const call = { signal, timeout: 500, headers: { "x-trace": "1", authorization: undefined } }
  void articles.find({ limit: 1 }, call)
  void articles.find(undefined, call)
  void articles.findOne({ where: { id } }, call)
  void articles.count({}, call)
  void articles.create({ title: "Hello", author: id }, { ...call, locale: "sk" })
  void articles.update({ id, data: {} }, { ...call, localeFallback: false })
  void articles.delete({ id }, call)
  void articles.restoreById({ id }, call)
  void articles.purgeById({ id }, call)
  void articles.updateMany({ all: true, data: {} }, call)
  void articles.updateBatch({ updates: [] }, call)
  void articles.deleteMany({ all: true }, call)
  void settings.get({}, call)
  void settings.update({}, call)
  // @ts-expect-error a read says its locale in its query options
  void articles.find({}, { locale: "sk" })
  // @ts-expect-error the query options go to the server
  void articles.find({ signal })
  // @ts-expect-error a number of milliseconds
  void articles.find({}, { timeout: "1s" })
  // @ts-expect-error no such option
  void articles.create({ title: "Hello", author: id }, { retries: 3 })
}
