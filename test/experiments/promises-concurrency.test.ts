// @module-tag experiment
// @module-tag full-count
// @module-tag installed-postgres

import { collection } from "kit"
import pg from "pg"
import { describe, expect, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { sendRaw } from "../support/processes/raw-http.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

describe("P9", () => {
  const ROWS = count({ short: 2_000, long: 10_000 })
  const UPDATES = count({ short: 50, long: 1_000 })
  const BUCKETS = 20
  const tickets = collection("tickets")
    .fields(({ f }) => ({
      bucket: f.number().integer().required(),
      takenBy: f.number().integer(),
    }))
    .options({ revision: true, versions: { max: 50_000 } })
    .access({ read: true, create: true, update: true, delete: true })

  test("of 16 workers that race to take and to delete the same records, each record is had by one", async () => {
    const random = seededRandom()
    await using app = await testApp({ resources: [tickets] })
    await app.database.query(
      `insert into tickets (id, bucket, revision, "createdAt", "updatedAt")
       select gen_random_uuid(), n % ${BUCKETS}, 1, now(), now() from generate_series(1, ${ROWS}) n`,
    )

    const workers = await Promise.all(
      Array.from({ length: 16 }, (_, number) => claimAndDelete(app, { number, random })),
    )
    const left = await app.database.query(`select id, "takenBy", revision from tickets`)

    const claims = workers.flatMap(({ number, ids }) => ids.map((id) => ({ id, takenBy: number, revision: 2 })))
    const deleted = workers.reduce((sum, worker) => sum + worker.deleted, 0)
    const note = JSON.stringify({ seed: random.seed, claimed: claims.length, deleted, left: left.length })
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      String(a["id"]) < String(b["id"]) ? -1 : 1
    expect(new Set(claims.map(({ id }) => id)).size, note).toBe(claims.length)
    expect(left.sort(byId), note).toEqual(claims.sort(byId))
    expect(claims.length + deleted, note).toBe(ROWS)
    expect(Math.min(claims.length, deleted), note).toBeGreaterThan(0)
  })

  interface Worker {
    readonly number: number
    readonly random: SeededRandom
  }

  async function claimAndDelete(app: TestApp, { number, random }: Worker) {
    const api = app.client().collections["tickets"]
    const ids: string[] = []
    let deleted = 0
    // Each writer starts with a bucket that no other can have yet, and at the end wants all that are left.
    const own = { range: [number, number], isDelete: number % 2 === 0 }
    const starts = Array.from({ length: 6 }, () => random.below(BUCKETS))
    const ranges = [...starts.map((start) => [start, start + 4]), [0, BUCKETS]]
    const others = ranges.map((range) => ({ range, isDelete: random.below(2) === 0 }))
    for (const { range, isDelete } of [own, ...others]) {
      const where = { takenBy: { isNull: true }, bucket: { between: range } }
      if (isDelete) deleted += (await servedAtLast(() => api.deleteMany({ where }))).count
      else {
        const taken = await servedAtLast(() => api.updateMany({ where, data: { takenBy: number } }))
        for (const { id } of taken) ids.push(id)
      }
    }
    return { number, ids, deleted }
  }

  /** On a busy machine a request may wait too long for a connection. A request that got none has changed nothing. */
  async function servedAtLast(write: () => Promise<any>): Promise<any> {
    for (;;) {
      const outcome = await write().then(
        (result) => ({ result }),
        (error) => ({ error }),
      )
      if ("result" in outcome) return outcome.result
      if (outcome.error.code !== "SERVICE_UNAVAILABLE") throw outcome.error
    }
  }

  test("revisions and versions of records that 32 writers change at once have no gaps and no doubles", async () => {
    const random = seededRandom()
    await using app = await testApp({ resources: [tickets] })
    const create = () => app.app.system.collections["tickets"]?.create({ bucket: 0 })
    const ids = (await Promise.all(Array.from({ length: 10 }, create))).map((record) => String(record?.["id"]))

    const seen = (await Promise.all(Array.from({ length: 32 }, () => writeOften(app, { ids, random })))).flat()

    const stored = await app.database.query("select id, revision from tickets")
    const note = JSON.stringify({ seed: random.seed, updates: seen.length, stored })
    for (const { id, revision } of stored) {
      const revisions = seen.filter((update) => update.id === id).map((update) => update.revision)
      const gapless = Array.from({ length: Number(revision) - 1 }, (_, index) => index + 2)
      expect(new Set(revisions), note).toEqual(new Set(gapless))
      expect(revisions, note).toHaveLength(gapless.length)
      const versions = await app.database.query(
        `select number::int as number from "_kit_versions" where record = $1 order by 1`,
        [id],
      )
      expect(
        versions.map(({ number }) => number),
        note,
      ).toEqual([1, ...gapless])
    }
    expect(seen, note).toHaveLength(32 * UPDATES)
  })

  interface Writer {
    readonly ids: readonly string[]
    readonly random: SeededRandom
  }

  /** Changes records one after the other. */
  async function writeOften(app: TestApp, { ids, random }: Writer): Promise<{ id: string; revision: number }[]> {
    const api = app.client().collections["tickets"]
    const written: { id: string; revision: number }[] = []
    while (written.length < UPDATES) {
      const id = ids[random.below(ids.length)] ?? ""
      const data = { takenBy: random.below(1_000_000) }
      const { revision } = await servedAtLast(() => api.updateById({ id, data }))
      written.push({ id, revision })
    }
    return written
  }
})

test("P11: of 600 finds at once on a pool of 10 none is stuck, and those beyond the queue of 500 get 503", async () => {
  const things = collection("things")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: true })
  await using app = await testApp({ resources: [things], config: { db: { maxConnections: 10, maxQueue: 500 } } })

  let result = await sixHundredFinds(app)
  for (let tries = 1; tries < 5 && result.ms > MAX_WAIT_MS; tries++) result = await sixHundredFinds(app)

  const served = result.statuses.filter((status) => status === 200).length
  const refused = result.statuses.filter((status) => status === 503).length
  expect(served + refused).toBe(600)
  // A request that has waited for five seconds is refused as well: a machine that sends so slowly serves fewer.
  expect(refused).toBeGreaterThanOrEqual(90)
  // The app's own statements (the check of the tables, the leases of jobs) take places in the queue as well.
  if (result.ms <= MAX_WAIT_MS) {
    expect(served).toBeGreaterThan(500)
    expect(served).toBeLessThanOrEqual(510)
  }
  expect((await app.fetch("/things")).status).toBe(200)
})

const MAX_WAIT_MS = 4_000

/** No request is served before those over the limit are refused. */
async function sixHundredFinds(app: TestApp): Promise<{ statuses: readonly number[]; ms: number }> {
  const holder = new pg.Client({ connectionString: app.database.url })
  await holder.connect()
  await holder.query("begin; lock table things in access exclusive mode")
  const startedAt = performance.now()
  let refused = 0
  const finds = Array.from({ length: 600 }, async () => {
    const { status } = await sendRaw(app.url, { path: "/things" })
    if (status === 503) refused++
    return status
  })
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(90), { timeout: 60_000 })
  await holder.end()
  const statuses = await Promise.all(finds)
  return { statuses, ms: performance.now() - startedAt }
}

test("P11: of 100 writes at once whose hooks read and write, none is stuck on a pool of two", async () => {
  const entries = collection("entries").fields(({ f }) => ({ about: f.text().required() }))
  const orders = collection("orders")
    .fields(({ f }) => ({ name: f.text().required(), earlier: f.number().integer() }))
    .access({ read: true, create: true })
    .hooks({
      beforeChange: async ({ data, asSystem }) => {
        const earlier = await asSystem().collections["orders"]?.count()
        return { ...data, earlier }
      },
      afterChange: async ({ row, asSystem, transaction }) => {
        await asSystem().collections["entries"]?.create({ about: row["id"] })
        await transaction(async (inner) => {
          await inner.asSystem().collections["entries"]?.create({ about: row["id"] })
        })
      },
    })
  await using app = await testApp({ resources: [orders, entries], config: { db: { maxConnections: 2 } } })
  const rounds = count({ short: 1, long: 20 })

  const statuses: number[] = []
  for (let round = 0; round < rounds; round++) {
    const create = (_: unknown, index: number) =>
      app.fetch("/orders", { method: "POST", body: JSON.stringify({ name: `order ${index}` }) })
    const answers = await Promise.all(Array.from({ length: 100 }, create))
    statuses.push(...answers.map(({ status }) => status))
  }

  const stored = statuses.filter((status) => status === 201).length
  // On a busy machine a request may wait too long for a connection.
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
  expect(stored).toBeGreaterThan(0)
  const [counts] = await app.database.query(
    "select (select count(*)::int from orders) as orders, (select count(*)::int from entries) as entries",
  )
  expect(counts).toEqual({ orders: stored, entries: 2 * stored })
})
