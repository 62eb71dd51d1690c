// @module-tag installed-postgres
// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text().required(),
    text: f.text(),
    area: f.textarea(),
    double: f.number(),
    whole: f.number().integer(),
    big: f.number().bigint(),
    money: f.number().decimal(12, 3),
    flag: f.boolean(),
    at: f.datetime(),
    kind: f.select(["red", "green", "blue"]),
    data: f.json(),
  }))
  .access({ read: true })

// The row "n" has no value in any field, so it shows where null rows count.
const ROWS = [
  {
    name: "a",
    text: "Apple 100%",
    area: "first\nline",
    double: 1.5,
    whole: -1,
    big: 9_007_199_254_740_993n,
    money: "10.500",
    flag: true,
    at: "2026-01-01T00:00:00.000Z",
    kind: "red",
    data: { tag: "x", seo: { title: "Hello", rank: 1 }, list: [1, 2] },
  },
  {
    name: "b",
    text: "apple_100",
    area: "ŽLTÝ kôň",
    double: -0.25,
    whole: 0,
    big: -5n,
    money: "-3",
    flag: false,
    at: "2026-01-01T00:00:00.001Z",
    kind: "green",
    data: [1, "two", null],
  },
  {
    name: "c",
    text: "back\\slash",
    area: "Ärger ÉCLAIR",
    double: 1e21,
    whole: 2_147_483_647,
    big: 0n,
    money: "0.001",
    flag: true,
    at: "2026-03-01T12:00:00.000Z",
    kind: "red",
    data: "two",
  },
  { name: "n" },
] as const

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [things] })
  for (const row of ROWS) await app.app.system.collections["things"]?.create(row)
})

afterAll(() => app[Symbol.asyncDispose]())

type Case = [query: string, where: Record<string, unknown>, expected: string]

const text: Case[] = [
  ["where[text]=apple_100", { text: "apple_100" }, "b"],
  ["where[text][eq]=Apple 100%25", { text: { eq: "Apple 100%" } }, "a"],
  ["where[text][eq]=apple 100%25", { text: { eq: "apple 100%" } }, ""],
  ["where[text][ne]=apple_100", { text: { ne: "apple_100" } }, "a c n"],
  ["where[text][in][]=apple_100&where[text][in][]=nothing", { text: { in: ["apple_100", "nothing"] } }, "b"],
  ["where[text][in]=", { text: { in: [] } }, ""],
  ["where[text][notIn][]=apple_100", { text: { notIn: ["apple_100"] } }, "a c n"],
  ["where[text][notIn]=", { text: { notIn: [] } }, "a b c n"],
  ["where[text][like]=apple%25", { text: { like: "apple%" } }, "b"],
  ["where[text][like]=apple_100", { text: { like: "apple_100" } }, "b"],
  ["where[text][like]=%25\\%25", { text: { like: "%\\%" } }, "a"],
  ["where[text][ilike]=APPLE%25", { text: { ilike: "APPLE%" } }, "a b"],
  ["where[text][notLike]=apple%25", { text: { notLike: "apple%" } }, "a c n"],
  ["where[text][notIlike]=APPLE%25", { text: { notIlike: "APPLE%" } }, "c n"],
  ["where[text][contains]=PLE", { text: { contains: "PLE" } }, "a b"],
  ["where[text][contains]=%25", { text: { contains: "%" } }, "a"],
  ["where[text][contains]=_", { text: { contains: "_" } }, "b"],
  ["where[text][contains]=\\", { text: { contains: "\\" } }, "c"],
  ["where[text][contains]=", { text: { contains: "" } }, "a b c"],
  ["where[text][startsWith]=aPP", { text: { startsWith: "aPP" } }, "a b"],
  ["where[text][startsWith]=%25", { text: { startsWith: "%" } }, ""],
  ["where[text][endsWith]=100", { text: { endsWith: "100" } }, "b"],
  ["where[text][endsWith]=SLASH", { text: { endsWith: "SLASH" } }, "c"],
  ["where[text][isNull]=true", { text: { isNull: true } }, "n"],
  ["where[text][isNull]=false", { text: { isNull: false } }, "a b c"],
  ["where[text][isNotNull]=true", { text: { isNotNull: true } }, "a b c"],
  ["where[text][isNotNull]=false", { text: { isNotNull: false } }, "n"],
  ["where[area][contains]=žltý KÔŇ", { area: { contains: "žltý KÔŇ" } }, "b"],
  ["where[area][startsWith]=ÄRGER", { area: { startsWith: "ÄRGER" } }, "c"],
  ["where[area][endsWith]=éclair", { area: { endsWith: "éclair" } }, "c"],
  ["where[area][ilike]=%25kôŇ", { area: { ilike: "%kôŇ" } }, "b"],
  ["where[area]=first%0Aline", { area: "first\nline" }, "a"],
  ["where[text][startsWith]=a&where[text][endsWith]=0", { text: { startsWith: "a", endsWith: "0" } }, "b"],
]

const numbers: Case[] = [
  ["where[double]=1.5", { double: 1.5 }, "a"],
  ["where[double]=1e21", { double: 1e21 }, "c"],
  ["where[double][ne]=1.5", { double: { ne: 1.5 } }, "b c n"],
  ["where[double][gt]=-0.25", { double: { gt: -0.25 } }, "a c"],
  ["where[double][gte]=-0.25", { double: { gte: -0.25 } }, "a b c"],
  ["where[double][lt]=1.5", { double: { lt: 1.5 } }, "b"],
  ["where[double][lte]=1.5", { double: { lte: 1.5 } }, "a b"],
  ["where[double][between][]=-1&where[double][between][]=1.5", { double: { between: [-1, 1.5] } }, "a b"],
  ["where[double][in][]=1.5&where[double][in][]=1e21", { double: { in: [1.5, 1e21] } }, "a c"],
  ["where[double][in]=", { double: { in: [] } }, ""],
  ["where[double][notIn][]=1.5", { double: { notIn: [1.5] } }, "b c n"],
  ["where[double][isNull]=true", { double: { isNull: true } }, "n"],
  ["where[double][isNotNull]=true", { double: { isNotNull: true } }, "a b c"],
  ["where[whole]=2147483647", { whole: 2_147_483_647 }, "c"],
  ["where[whole][gte]=-2147483648", { whole: { gte: -2_147_483_648 } }, "a b c"],
  ["where[whole][lt]=0", { whole: { lt: 0 } }, "a"],
  ["where[whole][notIn][]=0&where[whole][notIn][]=-1", { whole: { notIn: [0, -1] } }, "c n"],
  ["where[whole][between][]=1&where[whole][between][]=0", { whole: { between: [1, 0] } }, ""],
  ["where[big]=9007199254740993", { big: 9_007_199_254_740_993n }, "a"],
  ["where[big][lt]=9007199254740993", { big: { lt: "9007199254740993" } }, "b c"],
  ["where[big][gt]=-9223372036854775808", { big: { gt: -9_223_372_036_854_775_808n } }, "a b c"],
  ["where[big][in][]=-5&where[big][in][]=0", { big: { in: [-5n, 0] } }, "b c"],
  ["where[big][ne]=0", { big: { ne: 0 } }, "a b n"],
  ["where[money]=10.5", { money: 10.5 }, "a"],
  ["where[money]=10.500", { money: "10.500" }, "a"],
  ["where[money][gt]=0", { money: { gt: 0 } }, "a c"],
  ["where[money][lte]=0.001", { money: { lte: "0.001" } }, "b c"],
  ["where[money][in][]=-3.00&where[money][in][]=1", { money: { in: ["-3.00", 1] } }, "b"],
  ["where[money][notIn][]=-3", { money: { notIn: [-3] } }, "a c n"],
]

const choices: Case[] = [
  ["where[flag]=true", { flag: true }, "a c"],
  ["where[flag][eq]=false", { flag: { eq: false } }, "b"],
  ["where[flag][ne]=true", { flag: { ne: true } }, "b n"],
  ["where[flag][in][]=true&where[flag][in][]=false", { flag: { in: [true, false] } }, "a b c"],
  ["where[flag][notIn][]=true", { flag: { notIn: [true] } }, "b n"],
  ["where[flag][isNull]=true", { flag: { isNull: true } }, "n"],
  ["where[kind]=red", { kind: "red" }, "a c"],
  ["where[kind][ne]=red", { kind: { ne: "red" } }, "b n"],
  ["where[kind][in][]=red&where[kind][in][]=blue", { kind: { in: ["red", "blue"] } }, "a c"],
  ["where[kind][in]=", { kind: { in: [] } }, ""],
  ["where[kind][notIn][]=red&where[kind][notIn][]=green", { kind: { notIn: ["red", "green"] } }, "n"],
  ["where[kind][isNotNull]=true", { kind: { isNotNull: true } }, "a b c"],
]

const moments: Case[] = [
  ["where[at]=2026-01-01", { at: new Date("2026-01-01") }, "a"],
  ["where[at]=2026-01-01T00:00:00.000Z", { at: "2026-01-01T00:00:00.000Z" }, "a"],
  ["where[at]=2026-03-01T13:00:00%2B01:00", { at: "2026-03-01T13:00:00+01:00" }, "c"],
  ["where[at][ne]=2026-01-01", { at: { ne: new Date("2026-01-01") } }, "b c n"],
  ["where[at][gt]=2026-01-01T00:00:00Z", { at: { gt: new Date("2026-01-01") } }, "b c"],
  ["where[at][gte]=2026-01-01T00:00:00.001Z", { at: { gte: "2026-01-01T00:00:00.001Z" } }, "b c"],
  ["where[at][lt]=2026-01-01T00:00:00.001Z", { at: { lt: "2026-01-01T00:00:00.001Z" } }, "a"],
  ["where[at][lte]=2026-02-01", { at: { lte: "2026-02-01" } }, "a b"],
  [
    "where[at][between][]=2026-01-01&where[at][between][]=2026-01-02",
    { at: { between: [new Date("2026-01-01"), "2026-01-02"] } },
    "a b",
  ],
  ["where[at][in][]=2026-01-01", { at: { in: [new Date("2026-01-01")] } }, "a"],
  ["where[at][notIn][]=2026-01-01", { at: { notIn: ["2026-01-01"] } }, "b c n"],
  ["where[at][isNull]=true", { at: { isNull: true } }, "n"],
  ["where[createdAt][gt]=2020-01-01", { createdAt: { gt: "2020-01-01" } }, "a b c n"],
]

const json: Case[] = [
  ['where[data]="two"', { data: "two" }, "c"],
  ['where[data][eq]=[1,"two",null]', { data: { eq: [1, "two", null] } }, "b"],
  ['where[data][ne]="two"', { data: { ne: "two" } }, "a b n"],
  ["where[data][eq]=null", { data: { eq: null } }, "n"],
  ["where[data][ne]=null", { data: { ne: null } }, "a b c"],
  ['where[data][contains]={"tag":"x"}', { data: { contains: { tag: "x" } } }, "a"],
  ['where[data][contains]={"seo":{"rank":1}}', { data: { contains: { seo: { rank: 1 } } } }, "a"],
  ['where[data][contains]="two"', { data: { contains: "two" } }, "b c"],
  ["where[data][hasKey]=seo", { data: { hasKey: "seo" } }, "a"],
  ["where[data][hasKey]=two", { data: { hasKey: "two" } }, "b c"],
  ['where[data][path]={"at":"seo.title","eq":"Hello"}', { data: { path: { at: "seo.title", eq: "Hello" } } }, "a"],
  ['where[data][path]={"at":["list","1"],"gte":2}', { data: { path: { at: ["list", "1"], gte: 2 } } }, "a"],
  ['where[data][path]={"at":"seo.rank","gt":0,"lt":1}', { data: { path: { at: "seo.rank", gt: 0, lt: 1 } } }, ""],
  ['where[data][path]={"at":"seo.title","gt":0}', { data: { path: { at: "seo.title", gt: 0 } } }, ""],
  ['where[data][path]={"at":"tag","ne":"x"}', { data: { path: { at: "tag", ne: "x" } } }, "b c n"],
  ["where[data][isNull]=true", { data: { isNull: true } }, "n"],
  ["where[data][isNotNull]=true", { data: { isNotNull: true } }, "a b c"],
]

const ids: Case[] = [
  ["where[id][isNull]=true", { id: { isNull: true } }, ""],
  ["where[id][isNotNull]=true", { id: { isNotNull: true } }, "a b c n"],
  ["where[id][in]=", { id: { in: [] } }, ""],
]

const logic: Case[] = [
  ["where[flag]=true&where[kind]=red", { flag: true, kind: "red" }, "a c"],
  ["where[AND][0][flag]=true&where[AND][1][whole]=-1", { AND: [{ flag: true }, { whole: -1 }] }, "a"],
  ["where[OR][0][whole]=0&where[OR][1][whole]=-1", { OR: [{ whole: 0 }, { whole: -1 }] }, "a b"],
  ["where[AND]=", { AND: [] }, "a b c n"],
  ["where[OR]=", { OR: [] }, ""],
  ["where[NOT]=", { NOT: {} }, ""],
  ["where[AND][]=", { AND: [{}] }, "a b c n"],
  ["where[OR][]=", { OR: [{}] }, "a b c n"],
  ["where[NOT][flag]=true", { NOT: { flag: true } }, "b n"],
  ["where[NOT][text][contains]=apple", { NOT: { text: { contains: "apple" } } }, "c n"],
  ["where[NOT][double][gt]=0", { NOT: { double: { gt: 0 } } }, "b n"],
  ["where[NOT][NOT][flag]=true", { NOT: { NOT: { flag: true } } }, "a c"],
  ["where[NOT][flag]=true&where[whole]=0", { NOT: { flag: true }, whole: 0 }, "b"],
  ["where[NOT][kind]=red&where[NOT][whole]=-1", { NOT: { kind: "red", whole: -1 } }, "b c n"],
  [
    "where[OR][0][AND][0][flag]=true&where[OR][0][AND][1][NOT][whole]=-1&where[OR][1][text][isNull]=true",
    { OR: [{ AND: [{ flag: true }, { NOT: { whole: -1 } }] }, { text: { isNull: true } }] },
    "c n",
  ],
]

describe.each([
  ["text", text],
  ["numbers", numbers],
  ["booleans and selects", choices],
  ["moments", moments],
  ["JSON", json],
  ["ids", ids],
  ["AND, OR and NOT", logic],
])("a filter on %s means the same in a query string and in process", (_name, cases) => {
  test.each(cases)("%s", async (query, where, expected) => {
    const overHttp = await app.fetch(`/things?${query}&orderBy[name]=asc`)
    const inProcess = await app.app.system.collections["things"]?.find({ where, orderBy: { name: "asc" } })
    const count = await app.fetch(`/things/count?${query}`)

    expect(namesOf(overHttp.body.docs)).toBe(expected)
    expect(namesOf(inProcess?.docs)).toBe(expected)
    expect(count.body).toEqual({ count: overHttp.body.docs.length })
  })
})

test.each(Object.keys(ROWS[0]))("a bare null on %s finds the records without a value", async (field) => {
  const found = await app.app.system.collections["things"]?.find({ where: { [field]: null } })
  const others = await app.app.system.collections["things"]?.count({ where: { [field]: { ne: null } } })

  expect(namesOf(found?.docs)).toBe(field === "name" ? "" : "n")
  expect(others).toBe(field === "name" ? 4 : 3)
})

function namesOf(docs: readonly any[] | undefined): string | undefined {
  return docs?.map((doc) => doc.name).join(" ")
}
