import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const ann: Session = { user: { id: "ann" } }

// Both ends show these links.
const songs = collection("songs")
  .fields(({ f }) => ({
    name: f.text(),
    lists: f.relation("lists").manyToMany({ through: "listing" }),
    moods: f.relation("moods").manyToMany(),
    covers: f.relation("songs").manyToMany({ through: "covering" }),
    coverOf: f.relation("songs").manyToMany({ through: "covering" }),
    liked: f.relation("songs").manyToMany(),
  }))
  .options({ timestamps: false })
  .access({ ...everyone, delete: () => ({ name: { ne: "kept" } }) })

const lists = collection("lists")
  .fields(({ f }) => ({ name: f.text(), songs: f.relation("songs").manyToMany({ through: "listing" }) }))
  .options({ revision: true })
  .access(everyone)

// A mood has no field for the songs that have it.
const moods = collection("moods")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ ...everyone, create: ({ session }) => session !== null })

let app: TestApp
const ids: Record<string, string> = {}

beforeAll(async () => {
  app = await testApp({ resources: [songs, lists, moods] })
})

beforeEach(async () => {
  const links = '"listing.links", "covering.links", "songs.moods.moods.links", "songs.liked.songs.links"'
  await app.database.query(`truncate songs, lists, moods, ${links}`)
  for (const name of ["one", "two", "three"]) ids[name] = await add("songs", name)
  for (const name of ["rock", "jazz"]) ids[name] = await add("lists", name)
  for (const name of ["calm", "loud"]) ids[name] = await add("moods", name)
  await app.database.query('truncate "_kit_changes"')
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(collectionName: string, name: string): Promise<string> {
  return String((await app.app.system.collections[collectionName]?.create({ name }))?.["id"])
}

const send = async (method: string, path: string, body?: unknown, session: Session | null = ann) =>
  (
    await app.fetch(path, {
      method,
      ...(session && { session }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  ).status
const id = (name: string) => ids[name] ?? name

/** Returns the changes since the last call, by the names of the records; all of them in one transaction. */
async function changes(): Promise<string[]> {
  const rows = await app.database.query(
    `select kind, xid::text, coalesce(after, before)->>'name' as name from "_kit_changes" order by name, "_kit_changes".xid, id`,
  )
  await app.database.query('truncate "_kit_changes"')
  expect(new Set(rows.map(({ xid }) => xid)).size).toBeLessThanOrEqual(1)
  return rows.map(({ kind, name }) => `${name} ${kind}`)
}

const patch = (path: string, name: string, data: unknown) => send("PATCH", `/${path}/${id(name)}`, data)

test("links are noticed at both ends where both show them, each record once", async () => {
  await patch("songs", "one", { lists: [id("rock"), id("jazz")] })
  expect(await changes()).toEqual(["jazz update", "one update", "rock update"])
  await patch("lists", "rock", { name: "rock", songs: { connect: [id("one"), id("two")] } })
  expect(await changes()).toEqual(["rock update", "two update"])
  await patch("songs", "one", { lists: { set: [id("jazz")] } })
  expect(await changes()).toEqual(["one update", "rock update"])
  await patch("lists", "jazz", { songs: { disconnect: id("one"), connect: id("two") } })
  expect(await changes()).toEqual(["jazz update", "one update", "two update"])
})

test("what is created, changed or linked twice in the same write is noticed once for that", async () => {
  await patch("songs", "one", { lists: { create: { name: "new" }, connect: id("rock") } })
  expect(await changes()).toEqual(["new create", "one update", "rock update"])
  await patch("songs", "one", { lists: { update: { id: id("rock"), data: { name: "rock" } }, disconnect: id("rock") } })
  expect(await changes()).toEqual(["one update", "rock update", "rock update"])
  await send("PATCH", "/songs", { all: true, data: { lists: { connect: id("jazz") } } })
  expect(await changes()).toEqual(["jazz update", "one update", "three update", "two update"])
  await send("POST", "/lists", { name: "fresh", songs: { connectOrCreate: { where: { id: id("one") }, create: {} } } })
  expect(await changes()).toEqual(["fresh create", "one update"])
})

test("an end that does not show the links is not troubled", async () => {
  await patch("songs", "one", { moods: [id("calm")], liked: [id("two"), id("one")] })
  expect(await changes()).toEqual(["one update"])
  await send("DELETE", `/songs/${id("two")}`)
  expect(await changes()).toEqual(["one update", "two delete"])
})

test("two fields of one collection are two ends", async () => {
  await patch("songs", "one", { covers: [id("two"), id("one")] })
  expect(await changes()).toEqual(["one update", "two update"])
  await patch("songs", "two", { coverOf: [] })
  expect(await changes()).toEqual(["one update", "two update"])
})

test("a record that is deleted is noticed by all that show their links to it", async () => {
  await patch("songs", "one", { lists: [id("rock")], moods: [id("calm")], covers: [id("three")] })
  await patch("songs", "two", { moods: [id("calm"), id("loud")] })
  await app.database.query('truncate "_kit_changes"')

  await send("DELETE", `/moods/${id("calm")}`)
  expect(await changes()).toEqual(["calm delete", "one update", "two update"])
  await send("DELETE", `/songs/${id("one")}`)
  expect(await changes()).toEqual(["one delete", "rock update", "three update"])
})

test("the row itself is as before: no revision, no time of change", async () => {
  await patch("songs", "one", { lists: [id("rock")] })

  const [noted] = await app.database.query(`select before, after from "_kit_changes" where record = $1`, [id("rock")])
  expect(noted?.["after"]).toMatchObject({ name: "rock", revision: 1 })
  expect(noted?.["before"]).toEqual({})
  expect((await app.fetch(`/lists/${id("rock")}`)).body.revision).toBe(1)
})

test("a refused write of links leaves no change", async () => {
  await patch("songs", "one", { name: "kept", lists: [id("rock")], moods: [id("calm")] })
  await app.database.query('truncate "_kit_changes"')
  const data = { lists: [id("jazz")], moods: { create: { name: "new" } } }

  const statuses = [
    await send("PATCH", `/songs/${id("two")}`, data, null),
    await send("DELETE", `/songs/${id("one")}`),
    await send("POST", "/songs/delete-many", { where: { name: "kept" } }),
  ]

  expect(statuses).toEqual([401, 403, 200])
  expect(await changes()).toEqual([])
})
