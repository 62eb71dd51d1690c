// @module-tag not-about-engine

import { request } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { TestApp } from "../support/worlds/test-app.ts"
import { contentOf, makeRecords, type Records, strictApp } from "./strict-app.ts"

/** A call that changes one record, and takes the revision that the record must still have. */
interface Change {
  readonly name: string
  readonly method: "POST" | "DELETE"
  path(records: Records): string
  /** The members of the body besides the revision. */
  readonly body: object
}

const CHANGES: readonly Change[] = [
  { name: "delete", method: "DELETE", path: ({ id }) => `/things/${id}`, body: {} },
  { name: "restore", method: "POST", path: ({ deleted }) => `/things/${deleted}/restore`, body: {} },
  { name: "purge", method: "POST", path: ({ deleted }) => `/things/${deleted}/purge`, body: {} },
  { name: "revert", method: "POST", path: ({ id }) => `/things/${id}/revert`, body: { version: 1 } },
  { name: "transition", method: "POST", path: ({ id }) => `/things/${id}/transition`, body: { stage: "shown" } },
  {
    name: "cancel a transition",
    method: "DELETE",
    path: ({ pending }) => `/things/${pending}/transition`,
    body: {},
  },
  { name: "revert a global", method: "POST", path: () => "/globals/page/revert", body: { version: 1 } },
  { name: "transition a global", method: "POST", path: () => "/globals/page/transition", body: { stage: "shown" } },
  { name: "cancel a transition of a global", method: "DELETE", path: () => "/globals/page/transition", body: {} },
]
const WITHOUT_MEMBERS = CHANGES.filter(({ body }) => Object.keys(body).length === 0)

let app: TestApp
let records: Records

beforeAll(async () => {
  app = await strictApp()
})
beforeEach(async () => {
  await app.database.query("delete from global_page")
  records = await makeRecords(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const ROW = `select revision from things where id = $1`

async function revisionOf(path: string): Promise<number> {
  const [, , id] = path.split("/")
  const rows = path.startsWith("/globals")
    ? await app.database.query("select revision from global_page")
    : await app.database.query(ROW, [id])
  return Number(rows[0]?.["revision"])
}

describe.each(CHANGES)("$name", ({ method, path: pathFor, body }) => {
  const send = (given: object, more: { query?: string; headers?: Record<string, string> } = {}) =>
    app.fetch(pathFor(records) + (more.query ?? ""), {
      ...{ method, headers: { "content-type": "application/json", ...more.headers } },
      body: JSON.stringify({ ...body, ...given }),
    })

  test("a stale revision in the body is 409, and nothing is written", async () => {
    const before = await contentOf(app)
    const actual = await revisionOf(pathFor(records))

    const { status, body: answer } = await send({ expectedRevision: 99 })

    expect({ status, ...answer.error }).toMatchObject({
      status: 409,
      context: { revision: { expected: 99, actual } },
    })
    expect(await contentOf(app)).toBe(before)
  })

  test("the current revision in the body, or in both places, is accepted", async () => {
    const revision = await revisionOf(pathFor(records))

    const { status } = await send({ expectedRevision: revision }, { query: `?expectedRevision=${revision}` })

    expect(status).toBe(200)
  })

  test("different revisions, or one beside If-Match, are 400", async () => {
    const before = await contentOf(app)
    const revision = await revisionOf(pathFor(records))

    const answers = [
      await send({ expectedRevision: revision }, { query: "?expectedRevision=99" }),
      await send({ expectedRevision: 99 }, { query: `?expectedRevision=${revision}` }),
      await send({ expectedRevision: revision }, { headers: { "if-match": `"${revision}"` } }),
    ]

    for (const { status, body: answer } of answers)
      expect({ status, ...answer.error }).toMatchObject({ status: 400, fieldErrors: [{ path: "expectedRevision" }] })
    expect(await contentOf(app)).toBe(before)
  })

  test("a malformed revision is 400, and never absent", async () => {
    const before = await contentOf(app)

    for (const expectedRevision of ["1", null, 0, 1.5, [1]]) {
      const { status, body: answer } = await send({ expectedRevision })
      expect({ status, ...answer.error }).toMatchObject({ status: 400, fieldErrors: [{ path: "expectedRevision" }] })
    }
    expect(await contentOf(app)).toBe(before)
  })
})

describe.each(WITHOUT_MEMBERS)("$name", ({ method, path }) => {
  const JSON_TYPE = { "content-type": "application/json" }

  test.each([
    ["no body", {}],
    ["no body, but a content type", { headers: JSON_TYPE }],
    ["an empty body", { headers: JSON_TYPE, body: "" }],
    ["an empty object", { headers: JSON_TYPE, body: "{}" }],
    ["members that are undefined", { headers: { ...JSON_TYPE, "x-extendedjson": "1" }, body: UNDEFINED }],
  ])("%s is accepted", async (_name, init) => {
    const { status } = await app.fetch(path(records), { method, ...init })

    expect(status).toBe(200)
  })

  test("any other body is refused, and nothing is written", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const bodies: [name: string, expected: number, init: RequestInit][] = [
      ["a list", 400, { headers: JSON_TYPE, body: "[]" }],
      ["null", 400, { headers: JSON_TYPE, body: "null" }],
      ["not JSON", 400, { headers: JSON_TYPE, body: "expectedRevision=99" }],
      ["a form", 415, { headers: form, body: "expectedRevision=99" }],
      ["bytes without a content type", 415, { body: new Uint8Array([123, 125]) }],
      ["a Map", 400, { headers: { ...JSON_TYPE, "x-extendedjson": "1" }, body: MAP }],
    ]
    const before = await contentOf(app)

    for (const [name, expected, init] of bodies) {
      const { status } = await fetch(app.url + path(records), { method, ...init })
      expect({ name, status }).toEqual({ name, status: expected })
    }
    expect(await contentOf(app)).toBe(before)
  })
})

test("a GET with a body is refused, and reads nothing", async () => {
  const body = JSON.stringify({ where: { name: "second" } })
  const headers = { "content-type": "application/json", "content-length": body.length }

  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(`${app.url}/things`, { method: "GET", headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() })
    })
    sent.on("error", reject)
    sent.end(body)
  })

  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text).error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: "where" }] })
})

test("a host that gives web-standard requests refuses the same bodies", async () => {
  const url = `http://localhost${app.app.basePath}/things/${records.id}`
  const before = await contentOf(app)
  const init = { method: "DELETE", headers: { "content-type": "application/json" } }

  const stale = await app.app.handler(new Request(url, { ...init, body: '{"expectedRevision":99}' }))
  const unknown = await app.app.handler(new Request(url, { ...init, body: '{"expectedRevison":99}' }))

  expect([stale.status, unknown.status]).toEqual([409, 400])
  expect(await contentOf(app)).toBe(before)
  expect((await app.app.handler(new Request(url, init))).status).toBe(200)
})

// Extended JSON: an object with a member that is undefined, and a Map.
const UNDEFINED = JSON.stringify({
  json: { expectedRevison: null },
  meta: { values: { expectedRevison: ["undefined"] } },
})
const MAP = JSON.stringify({ json: [["expectedRevision", 99]], meta: { values: { "": ["map"] } } })
