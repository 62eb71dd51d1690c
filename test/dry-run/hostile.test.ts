import { ApiError, collection, type Session } from "kit"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const ann: Session = { user: { id: "ann" } }

const names = collection("names")
  .fields(({ f }) => ({ name: f.text().required().unique(), secret: f.text().access({ read: false }) }))
  .access({ read: true, create: true, update: true })
  .hooks({
    beforeChange: ({ data }) => {
      if (data["name"] === "refused") throw new ApiError("CONFLICT", { message: "The hook refuses it." })
      if (data["name"] === "broken") throw new Error("a secret of the hook")
    },
  })

const members = collection("members")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: ({ session }) => session !== null, create: ({ session }) => session !== null })

const dropBox = collection("dropBox")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ create: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [names, members, dropBox], now: () => new Date("2040-01-01T00:00:00Z") })
})
afterAll(() => app[Symbol.asyncDispose]())

function send(path: string, body: unknown, session?: Session) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return app.fetch(path, { method: "POST", body: text, ...(session && { session }) })
}

test("dry runs of the same unique value at the same time all succeed, and so does the write after them", async () => {
  const before = await fingerprint(app)

  const answers = await Promise.all(Array.from({ length: 8 }, () => send("/names?dryRun=true", { name: "same" })))

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(8)
  expect(await fingerprint(app)).toEqual(before)
  expect(await send("/names", { name: "same" })).toMatchObject({ status: 201 })
})

test("a dry run that waits for a write of the same value answers as that write ended", async () => {
  await using other = await writingOf("raced")

  const dry = send("/names?dryRun=true", { name: "raced" })
  await vi.waitFor(async () => expect(await waiting()).toBe(1), WAIT)
  await other.commit()

  expect(await dry).toMatchObject({ status: 409, body: { error: { fieldErrors: [{ path: "name" }] } } })
})

/** Opens a transaction that has stored this name. */
async function writingOf(name: string) {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  await client.query("begin")
  const insert = `insert into names (id, name, "createdAt", "updatedAt") values (gen_random_uuid(), $1, now(), now())`
  await client.query(insert, [name])
  return { commit: () => client.query("commit"), [Symbol.asyncDispose]: () => client.end() }
}

async function waiting(): Promise<number> {
  const [row] = await app.database.query(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return Number(row?.["count"])
}

test("a dry run releases its connection and its locks, whether it succeeds or fails", async () => {
  for (const name of ["fine", "refused", "broken", 7]) await send("/names?dryRun=true", { name })

  const [open] = await app.database.query(
    "select count(*)::int from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  )
  expect(open).toEqual({ count: 0 })
})

test("the error of a hook is the error of the dry run, and reveals as little", async () => {
  const refused = await send("/names?dryRun=true", { name: "refused" })
  const broken = await send("/names?dryRun=true", { name: "broken" })

  expect(refused).toMatchObject({ status: 409, body: { error: { message: "The hook refuses it." } } })
  expect(broken.status).toBe(500)
  expect(JSON.stringify(broken.body)).not.toContain("secret")
})

test("a dry run needs the rights of the write, and hides the fields that the write hides", async () => {
  const anonymous = await send("/members?dryRun=true", { name: "x" })
  const signedIn = await send("/members?dryRun=true", { name: "x" }, ann)
  const unreadable = await send("/dropBox?dryRun=true", { text: "x" })
  const masked = await send("/names?dryRun=true", { name: "masked", secret: "s" })

  expect(anonymous.status).toBe(401)
  expect(signedIn.status).toBe(200)
  expect(unreadable).toMatchObject({ status: 200, body: { id: expect.any(String) } })
  expect(Object.keys(unreadable.body)).toEqual(["id"])
  expect(masked.body).not.toHaveProperty("secret")
})

test("a dry run refuses a body that is too large or broken, as the write does", async () => {
  const bodies = [JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) }), "{", "null", '{"name":"\\u0000"}']

  for (const body of bodies) {
    const [dry, real] = [await send("/names?dryRun=true", body), await send("/names", body)]

    expect(real.status).toBeGreaterThanOrEqual(400)
    expect([dry.status, dry.body.error.code]).toEqual([real.status, real.body.error.code])
  }
})

test("a dry run follows the clock of the app", async () => {
  const { body } = await send("/names?dryRun=true", { name: "later" })

  expect(body.createdAt).toBe("2040-01-01T00:00:00.000Z")
})

test("an option in the body, or given twice, makes no dry run", async () => {
  const inBody = await send("/names", { name: "in the body", dryRun: true })
  const twice = await send("/names?dryRun=true&dryRun=false", { name: "twice" })

  expect(inBody).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "dryRun" }] } } })
  expect(twice.status).toBe(400)
  expect(await app.database.query("select 1 from names where name in ('in the body', 'twice')")).toEqual([])
})
