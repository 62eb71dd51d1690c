// @module-tag experiment
// @module-tag full-count

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { type CommitProxy, type Moment, startCommitProxy } from "../support/processes/commit-proxy.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const PATIENCE_MS = count({ short: 300_000, long: 1_800_000 })
const ROUNDS = count({ short: 1, long: 10 })
const ROWS = 10_000
const BATCH = 1_000
const CHILDREN = 60
const FILES = {
  // The proxy strikes at a commit, so only the request may commit.
  "kit.config.ts": `
import { defineConfig } from "kit"

export default defineConfig({ queue: { worker: false } })
`,
  "src/collections/items.ts": `
    import { collection } from "kit"
    export default collection("items")
      .fields(({ f }) => ({ mark: f.text() }))
      .options({ revision: true, versions: true })
      .access({ read: true, update: true })`,
  "src/collections/parents.ts": `
    import { collection } from "kit"
    export default collection("parents")
      .fields(({ f }) => ({
        mark: f.text(),
        children: f.relation("children").hasMany({ via: "parent" }),
        tags: f.relation("tags").manyToMany({ through: "tagging" }),
      }))
      .options({ versions: true })
      .access({ read: true, create: true })`,
  "src/collections/children.ts": `
    import { collection } from "kit"
    export default collection("children")
      .fields(({ f }) => ({ mark: f.text(), parent: f.relation("parents") }))
      .access({ read: true, create: true, update: true })`,
  "src/collections/tags.ts": `
    import { collection } from "kit"
    export default collection("tags").fields(({ f }) => ({ mark: f.text() })).access({ read: true, create: true })`,
}

/** A large write, a way to count its rows, and the counts after the whole write. */
interface BigWrite {
  request(mark: string): { method: string; path: string; body: unknown }
  readonly counts: string
  readonly whole: Readonly<Record<string, number>>
}

const itemsOf = (length: number) => Array.from({ length }, (_, index) => itemId(index))
const MARKED_ITEMS = `select count(*)::int as items, count(distinct revision)::int as revisions,
  (select count(*)::int from "_kit_changes" where after->>'mark' = $1) as changes,
  (select count(*)::int from "_kit_versions" where data->>'mark' = $1) as versions from items where mark = $1`

const updateBatch: BigWrite = {
  request: (mark) => {
    const updates = itemsOf(BATCH).map((id) => ({ id, data: { mark } }))
    return { method: "POST", path: "/items/update-batch", body: { updates } }
  },
  counts: MARKED_ITEMS,
  whole: { items: BATCH, revisions: 1, changes: BATCH, versions: BATCH },
}
const updateMany: BigWrite = {
  request: (mark) => ({ method: "PATCH", path: "/items", body: { all: true, data: { mark } } }),
  counts: MARKED_ITEMS,
  whole: { items: ROWS, revisions: 1, changes: ROWS, versions: ROWS },
}
const nestedCreate: BigWrite = {
  request: (mark) => {
    const create = Array.from({ length: CHILDREN }, () => ({ mark }))
    return { method: "POST", path: "/parents", body: { mark, children: { create }, tags: { create } } }
  },
  counts: `select
    (select count(*)::int from parents where mark = $1) as parents,
    (select count(*)::int from children join parents on parents.id = parent where children.mark = $1) as children,
    (select count(*)::int from tags where mark = $1) as tags,
    (select count(*)::int from "tagging.links" join parents on parents.id = parents_id where mark = $1) as links,
    (select count(*)::int from "_kit_changes" where kind = 'create' and after->>'mark' = $1) as changes,
    (select coalesce(sum(jsonb_array_length(data->'tags')), 0)::int from "_kit_versions" where data->>'mark' = $1) as versioned`,
  whole: {
    ...{ parents: 1, children: CHILDREN, tags: CHILDREN, links: CHILDREN },
    ...{ changes: 1 + 2 * CHILDREN, versioned: CHILDREN },
  },
}

function itemId(index: number): string {
  return `01890000-0000-7000-8000-${String(index).padStart(12, "0")}`
}

let database: TestDatabase
let proxy: CommitProxy
let folder: AppFolder
let server: KitProcess | undefined
let isAlive = false
let url = ""
let attempts = 0

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startCommitProxy(database)
  folder = await appFolder(FILES)
  await start()
  await database.query(
    `insert into items (id, revision, "createdAt", "updatedAt") select id, 1, now(), now() from unnest($1::uuid[]) id`,
    [itemsOf(ROWS)],
  )
})

afterEach(async () => {
  await server?.kill()
  await proxy[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await database.drop()
})

async function start(): Promise<void> {
  const env = { DATABASE_URL: proxy.url }
  server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
  const [, printed = ""] = await server.printed(/on (http:\S+)/)
  url = printed
  isAlive = true
}

type Found = Readonly<Record<string, number>>
interface Outcome {
  readonly moment: Moment | "never"
  readonly isAcknowledged: boolean
  readonly found: Found
}

describe("P2: a write that is not acknowledged is wholly there or not at all", () => {
  test.each([
    ["an update-batch of 1,000", updateBatch],
    ["a nested create", nestedCreate],
    ["an updateMany of 10,000", updateMany],
  ])(
    "%s, when the server is killed with -9 before, in and after its commit",
    async (_name, write) => {
      const random = seededRandom()
      const statementsBefore = proxy.statements()
      const calm = await attempt(write, "never")
      const statements = proxy.statements() - statementsBefore
      const nothing = Object.fromEntries(Object.keys(write.whole).map((name) => [name, 0]))

      for (let round = 1; round <= ROUNDS; round++) {
        const moments: Moment[] = [
          { statement: 2 + random.below(statements - 2) },
          "commit asked",
          "commit done",
          "commit told",
        ]
        const outcomes: Outcome[] = []
        for (const moment of moments) outcomes.push(await attempt(write, moment))

        const figures = JSON.stringify({ seed: random.seed, round, statements, calm, outcomes })
        expect(
          outcomes.map(({ found }) => found),
          figures,
        ).toEqual([nothing, nothing, write.whole, write.whole])
        // The client got no answer for a commit that succeeded: an unacknowledged write may be stored, but then
        // completely.
        expect(outcomes.slice(0, 3).map(({ isAcknowledged }) => isAcknowledged)).toEqual([false, false, false])
      }
      expect(calm).toEqual({ moment: "never", isAcknowledged: true, found: write.whole })
    },
    PATIENCE_MS,
  )
})

/** Sends the write, kills the server at this moment of it, and counts the stored rows. */
async function attempt(write: BigWrite, moment: Outcome["moment"]): Promise<Outcome> {
  if (!isAlive) await start()
  attempts++
  const mark = `${JSON.stringify(moment)} ${attempts}`
  const { path, method, body } = write.request(mark)
  const init = { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  const killed = moment === "never" ? undefined : killAt(moment)
  const isAcknowledged = await fetch(`${url}${path}`, init).then(
    ({ ok }) => ok,
    () => false,
  )
  await killed
  await untilNobodyWrites()
  const found = (await database.query(write.counts, [mark]))[0] as Record<string, number>
  return { moment, isAcknowledged, found }
}

function killAt(moment: Moment): Promise<void> {
  isAlive = false
  return new Promise((resolve) => proxy.at(moment, () => resolve(server?.kill())))
}

/** PostgreSQL still runs the statements that have reached it, even if the client is gone. */
async function untilNobodyWrites(): Promise<void> {
  const writers = `select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'kit' and backend_xid is not null`
  await vi.waitFor(async () => expect(await database.query(writers)).toEqual([]), { timeout: 60_000, interval: 10 })
}
