import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const RATIO = `"total" / "parts"`

const teams = collection("teams")
  .fields(({ f }) => ({
    name: f.text(),
    isOpen: f.boolean(),
    accounts: f.relation("accounts").hasMany({ via: "team" }),
  }))
  .access({ read: true })

// The rule queries another table: PostgreSQL evaluates cheaper conditions of a filter before it.
const accounts = collection("accounts")
  .fields(({ f }) => ({
    name: f.text(),
    total: f.number().integer(),
    parts: f.number().integer(),
    team: f.relation("teams"),
    notes: f.relation("notes").hasMany({ via: "account" }),
    labels: f.relation("labels").manyToMany({ through: "labelled" }),
    ratio: f.virtual(f.number().integer(), RATIO),
    ratioText: f.virtual(f.text(), `(${RATIO})::text`),
    // Hidden in a different account, where its SQL would fail too.
    ruled: f.virtual(f.number().integer(), `10 / ("total" - 7)`).access({ read: () => ({ name: { ne: "Seven" } }) }),
    // Its rule names a virtual field.
    secret: f.text().access({ read: () => ({ ratio: { gte: 0 } }) }),
  }))
  .title("ratioText")
  .options({ softDelete: true })
  .access({
    read: () => ({ team: { is: { isOpen: true } } }),
    update: () => ({ team: { is: { isOpen: true } } }),
    delete: () => ({ team: { is: { isOpen: true } } }),
  })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), account: f.relation("accounts") }))
  .access({ read: true })

const labels = collection("labels")
  .fields(({ f }) => ({ text: f.text(), accounts: f.relation("accounts").manyToMany({ through: "labelled" }) }))
  .access({ read: true })

let app: TestApp
const ids: Record<string, string> = {}

beforeAll(async () => {
  app = await testApp({ resources: [teams, accounts, notes, labels] })
  const system = app.app.system.collections as Record<string, any>
  for (const isOpen of [true, false]) {
    const name = isOpen ? "open" : "closed"
    ids[name] = (await system["teams"].create({ name, isOpen })).id
  }
  const make = async (name: string, data: object) => {
    ids[name] = (await system["accounts"].create({ name, ...data })).id
    await system["notes"].create({ text: name, account: ids[name] })
    return ids[name]
  }
  const made = [
    await make("Four", { total: 8, parts: 2, team: ids["open"], secret: "four" }),
    await make("Two", { total: 4, parts: 2, team: ids["open"], secret: "two" }),
    await make("Seven", { total: 8, parts: 7, team: ids["open"] }),
    await make("Hidden", { total: 1, parts: 1, team: ids["closed"], secret: "hidden" }),
    await make("Deleted", { total: 1, parts: 1, team: ids["open"], secret: "deleted" }),
  ]
  await system["accounts"].deleteById({ id: ids["Deleted"] })
  await system["labels"].create({ text: "all", accounts: { connect: made.filter((id) => id !== ids["Deleted"]) } })
  // From here on, the SQL of "ratio" fails in both rows, and the SQL of "ruled" in the row where its rule hides it.
  await app.database.query(`update accounts set total = 7 where name = 'Seven'`)
  await app.database.query(`update accounts set parts = 0 where name in ('Hidden', 'Deleted')`)
})
afterAll(() => app[Symbol.asyncDispose]())

const client = () => app.client(ann).collections
const namesOf = (docs: any[]) => docs.map(({ name, text }) => name ?? text).sort()
const found = async (collection: string, options: object) => namesOf((await client()[collection].find(options)).docs)

test.each([
  [{ where: { ratio: { gt: 1 } } }, ["Four", "Two"]],
  [{ where: { ratio: { ne: 4 } } }, ["Seven", "Two"]],
  [{ where: { ratio: { isNull: true } } }, []],
  [{ where: { NOT: { ratio: { gt: 2 } } } }, ["Seven", "Two"]],
  [{ where: { OR: [{ ratio: 4 }, { AND: [{ NOT: { ratio: { gt: 1 } } }] }] } }, ["Four", "Seven"]],
  [{ where: { ruled: { gt: 5 } } }, ["Four"]],
  [{ where: { ruled: { isNull: true } } }, ["Seven"]],
  [{ where: { secret: { eq: "two" } } }, ["Two"]],
  [{ where: { secret: { ne: "two" } } }, ["Four", "Seven"]],
  [{ search: "4" }, ["Four"]],
  [{ orderBy: { ratio: "desc" } }, ["Four", "Seven", "Two"]],
  [{ orderBy: { ruled: "desc" } }, ["Four", "Seven", "Two"]],
  [{ columns: { name: true, ratio: true, ruled: true } }, ["Four", "Seven", "Two"]],
])("accounts: %j", async (options, expected) => {
  expect(await found("accounts", options)).toEqual(expected)
  const { where, search } = options as Record<string, unknown>
  if (!("orderBy" in options || "columns" in options)) {
    expect(await client()["accounts"].count({ ...(where ? { where } : {}), ...(search ? { search } : {}) })).toBe(
      expected.length,
    )
  }
})

test.each([
  ["teams", { where: { accounts: { some: { ratio: { gt: 1 } } } } }, ["open"]],
  ["teams", { where: { accounts: { none: { ratio: { gt: 1 } } } } }, ["closed"]],
  ["teams", { where: { accounts: { every: { ratio: { gte: 1 } } } } }, ["closed", "open"]],
  ["labels", { where: { accounts: { some: { ratio: 4 } } } }, ["all"]],
  ["labels", { where: { accounts: { every: { ratio: { gt: 1 } } } } }, []],
  ["notes", { where: { account: { is: { ratio: { gt: 1 } } } } }, ["Four", "Two"]],
  ["notes", { where: { account: { isNot: { ratio: { gt: 1 } } } } }, ["Deleted", "Hidden", "Seven"]],
  ["notes", { orderBy: { account: { ratio: "asc" } } }, ["Deleted", "Four", "Hidden", "Seven", "Two"]],
])("%s: %j", async (name, options, expected) => {
  expect(await found(name, options)).toEqual(expected)
})

test("hydrated accounts are filtered, ordered and counted without those that are hidden", async () => {
  const options = { where: { ratio: { gt: 1 } }, orderBy: { ratio: "asc" }, _count: true }
  const [team] = (await client()["teams"].find({ where: { name: "open" }, with: { accounts: options } })).docs
  const [label] = (await client()["labels"].find({ with: { accounts: options } })).docs
  const { docs } = await client()["notes"].find({
    with: { account: { where: { ratio: { gt: 1 } }, columns: { ratio: true } } },
  })

  expect(team.accounts.map((each: any) => each.ratio)).toEqual([2, 4])
  expect(label.accounts.map((each: any) => each.ratio)).toEqual([2, 4])
  expect(docs.map(({ text, account }: any) => [text, account?.ratio ?? null]).sort()).toEqual([
    ["Deleted", null],
    ["Four", 4],
    ["Hidden", null],
    ["Seven", null],
    ["Two", 2],
  ])
})

test("groups are made of what is shown alone", async () => {
  const page = await client()["accounts"].find({ groupBy: "ratio" })

  expect(page.groups.map(({ key, count, docs }: any) => [key, count, namesOf(docs)])).toEqual([
    ["1", 1, ["Seven"]],
    ["2", 1, ["Two"]],
    ["4", 1, ["Four"]],
  ])
})

test("a topic with such a filter is answered", async () => {
  const topic = { resourceType: "collection", resource: "accounts", where: { ratio: { gt: 1 } } }
  await using stream = await openEvents({ url: app.url, session: ann, topics: [{ id: "t", ...topic }] })

  const { data } = await stream.next("snapshot")
  expect(namesOf((data as any).docs)).toEqual(["Four", "Two"])
})

test("bulk writes match what is shown alone", async () => {
  const { accounts } = client()

  const updated = await accounts.updateMany({ where: { ratio: { gt: 1 } }, data: { secret: "new" } })
  const { count } = await accounts.deleteMany({ where: { ratio: { lt: 0 } } })

  expect(namesOf(updated)).toEqual(["Four", "Two"])
  expect(count).toBe(0)
})

test("a row that the caller may read and that fails is an error without details, and is logged", async () => {
  const system = app.app.system.collections as Record<string, any>
  const { id } = await system["accounts"].create({ name: "Bad", total: 1, parts: 1, team: ids["open"] })
  await app.database.query(`update accounts set parts = 0 where id = '${id}'`)

  const { status, body } = await app.fetch("/accounts", { session: ann })
  await app.database.query(`delete from accounts where id = '${id}'`)

  expect(status).toBe(500)
  expect(JSON.stringify(body)).not.toMatch(/division|zero|select|parts/)
  expect(app.logged.some(({ fields }) => String((fields as any)?.error?.message).includes("division by zero"))).toBe(
    true,
  )
})
