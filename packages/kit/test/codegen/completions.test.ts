import { join } from "node:path"
import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"
import { languageServer } from "./language-server.ts"
import { newspaperFiles } from "./newspaper-files.ts"

const HEAD = `import { collection, type SystemContext } from "kit"
import { createClient } from "kit/client"
import { preload, useLive, useLiveSuspense } from "kit/react"
import type { AppConfig } from "./generated/index.ts"

const { collections, globals } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
`

// At the bar; the comment is a name that is offered there.
const PLACES = `void collections.articles.find({ where: { | } }) // title
void collections.articles.find({ columns: { | } }) // title
void collections.articles.find({ columns: { title: true, | } }) // status
void collections.articles.find({ columns: { title: true, st| } }) // status
void collections.articles.find({ with: { | } }) // author
void collections.people.findOne({ with: { articles: true, bo| } }) // boss
void collections.articles.find({ with: { author: { columns: { | } } } }) // name
void collections.articles.find({ with: { author: { columns: { name: true, em| } } } }) // email
void globals.settings.get({ columns: { | } }) // siteName
useLive(collections.articles, { | }) // groupBy
useLive(collections.articles, { where: { | } }) // title
useLive(collections.articles, { where: { status: "|" } }) // done
useLive(collections.articles, { columns: { title: true, st| } }) // status
useLive(collections.articles, { with: { | } }) // author
useLive(collections.articles, { with: { author: { columns: { name: true, em| } } } }) // email
useLive(collections.articles.record("1"), { columns: { | } }) // title
useLive(collections.articles.total, { where: { | } }) // title
useLive(globals.settings, { columns: { | } }) // siteName
useLiveSuspense(collections.articles, { orderBy: { | } }) // title
void preload(collections.articles, { with: { | } }) // author
export const r = collection("people").fields(({ f }) => ({ x: f.relation("|") })) // articles
export const s = collection("people").fields(({ f }) => ({ x: f.relation("articles").hasMany({ via: "|" }) })) // author
export const t = collection("people").fields(({ f }) => ({ name: f.text() })).searchable({ fields: ["|"] }) // name
export const u = collection("people").fields(({ f }) => ({ name: f.text() })).indexes([{ fields: ["|"] }]) // team
export const l = collection("people").list({ columns: ["|"] }) // name
export const o = collection("people").list({ orderBy: { | } }) // name
export const w = collection("people").form(() => ["|"]) // name
export const d = collection("people").form(({ tab }) => [tab("A", ["|"])]) // name
export const n = collection("people").label({ | }) // sk
export const p = collection("people").preview(({ record }) => record.|) // name
export const v = collection("people").access({ read: () => ({ | }) }) // name
export const a = ({ collections }: SystemContext) => collections.articles.find({ where: { sec| } }) // secret
export const b = ({ collections }: SystemContext) => collections.articles.find({ columns: { | } }) // secret
export const c = ({ collections }: SystemContext) => collections.articles.find({ columns: { title: true, sec| } }) // secret`

test("an editor offers the names of the app, and nothing else, wherever one is to be written", async () => {
  await using app = await appFolder(await newspaperFiles({}))
  await using server = await languageServer(app.path)

  const places = PLACES.split("\n").map((line) => line.split(" // ") as [string, string])
  const missing: string[] = []
  for (const [index, [place, name]] of places.entries()) {
    const offered = await server.offered(join(app.path, "src", `_place${index}.ts`), `${HEAD}${place}\n`)
    if (!offered.includes(name) || offered.includes("Promise")) missing.push(place)
  }

  expect(missing).toEqual([])
})
