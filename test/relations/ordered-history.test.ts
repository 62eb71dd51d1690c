import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, drafts: true, create: true, update: true, transition: true, versions: true } as const
const ann: Session = { user: { id: "ann" } }

const lists = collection("lists")
  .fields(({ f }) => ({
    name: f.text(),
    songs: f.relation("songs").manyToMany({ through: "listing", ordered: true }),
  }))
  .options({ id: "client", versions: true, workflow: true, revision: true })
  .access(open)

const songs = collection("songs")
  .fields(({ f }) => ({ name: f.text(), lists: f.relation("lists").manyToMany({ through: "listing" }) }))
  .options({ id: "client", versions: true })
  .access(open)

interface Related {
  readonly songs: readonly { readonly id: string }[]
}

const posters = collection("posters")
  .fields(({ f }) => ({ songs: f.relation("songs").manyToMany({ ordered: true }) }))
  .options({ id: "client" })
  .searchable({ with: { songs: true }, content: ({ songs }: Related) => songs.map(({ id }) => id).join(" then ") })
  .access(open)

const shelves = collection("shelves")
  .fields(({ f }) => ({ list: f.relation("lists") }))
  .options({ id: "client" })
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [lists, songs, shelves, posters] })
  for (const id of ["a", "b", "c"]) await all()["songs"].create({ id })
})

afterAll(() => app[Symbol.asyncDispose]())

const all = () => app.client(ann).collections
const make = (id: string) => all()["lists"].create({ id, songs: ["a", "b", "c"] })

const change = (id: string, songs: unknown, options = {}) => all()["lists"].updateById({ id, data: { songs } }, options)

async function shown(id: string, stage = "draft"): Promise<string> {
  const { docs } = await all()["lists"].find({ stage, where: { id }, with: { songs: true } })
  return namesIn(docs[0])
}

function namesIn(list: { songs: { id: string }[] }): string {
  return list.songs.map(({ id }) => id).join(" ")
}

describe("a change of the order", () => {
  test("is a change of the record alone, and a version of it alone", async () => {
    await make("noticed")
    const versions = `select "table", record from "_kit_versions" where "table" = 'songs' or record = 'noticed'`
    const before = await app.database.query(versions)
    await app.database.query('truncate "_kit_changes"')

    await change("noticed", { move: { id: "c", to: "start" } })

    expect(await app.database.query(`select resource, record, kind from "_kit_changes"`)).toEqual([
      { resource: "lists", record: "noticed", kind: "update" },
    ])
    const after = await app.database.query(versions)
    expect(after).toHaveLength(before.length + 1)
    expect((await all()["lists"].findOne({ where: { id: "noticed" }, stage: "draft" })).revision).toBe(2)
  })

  test("is seen by live queries that read the related records, directly or through another record", async () => {
    await make("live")
    await all()["shelves"].create({ id: "shelf", list: "live" })
    const seen: string[] = []
    const seenFromShelf: string[] = []
    const stops = [
      all()["lists"].live({ stage: "draft", where: { id: "live" }, with: { songs: true } }, ({ docs }: any) =>
        seen.push(namesIn(docs[0])),
      ),
      all()["shelves"].live({ with: { list: { stage: "draft", with: { songs: { limit: 2 } } } } }, ({ docs }: any) =>
        seenFromShelf.push(namesIn(docs[0].list)),
      ),
    ]
    await expect.poll(() => [seen.at(-1), seenFromShelf.at(-1)]).toEqual(["a b c", "a b"])

    await change("live", { move: { id: "c", to: "start" } })

    await expect.poll(() => [seen.at(-1), seenFromShelf.at(-1)]).toEqual(["c a b", "c a"])
    await change("live", ["b", "c", "a"])
    await expect.poll(() => [seen.at(-1), seenFromShelf.at(-1)]).toEqual(["b c a", "b c"])
    for (const stop of stops) stop()
  })
})

test("content for the search that is made of related records follows their order", async () => {
  await all()["posters"].create({ id: "poster", songs: ["a", "b"] })
  const content = () => app.database.query("select _search_content::text as text from posters")
  await expect.poll(content).toEqual([{ text: expect.stringContaining("a then b") }])

  await all()["posters"].updateById({ id: "poster", data: { songs: { move: { id: "b", to: "start" } } } })

  await expect.poll(content).toEqual([{ text: expect.stringContaining("b then a") }])
})

describe("a version has the order", () => {
  test("and a revert restores it, also where nothing but the order differs", async () => {
    await make("reverted")
    await change("reverted", ["c", "b", "a"])
    await change("reverted", { disconnect: "b" })

    await all()["lists"].revertToVersion({ id: "reverted", version: 1 })
    expect(await shown("reverted")).toBe("a b c")
    await all()["lists"].revertToVersion({ id: "reverted", version: 2 })
    expect(await shown("reverted")).toBe("c b a")
  })

  test("to which the other side has appended", async () => {
    await make("appended")
    await change("appended", ["b"])
    await all()["songs"].updateById({ id: "a", data: { lists: { connect: "appended" } } })
    await change("appended", [])

    await all()["lists"].revertToVersion({ id: "appended", version: 3 })

    expect(await shown("appended")).toBe("b a")
  })
})

describe("a stage has an order of its own", () => {
  test("which a transition copies, and a write of the stage changes", async () => {
    await make("staged")
    await change("staged", ["c", "a", "b"])
    await all()["lists"].transitionStage({ id: "staged", stage: "published" })
    await change("staged", { move: { id: "c", to: "end" } })
    expect([await shown("staged"), await shown("staged", "published")]).toEqual(["a b c", "c a b"])

    await change("staged", { move: { id: "b", before: "a" } }, { stage: "published" })
    expect([await shown("staged"), await shown("staged", "published")]).toEqual(["a b c", "c b a"])
    await all()["lists"].transitionStage({ id: "staged", stage: "published" })
    expect(await shown("staged", "published")).toBe("a b c")
  })
})
