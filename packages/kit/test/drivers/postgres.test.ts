import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { openPostgres, type PostgresOptions } from "../../src/drivers/postgres/open-postgres.ts"
import { parseTimestamp } from "../../src/drivers/postgres/values.ts"
import type { Connection, Database } from "../../src/ports/database.ts"
import { firstValue, gate, rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

const WAIT = { timeout: 60_000, interval: 5 }
let postgres: ScratchPostgres
let admin: Database
const opened: Database[] = []

beforeAll(async () => {
  postgres = await startScratchPostgres()
  admin = openPostgres({ url: postgres.url, maxConnections: 1 })
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((database) => database.close()))
})

afterAll(async () => {
  await admin.close()
  await postgres.release()
})

function open(options: Partial<PostgresOptions> = {}): Database {
  const database = openPostgres({ url: postgres.url, ...options })
  opened.push(database)
  return database
}

const pidOf = (connection: Connection) => firstValue(connection, "select pg_backend_pid()")
const kill = (pid: unknown) => firstValue(admin, "select pg_terminate_backend($1)", pid)
const isAlive = (pid: unknown) => firstValue(admin, "select exists(select from pg_stat_activity where pid = $1)", pid)
const preparedCount = (connection: Connection, text: string) =>
  firstValue(connection, "select count(*)::int from pg_prepared_statements where statement = $1", text)

/** Takes one connection and keeps it until the gate opens. */
async function occupy(database: Database) {
  const taken = gate()
  const release = gate()
  const done = database.transaction(async () => {
    taken.open()
    await release.opened
  })
  await taken.opened
  return { release: release.open, done }
}

describe("values", () => {
  test.each([
    ["true", true],
    ["1::int2", 1],
    ["2147483647::int4", 2147483647],
    ["9007199254740993::int8", 9007199254740993n],
    ["1.5::float8", 1.5],
    ["12345678901234567890.10::numeric", "12345678901234567890.10"],
    [`'{"a": [1]}'::json`, { a: [1] }],
    [`'{"a": [1]}'::jsonb`, { a: [1] }],
    ["'0b4e2c1a-0000-4000-8000-000000000001'::uuid", "0b4e2c1a-0000-4000-8000-000000000001"],
    ["'text'::text", "text"],
    ["'2024-02-29'::date", "2024-02-29"],
    ["'03:04:05.6'::time", "03:04:05.6"],
    ["'2024-01-02 03:04:05'::timestamp", "2024-01-02 03:04:05"],
    ["'2024-01-02 03:04:05.678+02'::timestamptz", new Date("2024-01-02T01:04:05.678Z")],
    ["null::timestamptz", null],
    ["array[1, null]::int8[]", [1n, null]],
    ["array[0.10]::numeric[]", ["0.10"]],
    ["array['2024-02-29']::date[]", ["2024-02-29"]],
    ["array['2024-01-02 03:04:05+00']::timestamptz[]", [new Date("2024-01-02T03:04:05Z")]],
    [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
  ])("%s is read as %o", async (expression, expected) => {
    const database = open()

    const rows = await rowsOf(database, `select 1 as same, ${expression} as same`)

    expect(rows).toEqual([[1, expected]])
  })

  test("a timestamp as the server prints it is read as the default parser of pg reads it", async () => {
    const readByDefault = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, "text")
    const printed = await rowsOf(
      open(),
      `select (timestamptz '0001-01-01 00:00Z' + random() * interval '11000 years')::text from generate_series(1, 5000)
       union all select (timestamptz '2000-01-01Z' + n * interval '1 microsecond')::text from generate_series(1, 5000) n
       union all select unnest(array['infinity', '-infinity', '0044-03-15 12:00Z BC', '294276-12-31Z']::timestamptz[])::text
       union all select unnest(array['1000-01-01Z', '9999-12-31 23:59:59.999999Z', '0999-12-31Z']::timestamptz[])::text`,
    )

    const texts = printed.map(([text]) => String(text))

    expect(texts.map(parseTimestamp)).toEqual(texts.map((text) => readByDefault(text)))
  })

  test.each([
    "0001-01-01T00:00:00.001Z",
    "1880-05-05T05:05:05.005Z",
    "9999-12-31T23:59:59.999Z",
    "+012024-01-01T00:00:00.000Z",
  ])("the date %s comes back as it went", async (iso) => {
    expect(await firstValue(open(), "select $1::timestamptz", new Date(iso))).toEqual(new Date(iso))
  })

  test("the session options of the URL are kept", async () => {
    const separator = postgres.url.includes("?") ? "&" : "?"
    const database = open({ url: `${postgres.url}${separator}options=${encodeURIComponent("-c work_mem=5MB")}` })

    expect(await firstValue(database, "show work_mem")).toBe("5MB")
    expect(await firstValue(database, "show timezone")).toBe("UTC")
  })
})

describe("statements", () => {
  test("the row count is that of the written rows, and 0 where nothing is counted", async () => {
    const database = open({ maxConnections: 1 })
    const create = await database.query({ text: "create temp table counted (n int)", values: [] })
    const insert = await database.query({ text: "insert into counted values ($1), ($2)", values: [1, 2] })

    expect(create).toEqual({ rows: [], rowCount: 0, columns: [] })
    expect(insert).toEqual({ rows: [], rowCount: 2, columns: [] })
  })

  test("the columns have their names, also once the statement is prepared and they are not described anew", async () => {
    const database = open({ maxConnections: 1 })

    for (let use = 1; use <= 5; use++) {
      const result = await database.query({ text: `select $1::int as "a b", 2 as "2nd"`, values: [1] })

      expect(result).toEqual({ rows: [[1, 2]], rowCount: 1, columns: ["a b", "2nd"] })
    }
  })

  test("a text of several statements answers with the last result however often it runs", async () => {
    const database = open()

    for (let use = 1; use <= 4; use++)
      expect(await firstValue(database, `select 1; select 'last; one'`)).toBe("last; one")
  })

  test("an error tells code, table, column, constraint and detail", async () => {
    const database = open()
    await database.query({ text: "create table strict (id int primary key, name text not null)", values: [] })
    await database.query({ text: "insert into strict values (1, 'a')", values: [] })

    const insert = (id: number, name: string | null) => rowsOf(database, "insert into strict values ($1, $2)", id, name)
    const repeated = await insert(1, "b").catch((error: unknown) => error)
    const missing = await insert(2, null).catch((error: unknown) => error)

    expect(repeated).toMatchObject({ code: "23505", constraint: "strict_pkey", table: "strict" })
    expect(repeated).toMatchObject({ detail: "Key (id)=(1) already exists." })
    expect(missing).toMatchObject({ code: "23502", column: "name" })
  })

  test("a failed statement does not cost the connection", async () => {
    const database = open({ maxConnections: 1 })
    const pid = await pidOf(database)

    await expect(firstValue(database, "select 1 / $1::int", 0)).rejects.toMatchObject({ code: "22012" })

    expect(await pidOf(database)).toBe(pid)
  })

  test("a value that cannot be sent fails its statement only", async () => {
    const database = open({ maxConnections: 1 })
    const circular: Record<string, unknown> = {}
    circular["self"] = circular

    for (let use = 1; use <= 4; use++) {
      await expect(firstValue(database, "select $1::json", circular)).rejects.toThrow("circular")
      expect(await firstValue(database, "select $1::json", { use })).toEqual({ use })
    }
  })

  test("a transaction left open by hand does not reach the next caller", async () => {
    const database = open({ maxConnections: 1 })
    const pid = await pidOf(database)

    await database.query({ text: "begin", values: [] })

    expect(await pidOf(database)).not.toBe(pid)
  })

  test("a statement that takes too long is cancelled by the server", async () => {
    const database = open({ statementTimeoutMs: 20 })

    await expect(firstValue(database, "select pg_sleep(10)")).rejects.toMatchObject({ code: "57014" })
  })

  test("a statement is prepared from its third use", async () => {
    const database = open({ maxConnections: 1 })
    const counts: unknown[] = []

    for (let use = 1; use <= 4; use++) {
      await firstValue(database, "select $1::text", "x")
      counts.push(await preparedCount(database, "select $1::text"))
    }

    expect(counts).toEqual([0, 0, 1, 1])
  })

  test("nothing is prepared when prepared statements are off", async () => {
    const database = open({ maxConnections: 1, preparedStatements: false })

    for (let use = 1; use <= 4; use++) await firstValue(database, "select $1::text", "x")

    expect(await firstValue(database, "select count(*)::int from pg_prepared_statements")).toBe(0)
  })

  test("a connection with more than 500 prepared statements is replaced", async () => {
    const database = open({ maxConnections: 1 })
    const pid = await pidOf(database)
    const runThrice = async (n: number) => {
      for (let use = 1; use <= 3; use++) await firstValue(database, `select $1::int + ${n}`, use)
    }

    for (let n = 1; n <= 500; n++) await runThrice(n)
    const pidAt500 = await pidOf(database)
    await runThrice(501)

    expect(pidAt500).toBe(pid)
    expect(await pidOf(database)).not.toBe(pid)
  })

  test("a prepared statement survives a changed result type", async () => {
    const database = open({ maxConnections: 3 })
    await database.query({ text: "create table changing (n int); insert into changing values (1)", values: [] })
    const read = () => rowsOf(database, "select * from changing where $1", true)
    for (let use = 1; use <= 3; use++) await Promise.all([read(), read(), read()])

    await admin.query({ text: "alter table changing alter n type text, add m int", values: [] })

    expect(await Promise.all([read(), read(), read()])).toEqual([[["1", null]], [["1", null]], [["1", null]]])
  })

  test("a prepared statement that somebody deallocated is prepared again", async () => {
    const database = open({ maxConnections: 1 })
    for (let use = 1; use <= 3; use++) await firstValue(database, "select $1::int", use)

    await database.query({ text: "deallocate all", values: [] })

    expect(await firstValue(database, "select $1::int", 4)).toBe(4)
  })
})

describe("the pool", () => {
  test("lets a statement take one processor, unless the URL says otherwise", async () => {
    const url = new URL(postgres.url)
    url.searchParams.set("options", "-c max_parallel_workers_per_gather=2 -c TimeZone=Asia/Tokyo")

    const usual = await firstValue(open(), "show max_parallel_workers_per_gather")
    const chosen = await firstValue(open({ url: url.href }), "show max_parallel_workers_per_gather")
    const timeZone = await firstValue(open({ url: url.href }), "show TimeZone")

    expect({ usual, chosen, timeZone }).toEqual({ usual: "0", chosen: "2", timeZone: "UTC" })
  })

  test("connections are opened when they are needed", async () => {
    const database = open({ url: withApplicationName("lazy"), maxConnections: 5 })
    const connections = () =>
      firstValue(admin, "select count(*)::int from pg_stat_activity where application_name = 'lazy'")
    const before = await connections()

    await firstValue(database, "select 1")
    await firstValue(database, "select 1")

    expect([before, await connections()]).toEqual([0, 1])
  })

  test("requests are served in the order in which they came", async () => {
    const database = open({ maxConnections: 1 })
    const first = await occupy(database)
    const served: number[] = []

    const waiting = [1, 2, 3, 4].map(async (n) => served.push(Number(await firstValue(database, "select $1::int", n))))
    first.release()
    await Promise.all(waiting)

    expect(served).toEqual([1, 2, 3, 4])
  })

  test("a request beyond the queue is refused at once", async () => {
    const database = open({ maxConnections: 1, maxQueue: 1 })
    const first = await occupy(database)
    const queued = firstValue(database, "select 'queued'")

    const refused = firstValue(database, "select 'refused'")

    await expect(refused).rejects.toMatchObject({ code: "POOL_BUSY" })
    first.release()
    expect(await queued).toBe("queued")
  })

  test("a request that waits too long is refused", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    const database = open({ maxConnections: 1, acquireTimeoutMs: 20 })
    const first = await occupy(database)

    const refused = firstValue(database, "select 1")
    vi.advanceTimersByTime(21)

    await expect(refused).rejects.toMatchObject({ code: "POOL_BUSY" })
    first.release()
    await first.done
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("an idle connection is closed after a while", async () => {
    const database = open({ idleTimeoutMs: 20 })

    const pid = await pidOf(database)

    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), WAIT)
    expect(await firstValue(database, "select 1")).toBe(1)
  })

  test("a server that cannot be reached fails each request with the reason", async () => {
    const database = open({ url: "postgres://nobody@localhost/none?host=/nonexistent", maxConnections: 2 })

    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => firstValue(database, "select $1::int", n)))

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "08001", cause: { code: "ENOENT" } } })
  })

  test("a refusal by the server keeps its code", async () => {
    const database = open({ url: postgres.url.replace(/\/[^/?]*(\?|$)/, "/no_such_database$1") })

    await expect(firstValue(database, "select 1")).rejects.toMatchObject({ code: "08001", cause: { code: "3D000" } })
  })
})

describe("a lost connection", () => {
  test("that was idle is reported and replaced", async () => {
    const reported = vi.fn()
    const database = open({ maxConnections: 1, onError: reported })
    const pid = await pidOf(database)

    await kill(pid)

    await vi.waitFor(() => expect(reported).toHaveBeenCalledWith(expect.objectContaining({ code: "57P01" })), WAIT)
    expect(await pidOf(database)).not.toBe(pid)
  })

  test("that died just before its next statement does not fail it", async () => {
    const database = open({ maxConnections: 1 })

    for (let round = 1; round <= 30; round++) {
      const pid = await firstValue(database, "select pg_backend_pid() where $1::int > 0", round)
      await kill(pid)
      expect(await firstValue(database, "select $1::int", round)).toBe(round)
    }
  })

  test("that died during a long sleep does not fail a transaction", async () => {
    const database = open({ maxConnections: 1 })
    const now = performance.now.bind(performance)

    for (let round = 1; round <= 30; round++) {
      const pid = await pidOf(database)
      await kill(pid)
      vi.spyOn(performance, "now").mockImplementation(() => now() + round * 10_000)
      expect(await database.transaction(pidOf)).not.toBe(pid)
    }
  })

  test("fails the statement that ran on it, and the next one is fine", async () => {
    const database = open({ url: withApplicationName("busy"), maxConnections: 1 })
    const pid = await pidOf(database)

    const sleeping = firstValue(database, "select pg_sleep($1)", 600).catch((error: unknown) => error)
    const isSleeping = "select exists(select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep')"
    await vi.waitFor(async () => expect(await firstValue(admin, isSleeping, pid)).toBe(true), WAIT)
    await kill(pid)

    expect(await sleeping).toMatchObject({ code: "57P01" })
    expect(await firstValue(database, "select 1")).toBe(1)
  })
})

describe("closing", () => {
  test("waits for running and queued work, then ends every connection", async () => {
    const database = open({ url: withApplicationName("closing"), maxConnections: 1 })
    const first = await occupy(database)
    const queued = firstValue(database, "select 'queued'")
    let isClosed = false

    const closed = database.close().then(() => {
      isClosed = true
    })
    const refused = firstValue(database, "select 1")

    await expect(refused).rejects.toMatchObject({ code: "POOL_CLOSED" })
    expect(isClosed).toBe(false)
    first.release()
    expect(await queued).toBe("queued")
    await closed
    await vi.waitFor(async () => {
      expect(await rowsOf(admin, "select pid from pg_stat_activity where application_name = 'closing'")).toEqual([])
    }, WAIT)
  })

  test("twice, and before anything was opened, is fine", async () => {
    const database = open()

    await database.close()
    await database.close()

    await expect(database.transaction(pidOf)).rejects.toMatchObject({ code: "POOL_CLOSED" })
  })
})

function withApplicationName(name: string): string {
  return `${postgres.url}${postgres.url.includes("?") ? "&" : "?"}application_name=${name}`
}
