// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const LOREM = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor ".repeat(6)

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    page: f.richText(),
    tags: f.array(f.text()),
    keywords: f.text().hidden(),
    note: f.text().access({ read: ({ session }) => session?.user.id === "eva" || { title: { eq: "Open house" } } }),
  }))
  .title("title")
  .searchable({ fields: ["body", "page", "tags", "keywords", "note"] })
  .access({ read: true })

const eva: Session = { user: { id: "eva" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
  const { posts: all } = app.app.system.collections
  await all?.create({
    title: 'The universities\' <b>bridges</b> & "cats"',
    body: `${LOREM} A bridge. ${LOREM} Bridged.`,
  })
  await all?.create({ title: "Marks", body: "a \u0002zebra\u0003 b \u0004 <mark>c</mark> zebra_crossing me@zebra.org" })
  await all?.create({ title: "Closed house", note: "a giraffe", keywords: "okapi" })
  await all?.create({ title: "Open house", note: "a giraffe", tags: ["okapi", "gnu"] })
  const content = [
    {
      type: "paragraph",
      content: [
        { type: "text", text: "walrus" },
        { type: "text", text: "es < seals" },
      ],
    },
  ]
  await all?.create({ title: "Rich", page: { type: "doc", content } })
})

afterAll(() => app[Symbol.asyncDispose]())

async function highlights(query: string, session?: Session): Promise<any[]> {
  const { docs } = await app.client(session).search.search({ query, highlights: true })
  return docs.map((doc: any) => doc._search.highlights)
}

test("mark the words of a short text in all of it, escaped for HTML", async () => {
  const [{ title }] = await highlights("bridges ")

  expect(title).toEqual(["The universities&#39; &lt;b&gt;<mark>bridges</mark>&lt;/b&gt; &amp; &quot;cats&quot;"])
})

test("are parts of a long text with the words in any form", async () => {
  const [{ body }] = await highlights("bridge ")

  expect(body.length).toBeGreaterThanOrEqual(1)
  expect(body.length).toBeLessThanOrEqual(3)
  expect(body.join()).toContain("<mark>bridge</mark>")
  expect(body.join()).toContain("<mark>Bridged</mark>")
  expect(body.join().length).toBeLessThan(LOREM.length)
})

test("mark an unfinished word, even beyond its stem", async () => {
  const [{ title }] = await highlights("bridge universit")

  expect(title[0]).toContain("The <mark>universities</mark>&#39; &lt;b&gt;<mark>bridges</mark>")
})

test("mark a field that has only one of the words", async () => {
  const [found] = await highlights("open giraffe ")

  expect(found).toEqual({ title: ["<mark>Open</mark> house"], note: ["a <mark>giraffe</mark>"] })
})

test("make no marks of what looks like marks in the text", async () => {
  const [found] = await highlights("zebra ")

  expect(found).toEqual({
    body: ["a <mark>zebra</mark> b \u0004 &lt;mark&gt;c&lt;/mark&gt; <mark>zebra</mark>_crossing me@zebra.org"],
  })
})

test("show a field only where the caller may read it, and never a hidden field", async () => {
  expect(await highlights("giraffe ")).toEqual([{ note: ["a <mark>giraffe</mark>"] }])
  expect(await highlights("giraffe ", eva)).toHaveLength(2)
  const [first, second] = await highlights("okapi ")
  expect({ ...first, ...second }).toEqual({ tags: ["<mark>okapi</mark>\ngnu"] })
})

test("show the plain text of a document", async () => {
  expect(await highlights("walruses ")).toEqual([{ page: ["<mark>walruses</mark> &lt; seals"] }])
})

test("are empty unless they are requested, and for an empty query", async () => {
  const { docs } = await app.client().search.search({ query: "bridges " })

  expect(docs.map((doc: any) => doc._search.highlights)).toEqual([{}])
  expect(await highlights("")).toEqual([{}, {}, {}, {}, {}])
  expect(await highlights("-house -rich -marks")).toEqual([{}])
})
