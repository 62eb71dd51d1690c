// @module-tag not-about-engine

import { setImmediate } from "node:timers/promises"
import { ApiError, collection, email, global, job, route } from "kit"
import { service } from "kit/services"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 5 }

// The function of the author that fails next.
let failing = ""

async function failLater(place: string): Promise<void> {
  await setImmediate()
  if (failing === place) throw new Error(`failed in ${place}`)
}

/** Returns a function that returns the value, or throws if this place is the one to fail. */
function given<Value>(place: string, value: Value): () => Value {
  return () => {
    if (failing === place) throw new Error(`failed in ${place}`)
    return value
  }
}

const allowed = (place: string) => async () => {
  await failLater(place)
  return true
}

const notes = collection("notes")
  .fields(({ f }) => ({
    title: f.text().validate(given("validate", true)),
    slug: f.text().unique(),
    score: f.number().access({ update: allowed("field rule"), read: allowed("field read rule") }),
    size: f.computed(given("computed", 1)),
    made: f.text().default(given("default", "x")),
    lines: f.relation("lines").hasMany({ via: "note" }),
  }))
  .options({ softDelete: true })
  .access({
    read: allowed("read rule"),
    create: allowed("create rule"),
    update: allowed("update rule"),
    delete: allowed("delete rule"),
    restore: allowed("restore rule"),
    purge: allowed("purge rule"),
  })
  .hooks({
    beforeValidate: () => failLater("beforeValidate"),
    beforeChange: () => failLater("beforeChange"),
    afterChange: () => failLater("afterChange"),
    beforeDelete: () => failLater("beforeDelete"),
    afterDelete: () => failLater("afterDelete"),
    beforeRead: () => failLater("beforeRead"),
    afterRead: () => failLater("afterRead"),
  })
const lines = collection("lines")
  .fields(({ f }) => ({ text: f.text(), note: f.relation("notes") }))
  .access({ read: true, create: true, update: true, delete: true })
  .hooks({ beforeChange: () => failLater("nested beforeChange") })
const plain = collection("plain")
  .fields(({ f }) => ({
    title: f.text().validate(given("validate", true)),
    slug: f.text().unique(),
    size: f.computed(given("computed", 1)),
  }))
  .access({ read: true, create: true, update: true, delete: true })
const settings = global("settings")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: allowed("global read rule"), update: allowed("global update rule") })
  .hooks({
    beforeChange: () => failLater("global beforeChange"),
    beforeRead: () => failLater("global beforeRead"),
    afterRead: () => failLater("global afterRead"),
  })
const greeting = email({
  name: "greeting",
  schema: z.object({}),
  handler: async () => {
    await failLater("email")
    return { subject: "Hi", html: "Hi" }
  },
})
const helper = service({
  lifecycle: "request",
  create: async () => {
    await failLater("service")
    return { help: () => failLater("method of a service") }
  },
})
const payload = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: async (value: unknown) => {
      await failLater("payload")
      return { value }
    },
  },
} as const
const checked = job({ name: "checked", schema: payload, handler: () => {} })

type Api = any

let api: Api
let app: TestApp
let id: string
let work: (context: Api) => Promise<unknown>

// Every stack has to contain this line.
async function callOfAuthor(context: Api): Promise<unknown> {
  return await work(context)
}

const run = route().handler(async (context) => {
  await callOfAuthor(context)
})
const running = job({
  name: "running",
  schema: z.object({}),
  options: { retryLimit: 0 },
  handler: async (context) => {
    await callOfAuthor(context)
  },
})

beforeAll(async () => {
  // The command line sets the same limit.
  Error.stackTraceLimit = 50
  app = await testApp({
    resources: [notes, lines, plain, settings],
    routes: { run },
    services: { helper },
    emails: { greeting },
    jobs: { checked, running },
  })
  api = app.app.as(null)
  await api.globals.settings.update({ title: "a" })
  await app.database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'failed in a trigger'; end $$;
    create trigger refuse before insert on plain for each row when (new.title = 'refused') execute function refuse();
  `)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  failing = ""
  ;({ id } = await api.collections.notes.create({ title: "a" }))
})

type Call = (context: Api) => Promise<unknown>

const notesOf = (context: Api) => context.collections.notes
const create: Call = (context) => notesOf(context).create({ title: "b" })
const update: Call = (context) => notesOf(context).updateById({ id, data: { title: "b", score: 1 } })
const remove: Call = (context) => notesOf(context).deleteById({ id })
const list: Call = (context) => notesOf(context).find()
const one: Call = (context) => notesOf(context).findOne({ where: { id } })
const filtered: Call = (context) => notesOf(context).findOne({ where: { title: "a" } })
const grouped: Call = (context) => notesOf(context).find({ groupBy: "title" })
const count: Call = (context) => notesOf(context).count()
const many: Call = (context) => notesOf(context).updateMany({ where: { id }, data: { title: "b", score: 1 } })
const batch: Call = (context) => notesOf(context).updateBatch({ updates: [{ id, data: { title: "b", score: 1 } }] })
const removeMany: Call = (context) => notesOf(context).deleteMany({ where: { id } })
const restore: Call = async (context) => {
  await deleteFirst()
  return await notesOf(context).restoreById({ id })
}
const purge: Call = async (context) => {
  await deleteFirst()
  return await notesOf(context).purgeById({ id })
}
const setGlobal: Call = (context) => context.globals.settings.update({ title: "b" })
const getGlobal: Call = (context) => context.globals.settings.get()
const nested: Call = (context) => notesOf(context).create({ title: "b", lines: { create: [{ text: "c" }] } })

async function deleteFirst(): Promise<void> {
  const place = failing
  failing = ""
  await api.collections.notes.deleteById({ id })
  failing = place
}

const PLACES: readonly [place: string, ...calls: [name: string, call: Call][]][] = [
  ["beforeValidate", ["create", create], ["update", update], ["many", many], ["batch", batch]],
  ["beforeChange", ["create", create], ["update", update], ["many", many], ["batch", batch], ["restore", restore]],
  ["afterChange", ["create", create], ["update", update], ["many", many], ["batch", batch], ["restore", restore]],
  ["beforeDelete", ["delete", remove], ["delete many", removeMany], ["purge", purge]],
  ["afterDelete", ["delete", remove], ["delete many", removeMany], ["purge", purge]],
  ["beforeRead", ["list", list], ["one", one], ["filtered", filtered], ["grouped", grouped], ["count", count]],
  ["afterRead", ["list", list], ["one", one], ["filtered", filtered], ["grouped", grouped], ["create", create]],
  ["afterRead", ["update", update], ["many", many], ["batch", batch], ["delete", remove], ["restore", restore]],
  ["read rule", ["list", list], ["one", one], ["count", count], ["grouped", grouped], ["create", create]],
  ["create rule", ["create", create]],
  ["update rule", ["update", update], ["many", many], ["batch", batch]],
  ["delete rule", ["delete", remove], ["delete many", removeMany]],
  ["restore rule", ["restore", restore]],
  ["purge rule", ["purge", purge]],
  ["field rule", ["update", update], ["many", many], ["batch", batch]],
  ["field read rule", ["list", list], ["one", one]],
  ["validate", ["create", create], ["update", update], ["many", many], ["batch", batch]],
  ["validate", ["plain", (context) => context.collections.plain.create({ title: "b" })]],
  ["default", ["create", create]],
  ["computed", ["list", list], ["one", one], ["create", create], ["update", update]],
  ["computed", ["plain", (context) => context.collections.plain.create({ title: "b" })]],
  ["nested beforeChange", ["create", nested]],
  ["global beforeChange", ["update", setGlobal]],
  ["global beforeRead", ["get", getGlobal]],
  ["global afterRead", ["get", getGlobal], ["update", setGlobal]],
  ["global read rule", ["get", getGlobal]],
  ["global update rule", ["update", setGlobal]],
  [
    "a transaction",
    ["itself", (context) => context.transaction(() => failLater("a transaction"))],
    [
      "in another",
      (context) => context.transaction((inner: Api) => inner.transaction(() => failLater("a transaction"))),
    ],
  ],
  [
    "a trigger",
    ["create", (context) => context.collections.plain.create({ title: "refused" })],
    [
      "in a transaction",
      (context) => context.transaction((inner: Api) => inner.collections.plain.create({ title: "refused" })),
    ],
  ],
  ["beforeChange", ["create in a transaction", (context) => context.transaction((inner: Api) => create(inner))]],
]

const IN_DATABASE: Call = (context) => context.db.selectFrom("failed in the database").selectAll().execute()

const IN_HANDLERS: typeof PLACES = [
  [
    "email",
    ["send", (context) => context.email.sendTemplate({ template: "greeting", to: "a@example.com", input: {} })],
  ],
  ["payload", ["publish", (context) => context.queue.checked.publish({})]],
  [
    "the database",
    ["kysely", IN_DATABASE],
    ["kysely in a transaction", (context) => context.transaction((inner: Api) => IN_DATABASE(inner))],
  ],
  ["method of a service", ["call", async (context) => await (await context.helper).help()]],
]

const rowsOf = (places: typeof PLACES) =>
  places.flatMap(([place, ...calls]) => calls.map(([name, call]) => ({ place, name, call })))

/** Returns the stack of the error that is thrown to the caller or, for a rule, written to the log. */
async function stackOf(call: () => Promise<unknown>): Promise<string> {
  const before = app.logged.length
  const thrown = await call().catch((error: unknown) => error)
  const logged = app.logged.slice(before).map(({ fields }) => (fields as { error?: unknown } | undefined)?.error)
  const failures = [thrown, ...logged].map(withCauses)
  const failure = failures.find((errors) => errors.some(({ message }) => message.includes("failed in")))
  return failure ? failure.map(({ stack }) => stack).join("\n") : `nothing failed: ${thrown}`
}

function withCauses(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...withCauses(error.cause)] : []
}

describe("a stack shows the line from which the author called", () => {
  test.each(rowsOf(PLACES))("in process: $place, $name", async ({ place, call }) => {
    failing = place
    work = call

    const stack = await stackOf(() => callOfAuthor(api))

    expect(stack).toContain(`failed in ${place}`)
    expect(stack).toContain("callOfAuthor")
  })

  test.each(rowsOf([...PLACES, ...IN_HANDLERS]))("in a route: $place, $name", async ({ place, call }) => {
    failing = place
    work = call

    const stack = await stackOf(() => app.fetch("/run", { method: "POST", body: "{}" }))

    expect(stack).toContain(`failed in ${place}`)
    expect(stack).toContain("callOfAuthor")
  })

  test.each([
    ["a transaction", (context: Api) => context.transaction(() => failLater("a transaction"))],
    ["beforeChange", create],
  ])("in a job: %s", async (place, call) => {
    failing = place
    work = call
    const before = app.logged.length

    await app.app.queue["running"]?.publish({})
    const stack = await vi.waitFor(() => {
      const line = app.logged.slice(before).find(({ message }) => message.startsWith("A job"))
      return `${(line as { fields: { error: Error } }).fields.error.stack}`
    }, WAIT)

    expect(stack).toContain(`failed in ${place}`)
    expect(stack).toContain("callOfAuthor")
  })

  test.each<[string, Call]>([
    ["a record that is not there", (context) => notesOf(context).updateById({ id: crypto.randomUUID(), data: {} })],
    ["input that does not fit", (context) => notesOf(context).create({ title: 5 })],
    ["a filter that does not fit", (context) => notesOf(context).find({ where: { nothing: 1 } })],
    ["a value that is taken", (context) => context.collections.plain.create({ slug: "taken" })],
  ])("of a refusal: %s", async (_what, call) => {
    await api.collections.plain.create({ slug: "taken" }).catch(() => undefined)
    work = call

    const error = await callOfAuthor(api).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).stack).toContain("callOfAuthor")
  })
})
