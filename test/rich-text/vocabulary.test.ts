import { Ajv2020 } from "ajv/dist/2020.js"
import { collection, global, richTextVocabulary, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Y from "yjs"
import { until, untilSaved } from "../../packages/kit/test/crdt/until.ts"
import { crdtOf } from "../documents-client/client-document.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true }
const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.richText(),
    short: f.richText({ nodes: ["paragraph"], marks: [] }),
    wide: f.richText({ nodes: [...richTextVocabulary.nodes, "callout"] }),
    notes: f.array(f.object({ text: f.richText() })),
    shared: f.richText().collaborative(),
    site: f.relation("sites"),
  }))
  .options({ versions: true })
  .access({ ...everyone, versions: true })
const sites = collection("sites")
  .fields(({ f }) => ({ pages: f.relation("pages").hasMany({ via: "site" }) }))
  .access(everyone)
const motto = global("motto")
  .fields(({ f }) => ({ body: f.richText() }))
  .access({ read: true, update: true })

const WAIT = { timeout: 60_000 }
let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [pages, sites, motto], config: { developer: true } })
})
afterAll(() => app[Symbol.asyncDispose]())

const text = (words: string, ...marks: string[]) => ({
  type: "text",
  text: words,
  marks: marks.map((type) => ({ type })),
})
const node = (type: string, ...content: object[]) => ({ type, content })
const paragraph = (words: string) => node("paragraph", { type: "text", text: words })
const doc = (...content: object[]) => ({ type: "doc", content })
const BAD = doc(paragraph("a"), node("bulletList", node("listItem", paragraph("b"))))
const callout = doc(node("callout", paragraph("a")), node("paragraph", { type: "text", text: "b" }))
const records = () => app.client().collections["pages"]

async function post(path: string, data: object, method = "POST") {
  return await app.fetch(path, { method, body: JSON.stringify(data) })
}

/** Stores a value as an older version of the app would have done, whose field had more names. */
async function storeUnchecked(field: string, value: object): Promise<string> {
  const { id } = await records().create({ title: "old" })
  await app.database.query(`update pages set "${field}" = '${JSON.stringify(value)}' where id = '${id}'`)
  return id
}

describe("a name that the vocabulary does not have", () => {
  test.each<[string, string, () => ReturnType<typeof post>]>([
    ["a create", "body.content.1", () => post("/pages", { body: BAD })],
    [
      "an update",
      "body.content.1",
      async () => post(`/pages/${(await records().create({})).id}`, { body: BAD }, "PATCH"),
    ],
    [
      "a mark",
      "body.content.0.content.0.marks.1",
      () => post("/pages", { body: doc(node("paragraph", text("a", "em", "bold"))) }),
    ],
    ["a narrowed vocabulary", "short.content.0", () => post("/pages", { short: doc(node("heading")) })],
    [
      "a vocabulary without marks",
      "short.content.0.content.0.marks.0",
      () => post("/pages", { short: doc(node("paragraph", text("a", "em"))) }),
    ],
    ["a part of a value", "notes.0.text.content.1", () => post("/pages", { notes: [{ text: BAD }] })],
    ["a nested write", "pages.create.0.body.content.1", () => post("/sites", { pages: { create: [{ body: BAD }] } })],
    ["a global", "body.content.1", () => post("/globals/motto", { body: BAD }, "PATCH")],
  ])("is refused with its path in %s", async (_name, path, send) => {
    const { status, body } = await send()

    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"])
    expect(body.error.fieldErrors[0]).toMatchObject({ path })
    expect(body.error.fieldErrors[0].message).toMatch(/There is no (node|mark) "\w+" in the vocabulary of this field/)
  })

  test("is refused in each of many, and the right name is offered", async () => {
    const many = records().updateMany({ where: { title: "none" }, data: { body: BAD } })

    await expect(many).rejects.toMatchObject({ status: 400 })
    await expect(many).rejects.toThrow('Did you mean "bullet_list"?')
  })

  test("can be added to the vocabulary", async () => {
    const { wide } = await records().create({ wide: callout })

    expect(wide).toEqual(callout)
  })
})

describe("a stored name that the vocabulary has lost", () => {
  test("is kept by reads, by updates of other fields, and by a revert", async () => {
    const id = await storeUnchecked("body", callout)
    await records().update({ id, data: { title: "new" } })
    expect((await records().findOne({ where: { id } })).body).toEqual(callout)
    await records().update({ id, data: { body: doc() } })

    await records().revertToVersion({ id, version: 2 })

    expect((await records().findOne({ where: { id } })).body).toEqual(callout)
    await expect(records().update({ id, data: { body: callout } })).rejects.toMatchObject({ status: 400 })
  })

  test("stays in the record when its document is edited beside it", async () => {
    const id = await storeUnchecked("shared", callout)
    const document = crdtOf(app).documentOf("pages", { id })
    await document.whenSynced()

    document.doc.getXmlFragment("shared").push([new Y.XmlElement("horizontal_rule")])
    await untilSaved(document)

    const shared = async () => (await records().findOne({ where: { id } })).shared
    await expect.poll(shared, WAIT).toEqual(doc(...callout.content, { type: "horizontal_rule" }))
    expect(document.problem).toBeNull()
  })
})

test("a new name in a document stays there, and the record refuses it", async () => {
  const { id } = await records().create({ shared: doc(paragraph("a")) })
  const document = crdtOf(app).documentOf("pages", { id })
  await document.whenSynced()

  document.doc.getXmlFragment("shared").push([new Y.XmlElement("callout")])
  await until(document, () => document.problem !== null)

  expect(document.problem).toContain('There is no node "callout" in the vocabulary')
  expect((await records().findOne({ where: { id } })).shared).toEqual(doc(paragraph("a")))
})

test("the vocabulary stands in introspection, in the JSON Schema and in OpenAPI", async () => {
  const { fields, validation } = (await app.fetch("/pages/schema")).body
  const isValid = new Ajv2020({ strict: false }).compile(validation.insert)
  const openapi = JSON.stringify(
    (await app.fetch("/_kit/openapi.json", { session: { user: { id: "dev" } } as Session })).body,
  )

  expect(fields.body.vocabulary).toEqual(richTextVocabulary)
  expect(fields.short.vocabulary).toEqual({ nodes: ["doc", "text", "paragraph"], marks: [] })
  expect(fields.notes.items.fields.text.vocabulary).toEqual(richTextVocabulary)
  expect(fields.title.vocabulary).toBeUndefined()
  const verdicts = [
    { body: doc(node("bullet_list", node("list_item", paragraph("a")))) },
    { wide: callout },
    { short: doc(paragraph("a")) },
    { body: BAD },
    { body: callout },
    { short: doc(node("heading")) },
    { short: doc(node("paragraph", text("a", "em"))) },
  ].map((record) => isValid(record))
  expect(verdicts).toEqual([true, true, true, false, false, false, false])
  expect(openapi).toContain("Its nodes: doc, text, paragraph. Its marks: none.")
})

test.each([
  [{ nodes: "paragraph" }, "has nodes that are not a list of names"],
  [{ marks: ["a b"] }, 'has marks with the name "a b"'],
])("a mistake in the vocabulary %j is said at the start", async (vocabulary, mistake) => {
  const wrong = collection("wrong").fields(({ f }) => ({ body: f.richText(vocabulary as never) }))

  await expect(testApp({ resources: [wrong] })).rejects.toThrow(mistake)
})
