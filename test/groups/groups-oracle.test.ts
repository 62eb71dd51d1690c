// @module-tag full-count
// @module-tag installed-postgres
// @module-tag not-about-connections

import fc from "fast-check"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const READS = count({ short: 150, long: 1_500 })
const ROWS = 70

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .access({ read: ({ session }) => session?.user.role !== "junior" || { name: { ne: "cid" } } })

// Each pair of fields has the same values, with an index and without.
const things = collection("things")
  .fields(({ f }) => ({
    kind: f.select(["red", "green", "blue"]),
    word: f.text().index(),
    plainWord: f.text(),
    whole: f.number().integer().index(),
    plainWhole: f.number().integer(),
    money: f.number().decimal(8, 2).index(),
    flag: f.boolean(),
    day: f.date().index(),
    code: f.text().unique(),
    name: f.text().index().localized(),
    guarded: f
      .text()
      .index()
      .access({ read: ({ session }) => session?.user.role !== "junior" || { flag: true } }),
    twice: f.virtual(f.number().integer(), '"whole" * 2'),
    owner: f.relation("people"),
  }))
  .access({
    read: ({ session }) => (session?.user.role === "related" ? { owner: { is: { name: { ne: "bob" } } } } : true),
    delete: true,
  })
  .options({ softDelete: true })

const FIELDS = [
  ...["kind", "word", "plainWord", "whole", "plainWhole", "money", "flag", "day", "code", "name"],
  ...["guarded", "twice", "owner"],
]

const words = fc.option(fc.constantFrom("", "a", "b", "c", "d"), { freq: 4 })
const wholes = fc.option(fc.integer({ min: -2, max: 3 }), { freq: 4 })
const rows = fc.record({
  kind: fc.option(fc.constantFrom("red", "green", "blue"), { freq: 4 }),
  word: words,
  whole: wholes,
  money: fc.option(fc.constantFrom("-1.50", "0.00", "10.25"), { freq: 4 }),
  flag: fc.option(fc.boolean(), { freq: 4 }),
  day: fc.option(fc.constantFrom("2025-12-31", "2026-01-01", "2026-02-01"), { freq: 4 }),
  guarded: words,
  owner: fc.option(fc.nat(2), { freq: 4 }),
})

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [people, things],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  const { collections } = app.app.system
  const owners: unknown[] = []
  for (const name of ["ann", "bob", "cid"]) owners.push((await collections["people"]?.create({ name }))?.["id"])
  const made = fc.sample(rows, { numRuns: ROWS, seed: 7 })
  for (const [index, { owner, ...row }] of made.entries()) {
    const twins = { plainWord: row.word, plainWhole: row.whole }
    const own = { code: index % 5 === 0 ? null : `code ${index}`, owner: owner === null ? null : owners[owner] }
    const thing = await collections["things"]?.create({ ...row, ...twins, ...own, name: row.word })
    const id = String(thing?.["id"])
    if (index % 3 === 0) await collections["things"]?.updateById({ id, data: { name: "z" } }, { locale: "sk" })
    if (index % 10 === 0) await collections["things"]?.deleteById({ id })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

const conditions = fc.oneof(
  fc.constantFrom<object>(
    ...[
      { kind: "red" },
      { kind: { ne: "red" } },
      { whole: { gte: 1 } },
      { whole: { between: [-1, 1] } },
      { flag: null },
    ],
    ...[{ owner: { is: { name: "ann" } } }, { word: { contains: "a" } }, { NOT: { kind: "blue" } }, { whole: 99 }],
    ...[
      { OR: [{ kind: "red" }, { flag: true }] },
      { guarded: "b" },
      { twice: { gt: 0 } },
      { name: { in: ["z", "a"] } },
    ],
  ),
)

const orders = fc.constantFrom<object | undefined>(
  ...[undefined, { whole: "asc" }, { word: "desc" }, { owner: { name: "asc" } }, { name: "asc" }],
  ...[[{ kind: "desc" }, { whole: "asc" }], { code: "desc" }, { guarded: "asc" }],
)

const groupings = fc.record({
  field: fc.constantFrom(...FIELDS),
  order: fc.constantFrom("asc" as const, "desc" as const),
  docs: fc.constantFrom(0, 1, 2, 3, 20),
})

const reads = fc.record({
  groupBy: groupings,
  where: fc.option(conditions, { nil: undefined, freq: 2 }),
  orderBy: orders,
  limit: fc.constantFrom(1, 2, 3, 50),
  offset: fc.constantFrom(0, 0, 1, 2, 5),
  total: fc.constantFrom<true | false | { max: number }>(true, false, { max: 1 }, { max: 3 }, { max: 1_000 }),
  locale: fc.constantFrom("en", "sk"),
  includeDeleted: fc.boolean(),
  role: fc.constantFrom("junior", "related", "senior"),
})

type Read = typeof reads extends fc.Arbitrary<infer Value> ? Value : never
type Doc = Readonly<Record<string, any>>

test("groups are those of all records that a plain find returns", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(reads, async (read) => {
      const { role, ...options } = read
      const session = { user: { id: role, role } }
      const { groupBy: _, limit: _limit, offset: _offset, total: _total, ...plain } = options
      const all = await post(session, { ...plain, limit: 1_000 })
      const titles = await post(session, { limit: 1_000 }, "people")

      const page = await post(session, options)

      expect(page).toEqual(expectedPage(read, { docs: all.docs, people: titles.docs }))
    }),
    { numRuns: READS, seed: 11 },
  )
})

async function post(session: Session, options: object, name = "things"): Promise<any> {
  const request = { method: "POST", body: JSON.stringify(options), session }
  const { status, body } = await app.fetch(`/${name}/query`, request)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

interface Found {
  readonly docs: readonly Doc[]
  readonly people: readonly Doc[]
}

function expectedPage({ groupBy, limit, offset, total }: Read, { docs, people: titled }: Found): unknown {
  const { field } = groupBy
  const groups = groupsOf(docs, groupBy)
  const most = typeof total === "object" ? total.max : Number.POSITIVE_INFINITY
  const counted = (exact: number) => (total === false ? -1 : Math.min(exact, most))
  const page = Math.floor(offset / limit) + 1
  const hasNextPage = offset + limit < groups.length
  return {
    groups: groups.slice(offset, offset + limit).map(([value, members]) => ({
      key: value === null ? "__empty" : String(value),
      value,
      ...(field === "owner" && { title: titled.find(({ id }) => id === value)?.["name"] ?? null }),
      count: counted(members.length),
      docs: members.slice(0, groupBy.docs),
    })),
    groupBy: field,
    totalGroups: counted(groups.length),
    totalDocs: counted(docs.length),
    limit: Math.min(limit, Math.floor(1_000 / Math.max(groupBy.docs, 1))),
    totalPages: total === false ? -1 : Math.max(1, Math.ceil(counted(groups.length) / limit)),
    page,
    pagingCounter: offset + 1,
    hasPrevPage: page > 1,
    hasNextPage,
    prevPage: page > 1 ? page - 1 : null,
    nextPage: hasNextPage ? page + 1 : null,
  }
}

function groupsOf(docs: readonly Doc[], { field, order }: Read["groupBy"]): [value: unknown, members: Doc[]][] {
  const groups = new Map<unknown, Doc[]>()
  for (const doc of docs) {
    const value = doc[field] ?? null
    groups.set(value, [...(groups.get(value) ?? []), doc])
  }
  const sign = order === "asc" ? 1 : -1
  return [...groups].sort(([left], [right]) => {
    if (left === null || right === null) return left === null ? 1 : -1
    return sign * compare(field, left, right)
  })
}

function compare(field: string, left: unknown, right: unknown): number {
  const [one, other] = field === "money" ? [Number(left), Number(right)] : [left, right]
  return (one as any) < (other as any) ? -1 : 1
}
