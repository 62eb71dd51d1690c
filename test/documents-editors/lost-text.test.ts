// @module-tag full-count

import { collection, richTextVocabulary, type Session } from "kit"
import { schema as basic } from "prosemirror-schema-basic"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Y from "yjs"
import { until, untilSaved } from "../../packages/kit/test/crdt/until.ts"
import { crdtOf } from "../documents-client/client-document.ts"
import { count } from "../support/count.ts"
import { newSeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { generatedContent, UNKNOWN_MARKS, UNKNOWN_NODES } from "./generated-texts.ts"
import { openEditor } from "./headless-editor.ts"

const DOCUMENTS = count({ short: 20, long: 500 })
const AT_ONCE = 20
const WAIT = { timeout: 120_000 }
const articles = collection("articles")
  .fields(({ f }) => ({
    body: f
      .richText({
        nodes: [...richTextVocabulary.nodes, ...UNKNOWN_NODES],
        marks: [...richTextVocabulary.marks, ...UNKNOWN_MARKS],
      })
      .collaborative(),
  }))
  .access({ read: true, create: true, update: true })

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [articles], config: { limits: { rate: false } } })
})
afterAll(() => app[Symbol.asyncDispose]())

test(`an editor that knows less opens, edits and saves ${DOCUMENTS} texts, and nothing of them is lost`, async () => {
  const { seed } = seededRandom()
  const lost: unknown[] = []
  let readOnly = 0

  for (let from = 0; from < DOCUMENTS; from += AT_ONCE) {
    const seeds = Array.from({ length: AT_ONCE }, (_, index) => seed + from + index)
    const clients = clientsOf(from)
    const outcomes = await Promise.all(seeds.map((each) => openEditSave(each, clients)))
    lost.push(...outcomes.filter(({ before, after }) => JSON.stringify(after) !== JSON.stringify(before)))
    readOnly += outcomes.filter(({ problem }) => problem !== null).length
  }

  expect(lost, `KIT_SEED=${seed}`).toEqual([])
  expect(readOnly, `KIT_SEED=${seed}`).toBe(DOCUMENTS)
})

type Clients = ReturnType<typeof clientsOf>

// The clients of some documents, because a stream has at most a hundred of them.
function clientsOf(batch: number) {
  const as = (id: string) => ({ user: { id: `${id}${batch}`, name: id } }) as Session
  return { less: crdtOf(app, as("less")), other: crdtOf(app, as("other")) }
}

async function openEditSave(seed: number, { less, other }: Clients) {
  const content = generatedContent(newSeededRandom(seed))
  const { articles: records } = app.client().collections
  const { id } = await records.create({ body: { type: "doc", content } })
  const document = less.documentOf("articles", { id, schema: basic })
  const editor = openEditor(document, "body", basic)
  await until(document, () => document.status === "synced" || document.status === "denied")
  const { problem } = document
  // Somebody types although the document is read-only, and somebody else types beside the unknown.
  editor.type("Nobody else sees this.")
  const colleague = other.documentOf("articles", { id })
  await colleague.whenSynced()
  colleague.doc.getXmlFragment("body").push([paragraph("Beside.")])
  await untilSaved(colleague)
  const added = { type: "paragraph", content: [{ type: "text", text: "Beside." }] }
  const body = async () => (await records.findOne({ where: { id } })).body
  await expect.poll(async () => (await body()).content.at(-1), WAIT).toEqual(added)
  const after = (await body()).content
  editor.close()
  document.destroy()
  colleague.destroy()
  return { seed, problem, before: sorted([...content, added]), after: sorted(after) }
}

function paragraph(words: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph")
  element.insert(0, [new Y.XmlText(words)])
  return element
}

// The order of members, and that of marks, is not part of a value.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, part]) => [
    name,
    name === "marks" ? sortedMarks(part) : sorted(part),
  ])
  return Object.fromEntries(members.sort())
}

function sortedMarks(marks: unknown): unknown {
  return Array.isArray(marks) ? marks.map((mark) => JSON.stringify(sorted(mark))).sort() : marks
}
