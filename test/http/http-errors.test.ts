import { ApiError, collection, type ErrorCode, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ERROR_CODES } from "../../packages/kit/src/wire/errors/api-error.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text(40).required().unique(),
    parent: f.relation("things"),
    effect: f.text().validate((code) => {
      throw code === "bug" ? new TypeError("a bug of the author") : thrownByAuthor(code)
    }),
  }))
  .access({ read: true, create: ({ session }) => session !== null, update: false, delete: true })

function thrownByAuthor(code: string): Error {
  const circular: Record<string, unknown> = {}
  circular["self"] = circular
  if (code === "circular") return new ApiError("CONFLICT", { context: circular })
  const at = new Date("2026-05-04T10:30:00Z")
  // The tests below send only codes of the table.
  return new ApiError(code as ErrorCode, { message: "Said by the author.", context: { count: 12n, at } })
}

let app: TestApp
let id: string
beforeAll(async () => {
  app = await testApp({ resources: [things] })
  const parent = await app.app.system.collections["things"]?.create({ name: "parent" })
  await app.app.system.collections["things"]?.create({ name: "child", parent: parent?.["id"] })
  id = String(parent?.["id"])
})
afterAll(() => app[Symbol.asyncDispose]())

const create = (data: object | string, init: RequestInit & { session?: Session } = { session: ann }) =>
  app.fetch("/things", { method: "POST", body: typeof data === "string" ? data : JSON.stringify(data), ...init })

type Provoke = () => ReturnType<TestApp["fetch"]>

const provocations: Partial<Record<ErrorCode, Provoke>> = {
  BAD_REQUEST: () => create("{"),
  VALIDATION_ERROR: () => create({ nmae: "x" }),
  UNAUTHORIZED: () => create({ name: "x" }, {}),
  FORBIDDEN: () => app.fetch(`/things/${id}`, { method: "PATCH", body: "{}", session: ann }),
  NOT_FOUND: () => app.fetch("/things/01890000-0000-7000-8000-00000000ffff"),
  METHOD_NOT_ALLOWED: () => app.fetch("/things", { method: "PUT" }),
  CONFLICT: () => create({ name: "parent" }),
  PAYLOAD_TOO_LARGE: () => create({ name: "x".repeat(2_000_000) }),
  UNSUPPORTED_MEDIA_TYPE: () => create({}, { session: ann, headers: { "content-type": "text/plain" } }),
  INTERNAL_SERVER_ERROR: () => create({ name: "x", effect: "bug" }),
}

describe("the table of codes", () => {
  test.each(Object.entries(provocations))("%s is answered with its status", async (code, provoke) => {
    const answer = await provoke()

    expect(answer.body.error.code).toBe(code)
    expect(answer.status).toBe(ERROR_CODES[code as ErrorCode].status)
    expect(answer.body.error.message.length).toBeGreaterThan(10)
    expect(answer.body.error.requestId).toBe(answer.headers.get("x-request-id"))
  })

  test.each(Object.keys(ERROR_CODES))("%s thrown by an author reaches the caller with its details", async (code) => {
    const answer = await create({ name: "x", effect: code })

    expect(answer.status).toBe(ERROR_CODES[code as ErrorCode].status)
    expect(answer.body.error).toMatchObject({
      code,
      message: "Said by the author.",
      context: { count: "12", at: "2026-05-04T10:30:00.000Z" },
    })
  })
})

describe("details", () => {
  test("a unique value that is taken is a conflict that names the field", async () => {
    const answer = await create({ name: "parent" })

    expect(answer.body.error.fieldErrors).toEqual([{ path: "name", message: "Another record has this value already." }])
  })

  test("a record that others point to cannot be deleted, and the conflict names the relation", async () => {
    const answer = await app.fetch(`/things/${id}`, { method: "DELETE" })

    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", context: { relation: { collection: "things", field: "parent" } } } },
    })
  })

  test("everything that is wrong with a body is told at once", async () => {
    const answer = await create({ name: 5, parent: "x", nope: 1, id })

    expect(answer.body.error.fieldErrors.map(({ path }: { path: string }) => path)).toEqual([
      "name",
      "parent",
      "nope",
      "id",
    ])
  })

  test("what is wrong with a body as a whole is told without a path", async () => {
    const { status, body } = await create("[]")

    expect([status, body.error.message]).toEqual([400, "Expected an object with the fields of the record."])
  })

  test("a busy server says when to try again", async () => {
    const answer = await create({ name: "x", effect: "SERVICE_UNAVAILABLE" })

    expect(answer.headers.get("retry-after")).toBe("1")
  })

  test("what is worth knowing is logged with the request id, and what the caller did wrong is not", async () => {
    const bug = await create({ name: "x", effect: "bug" })
    const busy = await create({ name: "x", effect: "SERVICE_UNAVAILABLE" })
    const wrong = await create({ nmae: "x" })

    const logged = (answer: typeof bug) =>
      app.logged
        .filter(({ fields }) => (fields as { requestId?: string }).requestId === answer.body.error.requestId)
        .map(({ message }) => message)
    expect(logged(bug)).toEqual(["A request failed."])
    expect(logged(busy)).toEqual(["A request could not be served."])
    expect(logged(wrong)).toEqual([])
  })
})

describe("errors in extended JSON", () => {
  const extended = { session: ann, headers: { "x-extendedjson": "1" } }

  test("keep the types of their details", async () => {
    const answer = await create({ json: { name: "x", effect: "CONFLICT" } }, extended)

    expect(answer.status).toBe(409)
    expect(answer.headers.get("x-extendedjson")).toBe("1")
    expect(answer.body.json.error.context).toEqual({ count: "12", at: "2026-05-04T10:30:00.000Z" })
    expect(answer.body.meta.values).toEqual({ "error.context.count": "BigInt", "error.context.at": "Date" })
  })

  test("have no meta where plain JSON holds everything", async () => {
    const answer = await app.fetch("/nope", { headers: { "x-extendedjson": "true" } })

    expect(answer.body).toEqual({
      json: { error: { code: "NOT_FOUND", message: expect.any(String), requestId: expect.any(String) } },
    })
  })

  test.each([
    ["plain", "0"],
    ["extended", "1"],
  ])("details that JSON cannot hold become a failure of the server, in %s JSON", async (_name, header) => {
    const data = { name: "x", effect: "circular" }
    const init = { session: ann, headers: { "x-extendedjson": header } }

    const answer = await create(header === "1" ? { json: data } : data, init)
    const next = await app.fetch("/health")

    expect(answer.status).toBe(500)
    expect((answer.body.json ?? answer.body).error.code).toBe("INTERNAL_SERVER_ERROR")
    expect(next.status).toBe(200)
  })
})
