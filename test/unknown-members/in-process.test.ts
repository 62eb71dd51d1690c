import { email, job, type Session } from "kit"
import { testApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import type { TestApp } from "../support/worlds/test-app.ts"
import { contentOf, makeRecords, type Records, strictApp } from "./strict-app.ts"

/** Calls an operation once for each of its arguments that is an object, each time with a misspelt member in it. */
type Calls = (operations: any, records: Records) => readonly (() => unknown)[]

const BAD = { misspelt: 1 }
const ANN = { user: { id: "ann" } } as Session

const onRecord =
  (name: string, record: keyof Records = "id"): Calls =>
  (operations, { [record]: id }) => [() => operations[name]({ id, ...BAD }), () => operations[name]({ id }, BAD)]

const COLLECTION: Readonly<Record<string, Calls>> = {
  find: ({ find }) => [() => find(BAD)],
  findOne: ({ findOne }, { id }) => [() => findOne(BAD), () => findOne({ where: { id }, ...BAD })],
  count: ({ count }) => [() => count(BAD)],
  aggregate: ({ aggregate }) => [
    () => aggregate({ count: true, ...BAD }),
    () => aggregate({ count: true, groupBy: { field: "createdAt", by: "day", ...BAD } }),
    () => aggregate({ count: true, groupBy: "name", having: BAD }),
  ],
  create: ({ create }) => [() => create({ name: "new", ...BAD }), () => create({ name: "new" }, BAD)],
  updateById: ({ updateById }, { id }) => [
    () => updateById({ id, data: { name: "changed" }, ...BAD }),
    () => updateById({ id, data: { name: "changed" } }, BAD),
  ],
  deleteById: onRecord("deleteById"),
  restoreById: onRecord("restoreById", "deleted"),
  purgeById: onRecord("purgeById", "deleted"),
  findVersions: onRecord("findVersions"),
  revertToVersion: ({ revertToVersion }, { id }) => [
    () => revertToVersion({ id, version: 1, ...BAD }),
    () => revertToVersion({ id, version: 1 }, BAD),
  ],
  transitionStage: ({ transitionStage }, { id }) => [
    () => transitionStage({ id, stage: "shown", ...BAD }),
    () => transitionStage({ id, stage: "shown" }, BAD),
  ],
  findTransition: onRecord("findTransition", "pending"),
  cancelTransition: onRecord("cancelTransition", "pending"),
  updateMany: ({ updateMany }) => [
    () => updateMany({ where: { name: "second" }, data: { name: "changed" }, ...BAD }),
    () => updateMany({ where: { name: "second" }, data: { name: "changed" } }, BAD),
  ],
  updateBatch: ({ updateBatch }, { id }) => [
    () => updateBatch({ updates: [{ id, data: { name: "changed" } }], ...BAD }),
    () => updateBatch({ updates: [{ id, data: { name: "changed" }, ...BAD }] }),
    () => updateBatch({ updates: [{ id, data: { name: "changed" } }] }, BAD),
  ],
  deleteMany: ({ deleteMany }) => [
    () => deleteMany({ where: { name: "second" }, ...BAD }),
    () => deleteMany({ where: { name: "second" } }, BAD),
  ],
  meta: ({ meta }) => [() => meta(BAD)],
  schema: ({ schema }) => [() => schema(BAD)],
  access: ({ access }, { id }) => [() => access({ id, ...BAD })],
  accessMany: ({ accessMany }, { id }) => [() => accessMany({ ids: [id], ...BAD })],
}

const GLOBAL: Readonly<Record<string, Calls>> = {
  get: ({ get }) => [() => get(BAD)],
  update: ({ update }) => [() => update({ note: "changed", ...BAD }), () => update({ note: "changed" }, BAD)],
  findVersions: ({ findVersions }) => [() => findVersions(BAD)],
  revertToVersion: ({ revertToVersion }) => [
    () => revertToVersion({ version: 1, ...BAD }),
    () => revertToVersion({ version: 1 }, BAD),
  ],
  transitionStage: ({ transitionStage }) => [
    () => transitionStage({ stage: "shown", ...BAD }),
    () => transitionStage({ stage: "shown" }, BAD),
  ],
  findTransition: ({ findTransition }) => [() => findTransition(BAD)],
  cancelTransition: ({ cancelTransition }) => [() => cancelTransition(BAD)],
  meta: ({ meta }) => [() => meta(BAD)],
  schema: ({ schema }) => [() => schema(BAD)],
  access: ({ access }) => [() => access(BAD)],
}

const SEARCH: Readonly<Record<string, Calls>> = {
  findByTitle: ({ findByTitle }) => [() => findByTitle({ query: "second", ...BAD })],
  search: ({ search }) => [() => search({ query: "second", ...BAD })],
}

let app: TestApp
let records: Records

beforeAll(async () => {
  app = await strictApp()
  records = await makeRecords(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const api = (): any => app.app.as(ANN)
const KINDS = [
  { kind: "a collection", table: COLLECTION, of: () => api().collections.things },
  { kind: "a global", table: GLOBAL, of: () => api().globals.page },
  { kind: "the search", table: SEARCH, of: () => api().search },
]

describe.each(KINDS)("a misspelt member of an argument is refused in process: $kind", ({ table, of }) => {
  test("every operation is tried", () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(of()).sort())
  })

  test.each(Object.entries(table))("%s", async (_name, calls) => {
    const before = await contentOf(app)

    for (const call of calls(of(), records))
      await expect(call()).rejects.toMatchObject({
        ...{ status: 400, code: "VALIDATION_ERROR" },
        fieldErrors: [{ path: expect.stringMatching(/^((updates\.0|groupBy|having)\.)?misspelt$/) }],
      })
    expect(await contentOf(app)).toBe(before)
  })
})

test("a revision counts in either argument, and two that differ are refused", async () => {
  const { things } = api().collections
  const { page } = api().globals
  const { id } = await things.create({ name: "checked" })
  const before = await contentOf(app)

  const calls = [
    () => things.updateById({ id, data: { name: "lost" } }, { expectedRevision: 99 }),
    () => things.deleteById({ id }, { expectedRevision: 99 }),
    () => things.revertToVersion({ id, version: 1 }, { expectedRevision: 99 }),
    () => page.revertToVersion({ version: 1, expectedRevision: 99 }),
    () => page.transitionStage({ stage: "shown", expectedRevision: 99 }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "CONFLICT" })
  await expect(things.deleteById({ id, expectedRevision: 1 }, { expectedRevision: 2 })).rejects.toMatchObject({
    ...{ code: "VALIDATION_ERROR", fieldErrors: [{ path: "expectedRevision" }] },
  })

  expect(await contentOf(app)).toBe(before)
})

test("members that are undefined count as absent", async () => {
  const { things } = api().collections
  const none = { misspelt: undefined }
  const { id } = await things.create({ name: "new" }, none)

  await things.updateById({ id, data: { name: "changed" }, ...none }, none)
  await things.updateBatch({ updates: [{ id, data: { name: "again" }, ...none }], ...none }, none)
  await things.transitionStage({ id, stage: "shown", ...none }, none)
  const { success } = await things.deleteById({ id, expectedRevision: undefined, ...none }, none)

  expect(success).toBe(true)
})

test("jobs, mails, channels and keys of a handler refuse misspelt members, too", async () => {
  const remind = job({ name: "remind", schema: z.object({}), handler: async () => {} })
  const invite = email({ name: "invite", schema: z.object({}), handler: () => ({ subject: "Hello", html: "Hello" }) })
  await using other = await testApp({ jobs: { remind }, emails: { invite } })
  const { queue, email: mailer, kv }: any = other.app
  const to = "ann@example.com"

  const calls = [
    () => queue.remind.publish({}, { startAftr: 60 }),
    () => mailer.send({ to, subject: "Hello", html: "Hello", replayTo: to }),
    () => mailer.sendTemplate({ template: "invite", to, input: {}, replayTo: to }),
    () => kv.set("key", 1, { tll: 60 }),
    () => app.app.channels["room"]?.publish({ params: { id: "1" }, event: "said", data: {}, evnt: 1 } as never),
  ]

  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  expect(await other.jobs.list({ name: "remind" })).toEqual([])
  expect(other.mails.sent).toEqual([])
  expect(await kv.has("key")).toBe(false)
})
