// @module-tag not-about-engine

import { collection, richTextVocabulary, type Session } from "kit"
import type { CollaborativeDocument } from "kit/crdt"
import type { Schema } from "prosemirror-model"
import { schema as basic } from "prosemirror-schema-basic"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Y from "yjs"
import { memoryStore } from "../../packages/kit/test/crdt/memory-store.ts"
import { until, untilSaved } from "../../packages/kit/test/crdt/until.ts"
import { crdtOf } from "../documents-client/client-document.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { openEditor } from "./headless-editor.ts"

const articles = collection("articles")
  .fields(({ f }) => ({
    body: f
      .richText({
        nodes: [...richTextVocabulary.nodes, "callout"],
        marks: [...richTextVocabulary.marks, "comment"],
      })
      .collaborative(),
  }))
  .access({ read: true, create: true, update: true, delete: true })
const as = (id: string) => ({ user: { id, name: id.toUpperCase() } }) as Session
const WAIT = { timeout: 60_000 }

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [articles], config: { limits: { rate: false } } })
})
afterAll(() => app[Symbol.asyncDispose]())

const text = (words: string, ...marks: object[]) => ({ type: "text", text: words, ...(marks.length > 0 && { marks }) })
const paragraph = (...content: object[]) => ({ type: "paragraph", content })
const documentOf = (...content: object[]) => ({ type: "doc", content })
const LIST = { type: "bullet_list", content: [{ type: "list_item", content: [paragraph(text("milk"))] }] }

async function make(...content: object[]): Promise<string> {
  return (await app.app.system.collections["articles"]?.create({ body: documentOf(...content) }))?.["id"] as string
}

const bodyOf = async (id: string) => (await app.client().collections["articles"].findOne({ where: { id } })).body

function open(id: string, schema?: Schema, user = "eva"): CollaborativeDocument {
  return crdtOf(app, as(user)).documentOf("articles", { id, schema })
}

/** Somebody else adds a paragraph, with which the record gets the document's value. */
async function addBeside(id: string): Promise<void> {
  const document = open(id, undefined, "ben")
  await document.whenSynced()
  const added = new Y.XmlElement("paragraph")
  added.insert(0, [new Y.XmlText("Beside")])
  document.doc.getXmlFragment("body").push([added])
  await untilSaved(document)
}

// Nodes that the basic schema does not know or does not allow, and a part of the problem that the user sees.
const UNKNOWN: [string, object, string][] = [
  ["a node", LIST, 'does not know the node "bullet_list" (at content.1)'],
  [
    "a mark",
    paragraph(text("read", { type: "comment", attrs: { id: 1 } })),
    'the mark "comment" (at content.1.content.0)',
  ],
  [
    "an attribute of a node",
    { ...paragraph(text("x")), attrs: { align: "left" } },
    'the attribute "align" of the node "paragraph"',
  ],
  [
    "an attribute of a mark",
    paragraph(text("x", { type: "link", attrs: { href: "/a", rel: "b" } })),
    'the mark "link" as it is',
  ],
  ["content that is not allowed", { type: "blockquote" }, 'cannot hold the node "blockquote" (at content.1)'],
  ["a missing attribute", { type: "paragraph", content: [{ type: "image" }] }, 'cannot hold the node "image"'],
  ["a text where none may be", text("lost?"), 'cannot hold the node "doc"'],
]

describe("an editor that has declared its schema", () => {
  test.each(UNKNOWN)("loses nothing by looking at %s", async (_name, node, problem) => {
    const id = await make(paragraph(text("Hello")), node)
    const before = await bodyOf(id)
    const document = open(id, basic)
    const editor = openEditor(document, "body", basic)
    await document.whenSynced()

    expect(document.problem).toContain(problem)
    expect(document.canEdit).toBe(false)
    editor.type("Typed all the same")
    await until(document, () => document.status === "denied")
    editor.close()

    await addBeside(id)
    await expect.poll(() => bodyOf(id), WAIT).toEqual(documentOf(...before.content, paragraph(text("Beside"))))
  })

  test("edits a text that it knows, whatever else the vocabulary has", async () => {
    const id = await make({ type: "heading", content: [text("Title", { type: "strong" })] })
    const document = open(id, basic)
    const editor = openEditor(document, "body", basic)
    await document.whenSynced()

    editor.type("More")
    await untilSaved(document)

    expect(document).toMatchObject({ canEdit: true, problem: null, status: "synced" })
    await expect.poll(() => bodyOf(id), WAIT).toMatchObject({ content: [{ type: "heading" }, paragraph(text("More"))] })
    editor.close()
  })

  test("does not see an update with something unknown, and goes on when it is gone", async () => {
    const id = await make(paragraph(text("Hello")))
    const store = memoryStore()
    const document = crdtOf(app, as("eva"), { store }).documentOf("articles", { id, schema: basic })
    const editor = openEditor(document, "body", basic)
    await document.whenSynced()

    await app
      .client()
      .collections["articles"].update({ id, data: { body: documentOf(paragraph(text("Hello")), LIST) } })
    await until(document, () => document.problem !== null)
    expect(editor.text()).toBe("Hello")
    editor.type("Held back")
    expect(document).toMatchObject({ canEdit: false, pending: 1, status: "denied" })
    await app
      .client()
      .collections["articles"].update({ id, data: { body: documentOf(paragraph(text("Hello again"))) } })
    await until(document, () => document.problem === null)
    await untilSaved(document)

    expect(document).toMatchObject({ canEdit: true, status: "synced" })
    expect(editor.text()).toBe("Hello again\nHeld back")
    const expected = documentOf(paragraph(text("Hello again")), paragraph(text("Held back")))
    await expect.poll(() => bodyOf(id), WAIT).toEqual(expected)
    editor.close()
  })

  test("does not see what it does not know in the offline copy, and keeps nothing of its own there", async () => {
    const id = await make(paragraph(text("Hello")), LIST)
    const store = memoryStore()
    const first = crdtOf(app, as("eva"), { store })
    const seen = first.documentOf("articles", { id })
    await seen.whenSynced()
    await expect.poll(() => store.list(), WAIT).not.toHaveLength(0)
    seen.destroy()
    const document = crdtOf(app, as("eva"), { store }).documentOf("articles", { id, schema: basic })
    document.disconnect()
    const editor = openEditor(document, "body", basic)
    await until(document, () => document.problem !== null)

    expect(editor.text()).toBe("")
    editor.type("Mine")
    document.destroy()
    editor.close()

    const stored = await store.load(JSON.stringify(["collection", "articles", id, null, null]))
    expect(stored.filter(({ isAcknowledged }) => !isAcknowledged)).toEqual([])
  })

  test("is refused in a document that was opened without it", async () => {
    const id = await make(paragraph(text("Hello")))
    const { documentOf: opened } = crdtOf(app, as("eva"))
    opened("articles", { id })

    expect(() => opened("articles", { id, schema: basic })).toThrow("already open without this schema")
  })
})

describe("an editor that has declared nothing", () => {
  test.each([
    ["a list", LIST, 'the node "list_item"'],
    ["a mark", paragraph(text("read", { type: "comment", attrs: { id: 1 } })), 'the mark "comment"'],
  ])("cannot delete %s by looking at it", async (_name, node, problem) => {
    const id = await make(paragraph(text("Hello")), node)
    const before = await bodyOf(id)
    const document = open(id)
    const editor = openEditor(document, "body", basic)
    await until(document, () => document.status === "denied")

    expect(document.problem).toContain(problem)
    expect(document.problem).toContain("document({ schema })")
    expect(document).toMatchObject({ canEdit: false, error: { status: 422 } })
    editor.close()
    await addBeside(id)
    await expect.poll(() => bodyOf(id), WAIT).toEqual(documentOf(...before.content, paragraph(text("Beside"))))
  })

  test("edits beside what it does not know, and deletes what the basic schema has", async () => {
    const id = await make(paragraph(text("Hello")), paragraph(text("Old")), LIST)
    const document = open(id)
    await document.whenSynced()

    document.doc.getXmlFragment("body").delete(1)
    await untilSaved(document)

    expect(document.problem).toBeNull()
    await expect.poll(() => bodyOf(id), WAIT).toEqual(documentOf(paragraph(text("Hello")), LIST))
  })

  test("cannot take a mark away that it does not know", async () => {
    const id = await make(paragraph(text("read this", { type: "comment", attrs: { id: 1 } })))
    const document = open(id)
    await document.whenSynced()
    const [element] = document.doc.getXmlFragment("body").toArray() as {
      toArray(): { format: (...given: unknown[]) => void }[]
    }[]

    element?.toArray()[0]?.format(0, 4, { comment: null })
    await until(document, () => document.status === "denied")

    expect(document.problem).toContain('the mark "comment"')
  })
})

test("a name that a plain update brings is known when the next editor deletes", async () => {
  const id = await make(paragraph(text("Hello")), paragraph(text("More")))
  const document = open(id)
  await document.whenSynced()
  const fragment = document.doc.getXmlFragment("body")
  fragment.delete(1)
  await untilSaved(document)

  await app.client().collections["articles"].update({ id, data: { body: documentOf(paragraph(text("Hello")), LIST) } })
  await expect.poll(() => fragment.length, WAIT).toBe(2)
  fragment.delete(1)
  await until(document, () => document.status === "denied")

  expect(document.problem).toContain('the node "bullet_list"')
})
