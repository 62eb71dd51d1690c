// @module-tag full-count

import { ApiError, collection, global, type Session } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { needsMore } from "../support/needs-more.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WRITES = count({ short: 80, long: 5000 })
const STATUSES = [200, 201, 400, 401, 403, 404, 409]
const MISSING = "01890000-0000-7000-8000-000000000000"
const CALLERS: readonly (Session | undefined)[] = [
  undefined,
  { user: { id: "ann" } },
  { user: { id: "bob" } },
  { user: { id: "boss", role: "boss" } },
]

type Caller = { session: Session | null }
const isBoss = ({ session }: Caller) => session?.user.role === "boss"
const ownRows = ({ session }: Caller) => session && (isBoss({ session }) || { owner: session.user.id })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(12).required().localized(),
    slug: f.text().unique(),
    owner: f.text().required().default("ann"),
    price: f.number().min(0).access({ create: isBoss, update: isBoss }),
    secret: f.text().access({ read: isBoss }),
    body: f
      .blocks({
        note: { text: f.text(8).required(), tone: f.text().default("calm") },
        box: { inner: f.blocks({ note: { text: f.text() }, rule: {} }).max(2) },
      })
      .max(3)
      .localized(),
    plan: f.blocks({ step: { at: f.datetime() } }).access({ read: isBoss }),
    author: f.relation("people"),
    tags: f.relation("tags").manyToMany(),
  }))
  .options({ versions: { max: 3 }, workflow: true, softDelete: true, revision: true })
  .access({ read: true, create: ownRows, update: ownRows, delete: ownRows, transition: ownRows, drafts: true })
  .hooks({
    beforeChange: ({ data }) => {
      if (data["slug"] === "refused") throw new ApiError("FORBIDDEN", { message: "The hook refuses it." })
      return data["slug"] === "Loud" ? { ...data, slug: "loud" } : data
    },
    afterChange: async ({ row, asSystem, kv }) => {
      await kv.increment("writes")
      await asSystem().collections["log"]?.create({ text: String(row["slug"]) })
    },
  })

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(8).required(),
    email: f.email().unique(),
    books: f.relation("books").hasMany({ via: "author" }),
  }))
  .access({ read: (caller) => isBoss(caller) || { name: { ne: "hidden" } }, create: true, update: ownPerson })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().required().unique() }))
  .access({ read: true, create: ({ session }) => session !== null, update: true })

const log = collection("log").fields(({ f }) => ({ text: f.text() }))

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text(8).required().localized(), size: f.number().integer().max(9) }))
  .options({ versions: true, revision: true, workflow: true })
  .access({ read: true, update: ({ session }) => session !== null, transition: isBoss, drafts: true })

function ownPerson({ session }: Caller) {
  return session && (isBoss({ session }) || { name: session.user.id })
}

interface Write {
  readonly method: "POST" | "PATCH"
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly session?: Session
}

test.each([seededRandom()])(
  "a dry run answers as the write that follows it, and changes nothing (seed $seed)",
  async (random) => {
    await using app = await testApp({
      resources: [books, people, tags, log, settings],
      config: { locales: { default: "en", all: ["en", "sk"] } },
    })
    const statuses = new Set<number>()

    const hasAll = () => STATUSES.every((status) => statuses.has(status))

    for (let done = 0; needsMore(done, { cases: WRITES, isComplete: hasAll() }); done++) {
      const write = await randomWrite(app, random)
      const before = await fingerprint(app)
      const dry = await send(app, { ...write, query: { ...write.query, dryRun: "true" } })
      const after = await fingerprint(app)
      const real = await send(app, write)

      expect([write, after]).toEqual([write, before])
      expect([write, comparable(dry)]).toEqual([write, comparable(real)])
      statuses.add(real.status)
    }

    expect([...statuses].sort()).toEqual(expect.arrayContaining(STATUSES))
  },
)

type Sent = Awaited<ReturnType<TestApp["fetch"]>>

function send(app: TestApp, { method, path, query, body, session }: Write): Promise<Sent> {
  const init = { method, body: JSON.stringify(body), ...(session && { session }) }
  return app.fetch(`${path}?${new URLSearchParams(query)}`, init)
}

// The ids of new records and blocks, the times of the writes and the id of the request differ between any two writes.
function comparable({ status, body, headers }: Sent): unknown {
  const { id, createdAt, updatedAt, error, body: blocks, ...others } = body
  const fields = { ...others, ...(blocks !== undefined && { body: withoutMadeIds(blocks) }) }
  const { requestId: _requestId, ...problem } = error ?? {}
  const isNew = status === 201 || body.createdAt === body.updatedAt
  return {
    status: status === 201 ? 200 : status,
    fields: { ...fields, id: isNew ? typeof id : id, times: [typeof createdAt, typeof updatedAt] },
    problem,
    revision: headers.get("x-revision"),
  }
}

const MADE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

// Blocks keep the ids that a caller gives them, and the server makes the others.
function withoutMadeIds(blocks: unknown): unknown {
  const isMade = (key: string, value: unknown) => key === "id" && MADE_ID.test(String(value))
  return JSON.parse(JSON.stringify(blocks, (key, value) => (isMade(key, value) ? "made" : value)))
}

async function randomWrite(app: TestApp, random: SeededRandom): Promise<Write> {
  const session = pick(random, CALLERS)
  const target = { ...(await randomTarget(app, random)), ...(session && { session }) }
  const { below } = random
  const query = {
    ...(below(3) === 0 && { locale: pick(random, ["en", "sk", "xx"]) }),
    ...(below(4) === 0 && { stage: pick(random, ["draft", "published", "nowhere"]) }),
    ...(target.method === "PATCH" && below(4) === 0 && { expectedRevision: String(1 + below(3)) }),
  }
  return { ...target, query }
}

async function randomTarget(app: TestApp, random: SeededRandom): Promise<Pick<Write, "method" | "path" | "body">> {
  const { below } = random
  if (below(5) === 0) return { method: "PATCH", path: "/globals/settings", body: settingsInput(random) }
  const name = pick(random, ["books", "books", "people", "tags"])
  const body = await inputFor(app, random, name)
  if (below(2) === 0) return { method: "POST", path: `/${name}`, body }
  return { method: "PATCH", path: `/${name}/${await randomId(app, random, name)}`, body }
}

async function inputFor(app: TestApp, random: SeededRandom, name: string): Promise<unknown> {
  if (random.below(20) === 0) return pick(random, [[], null, "text", { nope: 1 }])
  if (name === "books") return some(random, await bookInput(app, random))
  if (name === "people") return some(random, await personInput(app, random))
  return { name: mostly(random, ["red", "blue", "green", "white"], [7, null]) }
}

const RULE = { type: "rule" }
const BODIES = [
  ...[null, [], [{ type: "note", id: "a", text: "One" }], [{ type: "note", text: "Two", tone: "loud" }]],
  [{ type: "box", inner: [RULE, { type: "note", id: "b" }] }, { type: "box" }],
]
const WRONG_BODIES = [
  ...["text", [{ type: "note" }], [{ text: "no type" }], [{ type: "boxes" }], [{ type: "note", text: "far too long" }]],
  ...[[{ type: "box", inner: [RULE, RULE, RULE] }], [{ type: "box", inner: [{ type: "box" }] }]],
  [
    { type: "box", id: "a" },
    { type: "box", id: "a" },
  ],
]

async function bookInput(app: TestApp, random: SeededRandom): Promise<Record<string, unknown>> {
  const tag = { name: mostly(random, ["red", "blue", "black"], [""]) }
  const relatedTags = [{ create: [tag] }, { connect: [await randomId(app, random, "tags")] }, []]
  return {
    title: mostly(random, ["One", "Two", "Three"], ["far too long a title", null, 7]),
    slug: mostly(random, ["one", "two", "three", "four", "Loud", null], ["refused"]),
    owner: mostly(random, ["ann", "ann", "bob"], [null]),
    price: mostly(random, [1, 2.5], [-1, "x"]),
    secret: "s",
    body: mostly(random, BODIES, WRONG_BODIES),
    plan: mostly(random, [null, [], [{ type: "step", id: "a", at: "2026-01-01" }]], [[{ type: "leap" }]]),
    author: await randomId(app, random, "people"),
    tags: mostly(random, relatedTags, [7]),
  }
}

async function personInput(app: TestApp, random: SeededRandom): Promise<Record<string, unknown>> {
  const book = some(random, { title: "Nested", slug: pick(random, ["one", "five"]), owner: "ann" })
  return {
    name: mostly(random, ["ann", "bob", "hidden"], ["far too long", null]),
    email: mostly(random, ["ann@x.test", "bob@x.test"], ["no address"]),
    books: pick(random, [{ create: [book] }, { connect: [await randomId(app, random, "books")] }]),
  }
}

function settingsInput(random: SeededRandom): unknown {
  return some(random, {
    name: mostly(random, ["Daily", "Weekly"], ["far too long", null]),
    size: mostly(random, [1, 2], [99]),
  })
}

// Leaves some of the fields out.
function some(random: SeededRandom, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(() => random.below(4) > 0))
}

async function randomId(app: TestApp, random: SeededRandom, table: string): Promise<string> {
  const rows = await app.database.query(`select id from ${table} order by id desc limit 8`)
  return String(pick(random, [...rows, ...rows, { id: MISSING }, { id: "7" }])["id"])
}

// A wrong value is rare: one is enough to refuse the whole write.
function mostly(random: SeededRandom, right: readonly unknown[], wrong: readonly unknown[]): unknown {
  return pick(random, random.below(8) === 0 ? wrong : right)
}

function pick<Value>({ below }: SeededRandom, values: readonly Value[]): Value {
  // The cast is safe: the lists of this file are not empty, and the index is below their length.
  return values[below(values.length)] as Value
}
