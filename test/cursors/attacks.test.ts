// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { cursorWorld, EDITOR, readPage } from "../support/worlds/cursor-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OTHER_EDITOR = { user: { id: "0e9a1f3e-2e51-4d0a-9f57-0a8f5d5a2222" } }
const BY_NAME = { orderBy: { name: "asc" } }

let app: TestApp
let cursor: string

beforeAll(async () => {
  app = await cursorWorld()
  cursor = (await readPage({ app, options: BY_NAME }, { limit: 2, after: null })).endCursor ?? ""
})

afterAll(() => app[Symbol.asyncDispose]())

const query = (options: object, name = "entries", session?: typeof EDITOR) =>
  app.fetch(`/${name}/query`, { method: "POST", body: JSON.stringify(options), ...(session && { session }) })

const refusedAt = (path: string) => ({ status: 400, body: { error: { fieldErrors: [{ path }] } } })

describe("a cursor is refused", () => {
  test.each<[string, () => unknown]>([
    ["cut", () => cursor.slice(0, -1)],
    ["cut to nothing but its nonce", () => cursor.slice(0, 16)],
    ["longer", () => `${cursor}A`],
    ["with one character changed", () => swapped(cursor, 30)],
    ["with its first character changed", () => swapped(cursor, 0)],
    ["with its last character changed", () => swapped(cursor, cursor.length - 1)],
    ["with padding", () => `${cursor}=`],
    ["with a space", () => ` ${cursor}`],
    ["invented", () => Buffer.from(JSON.stringify(["x", 0, ["a"]])).toString("base64url")],
    ["made of text", () => "'; drop table entries; --"],
    ["very long", () => "A".repeat(1_000_000)],
    ["a number", () => 3],
    ["an object", () => ({ id: "x" })],
    ["a list", () => [cursor]],
    ["an empty text", () => ""],
    ["a flag", () => true],
  ])("if it is %s", async (_name, make) => {
    expect(await query({ ...BY_NAME, after: make() })).toMatchObject(refusedAt("after"))
    expect(await query({ ...BY_NAME, before: make() })).toMatchObject(refusedAt("before"))
    expect(await query({ ...BY_NAME, after: cursor, before: make() })).toMatchObject(refusedAt("before"))
  })

  test.each<[string, object, string?]>([
    ["another field", { orderBy: { kind: "asc" } }],
    ["another direction", { orderBy: { name: "desc" } }],
    ["another key", { orderBy: [{ name: "asc" }, { rank: "asc" }] }],
    ["the default order", {}],
    ["a related field of the same name", { orderBy: { author: { name: "asc" } } }],
    ["another collection", BY_NAME, "authors"],
  ])("if the order is %s", async (_name, options, name) => {
    expect(await query({ ...options, after: cursor }, name)).toMatchObject(refusedAt("after"))
  })

  test("if the order means another locale", async () => {
    const options = { orderBy: { label: "asc" }, locale: "sk" }
    const { endCursor } = await readPage({ app, options }, { limit: 2, after: null })

    expect(await query({ ...options, locale: "en", after: endCursor })).toMatchObject(refusedAt("after"))
    expect(await query({ ...options, localeFallback: false, after: endCursor })).toMatchObject(refusedAt("after"))
    expect(await query({ ...BY_NAME, locale: "sk", after: cursor })).toMatchObject({ status: 200 })
  })

  test("if it belongs to another user, or to code on the server", async () => {
    const list = { app, options: BY_NAME, session: EDITOR }
    const own = (await readPage(list, { limit: 2, after: null })).endCursor

    const renewed = { ...EDITOR, session: { id: "another session" } }
    const system = app.app.system.collections["entries"]
    expect(await query({ ...BY_NAME, after: own }, "entries", renewed)).toMatchObject({ status: 200 })
    expect(await query({ ...BY_NAME, after: own }, "entries", OTHER_EDITOR)).toMatchObject(refusedAt("after"))
    expect(await query({ ...BY_NAME, after: own })).toMatchObject(refusedAt("after"))
    expect(await query({ ...BY_NAME, after: cursor }, "entries", EDITOR)).toMatchObject(refusedAt("after"))
    await expect(system?.find({ orderBy: { name: "asc" }, after: cursor })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    })
  })

  test("if the app has another secret or other types since", async () => {
    const made = await cursorOfApp(SECRET, "text")
    const statuses = [
      await statusInApp(SECRET, "text", made),
      await statusInApp(OTHER_SECRET, "text", made),
      await statusInApp(SECRET, "number", made),
    ]

    expect(statuses).toEqual([200, 400, 400])
  })

  test.each<[string, object]>([
    ["page", { page: 2 }],
    ["offset", { offset: 0 }],
    ["page", { page: 1, offset: 0 }],
  ])("beside %s", async (path, options) => {
    expect(await query({ ...BY_NAME, ...options, after: null })).toMatchObject(refusedAt(path))
  })

  test.each([
    ["a group", "/entries?groupBy=kind&after=", "after"],
    ["a group, before", "/entries?groupBy=kind&before=", "before"],
    ["a count", "/entries/count?after=", "after"],
    ["a record", "/entries/00000000-0000-0000-0000-000000000001?before=", "before"],
    ["related records", "/entries?with[author][after]=", "with.author.after"],
    ["a misspelt option", "/entries?aftr=", "aftr"],
    ["a field of the order that is hidden", "/entries?after=&orderBy[secret]=asc", "orderBy.secret"],
  ])("for %s", async (_name, path, at) => {
    expect(await app.fetch(path)).toMatchObject(refusedAt(at))
  })

  test("if a text of the order is too long for it", async () => {
    await app.database.query("update authors set name = repeat('n', 20000) where name = 'Bob'")

    expect(await query({ orderBy: { name: "desc" }, limit: 3, after: null }, "authors")).toMatchObject(
      refusedAt("orderBy"),
    )
    await app.database.query("update authors set name = 'Bob' where length(name) > 1000")
  })
})

describe("a message about a cursor", () => {
  test("tells what to do, and nothing of what is in it", async () => {
    const { body } = await query({ orderBy: { kind: "asc" }, after: cursor })
    const { body: unreadable } = await query({ ...BY_NAME, after: swapped(cursor, 30) })

    expect(body.error.fieldErrors[0].message).toMatch(/another collection, order or locale.*null/)
    expect(unreadable.error.fieldErrors[0].message).toMatch(/cannot be read.*null/)
  })
})

const SECRET = "the first secret of this app, forty bytes"
const OTHER_SECRET = "another secret of the app, forty bytes too"

type ValueType = "text" | "number"

const BY_VALUE = { orderBy: { value: "asc" }, limit: 1 }

function appWith(secret: string, type: ValueType): Promise<TestApp> {
  const things = collection("things")
    .fields(({ f }) => ({ value: type === "text" ? f.text() : f.number().integer() }))
    .options({ id: "client" })
    .access({ read: true })
  return testApp({ resources: [things], config: { secret } })
}

async function cursorOfApp(secret: string, type: ValueType): Promise<unknown> {
  await using other = await appWith(secret, type)
  await other.app.system.collections["things"]?.create({ id: "a" })
  return (await readPage({ app: other, collection: "things", options: BY_VALUE }, { after: null })).endCursor
}

async function statusInApp(secret: string, type: ValueType, after: unknown): Promise<number> {
  await using other = await appWith(secret, type)
  const body = JSON.stringify({ ...BY_VALUE, after })
  return (await other.fetch("/things/query", { method: "POST", body })).status
}

/** Returns the text with another character at this place. */
function swapped(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === "A" ? "Q" : "A"}${text.slice(at + 1)}`
}
