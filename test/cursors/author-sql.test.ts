import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readPage, walkBackward, walkForward } from "../support/worlds/cursor-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// A rule on related records costs Postgres more than a comparison, so it evaluates such a rule after comparisons.
const isInOpenTeam = ({ session }: { session: Session | null }) =>
  session !== null || { team: { is: { isOpen: true } } }

const teams = collection("teams")
  .fields(({ f }) => ({ isOpen: f.boolean().required() }))
  .options({ id: "client", timestamps: false })
  .access({ read: true })

// The SQL of `share` fails for a part of which `rank` is 0. All of these parts are hidden from callers.
const parts = collection("parts")
  .fields(({ f }) => ({
    rank: f.number().integer().required(),
    team: f.relation("teams"),
    share: f.virtual(f.number(), '100.0 / "rank"'),
  }))
  .access({ read: isInOpenTeam })

const items = collection("items")
  .fields(({ f }) => ({
    number: f.number().integer().required(),
    rank: f.number().integer().required(),
    isOpen: f.boolean(),
    share: f.virtual(f.number(), '100.0 / "rank"'),
    openShare: f.virtual(f.number(), '100.0 / "rank"').access({ read: () => ({ isOpen: true }) }),
    part: f.relation("parts"),
    team: f.relation("teams"),
  }))
  .access({ read: isInOpenTeam })

const SOMEBODY: Session = { user: { id: "somebody" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [teams, parts, items] })
  const id = (number: string) => `lpad(to_hex(${number}), 32, '0')::uuid`
  await app.database.query(`insert into teams (id, "isOpen") values ('open', true), ('closed', false)`)
  await app.database.query(
    `insert into parts (id, rank, team, "createdAt", "updatedAt")
     select ${id("n")}, n % 5, case when n % 5 > 0 then 'open' else 'closed' end, now(), now() from generate_series(1, 25) n`,
  )
  await app.database.query(
    `insert into items (id, number, rank, "isOpen", part, team, "createdAt", "updatedAt")
     select ${id("n")}, n, case when n > 20 then 0 else 1 + n % 3 end, n % 4 > 0, ${id("n")}, case when n > 20 then 'closed' else 'open' end, now(), now()
     from generate_series(1, 25) n`,
  )
  await app.database.query("analyze items")
  await app.database.query("analyze parts")
})

afterAll(() => app[Symbol.asyncDispose]())

const ORDERS = [
  { share: "asc" },
  { share: "desc" },
  { openShare: "asc" },
  [{ isOpen: "desc" }, { share: "asc" }],
  { part: { share: "asc" } },
  { part: { share: "desc" } },
  [{ part: { share: "desc" } }, { share: "asc" }],
]

test.each(ORDERS)(
  "SQL of the author that fails for hidden records does not fail a page by cursors: %j",
  async (orderBy) => {
    const list = { app, collection: "items", options: { orderBy } }
    const { numbers } = await readPage(list, { limit: 100 })

    const forward = await walkForward(list, 3)
    const backward = await walkBackward(list, 3)
    const [first, last] = [forward[0]?.startCursor, forward.at(-1)?.endCursor]
    const range = await readPage(list, { after: first, before: last, limit: 100 })

    expect(numbers).toHaveLength(20)
    expect(forward.flatMap((page) => page.numbers)).toEqual(numbers)
    expect(backward.flatMap((page) => page.numbers)).toEqual(numbers)
    expect(range.numbers).toEqual(numbers)
  },
)

test("who may read the records learns that the SQL fails", async () => {
  const body = JSON.stringify({ orderBy: { share: "asc" }, after: null })

  const { status } = await app.fetch("/items/query", { method: "POST", body, session: SOMEBODY })

  expect(status).toBe(500)
})
