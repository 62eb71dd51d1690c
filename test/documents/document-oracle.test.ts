// @module-tag full-count

import { ApiError, collection, type Session } from "kit"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type DocumentApp, documentApp, documentDatabase, type TestEditor } from "../support/worlds/document-world.ts"

const ROUNDS = count({ short: 3, long: 6 })
const STEPS = 40

const notes = collection("notes")
  .fields(({ f }) => ({ body: f.textarea().collaborative() }))
  .options({ versions: true, revision: true })

interface World {
  readonly random: SeededRandom
  readonly apps: readonly DocumentApp[]
  readonly editors: readonly TestEditor[]
  readonly id: string
  /** The words that were typed or written, and acknowledged. */
  readonly words: string[]
  readonly acknowledged: Uint8Array[]
}

test("edits, updates of the record and written values in any order leave one value, with every word in it", async () => {
  const random = seededRandom()
  const database = await documentDatabase()
  const apps = [
    await documentApp({ database, resources: [notes] }),
    await documentApp({ database, resources: [notes] }),
  ]
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openWorld(random, apps)

    await runSteps(world)
    await settleAll(world)

    await expectOneValue(world, `seed ${random.seed}, round ${round}`)
  }
})

async function openWorld(random: SeededRandom, apps: readonly DocumentApp[]): Promise<World> {
  const { id } = await pick(random, apps).collections["notes"].create({ body: "start " })
  const opening = [0, 1, 2, 3].map((index) => {
    const app = apps[index % apps.length] as DocumentApp
    const session: Session = { user: { id: `user${index}` } }
    return app.edit(app.address("notes", id), session)
  })
  return { random, apps, editors: await Promise.all(opening), id, words: ["start"], acknowledged: [] }
}

// Starts the steps without waiting for each, so that they overlap.
async function runSteps(world: World): Promise<void> {
  const steps = [typeWord, typeWord, typeWord, updateRecord, updateRecord, pullEditor, settleOne, followRecord]
  let running: Promise<void>[] = []
  for (let step = 0; step < STEPS; step++) {
    running.push(pick(world.random, steps)(world, `w${step}`))
    if (world.random.below(4) > 0) continue
    await Promise.all(running)
    running = []
  }
  await Promise.all(running)
}

async function typeWord({ random, editors, words, acknowledged }: World, word: string): Promise<void> {
  const editor = pick(random, editors)
  const { length } = editor.text
  const spaces = [...editor.text.toString()].flatMap((letter, index) => (letter === " " ? [index + 1] : []))
  const update = editor.change(() => editor.text.insert(pick(random, [...spaces, length]), `${word} `))
  await editor.append(update)
  words.push(word)
  acknowledged.push(update)
}

// An update of a record that has changed in the meantime is refused, so that no update removes a word.
async function updateRecord({ random, apps, id, words }: World, word: string): Promise<void> {
  const { collections } = pick(random, apps)
  const { body, revision } = await collections["notes"].findOne({ where: { id } })
  const parts = body.split(" ")
  parts.splice(random.below(parts.length), 0, word)
  try {
    await collections["notes"].updateById({ id, data: { body: parts.join(" ") }, expectedRevision: revision })
    words.push(word)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "CONFLICT")) throw error
  }
}

async function pullEditor({ random, editors }: World): Promise<void> {
  await pick(random, editors).pull()
}

async function settleOne({ random, apps }: World): Promise<void> {
  await pick(random, apps).documents.settle()
}

function followRecord({ random, apps, id }: World): Promise<void> {
  const app = pick(random, apps)
  app.documents.onRecordChanged(app.address("notes", id))
  return Promise.resolve()
}

async function settleAll(world: World): Promise<void> {
  const { apps, id } = world
  for (const app of apps) await app.documents.settle()
  for (const app of apps) await app.documents.open(app.address("notes", id))
  for (const app of apps) await app.documents.settle()
}

async function expectOneValue({ apps, editors, id, words, acknowledged }: World, what: string): Promise<void> {
  const [app, editor] = [apps[0] as DocumentApp, editors[0] as TestEditor]
  const { body } = await app.collections["notes"].findOne({ where: { id } })
  const text = await editor.readText()
  expect(text, what).toBe(body)
  expect(text.split(" ").filter(Boolean).sort(), what).toEqual([...words].sort())
  const sync = await app.documents.sync(editor.id, undefined)
  const vector = Y.decodeStateVector(sync?.stateVector ?? new Uint8Array())
  for (const update of acknowledged)
    for (const [client, clock] of Y.parseUpdateMeta(update).to)
      expect(vector.get(client), what).toBeGreaterThanOrEqual(clock)
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  // The cast is safe: no list here is empty.
  return items[random.below(items.length)] as Item
}
