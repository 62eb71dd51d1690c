import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true, purge: true } as const
const ann: Session = { user: { id: "ann" } }

/** The hook's change to the input of a write; a test sets it. */
let wish: ((data: Record<string, unknown>) => Record<string, unknown>) | undefined
const changeAsWished = ({ data }: { data: Record<string, unknown> }) => wish?.(data)

const areas = collection("areas")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const plans = collection("plans")
  .fields(({ f }) => ({
    name: f.text(),
    area: f.relation("areas").onDelete("setNull"),
    owner: f.relation("owners"),
    tasks: f.relation("tasks").hasMany({ via: "plan" }),
    tags: f.relation("tags").manyToMany(),
  }))
  .options({ softDelete: true, timestamps: false })
  .access(everyone)
  .hooks({ beforeChange: changeAsWished })

const owners = collection("owners")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const tasks = collection("tasks")
  .fields(({ f }) => ({ text: f.text().min(1), plan: f.relation("plans") }))
  .access({ ...everyone, create: ({ session, input }) => session !== null || input?.["text"] === "open" })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const front = global("front")
  .fields(({ f }) => ({ title: f.text(), owner: f.relation("owners") }))
  .access({ read: true, update: true })
  .hooks({ beforeChange: changeAsWished })

let app: TestApp
let tag: string
let area: string

beforeAll(async () => {
  app = await testApp({ resources: [areas, plans, owners, tasks, tags, front] })
})

beforeEach(async () => {
  wish = undefined
  await app.database.query('truncate areas, plans, owners, tasks, tags, "global_front", "_kit_changes" cascade')
  tag = await add("tags", { name: "red" })
  area = await add("areas")
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown> = {}): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

const send = (method: string, path: string, body?: unknown, session: Session | null = ann) =>
  app.fetch(path, { method, ...(session && { session }), ...(body !== undefined && { body: JSON.stringify(body) }) })

/** Every way to write an existing plan, or to create one. */
const WRITES: Record<string, (id: string, session?: Session | null) => ReturnType<typeof send>> = {
  "a create": (_id, session) => send("POST", "/plans", { name: "x" }, session),
  "an update": (id, session) => send("PATCH", `/plans/${id}`, { name: "x" }, session),
  "an update of nothing": (id, session) => send("PATCH", `/plans/${id}`, {}, session),
  "an updateMany": (_id, session) => send("PATCH", "/plans", { all: true, data: { name: "x" } }, session),
  "an updateMany of nothing": (_id, session) => send("PATCH", "/plans", { all: true, data: {} }, session),
  "an updateBatch": (id, session) =>
    send("POST", "/plans/update-batch", { updates: [{ id, data: { name: "x" } }] }, session),
  "a restore": (id, session) => send("POST", `/plans/${id}/restore`, undefined, session),
  "the end of what it points to": (_id, session) => send("DELETE", `/areas/${area}`, undefined, session),
}

function sent(write: string, id: string, session?: Session | null): ReturnType<typeof send> {
  return WRITES[write]?.(id, session) ?? Promise.reject(new Error(`There is no way called ${write}.`))
}

async function planFor(write: string): Promise<string> {
  const id = await add("plans", { name: "old", area })
  if (write === "a create") await app.database.query("delete from plans")
  if (write === "a restore") await send("DELETE", `/plans/${id}`)
  await app.database.query('truncate "_kit_changes"')
  return id
}

describe("what a beforeChange hook says about related records is done", () => {
  test.each(Object.keys(WRITES))("in %s", async (write) => {
    const id = await planFor(write)
    wish = (data) => ({
      ...data,
      owner: { create: { name: "Ida" } },
      tasks: { create: [{ text: "first" }] },
      tags: [tag],
    })

    const { status } = await sent(write, id)

    expect(status).toBeLessThan(300)
    const [plan] = (await app.fetch("/plans?with[owner]=true&with[tasks]=true&with[tags]=true")).body.docs
    expect(plan).toMatchObject({ owner: { name: "Ida" }, tasks: [{ text: "first" }], tags: [{ id: tag }] })
    const noted = await app.database.query('select resource from "_kit_changes" where record = $1', [plan.id])
    expect(noted.length).toBe(1)
  })

  test.each(Object.keys(WRITES))("in %s, or nothing is, where the caller may not", async (write) => {
    const id = await planFor(write)
    wish = (data) => ({ ...data, tags: [tag], tasks: { create: { text: "closed" } } })
    const before = await fingerprint(app)

    const { status, body } = await sent(write, id, null)

    expect([status, body.error.code]).toEqual([401, "UNAUTHORIZED"])
    expect(await fingerprint(app)).toEqual(before)
  })

  test.each(Object.keys(WRITES))("in %s, and what is wrong with it is told by its path", async (write) => {
    const id = await planFor(write)
    const before = await fingerprint(app)
    wish = (data) => ({ ...data, tasks: { create: [{ text: "" }] } })

    const wrongPart = await sent(write, id)
    wish = (data) => ({ ...data, tasks: null })
    const wrongWhole = await sent(write, id)

    expect(wrongPart.body.error.fieldErrors[0].path).toMatch(/^(updates\.0\.data\.)?tasks\.create\.0\.text$/)
    expect(wrongWhole.body.error.fieldErrors[0].path).toMatch(/^(updates\.0\.data\.)?tasks$/)
    expect(await fingerprint(app)).toEqual(before)
  })

  test("in the first write of a global and in a later one", async () => {
    wish = (data) => ({ ...data, owner: { create: { name: String(data["title"]) } } })

    const first = await send("PATCH", "/globals/front", { title: "one" })
    const later = await send("PATCH", "/globals/front", { title: "two" })

    expect([first.status, later.status]).toEqual([200, 200])
    const { body } = await app.fetch("/globals/front?with[owner]=true")
    expect(body).toMatchObject({ title: "two", owner: { name: "two" } })
    expect((await app.fetch("/owners/count")).body.count).toBe(2)
  })
})

test("a hook sees the operations of the caller, and may hand on a copy of them", async () => {
  const seen: unknown[] = []
  wish = (data) => {
    seen.push(data["owner"])
    return structuredClone(data)
  }

  const { status } = await send("POST", "/plans", {
    owner: { create: { name: "Ida" } },
    tasks: { create: { text: "first" } },
    tags: { connectOrCreate: { where: { id: tag }, create: {} } },
  })

  expect(status).toBe(201)
  expect(seen).toEqual([{ create: { name: "Ida" } }])
  const [plan] = (await app.fetch("/plans?with[owner]=true&with[tasks]=true&with[tags]=true")).body.docs
  expect(plan).toMatchObject({ owner: { name: "Ida" }, tasks: [{ text: "first" }], tags: [{ id: tag }] })
})

test("first writers of a global who meet make one target each and leave none behind", async () => {
  const titles = Array.from({ length: 6 }, (_, index) => `writer ${index}`)
  wish = (data) => ({ ...data, owner: { create: { name: String(data["title"]) } } })

  const answers = await Promise.all(titles.map((title) => send("PATCH", "/globals/front", { title })))

  expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200))
  expect((await app.fetch("/owners?orderBy[name]=asc")).body.docs.map(({ name }: { name: string }) => name)).toEqual(
    titles,
  )
  const { body } = await app.fetch("/globals/front?with[owner]=true")
  expect(body.owner.name).toBe(body.title)
})
