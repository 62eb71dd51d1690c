// @module-tag experiment

import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { startForwardingProxy } from "../../../../test/support/processes/forwarding-proxy.ts"
import { openPostgresBus } from "../../src/drivers/postgres/bus.ts"
import { openPostgres, type PostgresOptions } from "../../src/drivers/postgres/open-postgres.ts"
import type { Database } from "../../src/ports/database.ts"
import { firstValue, gate, rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

const PATIENCE_MS = 60_000
// Four times as fast as in an app. Any faster, a machine that stalls for a while would look like a silent network.
const HURRIED = { watchdogTickMs: 250 }
const WAIT = { timeout: PATIENCE_MS, interval: 20 }
const LOST = { code: "08006" }

let postgres: ScratchPostgres
let admin: Database
// Tests run concurrently, so it is unknown which one has just finished; everything is closed at the end.
const opened: (() => Promise<void>)[] = []

beforeAll(async () => {
  postgres = await startScratchPostgres()
  admin = openPostgres({ url: postgres.url, maxConnections: 1 })
  await rowsOf(admin, "create table things (id integer primary key, count integer)")
  await rowsOf(admin, "create table wanted (id integer)")
}, PATIENCE_MS)

afterAll(async () => {
  for (const close of opened) await close()
  await admin.close()
  await postgres.release()
})

async function openBehindProxy(options: Omit<PostgresOptions, "url"> = {}) {
  const proxy = await startForwardingProxy(postgres.url)
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const database = openPostgres({ ...HURRIED, onError, ...options, url: proxy.url })
  opened.push(async () => {
    proxy.open()
    await database.close()
    await proxy.close()
  })
  return { proxy, database, errors }
}

const select = (database: Database) => firstValue(database, "select 1")

/** Resolves when the server runs a statement with this tag. */
async function untilAtWork(tag: string): Promise<void> {
  await vi.waitFor(async () => expect(await countAtWork(tag)).toBe(1), WAIT)
}

const countAtWork = (tag: string) => countSessions(tag, "active")
/** Sessions whose last statement had this tag. */
const countAtRest = (tag: string) => countSessions(tag, "idle")

function countSessions(tag: string, state: string): Promise<unknown> {
  const text = "select count(*)::integer from pg_stat_activity where query like $1 and state = $2"
  return firstValue(admin, `${text} and pid <> pg_backend_pid()`, `%/* ${tag} */%`, state)
}

/** Resolves when the server was queried this many times, on new connections, about a silent connection. */
async function untilProbed(proxy: { attempts(): number }, times: number): Promise<void> {
  const before = proxy.attempts()
  await vi.waitFor(() => expect(proxy.attempts() - before).toBeGreaterThanOrEqual(times), WAIT)
}

test("a server that takes connections and says nothing is told from one whose connections are all in use", async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1")
  await once(server, "listening")
  // Listening at a port, it has an address of this kind.
  const { port } = server.address() as AddressInfo
  const database = openPostgres({ url: `postgres://ann@127.0.0.1:${port}/app`, acquireTimeoutMs: 20 })

  await expect(database.query({ text: "select 1", values: [] })).rejects.toMatchObject({
    code: "POOL_BUSY",
    message: "PostgreSQL has not answered within 20 ms.",
  })

  for (const socket of sockets) socket.destroy()
  await database.close()
  server.close()
})

describe.concurrent("a connection that falls silent", { timeout: PATIENCE_MS }, () => {
  test("with a statement on it fails that statement and is replaced", async () => {
    const { proxy, database, errors } = await openBehindProxy({ maxConnections: 1 })
    await select(database)

    proxy.silence()
    const lost = select(database)

    await expect(lost).rejects.toMatchObject(LOST)
    await expect(lost).rejects.toThrow(/Timeout: PostgreSQL has sent nothing for/)
    expect(await select(database)).toBe(1)
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Timeout: A connection to PostgreSQL got no answer/),
    ])
  })

  test("serves those who wait for it by another one", async () => {
    const { proxy, database } = await openBehindProxy({ maxConnections: 2, acquireTimeoutMs: PATIENCE_MS })
    await Promise.all([select(database), select(database)])

    proxy.silence()
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => select(database)))

    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(2)
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(18)
  })

  test("in a transaction leaves no lock on the server", async () => {
    const { proxy, database } = await openBehindProxy()
    await rowsOf(database, "insert into things values (1, 0)")
    const add = "update things set count = count + 1 where id = 1"

    const lost = database.transaction(async (transaction) => {
      await rowsOf(transaction, add)
      proxy.silence()
    })

    await expect(lost).rejects.toMatchObject(LOST)
    await rowsOf(database, add)
    expect(await firstValue(admin, "select count from things where id = 1")).toBe(1)
  })

  test("while the server works has that work ended too", async () => {
    const { proxy, database } = await openBehindProxy()
    const lost = rowsOf(database, "select pg_sleep(600) /* left alone */")
    lost.catch(() => {})
    await untilAtWork("left alone")

    proxy.silence()
    proxy.shut()
    await expect(lost).rejects.toMatchObject(LOST)
    proxy.open()

    await vi.waitFor(async () => expect(await countAtWork("left alone")).toBe(0), WAIT)
  })

  test("together with all new ones is closed, and the pool is back as soon as the network is", async () => {
    const { proxy, database } = await openBehindProxy({ maxConnections: 2, connectTimeoutMs: 3_000 })
    await select(database)

    proxy.silence()
    proxy.shut()
    await expect(select(database)).rejects.toMatchObject(LOST)
    await expect(select(database)).rejects.toMatchObject({ code: "08001" })
    proxy.open()

    await vi.waitFor(async () => expect(await select(database).catch(() => undefined)).toBe(1), WAIT)
  })

  test("does not keep the database from being closed", async () => {
    const { proxy, database } = await openBehindProxy()
    await select(database)

    proxy.silence()
    const lost = select(database)
    lost.catch(() => {})
    await database.close()

    await expect(lost).rejects.toMatchObject(LOST)
  })

  test("is given up at the limit of its statement where the server cannot say what it does", async () => {
    const { proxy, database } = await openBehindProxy({ preparedStatements: false, statementTimeoutMs: 3_000 })
    await select(database)

    proxy.silence()

    await expect(select(database)).rejects.toMatchObject(LOST)
    expect(await select(database)).toBe(1)
  })

  test("is given up at the limit of its statement where the server takes no more connections", async () => {
    const { proxy, database } = await openBehindProxy({ statementTimeoutMs: 3_000 })
    await select(database)

    proxy.silence()
    proxy.fill()
    await expect(select(database)).rejects.toMatchObject(LOST)
    proxy.open()

    expect(await select(database)).toBe(1)
  })
})

// With the timing of an app.
describe.concurrent("a statement that is slow on a server that is there", { timeout: PATIENCE_MS }, () => {
  const steady = { watchdogTickMs: 1_000 }

  test("is left alone while it waits for a lock", async () => {
    const { proxy, database } = await openBehindProxy(steady)
    const [held, locked] = [gate(), gate()]
    const other = openPostgres({ url: postgres.url })
    const holder = other.transaction(async (transaction) => {
      await rowsOf(transaction, "lock table wanted in access exclusive mode")
      locked.open()
      await held.opened
    })

    await locked.opened

    const waiting = rowsOf(database, "insert into wanted values (1)")
    await untilProbed(proxy, 3)
    held.open()
    await holder
    await other.close()

    await expect(waiting).resolves.toEqual([])
  })

  test("is left alone while it is on its way through a slow network", async () => {
    const { proxy, database } = await openBehindProxy(steady)
    await select(database)
    proxy.slowDown(1024 * 1024)

    const length = firstValue(database, "select length($1::text)", "x".repeat(12 * 1024 * 1024))

    expect(await length).toBe(12 * 1024 * 1024)
  })

  test("is left alone where the server takes no more connections and cannot be asked", async () => {
    const { proxy, database } = await openBehindProxy(steady)
    await select(database)
    proxy.fill()

    const slow = firstValue(database, "select 'done' from pg_sleep(9)")
    await untilProbed(proxy, 2)

    expect(await slow).toBe("done")
  })

  test("is left alone beyond the limit that it has lifted, where the server cannot say what it does", async () => {
    const options = { preparedStatements: false, statementTimeoutMs: 500, watchdogTickMs: 500 }
    const { database } = await openBehindProxy(options)

    const slow = database.transaction(async (transaction) => {
      await rowsOf(transaction, "set local statement_timeout = 0")
      return firstValue(transaction, "select 'done' from pg_sleep(5)")
    })

    expect(await slow).toBe("done")
  })
})

test("connections that fell silent while idle cost the next caller one timeout, not one for each", {
  timeout: PATIENCE_MS,
}, async () => {
  const { proxy, database } = await openBehindProxy({ acquireTimeoutMs: 10_000, watchdogTickMs: 1_000 })
  await Promise.all(Array.from({ length: 10 }, () => rowsOf(database, "select pg_sleep(0.3) /* silent while idle */")))
  expect(await countAtRest("silent while idle")).toBe(10)
  const now = performance.now.bind(performance)

  proxy.silence()
  // Connections that were idle for long are checked before use, and get two seconds to answer.
  vi.spyOn(performance, "now").mockImplementation(() => now() + 20_000)
  onTestFinished(() => void vi.restoreAllMocks())

  expect(await select(database)).toBe(1)
  await vi.waitFor(async () => expect(await countAtRest("silent while idle")).toBe(0), WAIT)
})

test("a server that falls silent right after it has let a connection in holds no place in the pool", {
  timeout: PATIENCE_MS,
}, async () => {
  const { proxy, database } = await openBehindProxy({ maxConnections: 1, connectTimeoutMs: 3_000 })
  proxy.silenceAfterAuthentication()

  await expect(select(database)).rejects.toMatchObject({ code: "08001", message: /timeout expired/ })
  proxy.open()

  expect(await select(database)).toBe(1)
})

test("a session has the server look for lost clients, unless somebody has decided on that", async () => {
  const setting = "show client_connection_check_interval"
  const options = encodeURIComponent("-c client_connection_check_interval=3s")
  const decided = openPostgres({ url: `${postgres.url}${postgres.url.includes("?") ? "&" : "?"}options=${options}` })

  expect(await firstValue(admin, setting)).toBe("10s")
  expect(await firstValue(decided, setting)).toBe("3s")
  await decided.close()
})

test("a bus whose connection fell silent hears messages again, and can be closed", {
  timeout: PATIENCE_MS,
}, async () => {
  const proxy = await startForwardingProxy(postgres.url)
  const bus = openPostgresBus({ url: proxy.url, heartbeatMs: 200 })
  const heard: string[] = []
  let listenings = 0
  bus.subscribe("news", {
    onMessage: (text) => void heard.push(text),
    onListening: () => void listenings++,
    onUnannouncedWrite: () => {},
  })
  await vi.waitFor(() => expect(listenings).toBe(1), WAIT)

  proxy.silence()
  bus.publish("news", "written into the silence")
  await vi.waitFor(() => expect(heard).toEqual(["written into the silence"]), WAIT)
  proxy.silence()
  bus.publish("news", "never sent")

  await bus.close()
  await proxy.close()
})
