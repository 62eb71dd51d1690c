// @module-tag installed-postgres
// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    salary: f.number().access({ read: false }),
    tasks: f.relation("tasks").hasMany({ via: "owner" }),
    friends: f.relation("people").manyToMany(),
  }))
  .access({ read: ({ session }) => session !== null || { name: "Ann" } })

const tasks = collection("tasks")
  .fields(({ f }) => ({
    name: f.text().required(),
    size: f.number().integer().required(),
    status: f.select(["open", "done", "late"]),
    flag: f.boolean(),
    big: f.number().bigint(),
    money: f.number().decimal(8, 2),
    double: f.number(),
    at: f.datetime(),
    data: f.json(),
    secret: f.text().hidden(),
    isBig: f.virtual(f.boolean(), '"size" > 4'),
    tags: f.array(f.text()),
    upper: f.computed<string>(({ row }) => String(row["name"]).toUpperCase()),
    owner: f.relation("people"),
  }))
  .title("name")
  .access({ read: ({ session }) => session?.user.role !== "junior" || { size: { lte: 3 } } })

const AT = new Date("2026-05-04T10:30:00.123Z")
const STATUS = [null, "open", "open", "done", null, "late", "open", "__empty"] as const
const ROWS = 7

let app: TestApp
let ann: string
let bob: string

beforeAll(async () => {
  app = await testApp({ resources: [people, tasks] })
  const { collections } = app.app.system
  ann = String((await collections["people"]?.create({ name: "Ann" }))?.["id"])
  bob = String((await collections["people"]?.create({ name: "Bob" }))?.["id"])
  for (let size = 1; size <= ROWS; size++) {
    await collections["tasks"]?.create({
      name: `task ${size}`,
      size,
      status: STATUS[size - 1],
      flag: size === 1 ? null : size % 2 === 0,
      big: size < 4 ? 2n ** 60n : -1n,
      money: size < 4 ? "1.50" : null,
      double: 0.1,
      at: size < 4 ? AT : new Date(0),
      data: { size },
      secret: "s",
      owner: size < 4 ? ann : size < 7 ? bob : null,
    })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

function shape(body: { groups: { key: string; docs: { size: number }[] }[] }) {
  return Object.fromEntries(body.groups.map(({ key, docs }) => [key, docs.map(({ size }) => size)]))
}

describe("groups", () => {
  test("hold the records of each value, and those without a value", async () => {
    const { status, body } = await app.fetch("/tasks?groupBy=status&orderBy[size]=asc&columns[size]=true")

    expect(status).toBe(200)
    expect(body).toEqual({
      groups: [
        { key: "done", value: "done", count: 1, docs: [{ id: expect.any(String), size: 4 }] },
        { key: "late", value: "late", count: 1, docs: [{ id: expect.any(String), size: 6 }] },
        { key: "open", value: "open", count: 3, docs: [2, 3, 7].map((size) => ({ id: expect.any(String), size })) },
        { key: "__empty", value: null, count: 2, docs: [1, 5].map((size) => ({ id: expect.any(String), size })) },
      ],
      groupBy: "status",
      totalGroups: 4,
      totalDocs: 7,
      limit: 50,
      totalPages: 1,
      page: 1,
      pagingCounter: 1,
      hasPrevPage: false,
      hasNextPage: false,
      prevPage: null,
      nextPage: null,
    })
  })

  test.each<[string, unknown[]]>([
    ["status", ["done", "late", "open", null]],
    ["flag", [false, true, null]],
    ["isBig", [false, true]],
    ["big", ["-1", "1152921504606846976"]],
    ["money", ["1.50", null]],
    ["double", [0.1]],
    ["at", ["1970-01-01T00:00:00.000Z", "2026-05-04T10:30:00.123Z"]],
    ["size", [1, 2, 3, 4, 5, 6, 7]],
    ["name", ["task 1", "task 2", "task 3", "task 4", "task 5", "task 6", "task 7"]],
  ])("of %s are in the order of the value, with the value as a text for a key", async (field, values) => {
    const { body } = await app.fetch(`/tasks?groupBy=${field}`)
    const groups: { key: string; value: unknown }[] = body.groups

    expect(groups.map(({ value }) => value)).toEqual(values)
    expect(groups.map(({ key }) => key)).toEqual(values.map((value) => (value === null ? "__empty" : String(value))))
  })

  test("can be those of a relation, by its id, whose records may be hydrated", async () => {
    const { body } = await app.fetch("/tasks?groupBy=owner&orderBy[size]=asc&with[owner][columns][name]=true")
    const groups: { value: string; docs: { owner: unknown }[] }[] = body.groups

    expect(shape(body)).toEqual({ [ann]: [1, 2, 3], [bob]: [4, 5, 6], __empty: [7] })
    expect(groups.find(({ value }) => value === ann)?.docs[0]?.owner).toEqual({ id: ann, name: "Ann" })
    // Anonymous callers may not read Bob; the id itself is a field of the task.
    expect(groups.find(({ value }) => value === bob)?.docs[0]?.owner).toBeNull()
  })

  test("follow filter and search", async () => {
    const filtered = await app.fetch("/tasks?groupBy=status&where[size][gt]=4&orderBy[size]=desc")
    const searched = await app.fetch("/tasks?groupBy=status&search=TASK%203")
    const related = await app.fetch("/tasks?groupBy=status&where[owner][is][name]=Ann&orderBy[owner][name]=asc")

    expect(shape(filtered.body)).toEqual({ late: [6], open: [7], __empty: [5] })
    expect(filtered.body).toMatchObject({ totalGroups: 3, totalDocs: 3 })
    expect(shape(searched.body)).toEqual({ open: [3] })
    expect(related.body).toMatchObject({ totalGroups: 2, totalDocs: 3 })
  })

  test("descend with the empty group still last", async () => {
    const { body } = await app.fetch("/tasks?groupBy[field]=status&groupBy[order]=desc")

    expect(Object.keys(shape(body))).toEqual(["open", "late", "done", "__empty"])
  })

  test("are what pages are made of", async () => {
    const query = "groupBy[field]=status&groupBy[docs]=1&orderBy[size]=asc&limit=3"
    const first = await app.fetch(`/tasks?${query}`)
    const second = await app.fetch(`/tasks?${query}&page=2`)
    const beyond = await app.fetch(`/tasks?${query}&offset=9`)
    const none = await app.fetch(`/tasks?${query}&where[size]=99`)

    expect(shape(first.body)).toEqual({ done: [4], late: [6], open: [2] })
    expect(first.body).toMatchObject({ totalGroups: 4, totalDocs: 7, totalPages: 2, nextPage: 2, prevPage: null })
    expect(shape(second.body)).toEqual({ __empty: [1] })
    expect(second.body).toMatchObject({ page: 2, pagingCounter: 4, nextPage: null, prevPage: 1 })
    expect(beyond.body).toMatchObject({ groups: [], totalGroups: 4, totalDocs: 7, page: 4 })
    expect(none.body).toMatchObject({ groups: [], totalGroups: 0, totalDocs: 0, totalPages: 1 })
  })

  test("can be counted without their records", async () => {
    const { body } = await app.fetch("/tasks?groupBy[field]=status&groupBy[docs]=0&limit=1000")

    expect(body.groups.map(({ count, docs }: { count: number; docs: unknown[] }) => [count, docs])).toEqual([
      [1, []],
      [1, []],
      [3, []],
      [2, []],
    ])
    expect(body).toMatchObject({ totalGroups: 4, totalDocs: 7 })
  })

  test("are the same to the client, in process and by POST", async () => {
    const options = { groupBy: { field: "at", docs: 1 }, orderBy: { size: "asc" }, columns: { big: true } } as const

    const overHttp = await app.client().collections["tasks"].find(options)
    const inProcess = await app.app.system.collections["tasks"]?.find(options)
    const posted = await app.fetch("/tasks/query", { method: "POST", body: JSON.stringify(options) })

    expect(overHttp).toEqual(inProcess)
    expect(inProcess?.groups.map(({ value }) => value)).toEqual([new Date(0), AT])
    expect(inProcess?.groups[1]?.docs).toEqual([{ id: expect.any(String), big: 2n ** 60n }])
    expect(posted.body).toMatchObject({ totalGroups: 2, groups: [{ docs: [{ big: "-1" }] }, {}] })
  })

  test("hold big integers in the client", async () => {
    const page = await app.client().collections["tasks"].find({ groupBy: "big" })

    expect(page.groups.map(({ value }: { value: unknown }) => value)).toEqual([-1n, 2n ** 60n])
  })
})

describe("the rules", () => {
  test("count only the records that the caller may read", async () => {
    const { body } = await app.fetch("/tasks?groupBy=status", { session: { user: { id: "x", role: "junior" } } })

    expect(body).toMatchObject({ totalGroups: 2, totalDocs: 3 })
    expect(shape(body)).toEqual({ open: [3, 2], __empty: [1] })
  })

  test.each([
    ["groupBy=data", "groupBy"],
    ["groupBy[field]=data", "groupBy.field"],
    ["groupBy=tags", "groupBy"],
    ["groupBy=upper", "groupBy"],
    ["groupBy=nope", "groupBy"],
    ["groupBy=secret", "groupBy"],
    ["groupBy=owner.name", "groupBy"],
    ["groupBy=", "groupBy"],
    ["groupBy[]=status", "groupBy"],
    ["groupBy[order]=asc", "groupBy.field"],
    ["groupBy[field]=status&groupBy[order]=up", "groupBy.order"],
    ["groupBy[field]=status&groupBy[limit]=2", "groupBy.limit"],
    ["groupBy[field]=status&groupBy[docs]=-1", "groupBy.docs"],
    ["groupBy[field]=status&groupBy[docs]=1001", "groupBy.docs"],
    ["groupBy[field]=status&groupBy[docs]=21&limit=50", "groupBy.docs"],
    ["groupBy=status&limit=0", "limit"],
    ["groupBy=status&total=maybe", "total"],
    ["groupBy=status&nope=1", "nope"],
  ])("refuse %s", async (query, path) => {
    const answer = await app.fetch(`/tasks?${query}`)

    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path }] } },
    })
  })

  test.each([
    "groupBy=tasks",
    "groupBy=tasks&with[tasks]=true",
    "groupBy[field]=tasks&where[tasks][some][size]=1",
    "groupBy=friends&with[friends]=false",
  ])("refuse those by many records: %s", async (query) => {
    const answer = await app.fetch(`/people?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })

  test("refuse those by many records to system code too", async () => {
    const groups = app.app.system.collections["people"]?.find({ groupBy: "tasks" })

    await expect(groups).rejects.toThrow("leads to many records and cannot be grouped by")
  })

  test("answer a field that may not be read as one that does not exist", async () => {
    const messages = await Promise.all(
      ["salary", "salari"].map(async (name) => (await app.fetch(`/people?groupBy=${name}`)).body.error.message),
    )

    expect(messages[0].replace("salary", "x")).toBe(messages[1].replace("salari", "x"))
  })

  test("know no groups of one record, nor of a count", async () => {
    const one = app.client().collections["tasks"].findOne({ groupBy: "status" })

    await expect(one).rejects.toThrow("findOne returns no groups: use find.")
    expect((await app.fetch("/tasks/count?groupBy=status")).status).toBe(400)
    expect((await app.fetch(`/people/${ann}?groupBy=name`)).status).toBe(400)
  })
})

test("a group shows 50 records, fewer where many groups share the page, and never more than asked for", async () => {
  const numbers = collection("numbers")
    .fields(({ f }) => ({ group: f.number().integer(), few: f.text() }))
    .access({ read: true })
  await using other = await testApp({ resources: [numbers] })
  await other.database.query(
    `insert into numbers (id, "group", few, "createdAt", "updatedAt")
     select gen_random_uuid(), n % 40, n % 3, now(), now() from generate_series(1, 2400) n`,
  )
  const docsOf = async (query: string) => {
    const { body } = await other.fetch(`/numbers?${query}`)
    return { limit: body.limit, docs: body.groups.map(({ docs }: { docs: unknown[] }) => docs.length) }
  }

  expect(await docsOf("groupBy=few")).toEqual({ limit: 50, docs: [50, 50, 50] })
  expect(await docsOf("groupBy=group")).toEqual({ limit: 50, docs: Array(40).fill(25) })
  expect(await docsOf("groupBy=group&limit=30")).toEqual({ limit: 30, docs: Array(30).fill(33) })
  expect(await docsOf("groupBy[field]=group&groupBy[docs]=60")).toEqual({ limit: 16, docs: Array(16).fill(60) })
  expect(await docsOf("groupBy[field]=few&groupBy[docs]=500&limit=2")).toEqual({ limit: 2, docs: [500, 500] })
})
