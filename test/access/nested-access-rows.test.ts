import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import {
  alice,
  editor,
  heard,
  MISSING,
  type NestedWorld,
  nestedWorld,
  resetRules,
  rules,
} from "../support/worlds/nested-world.ts"
import { testApp } from "../support/worlds/test-app.ts"

let world: NestedWorld
let room: string
let box: string
let shelf: string
let bobsShelf: string
let thing: string

beforeAll(async () => {
  world = await nestedWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  resetRules()
  await world.clear()
  room = await world.add("rooms")
  box = await world.add("boxes", { room })
  shelf = await world.add("shelves", { keeper: "alice" })
  bobsShelf = await world.add("shelves", { keeper: "bob" })
  thing = await world.add("things", { name: "thing", box, shelf, boxes: [box] })
  heard.length = 0
})

type Request = [method: string, path: string, body: unknown]

const patchBox = (data: unknown): Request => ["PATCH", `/boxes/${box}`, data]
const patchRoom = (data: unknown): Request => ["PATCH", `/rooms/${room}`, { boxes: { update: { id: box, data } } }]
const patchBatch = (data: unknown): Request => ["POST", "/boxes/update-batch", { updates: [{ id: box, data }] }]
const patchMany = (data: unknown): Request => ["PATCH", "/boxes", { all: true, data }]
const patchFront = (data: unknown): Request => ["PATCH", "/globals/front", data]
const WAYS = { patchBox, patchRoom, patchBatch, patchMany }
const PREFIX = { patchBox: "", patchRoom: "boxes.update.0.data.", patchBatch: "updates.0.data.", patchMany: "" }

const names = Object.keys(WAYS) as (keyof typeof WAYS)[]

describe("the field rules of the target hold", () => {
  const graded = { name: "new", grade: "A" }

  test.each(
    names.flatMap((way) => [
      { way, data: () => ({ things: { create: graded } }), path: "things.create.0.grade" },
      { way, data: () => ({ linked: { create: graded } }), path: "linked.create.0.grade" },
      { way, data: () => ({ main: { create: graded } }), path: "main.create.grade" },
      {
        way,
        data: () => ({ things: { update: { id: thing, data: { grade: "A" } } } }),
        path: "things.update.0.data.grade",
      },
      {
        way,
        data: () => ({ linked: { update: { id: thing, data: { grade: "A" } } } }),
        path: "linked.update.0.data.grade",
      },
      {
        way,
        data: () => ({ main: { connectOrCreate: { where: { name: "new" }, create: graded } } }),
        path: "main.connectOrCreate.create.grade",
      },
      {
        way,
        data: () => ({ linked: { connectOrCreate: { where: { name: "new" }, create: graded } } }),
        path: "linked.connectOrCreate.0.create.grade",
      },
    ]),
  )("$way: $path", async ({ way, data, path }) => {
    const [method, url, body] = WAYS[way](data())

    const refused = await world.refused(method, url, body)
    const allowed = await world.send(method, url, body, editor)

    expect(refused.status).toBe(403)
    expect(refused.error["fieldErrors"]).toEqual([
      { path: `${PREFIX[way]}${path}`, message: expect.stringContaining("You may not") },
    ])
    expect(allowed.status).toBeLessThan(300)
  })

  test("in a global too", async () => {
    const [method, url, body] = patchFront({ main: { create: graded } })

    const refused = await world.refused(method, url, body)
    const allowed = await world.send(method, url, body, editor)

    expect(refused).toMatchObject({ status: 403, error: { fieldErrors: [{ path: "main.create.grade" }] } })
    expect(allowed.status).toBe(200)
  })
})

describe("the row rule of the target holds for the row that is left", () => {
  const ofAlice = () => ({ shelf: { is: { keeper: "alice" } } })
  // A connected record must stay in the room of its box.
  const ofRoom = () => ({ box: { is: { room } } })

  test.each(names)("%s: a nested change or creation cannot move a record out of reach", async (way) => {
    rules.update = ofAlice
    rules.create = ofAlice
    const moved = { update: { id: thing, data: { shelf: bobsShelf } } }
    const made = { create: { name: "new", shelf: bobsShelf } }
    const refused = async (data: unknown) => (await world.refused(...WAYS[way](data))).status

    expect(await refused({ things: moved })).toBe(403)
    expect(await refused({ linked: moved })).toBe(403)
    expect(await refused({ things: made })).toBe(403)
    expect(await refused({ linked: made })).toBe(403)
    expect(await refused({ main: made })).toBe(403)
  })

  test.each(names)("%s: what connect and disconnect leave is judged as well", async (way) => {
    const elsewhere = await world.add("boxes")
    const stranger = await world.add("things", { name: "stranger", box: elsewhere })
    rules.update = ofRoom
    const refused = async (data: unknown) => (await world.refused(...WAYS[way](data))).status

    expect(await refused({ things: { disconnect: thing } })).toBe(403)
    expect(await refused({ things: [] })).toBe(403)
    expect(await refused({ things: { connect: stranger } })).toBe(403)
    expect(await refused({ things: { delete: stranger } })).toBe(400)
    expect(await refused({ things: { update: { id: stranger, data: { name: "x" } } } })).toBe(400)
  })

  test("a rule that reads the record being made sees it", async () => {
    rules.create = () => ({ box: { is: { name: "open" } } })
    const create = { name: "new" }

    const refused = await world.refused("POST", "/rooms", { boxes: { create: { name: "shut", things: { create } } } })
    const made = await world.send("POST", "/rooms", { boxes: { create: { name: "open", things: { create } } } })

    expect([refused.status, made.status]).toEqual([403, 201])
  })
})

describe("hooks of the target are part of the write", () => {
  test.each(names)("%s: they run in its transaction, and a throw takes everything back", async (way) => {
    const bad = { name: "bad", note: "throw" }
    const refused = async (data: unknown) => {
      const { status, error } = await world.refused(...WAYS[way](data))
      return [status, error["message"]]
    }
    const no = [409, "The hook says no."]

    expect(await refused({ name: "x", things: { create: [{ name: "good" }, bad] } })).toEqual(no)
    expect(await refused({ name: "x", linked: { create: [{ name: "good" }, bad] } })).toEqual(no)
    expect(await refused({ name: "x", main: { create: bad } })).toEqual(no)
    expect(await refused({ things: { update: { id: thing, data: { note: "throw" } } } })).toEqual(no)
    await world.app.database.query("update things set note = 'throw'")
    expect(await refused({ linked: { delete: thing } })).toEqual(no)
    expect(await refused({ things: { disconnect: thing } })).toEqual(no)
    expect(heard).toContain("create good")
    expect(heard).toContain("delete thing")
  })
})

describe("a global", () => {
  test("asks the rules of what it creates, and of what it points to", async () => {
    const create = { main: { create: { name: "new", shelf } } }
    rules.create = () => ({ shelf: { is: { keeper: "bob" } } })
    const noCreate = await world.refused(...patchFront({ title: "x", ...create }))
    rules.create = () => ({ shelf: { is: { keeper: "alice" } } })
    const made = await world.send(...patchFront(create))
    rules.read = () => ({ shelf: { is: { keeper: "bob" } } })
    const hidden = await world.refused(...patchFront({ main: thing }))
    const missing = await world.refused(...patchFront({ main: { connect: { id: MISSING } } }))
    const taken = await world.refused(
      ...patchFront({ main: { connectOrCreate: { where: { name: "thing" }, create: { name: "thing", shelf } } } }),
    )

    expect([noCreate.status, made.status, hidden.status, taken.status]).toEqual([403, 200, 400, 409])
    expect(hidden).toEqual(missing)
  })
})

describe("bulk writes", () => {
  test("give each record related records of its own", async () => {
    const second = await world.add("boxes", { room })
    const data = {
      main: { create: { note: "own" } },
      things: { create: { note: "inside" } },
      linked: { connect: thing },
    }

    const { status, body } = await world.send("PATCH", "/boxes", { where: { room }, data })

    expect(status).toBe(200)
    expect(new Set(body.map(({ main }: { main: string }) => main)).size).toBe(2)
    const { docs } = (await world.app.fetch("/boxes?with[things]=true&with[linked]=true&orderBy[id]=asc")).body
    expect(docs.map((one: any) => one.things.at(-1).note ?? one.things[0].note)).toEqual(["inside", "inside"])
    expect(docs.map((one: any) => one.linked.map(({ id }: { id: string }) => id))).toEqual([[thing], [thing]])
    expect(docs[1].id).toBe(second)
  })

  test("one refused relation of one record takes everything back", async () => {
    const second = await world.add("boxes")
    rules.create = ({ input }) => input?.["note"] === "please"
    const updates = [
      { id: box, data: { name: "x", things: { create: { note: "please" } } } },
      { id: second, data: { name: "x", things: { create: { note: "now" } } } },
    ]

    expect((await world.refused("POST", "/boxes/update-batch", { updates })).status).toBe(403)
  })
})

test("lists in lists are counted together, and too many are refused without a trace", async () => {
  const rows = await world.app.database.query(
    'insert into things (id, "createdAt", "updatedAt") select gen_random_uuid(), now(), now() from generate_series(1, 1000) returning id',
  )
  const connect = rows.map(({ id }) => id)
  const withBoxes = (length: number) => ({ boxes: { create: Array.from({ length }, () => ({ linked: { connect } })) } })

  const refused = await world.refused("POST", "/rooms", withBoxes(10))
  const allowed = await world.send("POST", "/rooms", withBoxes(9))

  expect(refused).toMatchObject({ status: 400, error: { fieldErrors: [{ path: "boxes.create.9.linked" }] } })
  expect(refused.error["fieldErrors"][0].message).toBe("At most 10000 related records can be written in one request.")
  expect(allowed.status).toBe(201)
})

test("who may make a record but not read it may make related ones with it", async () => {
  const orders = collection("orders")
    .fields(({ f }) => ({ number: f.text(), lines: f.relation("lines").hasMany({ via: "order" }) }))
    .access({ create: true })
  const lines = collection("lines")
    .fields(({ f }) => ({ text: f.text(), order: f.relation("orders").required() }))
    .access({ create: true })
  await using app = await testApp({ resources: [orders, lines] })
  const send = (path: string, body: unknown) => app.fetch(path, { method: "POST", body: JSON.stringify(body) })

  const made = await send("/orders", { number: "7", lines: { create: [{ text: "a" }, { text: "b" }] } })
  const before = await fingerprint(app)
  const added = await send("/lines", { text: "c", order: made.body.id })

  expect([made.status, Object.keys(made.body)]).toEqual([201, ["id"]])
  expect(await app.app.system.collections["lines"]?.count({ where: { order: made.body.id } })).toBe(2)
  expect(added.status).toBe(400)
  expect(await fingerprint(app)).toEqual(before)
})

test("a nested write acts as the caller, not as the author of a hook that led to it", async () => {
  const secrets = collection("secrets").fields(({ f }) => ({ text: f.text() }))
  const wishes = collection("wishes")
    .fields(({ f }) => ({ text: f.text(), secret: f.relation("secrets"), found: f.relation("secrets").hidden() }))
    .access({ read: true, create: true })
    .hooks({ beforeValidate: ({ data }) => ({ ...data, found: { create: { text: "x" } } }) })
  const site = global("site")
    .fields(({ f }) => ({ secret: f.relation("secrets") }))
    .access({ read: true, update: true })
  await using app = await testApp({ resources: [secrets, wishes, site] })
  const send = (method: string, path: string, body: unknown, session?: Session) =>
    app.fetch(path, { method, body: JSON.stringify(body), ...(session && { session }) })
  const before = await fingerprint(app)

  const answers = [
    await send("POST", "/wishes", { text: "x" }, alice),
    await send("POST", "/wishes", { text: "x" }),
    await send("PATCH", "/globals/site", { secret: { create: { text: "x" } } }, alice),
  ]

  expect(answers.map(({ status }) => status)).toEqual([403, 401, 403])
  expect(await fingerprint(app)).toEqual(before)
})

test("a record that leaves in the same write is gone for it, as one that never was", async () => {
  const change = { id: thing, data: { note: "x" } }

  const gone = await world.refused(...patchBox({ things: { delete: thing, update: change } }))
  const missing = await world.refused(...patchBox({ things: { update: { ...change, id: MISSING } } }))

  expect(gone.status).toBe(400)
  expect(gone).toEqual(missing)
})

test("a hidden field that leads back is not told by a refusal", async () => {
  const parents = collection("parents")
    .fields(({ f }) => ({ name: f.text(), children: f.relation("children").hasMany({ via: "covert" }) }))
    .access({ read: true, update: true })
  const children = collection("children")
    .fields(({ f }) => ({ name: f.text(), covert: f.relation("parents").hidden() }))
    .access({ read: true, create: true, update: true, delete: true })
  await using app = await testApp({ resources: [parents, children] })
  const { parents: parentsApi, children: childrenApi } = app.app.system.collections
  const parent = String((await parentsApi?.create({}))?.["id"])
  const free = String((await childrenApi?.create({ name: "free" }))?.["id"])
  const child = String((await childrenApi?.create({ name: "child", covert: parent }))?.["id"])
  const patch = (data: unknown) => app.fetch(`/parents/${parent}`, { method: "PATCH", body: JSON.stringify(data) })
  const before = await fingerprint(app)

  const operations = [{ connect: free }, { disconnect: child }, { create: { name: "new" } }, [], [free]]
  const answers = await Promise.all(operations.map((operation) => patch({ children: operation })))

  expect(answers.map(({ status }) => status)).toEqual(operations.map(() => 400))
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain("covert")
  expect(await fingerprint(app)).toEqual(before)
  expect((await patch({ children: { update: { id: child, data: { name: "b" } } } })).status).toBe(200)
  expect((await patch({ children: { delete: child } })).status).toBe(200)
})
