// @module-tag full-count

import { collection, type Session } from "kit"
import type { CollaborativeDocument } from "kit/crdt"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { untilSaved } from "../../packages/kit/test/crdt/until.ts"
import { crdtOf } from "../documents-client/client-document.ts"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, postUpdate } from "./bare-client.ts"
import { deletesText, noteUsed, PATTERNS } from "./hostile-updates.ts"

const UPDATES = count({ short: 100, long: 10_000 })
const HONEST_EVERY = 25
// Characters that nothing else uses, one for each honest edit. Nobody can come between the parts of a single one.
const FIRST_OWN = 0xe000

const pages = collection("pages")
  .fields(({ f }) => ({ body: f.textarea().collaborative() }))
  .access({ read: true, create: true, update: true })
const as = (id: string) => ({ user: { id } }) as Session

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages], config: { limits: { rate: false } } })
})

afterAll(() => app[Symbol.asyncDispose]())

function watchUncaught(): unknown[] {
  const uncaught: unknown[] = []
  const onError = (error: unknown) => void uncaught.push(error)
  process.on("uncaughtException", onError)
  process.on("unhandledRejection", onError)
  onTestFinished(() => {
    process.off("uncaughtException", onError)
    process.off("unhandledRejection", onError)
  })
  return uncaught
}

const ownCharacters = (text: string) => (text.match(/[\uE000-\uF8FF]/g) ?? []).sort()

test(`${UPDATES} hostile updates, two at a time, stop no editor of the document and lose nothing`, async () => {
  const random = seededRandom()
  const uncaught = watchUncaught()
  const made = await app.app.system.collections["pages"]?.create({ body: "Hello world" })
  const place = { collection: "pages", id: String(made?.["id"]), field: "body" }
  const editors = ["eva", "ben"].map((user) => crdtOf(app, as(user)).documentOf("pages", { id: place.id }))
  await Promise.all(editors.map((editor) => editor.whenSynced()))
  await using spectator = await BareClient.open({ url: app.url, session: as("spectator") }, place)
  const typed: string[] = []
  const type = ({ doc }: CollaborativeDocument) => {
    const character = String.fromCharCode(FIRST_OWN + typed.length)
    const text = doc.getText("body")
    text.insert(random.below(text.length + 1), character)
    typed.push(character)
  }

  const names = Object.keys(PATTERNS)
  const statuses = new Map<string, Set<number>>()
  const used = new Map<number, number>()
  let sent = 0
  const attack = async () => {
    while (sent < UPDATES) {
      const number = sent++
      const editor = editors[number % editors.length]
      if (!editor) throw new Error("There are editors.")
      if (number % HONEST_EVERY === 0) type(editor)
      const name = names[number % names.length] ?? ""
      const view = { doc: editor.doc, field: "body", random, used }
      const update = PATTERNS[name]?.(view) ?? new Uint8Array()
      if (update.length === 0 || deletesText(view, update)) continue
      const session = as(`mallory ${number % 40}`)
      const query = { epoch: spectator.epoch }
      const { status } = await postUpdate({ url: app.url, session }, place, { update, query })
      statuses.set(name, (statuses.get(name) ?? new Set()).add(status))
      if (status === 200) noteUsed(view, update)
    }
  }
  await Promise.all([attack(), attack()])
  for (const editor of editors) type(editor)
  await Promise.all(editors.map(untilSaved))

  const note = `seed ${random.seed}: ${JSON.stringify([...statuses].map(([name, all]) => [name, ...all]))}`
  const expected = [...typed].sort()
  const shown = () => editors.map(({ doc }) => ownCharacters(doc.getText("body").toString()))
  await expect.poll(shown, { message: note }).toEqual([expected, expected])
  const recorded = async () => {
    const record = await app.app.system.collections["pages"]?.findOne({ where: { id: place.id } })
    return ownCharacters(String(record?.["body"]))
  }
  await expect.poll(recorded, { message: note }).toEqual(expected)
  for (const { status, problem, error, pending } of editors) {
    expect({ status, problem, error, pending }, note).toEqual({
      status: "synced",
      problem: null,
      error: null,
      pending: 0,
    })
  }
  await using fresh = await BareClient.open({ url: app.url, session: as("fresh") }, place)
  expect(ownCharacters(fresh.text), note).toEqual(expected)
  expect(fresh.epoch).toBe(spectator.epoch)
  expect(
    [...statuses.values()].flatMap((all) => [...all]).every((status) => status < 500),
    note,
  ).toBe(true)
  expect(uncaught, note).toEqual([])
  expect(statuses.size).toBe(names.length)
  console.log(note)
})
