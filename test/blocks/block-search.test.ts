// @module-tag not-about-connections

import { collection } from "kit"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const paragraph = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
})

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.blocks({
      hero: { heading: f.text(), link: f.url(), align: f.select(["left", "right"]) },
      text: { story: f.richText(), notes: f.array(f.object({ note: f.textarea() })), tags: f.array(f.text()) },
      columns: { left: f.blocks({ box: { heading: f.text() } }), place: f.object({ city: f.text() }) },
      rule: {},
    }),
    private: f.blocks({ note: { text: f.text() } }).access({ read: () => ({ title: { ne: "masked" } }) }),
  }))
  .title("title")
  .searchable({ fields: ["body", "private"] })
  .access({ read: true, create: true, update: true })

const BODY = [
  { type: "hero", heading: "Elephants", link: "https://zebra.example", align: "left" },
  {
    ...{ type: "text", story: paragraph("A giraffe eats"), tags: ["lion"] },
    notes: [{ note: "hippos swim" }, { note: null }],
  },
  { type: "columns", left: [{ type: "box", heading: "Camels" }], place: { city: "Nairobi" } },
  { type: "rule" },
]

test("the words of texts in blocks are found, those of links and options are not", async () => {
  await using app = await testApp({ resources: [pages] })
  const { search, collections } = app.client()
  await collections["pages"].create({ title: "Animals", body: BODY })
  const found = async (query: string) => (await search.search({ query })).total

  const words = ["elephant", "giraffe", "hippo", "lion", "camel", "Nairobi"]
  const counts = await Promise.all([...words, "zebra", "left", "hero", "box"].map(found))
  const highlighted = await search.search({ query: "giraffe", highlights: true })

  expect(counts).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
  expect(JSON.stringify(highlighted)).toContain("<mark>giraffe</mark>")
})

test("the search follows the blocks when they are written, and hides those that a rule hides", async () => {
  await using app = await testApp({ resources: [pages] })
  const { search, collections } = app.client()
  const secret = [{ type: "note", text: "walrus" }]
  const { id } = await collections["pages"].create({ title: "open", body: BODY, private: secret })
  await collections["pages"].create({ title: "masked", private: secret })
  await collections["pages"].updateById({ id, data: { body: [{ type: "hero", heading: "Otters" }] } })

  const titles = async (query: string) => (await search.search({ query })).docs.map(({ title }: any) => title)

  expect(await Promise.all(["elephant", "otter", "walrus"].map(titles))).toEqual([[], ["open"], ["open"]])
})

test("blocks that are not as declared do not stop a write or a search", async () => {
  await using app = await testApp({ resources: [pages] })
  const { search, collections } = app.client()
  const { id } = await collections["pages"].create({ title: "odd", body: [] })
  const odd = [
    { type: "hero", heading: { a: 1 } },
    5,
    { type: "text", notes: "x", story: 7 },
    { type: "columns", left: {} },
  ]

  await app.database.query(`update "pages" set "body" = $1 where id = $2`, [JSON.stringify(odd), id])
  await app.database.query(`update "pages" set "private" = '"text"' where id = $1`, [id])

  expect((await search.search({ query: "odd" })).total).toBe(1)
})
