import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"
import { newspaperFiles } from "./newspaper-files.ts"

// Each line has one mistake; the comment names what the message has to say.
const MISTAKES = `import { collection, global } from "kit"
import { createClient } from "kit/client"
import type { AppConfig } from "./generated/index.ts"

const { collections, globals } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
export const id = "1"

void collections.artikles.find() // artikles
void globals.setings.get() // setings
void collections.articles.find({ where: { titel: "x" } }) // titel
void collections.articles.find({ where: { title: "x", titel: "x" } }) // titel
void collections.articles.find({ where: { title: { startswith: "x" } } }) // startswith
void collections.articles.find({ where: { author: { is: { nmae: "x" } } } }) // nmae
void collections.people.find({ where: { articles: { some: { titel: "x" } } } }) // titel
void collections.articles.find({ orderBy: { createdat: "desc" } }) // createdat
void collections.articles.find({ with: { autor: true } }) // autor
void collections.articles.find({ with: { author: true, autor: true } }) // autor
void collections.articles.find({ with: { author: { with: { bos: true } } } }) // bos
void collections.articles.find({ with: { author: { columns: { name: true, emial: true } } } }) // emial
void collections.articles.find({ columns: { titel: true } }) // titel
void collections.articles.find({ columns: { title: true, titel: true } }) // titel
void collections.articles.find({ groupBy: "statuss" }) // statuss
void collections.articles.find({ wher: { title: "x" } }) // wher
void collections.articles.create({ title: "x", author: id, titel: "x" }) // titel
void collections.articles.create({ author: id }) // title
void collections.articles.create({ title: "x", author: id, status: "don" }) // don
void collections.articles.updateById({ id, data: { titel: "x" } }) // titel
void collections.people.restoreById({ id }) // restoreById
export const hook = collection("articles").hooks({ afterChange: ({ row }) => row.titel }) // titel
export const rule = collection("articles").access({ read: () => ({ titel: "x" }) }) // titel
export const beside = collection("articles").access({ read: ({ session }) => session && { title: "x", titel: "x" } }) // titel
export const chosen = collection("articles").access({ read: ({ session }) => (session ? { titel: "x" } : false) }) // titel
export const later = collection("articles").access({ read: async () => ({ title: "x", titel: "x" }) }) // titel
export const inBody = collection("articles").access({ read: () => { return { titel: "x" } } }) // titel
export const choice = collection("articles").access({ update: () => ({ status: "don" }) }) // done
export const verdict = collection("articles").access({ update: () => "yes" }) // ArticlesWhere
export const operation = collection("articles").access({ read: true, raed: true }) // raed
export const onGlobal = global("settings").access({ update: () => ({ siteNam: "x" }) }) // siteName
export const field = collection("people").fields(({ f }) => ({ x: f.computed(({ row }) => row.nmae) })) // nmae
export const target = collection("people").fields(({ f }) => ({ x: f.relation("artcles") })) // articles
export const via = collection("people").fields(({ f }) => ({ x: f.relation("articles").hasMany({ via: "autor" }) })) // author
export const noVia = collection("people").fields(({ f }) => ({ x: f.relation("teams").hasMany({ via: "boss" }) })) // NoFieldRefersBack
export const searched = collection("people").fields(({ f }) => ({ name: f.text() })).searchable({ fields: ["nmae"] }) // nmae
export const facet = collection("people").searchable({ fields: ["name"], facets: ["articles"] }) // articles
export const headed = collection("people").searchable({ title: "nmae" }) // nmae
export const weighed = collection("people").searchable({ fields: ["name"], weights: { nmae: 2 } }) // nmae
export const joined = collection("people").searchable({ with: { teem: true }, content: ({ name }) => name }) // teem
export const content = collection("people").searchable({ content: ({ nmae }) => nmae }) // nmae
export const related = collection("people").searchable({ with: { team: true }, content: ({ team }) => team?.nmae }) // nmae
export const unrelated = collection("people").searchable({ content: ({ team }) => team?.name }) // name
export const indexed = collection("people").fields(({ f }) => ({ name: f.text() })).indexes([{ fields: ["nmae"] }]) // nmae
export const titled = collection("people").fields(({ f }) => ({ name: f.text() })).title("nmae") // nmae
export const listed = collection("people").list({ columns: ["nmae"] }) // nmae
export const sorted = collection("people").list({ orderBy: { nmae: "asc" } }) // nmae
export const viewed = collection("people").list({ views: [{ label: "A", where: { nmae: "x" } }] }) // nmae
export const formed = collection("people").form(({ tab }) => [tab("A", ["nmae"])]) // nmae
export const shown = collection("people").preview(({ record }) => record.nmae) // nmae
export const labelled = collection("people").label({ hu: "Emberek" }) // hu
export const visible = collection("people").fields(({ f }) => ({ x: f.text().visible({ nmae: "x" }) })) // nmae
`

const SYSTEM_MISTAKES = `import type { SystemContext } from "kit"

export function mistakes({ collections: { articles } }: SystemContext): void {
  void articles.find({ where: { titel: "x" } }) // titel
  void articles.find({ where: { secret: "x" }, limt: 5 }) // limt
  void articles.find({ where: { secret: 5 } }) // number
  void articles.find({ columns: { secret: true, titel: true } }) // titel
  void articles.find({ columns: { secret: true }, with: { autor: true } }) // autor
  void articles.find({ orderBy: { secret: "asc", nam: "asc" } }) // nam
  void articles.find({ groupBy: { field: "secret", limit: 5 } }) // limit
  void articles.findOne({ where: { secret: "x" }, groupBy: "status" }) // string
}
`

const PAGE_MISTAKES = `import { createClient } from "kit/client"
import { preload, useCount, useFind, useLive, useLiveSuspense, useMutation } from "kit/react"
import { queryOptions } from "kit/tanstack"
import type { AppConfig } from "./generated/index.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { collections: { articles }, globals: { settings } } = client
const q = queryOptions(client)

export function useMistakes(id: string) {
  useLive(articles, { where: { titel: "x" } }) // titel
  useLive(articles, { where: { title: { startswith: "x" } } }) // startswith
  useLive(articles, { where: { author: { is: { nmae: "x" } } } }) // nmae
  useLive(articles, { where: { status: "don" } }) // done
  useLive(articles, { orderBy: { createdat: "desc" } }) // createdat
  useLive(articles, { with: { autor: true } }) // autor
  useLive(articles, { with: { author: { columns: { name: true, emial: true } } } }) // emial
  useLive(articles, { columns: { title: true, titel: true } }) // titel
  useLive(articles, { groupBy: "statuss" }) // statuss
  useLive(articles, { locale: "xx" }) // xx
  useLive(articles, { wher: {} }) // wher
  useLive(articles, id ? { where: { titel: "x" } } : null) // titel
  useLive(articles, {}, { refetchInterval: 5 }) // refetchInterval
  useLive(articles.record(id), { where: {} }) // where
  useLive(articles.record(id), { with: { autor: true } }) // autor
  useLive(articles.total, { limit: 3 }) // limit
  useLive(settings, { columns: { siteNam: true } }) // siteNam
  useLive("articles") // string
  useFind(articles, { serch: "x" }) // serch
  useCount(articles, { where: { titel: "x" } }) // titel
  useLiveSuspense(articles, { where: { titel: "x" } }) // titel
  useLiveSuspense(articles, null) // null
  void preload(articles, { where: { titel: "x" } }) // titel
  void preload(settings, { columns: { siteNam: true } }) // siteNam
  useMutation(articles.updateById, { optimistic: (view) => view.patch(articles, id, { titel: "x" }) }) // titel
  void useMutation(articles.updateById).run({ id, data: { titel: "x" } }) // titel
  q.articles.live({ where: { titel: "x" } }) // titel
  q.articles.find({ with: { autor: true } }) // autor
}
`

// A sentence, not a page: what an editor shows at a glance.
const MAX_CHARACTERS = 360

test("the compiler's message names what is wrong, on its line, in a sentence", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/mistakes.ts": MISTAKES }))

  expect(unnamed(MISTAKES, await app.complaints())).toEqual([])
})

test("so it does in a page, whatever the kind of the handle that a hook takes", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/mistakes.ts": PAGE_MISTAKES }))

  expect(unnamed(PAGE_MISTAKES, wholeMessages(await app.complaints()))).toEqual([])
})

// The bar stands before each wrong name.
const RULES = `import { collection } from "kit"

export const flat = collection("articles").access({ read: () => ({ title: "x", |titel: "x" }) })
export const operator = collection("articles").access({ read: () => ({ title: { |startswith: "x" } }) })
export const related = collection("articles").access({ update: () => ({ author: { is: { |nmae: "x" } } }) })
export const far = collection("articles").access({ read: () => ({ author: { is: { team: { is: { |nmae: "x" } } } } }) })
export const many = collection("people").access({ read: () => ({ articles: { some: { |titel: "x" } } }) })
export const listed = collection("articles").access({ read: () => ({ OR: [{ status: "done" }, { |titel: "x" }] }) })
`

test("a wrong name in the filter of a rule is reported at its place, with the name that was meant", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/mistakes.ts": RULES.replaceAll("|", "") }))

  const complaints = await app.complaints()

  const places = RULES.split("\n").flatMap((line, index) =>
    line.includes("|") ? [[index + 1, line.indexOf("|") + 1]] : [],
  )
  const meant = ["title", "startsWith", "name", "name", "title", "title"]
  expect(complaints.map((line) => /^src\/mistakes\.ts\((\d+),(\d+)\)/.exec(line)?.slice(1).map(Number))).toEqual(places)
  expect(complaints.map((line) => /Did you mean (\w+)\?"'\.$/.exec(line)?.[1])).toEqual(meant)
})

const VALID_RULES = `import { type AccessRules, collection, type HandlerContext } from "kit"
import type { ArticlesWhere } from "./generated/index.ts"

const isEditor = ({ session }: HandlerContext) => session?.user.role === "editor"
const own = (id: string): ArticlesWhere => ({ OR: [{ author: id }, { editor: { isNot: null } }] })
const mine = (id: string) => ({ author: id, status: { in: ["done" as const] }, words: { between: [1, 5] as const } })

export const functions = collection("articles").access({
  read: ({ session }) => session !== null && own(session.user.id),
  create: isEditor,
  update: async ({ session }) => (session ? mine(session.user.id) : undefined),
  delete: ({ session }) => session && { meta: { contains: { anything: [1] } }, topics: { containsAny: ["sport"] } },
  purge: false,
})

const rules: AccessRules<"articles"> = { read: () => ({ status: "done", AND: [{ title: "x" }, { body: null }] }) }
export const declared = collection("articles").access(rules)
`

test("rules with valid filters of every form have no message", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/rules.ts": VALID_RULES }))

  expect(await app.complaints()).toEqual([])
})

test("so it does in system code, also beside a field that is hidden from callers", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/mistakes.ts": SYSTEM_MISTAKES }))

  expect(unnamed(SYSTEM_MISTAKES, wholeMessages(await app.complaints()))).toEqual([])
})

/** The mistakes whose message does not say what the comment on their line does, or says too much. */
function unnamed(mistakes: string, messages: readonly string[]) {
  const expected = mistakes.split("\n").flatMap((text, index) => {
    const name = /\/\/ (\S+)$/.exec(text)?.[1]
    return name === undefined ? [] : [{ line: index + 1, name }]
  })
  const found = expected.map(({ line, name }) => {
    const message = messages.find((each) => each.startsWith(`src/mistakes.ts(${line},`)) ?? "nothing"
    return {
      line,
      isNamed: new RegExp(`\\b${name}\\b`).test(message),
      isShort: message.length <= MAX_CHARACTERS,
      message,
    }
  })
  return found.filter(({ isNamed, isShort }) => !isNamed || !isShort)
}

/** A message about several ways to call something goes on below its line, further in. */
function wholeMessages(complaints: readonly string[]): string[] {
  const starts = complaints.flatMap((line, index) => (line.startsWith(" ") ? [] : [index]))
  return starts.map((start, index) => complaints.slice(start, starts[index + 1]).join("\n"))
}
