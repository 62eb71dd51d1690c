// @module-tag not-about-connections

import { EventEmitter, once } from "node:events"
import { collection, type Session } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { describe, expect, test } from "vitest"

// The words that a misspelled search finds are those of the records that the caller may read, from the moment of their
// write on. It makes no difference whether a record that the caller may not read has the word, too, and how far the
// index worker is.

const ada: Session = { user: { id: "ada" } }

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea().localized(), owner: f.text() }))
  .title("title")
  .searchable({ fields: ["body"], facets: ["owner"] })
  .options({ softDelete: true, workflow: true })
  .access({
    read: ({ session }) => session !== null && { owner: { eq: session.user.id } },
    create: ({ session }) => session !== null,
    update: ({ session }) => session !== null && { owner: { eq: session.user.id } },
    delete: ({ session }) => session !== null && { owner: { eq: session.user.id } },
    transition: true,
    drafts: true,
  })

const config = { locales: { default: "en", all: ["en", "sk"] } }
const open = () => testApp({ collections: [notes], config })

/** Titles that other people have written, long ago, so that the worker has seen them. */
const HIDDEN = ["zephyrine lanterns", "zephyrines", "zephyrina zephyrone", "lanternz"]

async function openWorlds(): Promise<{ hidden: TestApp; empty: TestApp } & AsyncDisposable> {
  const [hidden, empty] = [await open(), await open()]
  for (const title of HIDDEN) await notesOf(hidden).create({ title, body: title, owner: "eve" })
  await hidden.jobs.settle()
  const dispose = async () => void (await Promise.all([hidden, empty].map((app) => app[Symbol.asyncDispose]())))
  return { hidden, empty, [Symbol.asyncDispose]: dispose }
}

function notesOf(app: TestApp): any {
  return (app.system.collections as Record<string, any>)["notes"]
}

/** The answer to a search without ids and times, which differ between any two apps. */
async function seen(app: TestApp, query: string, options: object = {}): Promise<object> {
  const client: any = app.as(ada)
  const facets = [{ field: "owner" }]
  const found = await client.search.search({ query, highlights: true, facets, ...options })
  return {
    titles: found.docs.map((doc: any) => [doc.title, doc._search.score, doc._search.highlights]),
    total: found.total,
    facets: found.facets,
  }
}

const MISSPELLED = ["zephirine ", "zephyrinee", "zepyhrine lantrens ", "lanten", "zephyrjn", "lanternx "]

async function expectSame({ hidden, empty }: { hidden: TestApp; empty: TestApp }, options?: object): Promise<void> {
  for (const query of MISSPELLED) {
    expect([query, await seen(hidden, query, options)]).toEqual([query, await seen(empty, query, options)])
  }
}

const asItIs = () => Promise.resolve()

describe.each([
  ["is held up", { before: (app: TestApp) => app.app.stopWorker(), after: asItIs }],
  ["is running", { before: asItIs, after: asItIs }],
  ["has caught up", { before: asItIs, after: (app: TestApp) => app.jobs.settle() }],
])("while the index worker %s", (_name, worker) => {
  test("a word is found misspelled with its write, whether or not hidden records have it", async () => {
    await using worlds = await openWorlds()
    for (const app of [worlds.hidden, worlds.empty]) {
      await worker.before(app)
      await (app.as(ada) as any).collections.notes.create({ title: "zephyrine lanterns", owner: "ada" })
      await worker.after(app)
    }

    expect(await seen(worlds.empty, "zephirine ")).toMatchObject({ total: 1 })
    await expectSame(worlds)
  })

  test("words that an edit removes, or a delete, are not found, whether or not hidden records have them", async () => {
    await using worlds = await openWorlds()
    for (const app of [worlds.hidden, worlds.empty]) {
      const own = (app.as(ada) as any).collections.notes
      const first = await own.create({ title: "zephyrine", body: "zephyrone", owner: "ada" })
      const second = await own.create({ title: "lanterns", owner: "ada" })
      await own.create({ title: "zephyrina", owner: "ada" })
      await worker.before(app)
      await own.update({ id: first.id, data: { title: "nothing", body: "lanternz" } })
      await own.delete({ id: second.id })
      await worker.after(app)
    }

    expect(await seen(worlds.empty, "lanternx ")).toMatchObject({ total: 1 })
    expect(await seen(worlds.empty, "lanters ")).toMatchObject({ total: 0 })
    await expectSame(worlds)
  })

  test("the words of another locale and of a stage are there with the write", async () => {
    await using worlds = await openWorlds()
    for (const app of [worlds.hidden, worlds.empty]) {
      await worker.before(app)
      const own = (app.as(ada) as any).collections.notes
      const { id } = await own.create({ title: "first", body: "zephyrone", owner: "ada" })
      await own.update({ id, data: { body: "zephyrine lanternz" } }, { locale: "sk" })
      await own.transitionStage({ id, stage: "published" })
      await worker.after(app)
    }

    expect(await seen(worlds.empty, "zephirine ", { locale: "sk" })).toMatchObject({ total: 1 })
    expect(await seen(worlds.empty, "zephirone ", { stage: "published" })).toMatchObject({ total: 1 })
    for (const options of [{}, { locale: "sk" }, { stage: "published" }]) await expectSame(worlds, options)
  })
})

describe("writes of the same new words", () => {
  test("do not wait for each other, in whatever order they come", async () => {
    await using app = await open()
    await app.app.stopWorker()
    const write = (title: string, collections: any) => collections.notes.create({ title, owner: "ada" })
    const [first, second] = [new EventEmitter(), new EventEmitter()]
    const [isWrittenByFirst, isWrittenBySecond] = [once(first, "written"), once(second, "written")]

    // Each transaction writes the word that the other has written before and not yet committed.
    const one = (app.system as any).transaction(async ({ collections }: any) => {
      await write("zephyrine", collections)
      first.emit("written")
      await isWrittenBySecond
      await write("lanterns", collections)
    })
    const other = (app.system as any).transaction(async ({ collections }: any) => {
      await isWrittenByFirst
      await write("lanterns", collections)
      await write("zephyrine", collections)
      second.emit("written")
    })
    await Promise.all([one, other])

    expect(await seen(app, "zephirine ")).toMatchObject({ total: 2 })
    expect(await seen(app, "lantersn ")).toMatchObject({ total: 2 })
  })

  test("leave nothing behind that changes an answer if one of them is rolled back", async () => {
    await using app = await open()
    await app.app.stopWorker()
    const failing = (app.system as any).transaction(async ({ collections }: any) => {
      await collections.notes.create({ title: "zephyrine", owner: "ada" })
      throw new Error("on purpose")
    })
    await expect(failing).rejects.toThrow("on purpose")
    expect(await seen(app, "zephirine ")).toMatchObject({ total: 0 })

    await notesOf(app).create({ title: "zephyrine", owner: "ada" })

    expect(await seen(app, "zephirine ")).toMatchObject({ total: 1 })
  })
})
