import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"
import { newspaperFiles } from "./newspaper-files.ts"

// Each line has one mistake; the comment names what the message has to say.
const MISTAKES = `import { collection } from "kit"
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
export const field = collection("people").fields(({ f }) => ({ x: f.computed(({ row }) => row.nmae) })) // nmae
export const titled = collection("people").fields(({ f }) => ({ name: f.text() })).title("nmae") // nmae
`

// A sentence, not a page: what an editor shows at a glance.
const MAX_CHARACTERS = 330

test("the compiler's message names what is wrong, on its line, in a sentence", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/mistakes.ts": MISTAKES }))

  const complaints = await app.complaints()

  const expected = MISTAKES.split("\n").flatMap((text, index) => {
    const name = /\/\/ (\S+)$/.exec(text)?.[1]
    return name === undefined ? [] : [{ line: index + 1, name }]
  })
  const found = expected.map(({ line, name }) => {
    const message = complaints.find((complaint) => complaint.startsWith(`src/mistakes.ts(${line},`)) ?? "nothing"
    return {
      line,
      isNamed: new RegExp(`\\b${name}\\b`).test(message),
      isShort: message.length <= MAX_CHARACTERS,
      message,
    }
  })
  expect(found.filter(({ isNamed, isShort }) => !isNamed || !isShort)).toEqual([])
})
