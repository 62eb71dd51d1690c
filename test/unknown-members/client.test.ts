import { QuestpieClientError, UploadError } from "kit/client"
import { createCrdtClient } from "kit/crdt"
import { queryOptions } from "kit/tanstack"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestApp } from "../support/worlds/test-app.ts"
import { contentOf, makeRecords, type Records, strictApp } from "./strict-app.ts"

/** Calls an operation once for each of its arguments that is an object, each time with a misspelt member in it. */
type Calls = (operations: any, records: Records) => readonly (() => unknown)[]

/** An operation is tried, or has no argument with members: the text says why. */
type Tried = Calls | string

const BAD = { misspelt: 1 }
const file = () => new File(["text"], "b.txt", { type: "text/plain" })
const nothing = () => {}

const ON_READS: Readonly<Record<string, Calls>> = Object.fromEntries(
  ["live", "watch"].map((name): [string, Calls] => [
    name,
    (one) => [() => follow(one[name], BAD), () => one[name]({}, nothing, { onErorr: nothing, ...BAD })],
  ]),
)
const ITERATORS: Readonly<Record<string, Calls>> = Object.fromEntries(
  ["liveIter", "watchIter"].map((name): [string, Calls] => [
    name,
    (one) => [() => one[name](BAD).next(), () => one[name]({}, BAD).next()],
  ]),
)
const WATCHES: Readonly<Record<string, Tried>> = { ...ON_READS, ...ITERATORS }

const update: Calls = ({ updateById }, { id }) => [
  () => updateById({ id, data: { name: "changed" }, ...BAD }),
  () => updateById({ id, data: { name: "changed" } }, BAD),
]
const remove: Calls = ({ deleteById }, { id }) => [() => deleteById({ id, ...BAD }), () => deleteById({ id }, BAD)]
const restore: Calls = ({ restoreById }, { deleted: id }) => [
  () => restoreById({ id, ...BAD }),
  () => restoreById({ id }, BAD),
]

const COLLECTION: Readonly<Record<string, Tried>> = {
  ...WATCHES,
  find: ({ find }) => [
    () => find(BAD),
    () => find({}, BAD),
    () => find({ where: { name: "x".repeat(9_000) }, ...BAD }),
  ],
  findOne: ({ findOne }, { id }) => [
    () => findOne(BAD),
    () => findOne({ where: { id }, ...BAD }),
    () => findOne({ where: { id } }, BAD),
  ],
  count: ({ count }) => [() => count(BAD), () => count({}, BAD)],
  aggregate: ({ aggregate }) => [
    () => aggregate({ count: true, ...BAD }),
    () => aggregate({ count: true, groupBy: { field: "createdAt", by: "day", ...BAD } }),
    () => aggregate({ count: true, groupBy: "name", having: BAD }),
    () => aggregate({ count: true }, BAD),
  ],
  create: ({ create }) => [() => create({ name: "new", ...BAD }), () => create({ name: "new" }, BAD)],
  updateById: update,
  update: (one, records) => update({ updateById: one.update }, records),
  deleteById: remove,
  delete: (one, records) => remove({ deleteById: one.delete }, records),
  restoreById: restore,
  restore: (one, records) => restore({ restoreById: one.restore }, records),
  purgeById: ({ purgeById }, { deleted: id }) => [() => purgeById({ id, ...BAD }), () => purgeById({ id }, BAD)],
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
  findVersions: ({ findVersions }, { id }) => [() => findVersions({ id, ...BAD }), () => findVersions({ id }, BAD)],
  revertToVersion: ({ revertToVersion }, { id }) => [
    () => revertToVersion({ id, version: 1, ...BAD }),
    () => revertToVersion({ id, version: 1 }, BAD),
  ],
  transitionStage: ({ transitionStage }, { id }) => [
    () => transitionStage({ id, stage: "shown", ...BAD }),
    () => transitionStage({ id, stage: "shown" }, BAD),
  ],
  findTransition: ({ findTransition }, { pending: id }) => [
    () => findTransition({ id, ...BAD }),
    () => findTransition({ id }, BAD),
  ],
  cancelTransition: ({ cancelTransition }, { pending: id }) => [
    () => cancelTransition({ id, ...BAD }),
    () => cancelTransition({ id }, BAD),
  ],
  meta: ({ meta }) => [() => meta(BAD), () => meta({}, BAD)],
  schema: ({ schema }) => [() => schema(BAD), () => schema({}, BAD)],
  access: ({ access }, { id }) => [() => access({ id, ...BAD }), () => access({ id }, BAD)],
  accessMany: ({ accessMany }, { id }) => [
    () => accessMany({ ids: [id], ...BAD }),
    () => accessMany({ ids: [id] }, BAD),
  ],
  upload: "tried below, on a collection with files",
  uploadMany: "tried below, on a collection with files",
  record: "takes an id",
}

const GLOBAL: Readonly<Record<string, Tried>> = {
  ...WATCHES,
  get: ({ get }) => [() => get(BAD), () => get({}, BAD)],
  update: ({ update }) => [() => update({ note: "changed", ...BAD }), () => update({ note: "changed" }, BAD)],
  findVersions: ({ findVersions }) => [() => findVersions(BAD), () => findVersions({}, BAD)],
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
  meta: ({ meta }) => [() => meta(BAD), () => meta({}, BAD)],
  schema: ({ schema }) => [() => schema(BAD), () => schema({}, BAD)],
  access: ({ access }) => [() => access(BAD), () => access({}, BAD)],
}

const said = { params: { id: "1" }, event: "said", data: { text: "hello" } }
const CHANNEL: Readonly<Record<string, Tried>> = {
  subscribe: ({ subscribe }) => [
    () => follow(subscribe, { id: "1", ...BAD }),
    () => subscribe({ id: "1" }, nothing, BAD),
  ],
  iter: ({ iter }) => [() => iter({ id: "1", ...BAD }).next(), () => iter({ id: "1" }, BAD).next()],
  presence: ({ presence }) => [() => presence({ id: "1" }, nothing, BAD)],
  findEvents: ({ findEvents }) => [
    () => findEvents({ params: { id: "1" }, ...BAD }),
    () => findEvents({ params: { id: "1", ...BAD } }),
    () => findEvents({ params: { id: "1" } }, BAD),
  ],
  publish: ({ publish }) => [
    () => publish({ ...said, ...BAD }),
    () => publish({ ...said, channel: "other" }),
    () => publish({ ...said, params: { id: "1", ...BAD } }),
    () => publish(said, BAD),
  ],
}

const SEARCH: Readonly<Record<string, Tried>> = {
  search: ({ search }) => [() => search({ query: "second", ...BAD }), () => search({ query: "second" }, BAD)],
  findByTitle: ({ findByTitle }) => [
    () => findByTitle({ query: "second", ...BAD }),
    () => findByTitle({ query: "second" }, BAD),
  ],
  reindex: ({ reindex }) => [() => reindex("things", BAD), () => reindex("things", {}, BAD)],
}

const topic = { resourceType: "collection", resource: "things" }
const REALTIME: Readonly<Record<string, Tried>> = {
  subscribe: ({ subscribe }) => [
    () => subscribe({ ...topic, ...BAD }, nothing),
    () => subscribe({ ...topic, resourceType: "global", where: {} }, nothing),
    () => subscribe({ resourceType: "channel", resource: "room", ...BAD }, nothing),
  ],
  stream: ({ stream }) => [() => stream({ ...topic, ...BAD }).next()],
  destroy: "takes nothing",
}

let app: TestApp
let records: Records

beforeAll(async () => {
  app = await strictApp()
  records = await makeRecords(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const KINDS = [
  { kind: "a collection", table: COLLECTION, of: () => app.client().collections["things"] },
  {
    kind: "a record",
    table: pick(WATCHES, "watch", "watchIter"),
    of: () => app.client().collections["things"].record(records.id),
  },
  { kind: "a total", table: pick(WATCHES, "watch", "watchIter"), of: () => app.client().collections["things"].total },
  {
    kind: "aggregates",
    table: pick(WATCHES, "watch", "watchIter"),
    of: () => app.client().collections["things"].aggregates,
  },
  { kind: "a global", table: GLOBAL, of: () => app.client().globals["page"] },
  { kind: "a channel", table: CHANNEL, of: () => app.client().channels["room"] },
  { kind: "the search", table: SEARCH, of: () => app.client().search },
  { kind: "realtime", table: REALTIME, of: () => app.client().realtime },
]

describe.each(KINDS)("a misspelt member of an argument is refused: $kind", ({ table, of }) => {
  const tried = Object.entries(table).flatMap(([name, calls]) => (typeof calls === "string" ? [] : [{ name, calls }]))

  test("every operation is tried, or says why not", () => {
    const operations: object = of()
    const names = Object.keys(operations).filter((name) => typeof Reflect.get(operations, name) === "function")

    expect(Object.keys(table).sort()).toEqual(names.sort())
  })

  test.each(tried)("$name", async ({ calls }) => {
    const before = await contentOf(app)

    for (const [index, call] of calls(of(), records).entries()) {
      const error = await errorOf(call)
      expect({ index, ...shown(error) }).toMatchObject({ index, status: 400, code: "VALIDATION_ERROR" })
    }
    expect(await contentOf(app)).toBe(before)
  })
})

test("an update with a misspelt revision is refused, and the error suggests the right name", async () => {
  const { things } = app.client().collections

  const error = await errorOf(() => things.update({ id: records.id, data: { name: "lost" }, expectedRevison: 99 }))

  expect(String(error)).toContain('There is no option "expectedRevison" here. Did you mean "expectedRevision"?')
})

test("a revision in the last argument counts, too", async () => {
  const { things } = app.client().collections
  const { id } = await things.create({ name: "checked" })

  const error = await errorOf(() => things.update({ id, data: { name: "lost" } }, { expectedRevision: 99 }))

  expect(error).toMatchObject({ status: 409 })
  expect(await things.findOne({ where: { id } })).toMatchObject({ name: "checked" })
})

test("members that are undefined count as absent", async () => {
  const { things } = app.client().collections
  const none = { misspelt: undefined }
  const { id } = await things.create({ name: "new" }, none)

  await things.update({ id, data: { name: "changed" }, ...none }, { ...none, signal: undefined })
  await things.updateBatch({ updates: [{ id, data: { name: "again" }, ...none }], ...none })
  await things.updateMany({ where: { id }, data: { name: "many" }, ...none })
  await things.transitionStage({ id, stage: "shown", ...none })
  await things.find(none, none)
  const leave = things.live(none, nothing, none)

  leave()
  expect(await things.findOne({ where: { id } })).toMatchObject({ name: "many" })
})

describe("uploads", () => {
  test.each(["upload", "uploadMany"])("%s refuses a misspelt option, and stores nothing", async (name) => {
    const { pictures } = app.client().collections
    const input = name === "upload" ? file() : [file()]
    const before = await contentOf(app)

    const errors = [
      await errorOf(() => pictures[name](input, { pth: "folder" })),
      await errorOf(() => pictures[name](input, { onProgres: nothing })),
      await errorOf(() => pictures[name](input, { data: { atl: "A picture" } })),
    ]

    for (const error of errors) expect(error).toBeInstanceOf(UploadError)
    expect(errors).toMatchObject([
      { status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path: "pth" }] },
      { status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path: "onProgres" }] },
      { status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path: "atl" }] },
    ])
    expect(await contentOf(app)).toBe(before)
  })
})

test("the options of a custom route's call are refused before anything is sent", async () => {
  const error = await errorOf(() => app.client().routes.nowhere({}, { tiemout: 5 }))

  expect(shown(error)).toMatchObject({ status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path: "tiemout" }] })
})

test("live throws before anything is sent, and names the options that there are", () => {
  const { things } = app.client().collections

  expect(() => things.live({ wher: { name: "second" } }, nothing)).toThrow(
    'wher: There is no "wher" here. Known: where, with, limit, offset, orderBy, locale.',
  )
})

describe("kit/crdt", () => {
  test("document and createCrdtClient refuse misspelt options", () => {
    const client = app.client() as never
    const { collections, globals }: any = createCrdtClient(client, { store: false })

    const refused = expect.objectContaining({ code: "VALIDATION_ERROR", status: 400 })
    expect(() => collections.things.document({ id: records.id, feild: "text" })).toThrow(refused)
    expect(() => globals.page.document({ feild: "memo" })).toThrow(refused)
    expect(() => createCrdtClient(client, { stor: false } as object)).toThrow(refused)
  })
})

describe("kit/tanstack", () => {
  test("settings, reads and writes refuse misspelt members", async () => {
    const client = app.client() as never
    const q: any = queryOptions(client)
    const before = await contentOf(app)

    const errors = [
      await errorOf(() => queryOptions(client, { keyPrefx: "other" } as object)),
      await errorOf(() => q.things.find(BAD).queryFn({})),
      await errorOf(() => q.things.live(BAD).queryFn({})),
      await errorOf(() => q.things.pages(BAD).queryFn({ pageParam: 0 })),
      await errorOf(() => q.globals.page.get(BAD).queryFn({})),
      await errorOf(() => q.things.update().mutationFn({ id: records.id, data: { name: "lost" }, ...BAD })),
      await errorOf(() => q.things.update(BAD).mutationFn({ id: records.id, data: { name: "lost" } })),
    ]

    for (const error of errors) expect(shown(error)).toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
    expect(await contentOf(app)).toBe(before)
  })
})

/** Follows something until it reports an error. */
function follow(operation: any, options: object): Promise<never> {
  return new Promise((_resolve, reject) => operation(options, nothing, { onError: reject }))
}

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return { unexpected: await call() }
  } catch (error) {
    return error
  }
}

function shown(error: unknown): object {
  if (!(error instanceof QuestpieClientError)) return { error }
  const { status, code, fieldErrors, message } = error
  return { status, code, fieldErrors, message }
}

function pick(table: Readonly<Record<string, Tried>>, ...names: string[]): Readonly<Record<string, Tried>> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)))
}
