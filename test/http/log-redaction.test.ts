// @module-tag not-about-engine

import { ApiError, collection, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { pinoLogger } from "../../packages/kit/src/drivers/log/pino-logger.ts"
import { redactText } from "../../packages/kit/src/drivers/log/redact-text.ts"
import { leastMsOf } from "../../packages/kit/test/least-time.ts"
import { sessions, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }
const COOKIE = sessions.sign(ann)
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.c2Vzc2lvbg.c2lnbmF0dXJl"
const DSN = "postgres://root:swordfish@db.internal:5432/prod"

/** Returns a logger, and the lines that it has written. */
function capturingLogger() {
  const lines: string[] = []
  return { lines, logger: pinoLogger("info", { write: (line) => void lines.push(line) }) }
}

function logged(fields: Record<string, unknown>, message = "It happened."): Record<string, any> {
  const { lines, logger } = capturingLogger()
  logger.error(message, fields)
  return JSON.parse(lines.join(""))
}

describe("a log line", () => {
  test.each([
    "authorization",
    "Authorization",
    "cookie",
    "set-cookie",
    "Set-Cookie",
    "password",
    "newPassword",
    "passwordHash",
    "token",
    "accessToken",
    "reset_token",
    "secret",
    "clientSecret",
    "apiKey",
    "api_key",
    "x-api-key",
  ])("leaves out %s at any depth", (name) => {
    const line = logged({ [name]: "hush", request: { headers: [{ [name]: { deep: "hush" } }] }, kept: "loud" })

    expect(JSON.stringify(line)).not.toContain("hush")
    expect(line["kept"]).toBe("loud")
    expect(line["request"]).toEqual({ headers: [{ [name]: "[redacted]" }] })
  })

  test.each(["tokens", "author", "keyboard", "secretary", "session", "passage"])("keeps %s", (name) => {
    expect(logged({ [name]: { count: 5 } })[name]).toEqual({ count: 5 })
  })

  test("keeps the shape of ordinary values", () => {
    const at = new Date("2026-05-04T10:30:00Z")

    const line = logged({
      at,
      list: [1, null, "x"],
      bytes: new Uint8Array(7),
      nested: { on: true },
      ids: new Map([["a", 1]]),
    })

    expect(line).toMatchObject({
      at: "2026-05-04T10:30:00.000Z",
      list: [1, null, "x"],
      bytes: "[7 bytes]",
      nested: { on: true },
      ids: { a: 1 },
      msg: "It happened.",
    })
  })

  test("survives what cannot be written", () => {
    const circular: Record<string, unknown> = { name: "loop" }
    circular["self"] = circular
    let deep: Record<string, unknown> = {}
    for (let depth = 0; depth < 10_000; depth++) deep = { deep }
    const trap = Object.defineProperty({ name: "trap" }, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("no")
      },
    })

    const line = logged({ circular, deep, trap, big: 12n })

    expect(line["circular"]).toEqual({ name: "loop", self: "[circular]" })
    expect(JSON.stringify(line["deep"])).toContain("[deeper]")
    expect(line["trap"]).toEqual({ name: "trap", bad: "[unreadable]" })
  })

  test("follows an error to its causes", () => {
    const root = Object.assign(new Error(`connect ${DSN} failed`), { code: "ECONNREFUSED", password: "swordfish" })
    const middle = new AggregateError([new Error(`Authorization: Bearer ${TOKEN}`)], "several", { cause: root })

    const line = logged({ error: new TypeError("outer", { cause: middle }) })

    expect(JSON.stringify(line)).not.toMatch(/swordfish|eyJhbGci/)
    expect(line["error"]).toMatchObject({
      type: "TypeError",
      message: "outer",
      stack: expect.stringContaining("log-redaction.test.ts"),
      cause: {
        type: "AggregateError",
        errors: [{ message: "Authorization: [redacted] [redacted]" }],
        cause: {
          code: "ECONNREFUSED",
          message: "connect postgres://root:[redacted]@db.internal:5432/prod failed",
          password: "[redacted]",
        },
      },
    })
  })
})

describe("a text", () => {
  test.each([
    [DSN, "postgres://root:[redacted]@db.internal:5432/prod"],
    ["redis://:hush@cache:6379", "redis://:[redacted]@cache:6379"],
    ["postgres://u:hu@sh/x@host/db is wrong", "postgres://u:[redacted]@host/db is wrong"],
    [`Bearer ${TOKEN}`, "Bearer [redacted]"],
    [`cookie: a=1; ${COOKIE}; b=2`, "cookie: [redacted]"],
    [`no session for ${COOKIE}.`, "no session for kit_session=[redacted]"],
    ["GET /verify?token=hush&next=/home", "GET /verify?token=[redacted]&next=/home"],
    ['{"password":"hush","name":"eva"}', '{"password":"[redacted]","name":"eva"}'],
    ["Key (reset_token)=(hush) already exists.", "Key (reset_token)=([redacted]) already exists."],
    ["better-auth.session_token=hush.sig; theme=dark", "better-auth.session_token=[redacted]; theme=dark"],
    ["https://example.com:8080/a?b=c", "https://example.com:8080/a?b=c"],
    ["field title: Required", "field title: Required"],
  ])("%s is written as %s", (text, written) => {
    expect(redactText(text)).toBe(written)
  })

  test.each([
    ["letters", "a".repeat(200_000)],
    ["dots", "a.".repeat(100_000)],
    ["schemes", "a://b:".repeat(30_000)],
    ["spaces", "token ".repeat(30_000)],
    ["signs", "=:".repeat(100_000)],
    ["bearers", "bearer    ".repeat(20_000)],
  ])("of many %s takes no time", (_name, text) => {
    expect(leastMsOf(() => void redactText(text))).toBeLessThan(1000)
  })
})

describe("failures of the server", () => {
  const fail = (): never => {
    throw new Error(`${DSN} said no to ${COOKIE}`, { cause: { headers: { cookie: COOKIE }, authorization: TOKEN } })
  }
  const bombs = collection("bombs")
    .fields(({ f }) => ({
      name: f.text(),
      fails: f.text().validate(fail),
      busy: f.text().validate(() => {
        throw new ApiError("SERVICE_UNAVAILABLE", { context: { token: TOKEN }, cause: new Error(DSN) })
      }),
      hooked: f.text(),
    }))
    .access({ read: true, create: true, update: true, delete: fail })
    .hooks({ beforeChange: ({ data }) => ("hooked" in data ? fail() : data) })

  test("leave no cookie, token or password in the log, and none in the answer", async () => {
    const { lines, logger } = capturingLogger()
    await using app = await testApp({ resources: [bombs], config: { logger } })
    const headers = { authorization: `Bearer ${TOKEN}` }
    const create = (body: string) => app.fetch("/bombs", { method: "POST", body, session: ann, headers })

    const answers = [await create('{"fails":"x"}'), await create('{"busy":"x"}'), await create('{"hooked":"x"}')]
    const bomb = await app.app.system.collections["bombs"]?.create({ name: "x" })
    answers.push(await app.fetch(`/bombs/${bomb?.["id"]}`, { method: "DELETE", session: ann, headers }))
    await app.database.query("alter table bombs rename to gone")
    answers.push(await app.fetch(`/bombs?where[name]=${TOKEN}`, { session: ann, headers }))

    const secrets = ["swordfish", COOKIE.slice(COOKIE.indexOf("=") + 1), TOKEN]
    const shown = JSON.stringify(answers.map(({ body }) => body))
    expect(answers.map(({ status }) => status)).toEqual([500, 503, 500, 403, 503])
    expect(lines.length).toBeGreaterThanOrEqual(4)
    for (const secret of secrets) expect(lines.join("")).not.toContain(secret)
    for (const secret of ["swordfish", COOKIE]) expect(shown).not.toContain(secret)
    expect(lines.join("")).toContain("[redacted]")
  })
})
