// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const EDITOR: Session = { user: { id: "u1", role: "editor" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"
const ALL = { read: true, create: true, update: true, delete: true } as const

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), isOpen: f.boolean().default(true) }))
  .title("name")
  .options({ softDelete: true })
  .access({ ...ALL, read: (call) => isEditor(call) || { isOpen: true } })
const clubs = collection("clubs")
  .fields(({ f }) => ({
    name: f.text().access({ read: (call) => isEditor(call) || { isOpen: true } }),
    isOpen: f.boolean().default(true),
  }))
  .title("name")
  .access(ALL)
const shy = collection("shy")
  .fields(({ f }) => ({ name: f.text().access({ read: isEditor }) }))
  .title("name")
  .access(ALL)
const closed = collection("closed")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .access({ ...ALL, read: isEditor })
const topics = collection("topics")
  .fields(({ f }) => ({ name: f.text().localized() }))
  .title("name")
  .access(ALL)
const hooked = collection("hooked")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .access(ALL)
  .hooks({ afterRead: ({ row }) => ({ ...row, name: `${String(row["name"]).toUpperCase()}!` }) })
const staged = collection("staged")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .options({ workflow: true })
  .access({ ...ALL, transition: true, drafts: isEditor })
const untitled = collection("untitled")
  .fields(({ f }) => ({ name: f.text() }))
  .access(ALL)
const TARGETS = [people, clubs, shy, closed, topics, hooked, staged, untitled]

const tasks = collection("tasks")
  .fields(({ f }) => ({
    name: f.text(),
    people: f.relation("people"),
    clubs: f.relation("clubs"),
    shy: f.relation("shy"),
    closed: f.relation("closed"),
    topics: f.relation("topics"),
    hooked: f.relation("hooked"),
    staged: f.relation("staged"),
    untitled: f.relation("untitled"),
  }))
  .title("name")
  .access(ALL)

let app: TestApp
let system: Record<string, any>

beforeAll(async () => {
  const locales = { default: "en", all: ["en", "sk"] }
  app = await testApp({ resources: [...TARGETS, tasks], config: { locales } })
  system = app.app.system.collections
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => app.database.query("truncate tasks cascade"))

async function titles(options: object, session?: Session): Promise<unknown[]> {
  const { groups } = await app.client(session).collections["tasks"].find(options)
  return groups.map(({ value, title }: { value: unknown; title?: unknown }) => [value, title])
}

async function related(target: string, data: object = {}): Promise<string> {
  const { id } = await system[target].create({ name: "Ann", ...data })
  await system["tasks"].create({ name: "task", [target]: id })
  return id
}

describe("a group by a relation has the title of the related record", () => {
  test("beside its id, with the counts and records that it has without", async () => {
    const id = await related("people")
    await system["tasks"].create({ name: "nobody's" })

    const { body } = await app.fetch("/tasks?groupBy=people&columns[name]=true")

    expect(body.groups).toEqual([
      { key: id, value: id, title: "Ann", count: 1, docs: [{ id: expect.any(String), name: "task" }] },
      { key: "__empty", value: null, title: null, count: 1, docs: [{ id: expect.any(String), name: "nobody's" }] },
    ])
  })

  test.each([{ total: false }, { total: { max: 5 } }, { groupBy: { field: "people", docs: 0 } }])(
    "also with %j",
    async (options) => {
      const id = await related("people")

      expect(await titles({ groupBy: "people", ...options })).toEqual([[id, "Ann"]])
    },
  )

  test.each([
    ["a row that its rule hides", "people", { isOpen: false }],
    ["a field that a rule hides in this row", "clubs", { isOpen: false }],
    ["a field that a rule hides", "shy", {}],
    ["a collection that a rule hides", "closed", {}],
  ])("unless it is hidden from the caller: %s", async (_, target, data) => {
    const id = await related(target, data)

    expect(await titles({ groupBy: target })).toEqual([[id, null]])
    expect(await titles({ groupBy: { field: target, docs: 0 } }, EDITOR)).toEqual([[id, "Ann"]])
  })

  test("unless it is deleted", async () => {
    const id = await related("people")
    await system["people"].deleteById({ id })

    expect(await titles({ groupBy: "people" }, EDITOR)).toEqual([[id, null]])
  })

  test("in the locale of the read, and in the default one where it has all of them", async () => {
    const id = await related("topics", { name: "Weather" })
    await system["topics"].updateById({ id, data: { name: "Počasie" } }, { locale: "sk" })

    expect(await titles({ groupBy: "topics", locale: "sk" })).toEqual([[id, "Počasie"]])
    expect(await titles({ groupBy: "topics", locale: "*" })).toEqual([[id, "Weather"]])
  })

  test("as its afterRead hooks return it", async () => {
    const id = await related("hooked")

    expect(await titles({ groupBy: "hooked" })).toEqual([[id, "ANN!"]])
  })

  test("in the stage that the caller may read", async () => {
    const id = await related("staged")

    expect(await titles({ groupBy: "staged" })).toEqual([[id, null]])
    expect(await titles({ groupBy: "staged" }, EDITOR)).toEqual([[id, "Ann"]])
    await system["staged"].transitionStage({ id, stage: "published" })
    await system["staged"].updateById({ id, data: { name: "Ann's draft" } })
    expect(await titles({ groupBy: "staged" })).toEqual([[id, "Ann"]])
    expect(await titles({ groupBy: "staged" }, EDITOR)).toEqual([[id, "Ann's draft"]])
  })

  test("and none where the related records have none, or the field is not a relation", async () => {
    const id = await related("untitled")

    expect(await titles({ groupBy: "untitled" })).toEqual([[id, undefined]])
    expect(await titles({ groupBy: "name" })).toEqual([["task", undefined]])
  })

  test("and a live query follows it", { timeout: 120_000 }, async () => {
    const id = await related("people")
    const seen: unknown[] = []
    const client = app.client()
    const stop = client.collections["tasks"].watch({ groupBy: { field: "people", docs: 0 } }, (page: any) => {
      seen.push(page.groups[0]?.title)
    })

    await vi.waitFor(() => expect(seen.at(-1)).toBe("Ann"), { timeout: 60_000 })
    await system["people"].updateById({ id, data: { name: "Anna" } })
    await vi.waitFor(() => expect(seen.at(-1)).toBe("Anna"), { timeout: 60_000 })

    stop()
    client.realtime.destroy()
  })
})

test.each([
  ["total=estimate", "total"],
  ["total[max]=0", "total.max"],
  ["total[max]=many", "total.max"],
  ["total[most]=5", "total"],
  ["total[]=true", "total"],
])("groups refuse to be counted by %s", async (query, path) => {
  const answer = await app.fetch(`/tasks?groupBy=name&${query}`)

  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path }] } },
  })
})

test("nothing is counted with total=false, and the page still knows whether another follows", async () => {
  for (const name of ["a", "b", "b", "c"]) await system["tasks"].create({ name })

  const first = await app.fetch("/tasks?groupBy=name&total=false&limit=2")
  const second = await app.fetch("/tasks?groupBy=name&total=false&limit=2&page=2")

  expect(first.body).toMatchObject({ totalGroups: -1, totalDocs: -1, totalPages: -1, hasNextPage: true, nextPage: 2 })
  expect(first.body.groups).toMatchObject([
    { key: "a", count: -1, docs: [{ name: "a" }] },
    { key: "b", count: -1, docs: [{ name: "b" }, { name: "b" }] },
  ])
  expect(second.body).toMatchObject({ groups: [{ key: "c", count: -1 }], hasNextPage: false, nextPage: null })
})
