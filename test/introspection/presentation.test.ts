// @module-tag not-about-engine

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const writer: Session = { user: { id: "walt", role: "writer" } }
const editor: Session = { user: { id: "edda", role: "editor" } }

type Call = { readonly session: Session | null }
const isSomebody = ({ session }: Call) => session !== null
const isEditor = ({ session }: Call) => session?.user.role === "editor"

const forEditors = { read: isEditor, create: isEditor, update: isEditor }

const desks = collection("desks")
  .fields(({ f }) => ({ name: f.text(), budget: f.number().access({ read: isEditor }) }))
  .access({ read: true })

const stories = collection("stories")
  .fields(({ f }) => ({
    working: f.text().access(forEditors),
    wage: f.number().access(forEditors),
    memo: f.text().access(forEditors),
    headline: f.text(80).placeholder("Be short").width("half").description({ en: "Shown on the front page" }),
    kind: f.select([
      { value: "news", label: { en: "News", sk: "Správy" }, color: "blue" },
      { value: "opEd", label: "Opinion" },
    ]),
    video: f.url().visible({ kind: "news" }),
    payment: f.number().visible({ working: "x" }),
    inbox: f.text().access({ read: false }),
    reply: f.text().visible({ inbox: "x" }),
    desk: f.relation("desks"),
    size: f.object({ width: f.number().required().label("Width in cm"), unit: f.text(3) }),
    links: f.array(f.url().label("Link").width("third")),
    extras: f.array(
      f.object({
        kind: f.select(["quote", "box"]),
        source: f.text().width("half").visible({ kind: "quote" }),
        frame: f.object({ on: f.boolean(), color: f.text().visible({ on: true }) }).visible({ NOT: { kind: "quote" } }),
      }),
    ),
  }))
  .title("working")
  .list({
    columns: ["working", "headline", "kind"],
    orderBy: { working: "asc" },
    filters: ["kind", "working", "inbox"],
    views: [
      { label: { en: "News", sk: "Správy" }, where: { kind: "news" }, columns: ["headline", "working"] },
      { label: "Rich", where: { desk: { is: { budget: { gt: 5 } } } } },
      { label: "Mine", where: { working: "x" } },
      { label: "Box", where: { inbox: "x" } },
    ],
  })
  .form(({ tab, section, side }) => [
    tab({ en: "Text", sk: "Text" }, ["headline", section("Inside", ["working"])]),
    tab("Desk", [section("Money", ["wage"])]),
    side(["kind", "inbox", "memo"]),
  ])
  .preview(() => "/x")
  .options({ workflow: { stages: { draft: { label: "In work", color: "gray" }, published: {} } } })
  .access({ read: isSomebody, create: isSomebody, update: isEditor, drafts: isSomebody })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [desks, stories],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

async function schemaFor(session: Session, query = ""): Promise<any> {
  return (await app.fetch(`/stories/schema${query}`, { session })).body
}

test("what the author says about fields is told in the caller's locale", async () => {
  const { fields } = await schemaFor(editor, "?locale=sk")

  expect(fields.headline).toMatchObject({
    placeholder: "Be short",
    width: "half",
    description: "Shown on the front page",
    limits: { maxLength: 80 },
  })
  expect(fields.kind.options).toEqual([
    { value: "news", label: "Správy", color: "blue" },
    { value: "opEd", label: "Opinion", color: null },
  ])
  expect(fields.size.fields).toMatchObject({
    width: { type: "number", label: "Width in cm", required: true },
    unit: { type: "text", label: "Unit", required: false, limits: { maxLength: 3 } },
  })
  expect(fields.links.items).toMatchObject({ type: "url", label: "Link" })
})

test("the members of an object say when and how wide they are shown, wherever the object is", async () => {
  const { fields } = await schemaFor(writer)
  const { kind, source, frame } = fields.extras.items.fields

  expect(kind).toMatchObject({ width: null, visible: null })
  expect(source).toMatchObject({ width: "half", visible: { kind: "quote" } })
  expect(frame).toMatchObject({ width: null, visible: { NOT: { kind: "quote" } } })
  expect(frame.fields.color.visible).toEqual({ on: true })
})

test("the items of a list say how wide they are shown", async () => {
  const { fields } = await schemaFor(writer)

  expect(fields.links.items).toMatchObject({ width: "third", visible: null })
})

test("what the author says about stages is told", async () => {
  const { workflow, preview } = await schemaFor(editor)

  expect(workflow.stages).toMatchObject([
    { name: "draft", label: "In work", color: "gray" },
    { name: "published", label: "Published", color: null },
  ])
  expect(preview).toBe(true)
})

describe("fields that the caller may not know", () => {
  test("are named neither by the title, nor by the list", async () => {
    const { list, options } = await schemaFor(writer)

    expect(options.title).toEqual({ defined: false })
    expect(list).toEqual({
      columns: ["headline", "kind"],
      orderBy: null,
      filters: ["kind"],
      views: [{ label: "News", where: { kind: "news" }, orderBy: null, columns: ["headline"] }],
    })
    expect(JSON.stringify(await schemaFor(writer))).not.toMatch(/"working"|wage|memo|budget|Rich|Money/)
  })

  test("are named by the list for callers who may read them", async () => {
    const { list, options } = await schemaFor(editor)

    expect(options.title).toEqual({ defined: true, type: "field", fieldName: "working" })
    expect(list).toMatchObject({
      columns: ["working", "headline", "kind"],
      orderBy: { working: "asc" },
      filters: ["kind", "working"],
    })
    expect(list.views.map(({ label }: { label: string }) => label)).toEqual(["News", "Rich", "Mine"])
  })

  test("are left out of the form, with groups that have no other", async () => {
    expect((await schemaFor(writer)).form).toEqual([
      { kind: "tab", label: "Text", parts: ["headline"] },
      { kind: "side", parts: ["kind", "inbox"] },
    ])
    expect((await schemaFor(editor)).form).toEqual([
      { kind: "tab", label: "Text", parts: ["headline", { kind: "section", label: "Inside", parts: ["working"] }] },
      { kind: "tab", label: "Desk", parts: [{ kind: "section", label: "Money", parts: ["wage"] }] },
      { kind: "side", parts: ["kind", "inbox", "memo"] },
    ])
  })

  test("are not told by the filter that shows another field", async () => {
    const { fields } = await schemaFor(writer)

    expect(fields.video.visible).toEqual({ kind: "news" })
    expect(fields.payment.visible).toBeNull()
    // A form knows what its user writes.
    expect(fields.reply.visible).toEqual({ inbox: "x" })
    expect((await schemaFor(editor)).fields.payment.visible).toEqual({ working: "x" })
  })
})

describe("the JSON Schemas of the input", () => {
  test("have the fields that the caller may write", async () => {
    const { validation } = await schemaFor(writer)
    const editors = (await schemaFor(editor)).validation

    expect(Object.keys(validation.insert.properties)).toContain("inbox")
    expect(validation.update).toBeNull()
    expect(Object.keys(editors.update.properties)).toContain("headline")
    expect(Object.keys(editors.update.properties)).not.toContain("createdAt")
  })

  test("are null for callers who may only read", async () => {
    const { body } = await app.fetch("/desks/schema")

    expect(body.validation).toEqual({ insert: null, update: null })
    expect(body.list.columns).toEqual(["name"])
  })
})
