// @module-tag not-about-engine

import { collection, global, type Session } from "kit"
import pg from "pg"
import { describe, expect, test } from "vitest"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", role: "writer" } }
const BUSY = { status: 503, body: { error: { code: "SERVICE_UNAVAILABLE" } } }

interface RuleContext {
  readonly session: Session | null
  readonly collections: any
}

// Each rule reads another collection, so each operation needs the database more than once.
async function ownTeams({ session, collections }: RuleContext) {
  const found = await collections.memberships.find({ where: { person: session?.user.id ?? "" } })
  return { team: { in: found.docs.map(({ team }: { team: string }) => team) } }
}

async function isMember({ session, collections }: RuleContext): Promise<boolean> {
  return (await collections.memberships.count({ where: { person: session?.user.id ?? "" } })) > 0
}

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: isMember })
const memberships = collection("memberships")
  .fields(({ f }) => ({ person: f.text().required(), team: f.relation("teams").required() }))
  .access({ read: ({ session }) => session && { person: session.user.id } })
const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required(),
    team: f.relation("teams").required(),
    price: f.number().access({ read: isMember, create: isMember, update: isMember }),
  }))
  .access({ read: ownTeams, create: ownTeams, update: ownTeams, delete: ownTeams })
const plan = global("plan")
  .fields(({ f }) => ({ text: f.text().access({ update: isMember }), team: f.relation("teams") }))
  .access({ read: isMember, update: isMember })
const things = collection("things")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, create: true })

const newsroom = [teams, memberships, articles, plan]

async function addTeam(app: TestApp): Promise<string> {
  const team = await app.app.system.collections["teams"]?.create({ name: "Sport" })
  await app.app.system.collections["memberships"]?.create({ person: ann.user.id, team: team?.["id"] })
  return String(team?.["id"])
}

const send = (app: TestApp, method: string, path: string, data?: object) =>
  app.fetch(path, { method, session: ann, ...(data && { body: JSON.stringify(data) }) })

describe("a pool of one connection", () => {
  async function everyOperation(app: TestApp, team: string): Promise<number[]> {
    const created = await send(app, "POST", "/articles", { title: "a", team, price: 5 })
    const path = `/articles/${created.body.id}`
    const answers = [
      created,
      await send(app, "GET", "/articles?with[team]=true&where[team][is][name]=Sport&orderBy[team][name]=asc"),
      await send(app, "GET", "/articles/count"),
      await send(app, "GET", path),
      await send(app, "PATCH", path, { title: "b", team, price: 6 }),
      await send(app, "PATCH", "/globals/plan", { text: "x", team }),
      await send(app, "PATCH", "/globals/plan", { text: "y", team }),
      await send(app, "GET", "/globals/plan?with[team]=true"),
      await send(app, "DELETE", path),
    ]
    return answers.map(({ status }) => status)
  }

  const expected = [201, 200, 200, 200, 200, 200, 200, 200, 200]

  test("does every operation, although the rules read other collections", async () => {
    await using app = await testApp({ resources: newsroom, config: { db: { maxConnections: 1 } } })
    const team = await addTeam(app)

    expect(await everyOperation(app, team)).toEqual(expected)
  })

  test("does them for many callers at once", async () => {
    await using app = await testApp({ resources: newsroom, config: { db: { maxConnections: 1 } } })
    const team = await addTeam(app)

    const all = await Promise.all(Array.from({ length: 10 }, () => everyOperation(app, team)))

    expect(all).toEqual(Array.from({ length: 10 }, () => expected))
  })

  test("does them inside a transaction, where the rules read on the same connection", async () => {
    await using app = await testApp({ resources: newsroom, config: { db: { maxConnections: 1 } } })
    const team = await addTeam(app)

    const title = await app.app.as(ann).transaction(async (api) => {
      const own: any = api.collections["articles"]
      const { id } = await own.create({ title: "a", team })
      await own.updateById({ id, data: { title: "b", team } })
      return (await own.findOne({ where: { id }, with: { team: true } })).title
    })

    expect(title).toBe("b")
  })
})

test("200 finds at once share two connections", async () => {
  await using app = await testApp({ resources: [things], config: { db: { maxConnections: 2 } } })
  await app.app.system.collections["things"]?.create({ name: "one" })

  const answers = await Promise.all(Array.from({ length: 200 }, () => app.fetch("/things")))

  expect(answers.filter(({ status, body }) => status === 200 && body.totalDocs === 1)).toHaveLength(200)
  const [{ count } = {}] = await app.database.query(
    "select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'kit'",
  )
  // A single connection may serve all of them before a second is open.
  expect([1, 2]).toContain(count)
})

describe("a full queue", () => {
  test("refuses with 503 and says when to try again, and serves the rest when it can", async () => {
    await using app = await testApp({ resources: [things], config: { db: { maxConnections: 1, maxQueue: 2 } } })
    const unlock = await lockTable(app, "things")
    const first = app.fetch("/things")
    await isWaitingForLock(app)

    const next = Array.from({ length: 6 }, () => app.fetch("/things"))
    const refused = await firstOf(next, 4)
    const health = await app.fetch("/health")
    await unlock()
    const all = await Promise.all([first, ...next])

    for (const answer of refused) {
      expect(answer).toMatchObject(BUSY)
      expect(answer.headers.get("retry-after")).toBe("1")
    }
    expect(health.status).toBe(200)
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await app.fetch("/things")).status).toBe(200)
  })

  test("a statement that takes too long is given up, and its connection serves the next", async () => {
    const db = { maxConnections: 1, statementTimeoutMs: 1_000 }
    await using app = await testApp({ resources: [things], config: { db } })
    const unlock = await lockTable(app, "things")

    const answer = await app.fetch("/things")
    await unlock()

    expect(answer).toMatchObject(BUSY)
    // On a machine that stalls for so long, any statement takes too long.
    await expect.poll(async () => (await app.fetch("/things")).status).toBe(200)
  })

  test("a rule that cannot ask the database is no verdict, neither of a row nor of a field", async () => {
    const papers = collection("papers")
      .fields(({ f }) => ({ title: f.text(), price: f.number().access({ read: isMember }) }))
      .access({ read: true })
    await using app = await testApp({ resources: [...newsroom, papers], config: { db: { statementTimeoutMs: 1_000 } } })
    // Directly with SQL: on a machine that stalls, the app's statements may take too long.
    await app.database.query(
      `insert into papers (id, title, price, "createdAt", "updatedAt") values (gen_random_uuid(), 'a', 5, now(), now())`,
    )
    const unlock = await lockTable(app, "memberships")

    const byRow = await send(app, "GET", "/teams")
    const byField = await send(app, "GET", "/papers")
    await unlock()

    expect(byRow).toMatchObject(BUSY)
    expect(byField).toMatchObject(BUSY)
  })
})

describe("a database that goes away", () => {
  test("is answered with 503 until it is back", async () => {
    await using proxy = await startDatabaseProxy()
    await using app = await testApp({ resources: [things], config: { db: { url: proxy.url } } })
    const created = await app.fetch("/things", { method: "POST", body: '{"name":"before"}' })

    await proxy.cut()
    const read = await app.fetch("/things")
    const write = await app.fetch("/things", { method: "POST", body: '{"name":"meanwhile"}' })
    const ready = await app.fetch("/_kit/ready")
    const health = await app.fetch("/_kit/health")
    await proxy.restore()
    const after = await app.fetch("/things")

    expect(created.status).toBe(201)
    for (const answer of [read, write, ready]) expect(answer).toMatchObject(BUSY)
    expect(health.status).toBe(200)
    expect(after).toMatchObject({ status: 200, body: { totalDocs: 1, docs: [{ name: "before" }] } })
    expect((await app.fetch("/_kit/ready")).status).toBe(200)
  })

  test("in the middle of a request is a 503 for it and nothing for the next", async () => {
    await using proxy = await startDatabaseProxy()
    await using app = await testApp({ resources: [things], config: { db: { url: proxy.url } } })
    const unlock = await lockTable(proxy, "things")
    const hanging = app.fetch("/things")
    await isWaitingForLock(proxy)

    await proxy.cut()
    const answer = await hanging
    await unlock()
    await proxy.restore()

    expect(answer).toMatchObject(BUSY)
    expect((await app.fetch("/things")).status).toBe(200)
  })

  test("or takes no connections any more, is answered with 503 too", async () => {
    await using app = await testApp({ resources: [things] })
    await app.fetch("/things")
    const name = new pg.Client({ connectionString: app.database.url }).database
    const close = `alter database "${name}" with allow_connections false`
    await onServer(
      close,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'kit'`,
    )

    const closed = await app.fetch("/things")
    await onServer(`alter database "${name}" with allow_connections true`)

    expect(closed).toMatchObject(BUSY)
    expect((await app.fetch("/things")).status).toBe(200)
  })
})

/** Resolves to the first results, up to this number. */
function firstOf<Result>(promises: readonly Promise<Result>[], count: number): Promise<Result[]> {
  const results: Result[] = []
  return new Promise((resolve, reject) => {
    for (const promise of promises) {
      promise.then((result) => {
        if (results.push(result) === count) resolve([...results])
      }, reject)
    }
  })
}

async function onServer(...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env["KIT_TEST_DATABASE_URL"] })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}

/** Locks the table against reads and writes, until the returned function is called. */
async function lockTable({ database }: Pick<TestApp, "database">, table: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  return () => holder.end()
}

async function isWaitingForLock({ database }: Pick<TestApp, "database">): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await database.query(waiting)).length === 0);
}
