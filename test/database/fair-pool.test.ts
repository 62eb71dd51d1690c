// @module-tag experiment

import { connect, type Socket } from "node:net"
import { collection, route, type Session } from "kit"
import pg from "pg"
import { describe, expect, test, vi } from "vitest"
import { startSilentProxy } from "../support/processes/silent-proxy.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const TEST_MS = 180_000
const NEVER_MS = 600_000
const POOL = 10

// A read of a record takes as many seconds as the record says.
const naps = collection("naps")
  .fields(({ f }) => ({
    seconds: f.number().required(),
    taken: f.virtual(f.number(), '(select 1 from pg_sleep("seconds"))'),
  }))
  .access({ read: true })
const things = collection("things")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true, create: true, update: true })
const others = collection("others")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true })
const resources = [naps, things, others]

const userOf = (index: number): Session => ({
  user: { id: `01890000-0000-7000-8000-${String(index).padStart(12, "0")}`, role: "writer" },
})
const ann = userOf(1)

interface World {
  readonly limits?: object
  readonly db?: object
  readonly naps?: number
}

async function openWorld({ limits = {}, db = {}, naps: seconds = 3_600 }: World = {}): Promise<TestApp> {
  const config = {
    db: { maxConnections: POOL, statementTimeoutMs: NEVER_MS, ...db },
    limits: { statementMs: NEVER_MS, ...limits },
  }
  const app = await testApp({ resources, config })
  await addNap(app, seconds)
  await app.app.system.collections["others"]?.create({ name: "one" })
  return app
}

// Inserts directly with SQL, because the app would read the record back.
const addNap = ({ database }: Pick<TestApp, "database">, seconds: number) =>
  database.query(
    `insert into naps (id, seconds, "createdAt", "updatedAt") values (gen_random_uuid(), $1, now(), now())`,
    [seconds],
  )

/** Sends a slow read and does not wait for its answer. */
function readSlowly({ url }: TestApp, headers: readonly string[] = []): Socket {
  const { host, hostname, port, pathname } = new URL(url)
  const head = [`POST ${pathname}/naps/query HTTP/1.1`, `host: ${host}`, "content-type: application/json", ...headers]
  const socket = connect(Number(port), hostname).on("error", () => {})
  socket.write([...head, "content-length: 2", "", "{}"].join("\r\n"))
  return socket
}

const countAtWork = async ({ database }: Pick<TestApp, "database">, like: string) =>
  (
    await database.query(
      `select pid from pg_stat_activity where application_name = 'kit' and datname = current_database()
         and state = 'active' and query like $1`,
      [like],
    )
  ).length

const untilAtWork = (app: Pick<TestApp, "database">, count: number, like = "%pg_sleep%") =>
  vi.waitFor(async () => expect(await countAtWork(app, like)).toBe(count), WAIT)

/** Waits until slow reads hold as many connections as they may while others wait, or more. */
const untilCrowded = (app: Pick<TestApp, "database">, like = "%pg_sleep%") =>
  vi.waitFor(async () => expect(await countAtWork(app, like)).toBeGreaterThanOrEqual(POOL / 2 - 1), WAIT)

async function statusesOf(answers: readonly Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status)
}

describe.concurrent("callers who have left", { timeout: TEST_MS }, () => {
  test("have their reads cancelled, those that run and those that wait, and no other statement", async () => {
    await using app = await openWorld()
    const sockets = Array.from({ length: POOL + 2 }, () => readSlowly(app))
    await untilCrowded(app)

    for (const socket of sockets) socket.destroy()
    await untilAtWork(app, 0)
    const after = await statusesOf(Array.from({ length: 100 }, () => app.fetch("/others")))

    expect(after).toEqual(Array.from({ length: 100 }, () => 200))
    expect(app.logged).toEqual([])
  })

  test("have their writes done", async () => {
    await using app = await openWorld({ limits: { lockMs: NEVER_MS } })
    const unlock = await lockTable(app, "exclusive")
    const { host, hostname, port, pathname } = new URL(app.url)
    const body = '{"name":"done"}'
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST ${pathname}/things HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await untilAtWork(app, 1, "%things%")

    socket.destroy()
    // Reads of other callers who leave are cancelled meanwhile, so this read was checked too.
    const reader = readSlowly(app)
    await untilAtWork(app, 1)
    reader.destroy()
    await untilAtWork(app, 0)
    await unlock()

    await vi.waitFor(async () => expect(await app.database.query("select name from things")).toHaveLength(1), WAIT)
  })
})

describe.concurrent("slow reads", { timeout: TEST_MS }, () => {
  test("of one caller leave connections to others, and to what else that caller reads", async () => {
    await using app = await openWorld()
    const sockets = Array.from({ length: POOL + 2 }, () => readSlowly(app))
    await untilCrowded(app)

    const ofOther = await app.fetch("/others", { session: ann })
    const ofSame = await statusesOf(Array.from({ length: 20 }, () => app.fetch("/others")))
    const stillAtWork = await countAtWork(app, "%pg_sleep%")
    for (const socket of sockets) socket.destroy()

    expect(ofOther.status).toBe(200)
    expect(ofSame).toEqual(Array.from({ length: 20 }, () => 200))
    expect(stillAtWork).toBeGreaterThan(0)
  })

  test("of many callers leave connections to others", async () => {
    await using app = await openWorld({ limits: { trustedProxies: 1 } })
    const sockets = Array.from({ length: 2 * POOL }, (_, index) =>
      readSlowly(app, [`x-forwarded-for: 192.0.2.${index}`]),
    )
    await untilCrowded(app)

    const answers = await statusesOf(Array.from({ length: 20 }, () => app.fetch("/others", { session: ann })))
    for (const socket of sockets) socket.destroy()

    expect(answers).toEqual(Array.from({ length: 20 }, () => 200))
  })

  test("that were interrupted for others are answered in the end", async () => {
    await using app = await openWorld({ naps: 2 })
    const slow = Array.from({ length: POOL }, () => app.fetch("/naps"))
    await untilCrowded(app)

    const quick = await app.fetch("/others", { session: ann })

    expect(quick.status).toBe(200)
    expect(await statusesOf(slow)).toEqual(Array.from({ length: POOL }, () => 200))
  })

  test("end at the limit of callers with an answer that says what to do; those of the system do not", async () => {
    const report = route()
      .get()
      .handler(async ({ asSystem }) => ({ count: (await asSystem().collections["naps"]?.find())?.docs.length }))
    const config = { db: { maxConnections: POOL }, limits: { statementMs: 1_000 } }
    await using app = await testApp({ resources, routes: { report }, config })
    await addNap(app, 10)

    const [read, reported, ofSystem] = await Promise.all([
      app.fetch("/naps"),
      app.fetch("/report"),
      app.app.system.collections["naps"]?.find(),
    ])

    expect(read).toMatchObject({ status: 503, body: { error: { code: "SERVICE_UNAVAILABLE" } } })
    expect(read.body.error.message).toMatch(/took too long.*Ask for less.*limits\.statementMs/)
    expect(read.headers.get("retry-after")).toBe("1")
    expect(reported).toMatchObject({ status: 200, body: { count: 1 } })
    expect(ofSystem?.docs).toHaveLength(1)
    expect((await app.fetch("/others")).status).toBe(200)
  })
})

describe.concurrent("a lock that somebody holds on a table", { timeout: TEST_MS }, () => {
  const write = (app: TestApp, session?: Session) =>
    app.fetch("/things", { method: "POST", body: '{"name":"a"}', ...(session && { session }) })

  test("makes writers wait briefly, and readers of other tables not at all", async () => {
    await using app = await openWorld()
    const unlock = await lockTable(app, "exclusive")
    let answered = 0
    const writers = Array.from({ length: 100 }, async (_, index) => {
      const answer = await write(app, userOf(index))
      answered++
      return answer
    })
    await untilAtWork(app, 8, "%things%")

    const reads: number[] = []
    while (answered < writers.length) reads.push((await app.fetch("/others", { session: userOf(200) })).status)
    const answers = await Promise.all(writers)
    await unlock()

    expect(new Set(reads)).toEqual(new Set([200]))
    for (const { status, headers } of answers) {
      expect(status).toBe(503)
      expect(headers.get("retry-after")).toBe("1")
    }
    const messages = new Set(answers.map(({ body }) => body.error.message))
    expect(messages).toContain(
      "Another request has locked these records for too long, so nothing was changed. Try again in a moment.",
    )
    expect((await write(app)).status).toBe(201)
  })

  test("against readers too leaves connections to readers of other tables", async () => {
    await using app = await openWorld()
    const unlock = await lockTable(app, "access exclusive")
    const blocked = Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0 ? write(app, userOf(index)) : app.fetch("/things", { session: userOf(index) }),
    )
    await untilCrowded(app, "%things%")

    const reads = await statusesOf(Array.from({ length: 20 }, () => app.fetch("/others", { session: userOf(200) })))
    await unlock()
    await Promise.all(blocked)

    expect(reads).toEqual(Array.from({ length: 20 }, () => 200))
  })

  test("does not hurry system code", async () => {
    await using app = await openWorld({ limits: { lockMs: 100 } })
    const unlock = await lockTable(app, "exclusive")
    const ofSystem = app.app.system.collections["things"]?.create({ name: "patient" })
    await untilAtWork(app, 1, "%things%")

    const ofCaller = await write(app)
    await unlock()

    expect(ofCaller.status).toBe(503)
    expect(await ofSystem).toMatchObject({ name: "patient" })
  })

  test("lets one caller hold no more than half of the connections with writes", async () => {
    await using app = await openWorld({ limits: { lockMs: NEVER_MS } })
    const unlock = await lockTable(app, "exclusive")
    const ofOne = Array.from({ length: POOL }, () => write(app))
    await untilAtWork(app, POOL / 2, "%things%")
    const ofOther = write(app, ann)

    await untilAtWork(app, POOL / 2 + 1, "%things%")
    await unlock()

    expect(await statusesOf([...ofOne, ofOther])).toEqual(Array.from({ length: POOL + 1 }, () => 201))
  })
})

test("200 callers who change one row at once are all served", { timeout: TEST_MS }, async () => {
  await using app = await openWorld()
  const thing = await app.app.system.collections["things"]?.create({ name: "hot" })

  const answers = await statusesOf(
    Array.from({ length: 200 }, (_, index) =>
      app.fetch(`/things/${thing?.["id"]}`, { method: "PATCH", body: `{"name":"${index}"}`, session: userOf(index) }),
    ),
  )

  expect(answers).toEqual(Array.from({ length: 200 }, () => 200))
})

// A pooler cannot be queried about a session, so only the statement's own timeout shows that no answer will come.
test("behind a pooler, a request on a silent connection is answered after its own limit", {
  timeout: TEST_MS,
}, async () => {
  await using proxy = await startSilentProxy()
  const db = { url: proxy.url, preparedStatements: false, statementTimeoutMs: NEVER_MS }
  await using app = await testApp({ resources, config: { db, limits: { statementMs: 1_000 } } })
  await addNap(proxy, 60)
  const read = app.fetch("/naps")
  await untilAtWork(proxy, 1)

  proxy.silence()
  const answer = await read
  const next = await app.fetch("/others")

  expect(answer.status).toBe(503)
  expect(next.status).toBe(200)
})

/** Locks the table of things against writes, until the returned function is called. */
async function lockTable({ database }: TestApp, mode: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query(`begin; lock table things in ${mode} mode`)
  return () => holder.end()
}
