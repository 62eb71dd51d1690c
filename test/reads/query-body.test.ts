import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), secret: f.text().hidden() }))
  .access({ read: true })

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text().required(),
    size: f.number().integer(),
    big: f.number().bigint(),
    at: f.datetime(),
    data: f.json(),
    owner: f.relation("people"),
  }))
  .title("name")
  .access({ read: true })

const own = collection("own")
  .fields(({ f }) => ({ owner: f.text().required() }))
  .access({ read: ({ session }) => session && { owner: session.user.id } })

const AT = new Date("2026-05-04T10:30:00.000Z")

let app: TestApp
let ids: string[]

beforeAll(async () => {
  app = await testApp({ resources: [people, things, own] })
  const { collections } = app.app.system
  const ann = await collections["people"]?.create({ name: "Ann", secret: "s" })
  ids = []
  for (let size = 1; size <= 6; size++) {
    const data = size === 1 ? "5" : size === 2 ? 5 : { size }
    const owner = size % 2 === 0 ? ann?.["id"] : null
    const thing = await collections["things"]?.create({
      name: `thing ${size}`,
      size,
      big: 2n ** 60n,
      at: AT,
      data,
      owner,
    })
    ids.push(String(thing?.["id"]))
  }
  await collections["own"]?.create({ owner: "ann" })
  await collections["own"]?.create({ owner: "bob" })
})

afterAll(() => app[Symbol.asyncDispose]())

function post(path: string, body: unknown, init: object = {}) {
  return app.fetch(path, { method: "POST", body: JSON.stringify(body), ...init })
}

describe("POST /:collection/query", () => {
  test.each<[string, object]>([
    ["", {}],
    [
      "where[size][gt]=2&orderBy[size]=desc&limit=2&page=2",
      { where: { size: { gt: 2 } }, orderBy: { size: "desc" }, limit: 2, page: 2 },
    ],
    [
      "with[owner][columns][name]=true&columns[name]=true&total=false",
      { with: { owner: { columns: { name: true } } }, columns: { name: true }, total: false },
    ],
    ["where[owner][is][name]=Ann&offset=1", { where: { owner: { is: { name: "Ann" } } }, offset: 1 }],
    ["where[owner][isNull]=true&search=THING", { where: { owner: null }, search: "THING" }],
    ["where[at]=2026-05-04T10:30:00Z", { where: { at: "2026-05-04T10:30:00Z" } }],
    ["where[big]=1152921504606846976", { where: { big: "1152921504606846976" } }],
    ["where[size][in]=", { where: { size: { in: [] } } }],
    ["where[data][eq]=5", { where: { data: { eq: 5 } } }],
  ])("answers as GET does: %s", async (query, body) => {
    const read = await app.fetch(`/things?${query}`)

    const answer = await post("/things/query", body)

    expect(answer).toMatchObject({ status: 200, body: read.body })
    expect(read.body.docs).toBeDefined()
  })

  test("takes and answers extended JSON", async () => {
    const body = {
      json: { where: { at: AT, big: "1152921504606846976" } },
      meta: { values: { "where.at": "Date", "where.big": "BigInt" } },
    }

    const answer = await post("/things/query", body, { headers: { "x-extendedjson": "1" } })

    expect(answer.body.json.totalDocs).toBe(6)
    expect(answer.body.meta.values).toEqual({
      "docs.*.at": "Date",
      "docs.*.big": "BigInt",
      "docs.*.createdAt": "Date",
      "docs.*.updatedAt": "Date",
    })
  })

  test("tells the text of a JSON field from its number", async () => {
    const text = await post("/things/query", { where: { data: { eq: "5" } } })
    const number = await post("/things/query", { where: { data: { eq: 5 } } })

    expect(text.body.docs.map((doc: { id: string }) => doc.id)).toEqual([ids[0]])
    expect(number.body.docs.map((doc: { id: string }) => doc.id)).toEqual([ids[1]])
  })

  test.each<[unknown, string]>([
    [{ wher: {} }, "wher"],
    [{ where: { nope: 1 } }, "where.nope"],
    [{ where: { size: "2" } }, "where.size"],
    [{ where: { size: { in: "" } } }, "where.size.in"],
    [{ where: "" }, "where"],
    [{ where: null }, "where"],
    [{ where: [] }, "where"],
    [{ where: { owner: { is: { secret: "s" } } } }, "where.owner.is.secret"],
    [{ limit: 0 }, "limit"],
    [{ limit: null }, "limit"],
    [[], ""],
    ["x", ""],
    [null, ""],
  ])("refuses %j with its path", async (body, path) => {
    const answer = await post("/things/query", body)

    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path }] } },
    })
    const { message, fieldErrors } = answer.body.error
    expect(message).toBe(path === "" ? fieldErrors[0].message : `${path}: ${fieldErrors[0].message}`)
  })

  test("refuses options in its query string", async () => {
    const answer = await post("/things/query?limit=1", {})

    expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "limit" }] } } })
  })

  test("refuses a body that is a Map", async () => {
    const body = { json: [], meta: { values: { "": "Map" } } }

    const answer = await post("/things/query", body, { headers: { "x-extendedjson": "1" } })

    expect(answer.status).toBe(400)
  })

  test("has the limit of every body, and takes JSON only", async () => {
    const long = await post("/things/query", { search: "x".repeat(2_000_000) })
    const form = await post("/things/query", {}, { headers: { "content-type": "text/plain" } })

    expect(long.status).toBe(413)
    expect(form.status).toBe(415)
  })

  test("takes no other method, and no id is called so", async () => {
    const answers = await Promise.all(
      ["GET", "PATCH", "DELETE"].map((method) => app.fetch("/things/query", { method })),
    )

    expect(answers.map(({ status }) => status)).toEqual([405, 405, 405])
    expect(answers[0]?.headers.get("allow")).toBe("POST")
  })

  test("obeys the read rule", async () => {
    const anonymous = await post("/own/query", {})
    const ann = await post("/own/query", {}, { session: { user: { id: "ann" } } })

    expect(anonymous.status).toBe(401)
    expect(ann.body).toMatchObject({ totalDocs: 1, docs: [{ owner: "ann" }] })
  })
})

describe("the client", () => {
  const many = Array.from({ length: 1_500 }, (_, index) => index + 2)

  test("finds, counts and finds one with a filter that no URL holds", async () => {
    const sent: string[] = []
    const { things } = app.client(undefined, {
      fetch: (url, init) => {
        sent.push(`${init.method} ${new URL(url).pathname}`)
        return fetch(url, init)
      },
    }).collections
    const where = { size: { in: many }, at: { gte: AT }, owner: { ne: null }, AND: [] }

    const page = await things.find({ where, orderBy: { size: "asc" }, search: undefined })
    const count = await things.count({ where })
    const one = await things.findOne({ where, orderBy: { size: "desc" } })

    expect(page.docs.map((doc: { size: number }) => doc.size)).toEqual([2, 4, 6])
    expect(page.docs[0].at).toEqual(AT)
    expect(count).toBe(3)
    expect(one.size).toBe(6)
    expect(sent).toEqual(Array(3).fill("POST /api/things/query"))
  })

  test("sends a filter that is too deep for a query string", async () => {
    const deepest = { size: { lte: 2 } }
    let where: object = deepest
    for (let depth = 0; depth < 10; depth++) where = { OR: [where] }

    const page = await app.client().collections["things"].find({ where })

    expect(page.totalDocs).toBe(2)
  })

  test("does so in plain JSON too", async () => {
    const { things } = app.client(undefined, { useExtendedJSON: false }).collections

    const page = await things.find({ where: { size: { in: many }, big: 2n ** 60n, at: AT }, limit: 1 })

    expect(page.totalDocs).toBe(5)
  })

  test("refuses an undefined condition however long the filter is", async () => {
    const found = app.client().collections["things"].find({ where: { size: { in: many }, name: undefined } })

    await expect(found).rejects.toThrow("where.name is undefined")
  })
})
