import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { startForwardingProxy } from "../../../../test/support/processes/forwarding-proxy.ts"
import { openPostgres, type PostgresOptions } from "../../src/drivers/postgres/open-postgres.ts"
import type { Caller, Connection, Database } from "../../src/ports/database.ts"
import { firstValue, gate, rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

const PATIENCE_MS = 60_000
const WAIT = { timeout: PATIENCE_MS, interval: 10 }
const NEVER_MS = 600_000

let postgres: ScratchPostgres
let admin: Database

beforeAll(async () => {
  postgres = await startScratchPostgres()
  admin = openPostgres({ url: postgres.url, maxConnections: 2 })
  await rowsOf(admin, "create table things (id integer)")
}, PATIENCE_MS)

afterAll(async () => {
  await admin.close()
  await postgres.release()
})

function open(options: Omit<PostgresOptions, "url"> = {}): Database {
  const database = openPostgres({ callerStatementMs: NEVER_MS, url: postgres.url, ...options })
  onTestFinished(() => database.close())
  return database
}

const caller = (key: string): { -readonly [Name in keyof Caller]: Caller[Name] } => ({ key, hasLeft: false })

const countAtWork = (tag: string) =>
  firstValue(
    admin,
    "select count(*)::int from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()",
    `%${tag}%`,
  )

const untilAtWork = (tag: string, count: number) =>
  vi.waitFor(async () => expect(await countAtWork(tag)).toBe(count), WAIT)

const sleep = (connection: Connection, seconds: number, tag: string) =>
  firstValue(connection, `select 1 as ${tag} from pg_sleep($1)`, seconds)

describe("a caller who leaves", { timeout: 2 * PATIENCE_MS }, () => {
  test("has the read cancelled that is at work, and the one that waits for a connection", async () => {
    const database = open({ maxConnections: 1 })
    const ann = caller("ann")
    const running = sleep(database.forCaller(ann), 3_600, "left_one")
    await untilAtWork("left_one", 1)
    const waiting = sleep(database.forCaller(ann), 3_600, "left_two")

    ann.hasLeft = true
    const outcomes = await Promise.allSettled([running, waiting])

    expect(outcomes).toMatchObject([{ reason: { code: "CALLER_LEFT" } }, { reason: { code: "CALLER_LEFT" } }])
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("never costs the next borrower of the connection a statement", async () => {
    const database = open({ maxConnections: 1 })
    const outcomes = new Set<unknown>()

    for (let round = 0; round < 25; round++) {
      const ann = caller("ann")
      // It ends by itself at about the moment at which it is cancelled.
      const read = sleep(database.forCaller(ann), 0.05 + 0.005 * round, "hasty").catch(({ code }) => code)
      const next = firstValue(database.forCaller(caller("bob")), "select 2 from pg_sleep(0.02)")
      ann.hasLeft = true
      outcomes.add(await read)
      expect(await next).toBe(2)
      expect(await firstValue(database, "select 3 from pg_sleep(0.02)")).toBe(3)
    }

    expect([...outcomes].every((outcome) => outcome === 1 || outcome === "CALLER_LEFT")).toBe(true)
  })

  test.each([
    ["a transaction", (connection: Connection) => connection.transaction((inner) => sleep(inner, 0.5, "kept_a"))],
    [
      "a write",
      (connection: Connection) => firstValue(connection, "insert into things select 1 from pg_sleep(0.5) returning 1"),
    ],
    [
      "what the author has written",
      async (connection: Connection) => {
        const text = "select 1 from pg_sleep(0.5)"
        const { rows } = await connection.query({ text, values: [], isWrittenByAuthor: true })
        return rows[0]?.[0]
      },
    ],
    [
      "a read after a write",
      async (connection: Connection) => {
        await rowsOf(connection, "insert into things values (2)")
        return sleep(connection, 0.5, "kept_b")
      },
    ],
  ])("does not end %s", async (_name, work) => {
    const database = open({ maxConnections: 1 })

    expect(await work(database.forCaller({ key: "ann", hasLeft: true }))).toBe(1)
  })
})

describe("the limits of callers", { timeout: 2 * PATIENCE_MS }, () => {
  test("end a statement, in a transaction too, and the connection goes on", async () => {
    const database = open({ maxConnections: 1, callerStatementMs: 300 })
    const ann = database.forCaller(caller("ann"))

    await expect(sleep(ann, 3_600, "limited")).rejects.toMatchObject({ code: "57014" })
    const transaction = ann.transaction((inner) => sleep(inner, 3_600, "limited"))
    await expect(transaction).rejects.toMatchObject({ code: "57014" })
    const pids = [await firstValue(ann, "select pg_backend_pid()"), await firstValue(ann, "select pg_backend_pid()")]

    expect(pids[0]).toBe(pids[1])
  })

  test("do not hold for system code, not even within a request", async () => {
    const database = open({ maxConnections: 1, callerStatementMs: 100, callerLockMs: 50 })
    const { withoutLimits } = database.forCaller(caller("ann"))

    expect(await sleep(database, 0.5, "patient")).toBe(1)
    expect(await sleep(withoutLimits, 0.5, "patient")).toBe(1)
    expect(await firstValue(withoutLimits, "select current_setting('lock_timeout')")).toBe("0")
  })

  test.each([
    ["a session of our own", true],
    ["one behind a pooler", false],
  ])("make a transaction on %s wait for locks only briefly", async (_name, preparedStatements) => {
    const database = open({ maxConnections: 1, callerLockMs: 50, preparedStatements })
    const ann = database.forCaller(caller("ann"))
    const locked = gate()
    const done = gate()
    const holder = admin.transaction(async (inner) => {
      await rowsOf(inner, "lock table things in exclusive mode")
      locked.open()
      await done.opened
    })
    await locked.opened

    const write = ann.transaction((inner) => rowsOf(inner, "insert into things values (3)"))
    await expect(write).rejects.toMatchObject({ code: "55P03" })
    expect(await firstValue(database, "select current_setting('lock_timeout')")).toBe("0")
    done.open()
    await holder
  })

  test("give up a connection that says nothing, whatever may be asked about it", async () => {
    const proxy = await startForwardingProxy(postgres.url)
    onTestFinished(() => proxy.close())
    const options = { statementTimeoutMs: NEVER_MS, callerStatementMs: 500, preparedStatements: false }
    const database = open({ maxConnections: 1, ...options, url: proxy.url } as PostgresOptions)
    const ann = database.forCaller(caller("ann"))
    const read = sleep(ann, 3_600, "silenced")
    const write = expect(ann.transaction((inner) => sleep(inner, 3_600, "silenced"))).rejects.toThrow()
    await untilAtWork("silenced", 1)

    proxy.silence()

    await expect(read).rejects.toMatchObject({ code: "57014" })
    await write
    expect(await firstValue(ann, "select 1")).toBe(1)
  })
})

test("a caller who fills the queue is refused before others are", async () => {
  const database = open({ maxConnections: 1, maxQueue: 3 })
  const held = gate()
  const begun = gate()
  const holder = database.transaction(async () => {
    begun.open()
    await held.opened
  })
  await begun.opened
  const refused: number[] = []
  const ofAnn = [0, 1, 2, 3].map((index) =>
    firstValue(database.forCaller(caller("ann")), "select 1").catch(() => void refused.push(index)),
  )
  const ofBob = firstValue(database.forCaller(caller("bob")), "select 2")

  held.open()
  await holder
  await Promise.all(ofAnn)

  expect(refused).toEqual([3, 2])
  expect(await ofBob).toBe(2)
})
