import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true, restore: true } as const
const ann: Session = { user: { id: "ann" } }
const boss: Session = { user: { id: "boss", role: "boss" } }

const lists = collection("lists")
  .fields(({ f }) => ({
    name: f.text(),
    songs: f.relation("songs").manyToMany({ through: "listing", ordered: true }),
    moods: f.relation("songs").manyToMany(),
    similar: f.relation("lists").manyToMany({ through: "likeness", ordered: true }),
    similarTo: f.relation("lists").manyToMany({ through: "likeness" }),
    next: f.relation("lists").manyToMany({ ordered: true }),
  }))
  .options({ id: "client" })
  .access(open)

const songs = collection("songs")
  .fields(({ f }) => ({
    name: f.text().unique(),
    lists: f.relation("lists").manyToMany({ through: "listing" }),
    covers: f.relation("covers").hasMany({ via: "song" }),
  }))
  .options({ id: "client", softDelete: true })
  .access({ ...open, read: ({ session }) => session?.user["role"] === "boss" || { name: { ne: "hidden" } } })

const covers = collection("covers")
  .fields(({ f }) => ({ song: f.relation("songs") }))
  .options({ id: "client" })
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [lists, songs, covers] })
})

beforeEach(async () => {
  await app.database.query(
    'truncate lists, songs, covers, "listing.links", "lists.moods.songs.links", "likeness.links", "lists.next.lists.links"',
  )
  for (const id of ["a", "b", "c", "d", "hidden"]) await all()["songs"].create({ id, name: id })
})

afterAll(() => app[Symbol.asyncDispose]())

const all = () => app.client(boss).collections
const mine = () => app.client(ann).collections

const make = (...songs: string[]) => all()["lists"].create({ id: "mix", songs })
const write = (songs: unknown, collections = all()) => collections["lists"].updateById({ id: "mix", data: { songs } })
const move = (...moves: object[]) => write({ move: moves })

async function shown(relation: string | object = "songs", collections = all()): Promise<string> {
  const name = typeof relation === "string" ? relation : "songs"
  const options = typeof relation === "string" ? true : relation
  const list = await collections["lists"].findOne({ where: { id: "mix" }, with: { [name]: options } })
  return list[name].map(({ id }: { id: string }) => id).join(" ")
}

const fails = (path: string, message: string) => ({
  code: "VALIDATION_ERROR",
  status: 400,
  fieldErrors: [{ path, message }],
})
const missing = (path: string) => fails(path, "There is no such record.")

describe("the records of an ordered relation are in the order", () => {
  test("of a list of ids, of a set, and of what is connected and created", async () => {
    await all()["lists"].create({ id: "mix", songs: ["c", "a", "b"] })
    expect(await shown()).toBe("c a b")
    await write(["b", "c", "a"])
    expect(await shown()).toBe("b c a")
    await write({ set: [{ id: "d" }, { id: "a" }, { id: "b" }] })
    expect(await shown()).toBe("d a b")
    await write({ set: ["b"], connect: ["d", "a"], create: [{ id: "z" }, { id: "y" }] })
    expect(await shown()).toBe("b d a z y")
    await write({ disconnect: "d", connect: ["a", "c", "d"] })
    expect(await shown()).toBe("b a z y c d")
    await write({
      connectOrCreate: [
        { where: { name: "new" }, create: { id: "x", name: "new" } },
        { where: { name: "b" }, create: {} },
      ],
    })
    expect(await shown()).toBe("b a z y c d x")
  })

  test("of several operations while the record is created", async () => {
    await all()["lists"].create({
      id: "mix",
      songs: { create: { id: "z" }, connect: ["b", "a"], move: { id: "z", before: "a" } },
    })

    expect(await shown()).toBe("b z a")
  })

  test("that they had, if one of them is removed, deleted or restored", async () => {
    await make("a", "b", "c", "d")

    await write({ disconnect: ["a"], delete: ["c"] })
    expect(await shown()).toBe("b d")
    await move({ id: "b", to: "end" })
    await all()["songs"].restoreById({ id: "c" })
    expect(await shown()).toBe("c d b")
  })

  test("unless the read asks for another one", async () => {
    await make("c", "a", "d", "b")

    expect(await shown({ orderBy: { name: "desc" } })).toBe("d c b a")
    expect(await shown({ orderBy: {} })).toBe("c a d b")
    expect(await shown({ orderBy: [] })).toBe("c a d b")
  })

  test("in every page of them, whose count does not depend on it", async () => {
    await make("c", "a", "d", "b")

    expect(await shown({ limit: 2, offset: 1 })).toBe("a d")
    expect(await shown({ where: { name: { ne: "a" } }, limit: 2 })).toBe("c d")
    const page = await all()["lists"].find({ with: { songs: { limit: 1, _count: true } } })
    expect(page.docs).toMatchObject([{ songs: [{ id: "c" }], _count: { songs: 4 } }])
    const filters = [
      { some: { id: "d" } },
      { none: { id: "hidden" } },
      { every: { name: { in: ["a", "b", "c", "d"] } } },
    ]
    for (const songs of filters) expect(await all()["lists"].count({ where: { songs } })).toBe(1)
  })

  test("as the answer of a plain request says, too", async () => {
    await make("c", "a")

    const { body } = await app.fetch("/lists?with[songs][columns][name]=true")

    expect(body.docs[0].songs).toEqual([
      { id: "c", name: "c" },
      { id: "a", name: "a" },
    ])
  })
})

test("the records of a relation that is not ordered come newest first, as before", async () => {
  await all()["lists"].create({ id: "mix", moods: ["a", "c", "b"] })

  expect(await shown("moods")).toBe("c b a")
})

describe("a move", () => {
  test("puts a record before or after another one, or at an end, one move after the other", async () => {
    await make("a", "b", "c", "d")

    await move({ id: "d", before: "b" })
    expect(await shown()).toBe("a d b c")
    await move({ id: "a", after: "b" })
    expect(await shown()).toBe("d b a c")
    await move({ id: "c", to: "start" }, { id: "d", to: "end" }, { id: "b", before: "c" })
    expect(await shown()).toBe("b c a d")
    await write({ move: { id: "b", after: "d" } })
    expect(await shown()).toBe("c a d b")
  })

  test("comes after the other operations of a write", async () => {
    await make("a", "b")

    await write({ move: { id: "c", before: "b" }, connect: "c", disconnect: "a" })

    expect(await shown()).toBe("c b")
  })

  test.each([
    { id: "d", to: "start" },
    { id: "a", before: "d" },
    { id: "a", after: "nobody" },
    { id: "nobody", to: "end" },
  ])("%j of a record that is not linked is refused as one that does not exist", async (refused) => {
    await make("a", "b")

    await expect(move(refused)).rejects.toMatchObject(missing("songs.move.0"))
    await expect(move({ id: "b", to: "start" }, refused)).rejects.toMatchObject(missing("songs.move.1"))
    expect(await shown()).toBe("a b")
  })

  test.each([
    {},
    { id: "a" },
    { id: "a", to: "top" },
    { id: "a", before: 5 },
    { id: "a", before: "b", after: "b" },
    { to: "start" },
    "a",
    null,
  ])("%j is none", async (wrong) => {
    await make("a", "b")

    await expect(move(wrong as object)).rejects.toMatchObject(
      fails("songs", 'move: Expected { id, before: id }, { id, after: id } or { id, to: "start" | "end" }.'),
    )
  })

  test("next to itself is none", async () => {
    await make("a", "b")

    await expect(move({ id: "a", before: "a" })).rejects.toMatchObject(
      fails("songs", "move: A record cannot be moved next to itself."),
    )
  })

  test("in a relation without an order is refused, with what an author can do", async () => {
    const message =
      "The records of this relation have no order, so none can be moved. An author gives them one by .manyToMany({ ordered: true })."
    await all()["lists"].create({ id: "mix", moods: ["a", "b"] })

    const moods = all()["lists"].updateById({ id: "mix", data: { moods: { move: { id: "a", to: "end" } } } })
    await expect(moods).rejects.toMatchObject(fails("moods", message))

    const own = all()["songs"].updateById({ id: "a", data: { covers: { move: { id: "a", to: "end" } } } })
    await expect(own).rejects.toMatchObject(fails("covers", message))
  })

  test("counts among the operations of a relation", async () => {
    await make("a", "b")

    await expect(move(...Array.from({ length: 1001 }, () => ({ id: "a", to: "end" })))).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe("whoever may not read a record", () => {
  test("learns nothing of its place, and leaves it where it is", async () => {
    await make("a", "hidden", "b", "c")

    const ways = [
      { id: "hidden", to: "start" },
      { id: "a", after: "hidden" },
    ]
    for (const way of ways) await expect(write({ move: way }, mine())).rejects.toMatchObject(missing("songs.move.0"))
    await write({ set: ["c", "b", "a"] }, mine())

    expect(await shown("songs", mine())).toBe("c b a")
    expect(await shown()).toBe("c hidden b a")
    await write({ set: ["b", "d"] }, mine())
    expect(await shown()).toBe("hidden b d")
  })
})

describe("the other side of an ordered relation", () => {
  test("appends to the order, and has none itself", async () => {
    await make("b", "a")
    await all()["lists"].create({ id: "other", songs: ["a"] })

    await all()["songs"].updateById({ id: "c", data: { lists: ["other", "mix"] } })
    await all()["songs"].updateById({ id: "a", data: { lists: { set: ["mix"] } } })
    await all()["songs"].create({ id: "e", lists: { connect: "mix" } })

    expect(await shown()).toBe("b a c e")
    const song = await all()["songs"].findOne({ where: { id: "c" }, with: { lists: true } })
    expect(song.lists.map(({ id }: { id: string }) => id)).toEqual(["other", "mix"])
  })

  test("is the same collection, if it is related to itself", async () => {
    for (const id of ["mix", "x", "y", "z"]) await all()["lists"].create({ id })

    await all()["lists"].updateById({ id: "mix", data: { similar: ["y", "x"], next: ["mix", "z", "y"] } })
    await all()["lists"].updateById({ id: "z", data: { similarTo: ["mix"] } })
    await all()["lists"].updateById({ id: "mix", data: { similar: { move: { id: "z", to: "start" } } } })
    await all()["lists"].updateById({ id: "mix", data: { next: { move: { id: "y", after: "mix" } } } })

    expect(await shown("similar")).toBe("z y x")
    expect(await shown("next")).toBe("mix y z")
  })
})

describe("other writes of many records", () => {
  test("keep and change the order, too", async () => {
    await make("a", "b")
    await all()["lists"].create({ id: "more", songs: ["b", "a"] })
    const orders = async () => {
      const { docs } = await all()["lists"].find({ orderBy: { id: "asc" }, with: { songs: true } })
      return docs.map(({ songs: of }: any) => of.map(({ id }: { id: string }) => id).join(" "))
    }

    await all()["lists"].updateMany({ all: true, data: { songs: { connect: ["d", "c"] } } })
    expect(await orders()).toEqual(["a b d c", "b a d c"])
    await all()["lists"].updateMany({ all: true, data: { songs: { move: { id: "c", before: "a" } } } })
    expect(await orders()).toEqual(["c a b d", "b c a d"])
    await all()["lists"].updateBatch({
      updates: [
        { id: "mix", data: { songs: { move: { id: "d", to: "start" } } } },
        { id: "more", data: { songs: ["a", "d"] } },
      ],
    })
    expect(await orders()).toEqual(["d c a b", "a d"])
    await all()["songs"].updateById({
      id: "a",
      data: { lists: { update: { id: "more", data: { songs: { move: { id: "d", to: "start" } } } } } },
    })
    expect(await orders()).toEqual(["d c a b", "d a"])
  })

  test("change nothing as a dry run", async () => {
    await make("a", "b")

    const path = "/lists/mix?dryRun=true"
    const body = JSON.stringify({ songs: { move: { id: "b", to: "start" } } })
    const { status } = await app.fetch(path, { method: "PATCH", body, session: boss })

    expect(status).toBe(200)
    expect(await shown()).toBe("a b")
  })

  test("find a place for links that were not stored by kit", async () => {
    await make("b", "c")
    await app.database.query(`insert into "listing.links" (lists_id, songs_id) values ('mix', 'a'), ('mix', 'd')`)

    expect(await shown()).toBe("d a b c")
    await move({ id: "a", to: "start" })
    expect(await shown()).toBe("a d b c")
  })
})
