// @module-tag not-about-connections

import { connect, type Socket } from "node:net"
import { collection, route, startNodeServer } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const MAX_BYTES = 400_000
const anyone = { read: true, create: true, update: true, delete: true } as const

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().required(),
    price: f.number().decimal(10, 2),
    sold: f.number().bigint(),
    reviews: f.relation("reviews").hasMany({ via: "book" }),
    tags: f.relation("tags").manyToMany(),
  }))
  .access(anyone)

const reviews = collection("reviews")
  .fields(({ f }) => ({
    text: f.textarea(),
    stars: f.number().integer(),
    day: f.date(),
    at: f.datetime(),
    facts: f.json(),
    book: f.relation("books"),
    notes: f.relation("notes").hasMany({ via: "review" }),
  }))
  .access(anyone)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), review: f.relation("reviews"), weight: f.number().decimal(6, 3) }))
  .access(anyone)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(anyone)

const pages = collection("pages")
  .fields(({ f }) => ({ text: f.textarea(), kind: f.select(["long", "short"]) }))
  .options({ versions: true })
  .access(anyone)

/** A record of long names with null values. */
const wordy = collection("wordy")
  .fields(({ f }) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_item, index) => [`aFieldWithAVeryLongNameOfItsOwn${index}`, f.text()]),
    ),
  )
  .access(anyone)

const events: string[] = []

/** Blocks the CPU for this many milliseconds. */
function workFor(durationMs: number): void {
  const end = performance.now() + durationMs
  while (performance.now() < end) Math.random()
}

/** A computed field, which only the general path can read. */
const counted = collection("counted")
  .fields(({ f }) => ({
    text: f.textarea(),
    size: f.computed(({ row }) => {
      events.push("record")
      workFor(0.3)
      return String(row["text"] ?? "").length
    }),
    parts: f.relation("parts").hasMany({ via: "whole" }),
  }))
  .access(anyone)

const parts = collection("parts")
  .fields(({ f }) => ({ name: f.text(), whole: f.relation("counted") }))
  .access(anyone)

const everything = route()
  .get()
  .handler(async ({ asSystem }) => {
    const { collections } = asSystem()
    // Generated types would check the names.
    const found = await (collections as any).pages.find({ limit: 100 })
    return { texts: found.docs.map(({ text }: { text: string }) => text) }
  })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [books, reviews, notes, tags, pages, counted, parts, wordy],
    routes: { everything },
    config: { limits: { answerBytes: MAX_BYTES } },
  })
  const { system } = app.app as any
  for (let index = 0; index < 10; index++) {
    await system.collections.pages.create({ text: "x".repeat(50_000), kind: index < 5 ? "long" : "short" })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

const TOO_LONG = {
  status: 400,
  body: {
    error: {
      code: "BAD_REQUEST",
      message: `The answer would have more than ${MAX_BYTES} bytes. Lower "limit", also that of each relation in "with", or name fewer fields in "columns". The app can raise "limits.answerBytes".`,
      context: { limit: "answerBytes", maxBytes: MAX_BYTES },
    },
  },
}

describe("an answer that is too long is refused, and says what to reduce", () => {
  test.each([
    ["a page", "/pages"],
    ["a page without its total", "/pages?total=false"],
    ["groups with their records", "/pages?groupBy=kind"],
    ["a page in all its fields", "/pages?columns[text]=true"],
  ])("%s", async (_name, path) => {
    expect(await app.fetch(path)).toMatchObject(TOO_LONG)
  })

  test("and by POST", async () => {
    const body = JSON.stringify({ limit: 9 })

    expect(await app.fetch("/pages/query", { method: "POST", body })).toMatchObject(TOO_LONG)
  })

  test("but not what fits", async () => {
    const answer = await app.fetch("/pages?limit=7")

    expect(answer.status).toBe(200)
    expect(answer.body.docs).toHaveLength(7)
    expect((await app.fetch("/pages?columns[text]=false")).body.totalDocs).toBe(10)
    expect((await app.fetch("/pages/count")).body).toEqual({ count: 10 })
  })

  test("names count: JSON can be longer than what the database sends", async () => {
    await app.database.query(
      `insert into wordy (id, "createdAt", "updatedAt") select gen_random_uuid(), now(), now() from generate_series(1, 900)`,
    )

    for (const total of ["true", "false"]) {
      expect(await app.fetch(`/wordy?limit=900&total=${total}`)).toMatchObject(TOO_LONG)
      expect((await app.fetch(`/wordy?limit=300&total=${total}`)).body.docs).toHaveLength(300)
    }
  })

  test("the history of a record", async () => {
    const { system } = app.app as any
    const { id } = await system.collections.pages.create({ text: "y".repeat(50_000) })
    for (let index = 0; index < 9; index++) await system.collections.pages.updateById({ id, data: { kind: "long" } })

    expect(await app.fetch(`/pages/${id}/versions`)).toMatchObject(TOO_LONG)
    expect((await app.fetch(`/pages/${id}/versions?limit=3`)).body).toHaveLength(3)
    await system.collections.pages.deleteById({ id })
  })

  test("a write of many is refused as a whole when its answer would be too long", async () => {
    const body = JSON.stringify({ all: true, data: { kind: "short" } })

    expect(await app.fetch("/pages", { method: "PATCH", body })).toMatchObject(TOO_LONG)

    expect((await app.fetch("/pages/count?where[kind]=short")).body).toEqual({ count: 5 })
  })

  test("a read in process as a caller, but not one of system code, nor the answer of a route", async () => {
    const { as, system } = app.app as any

    await expect(as(null).collections.pages.find({})).rejects.toMatchObject({ code: "BAD_REQUEST" })
    expect((await system.collections.pages.find({})).docs).toHaveLength(10)
    const answer = await app.fetch("/everything")
    expect([answer.status, answer.body.texts.length]).toEqual([200, 10])
  })

  test("the connections serve others afterwards", async () => {
    await Promise.all(Array.from({ length: 30 }, () => app.fetch("/pages")))

    const answers = await Promise.all(Array.from({ length: 30 }, () => app.fetch("/pages?limit=1")))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })
})

describe("lists of related records", () => {
  test("are the same, written by Postgres and by the general path", async () => {
    const { system } = app.app as any
    const tagged = await system.collections.tags.create({ name: 'a "tag" \\ é 💡' })
    const review = {
      text: "line\nline\u2028",
      stars: 3,
      day: "2024-02-29",
      at: new Date(1_700_000_000_123),
      facts: { list: [1, { deep: null }], "": "x" },
      notes: { create: [{ text: "n1", weight: "1.500" }, { text: null }] },
    }
    const { id } = await system.collections.books.create({
      title: "Same",
      price: "10.50",
      sold: 9_007_199_254_740_993n,
      reviews: { create: [review, { text: null }] },
      tags: { connect: [tagged.id] },
    })
    const relations = {
      reviews: {
        orderBy: { stars: "asc" },
        with: { notes: { orderBy: { text: "asc" }, _count: true }, book: { with: { tags: true } } },
        _count: true,
      },
      tags: { _count: true, limit: 0 },
    }
    const options = { where: { id }, limit: 1, with: relations }

    const written = await app.fetch("/books/query", { method: "POST", body: JSON.stringify(options) })
    // Without the total, the general path answers.
    const body = JSON.stringify({ ...options, total: false })
    const general = await app.fetch("/books/query", { method: "POST", body })
    const one = await app.fetch(`/books/${id}?with[reviews][orderBy][stars]=asc&with[reviews][with][notes]=true`)

    expect(written).toMatchObject({ status: 200 })
    expect(JSON.stringify(written.body.docs)).toBe(JSON.stringify(general.body.docs))
    expect(written.body.docs[0]._count).toEqual({ reviews: 2, tags: 1 })
    expect(one.body.reviews[0].notes).toHaveLength(2)
  })
})

describe("a long answer leaves others their turn", () => {
  test("records are made in several turns of the event loop, with their lists", async () => {
    const { system } = app.app as any
    const create = Array.from({ length: 1_000 }, (_item, index) => ({ name: `part ${index}` }))
    const { id } = await system.collections.counted.create({ text: "whole", parts: { create } })

    const whole = await app.fetch(`/counted/${id}?with[parts][limit]=1000&with[parts][orderBy][name]=asc`)

    expect(whole.body.size).toBe(5)
    const names = whole.body.parts.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...names].sort())
    expect(names).toHaveLength(1_000)
  })

  test("others are answered between two of its records", async () => {
    await app.database.query(
      `insert into counted (id, text, "createdAt", "updatedAt") select gen_random_uuid(), 'short', now(), now() from generate_series(1, 1000)`,
    )
    events.length = 0
    let isRead = false
    const health = async () => {
      while (!isRead) {
        await app.fetch("/health")
        events.push("health")
      }
    }
    const read = async () => {
      const answer = await app.fetch("/counted?limit=1000")
      isRead = true
      return answer
    }

    const [answer] = await Promise.all([read(), health()])

    expect(answer.body.docs).toHaveLength(1_000)
    const between = events.slice(events.indexOf("record"), events.lastIndexOf("record"))
    expect(between).toContain("health")
  })
})

describe("answers that nobody takes", () => {
  const LONG = "/chapters?limit=9"
  let long: TestApp

  beforeAll(async () => {
    const chapters = collection("chapters")
      .fields(({ f }) => ({ text: f.textarea() }))
      .access(anyone)
    long = await testApp({ resources: [chapters] })
    await long.database.query(
      `insert into chapters (id, text, "createdAt", "updatedAt") select gen_random_uuid(), repeat('x', 1000000), now(), now() from generate_series(1, 9)`,
    )
  })

  afterAll(() => long[Symbol.asyncDispose]())

  /** Requests a long answer and reads only its beginning. */
  async function stall(url: string): Promise<Socket> {
    const { hostname, port, pathname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on("error", () => {})
    socket.write(`GET ${pathname.replace(/\/$/, "")}${LONG} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await new Promise((resolve) => socket.once("readable", resolve))
    return socket
  }

  test("take a part of the memory for long answers, and others have the rest", async () => {
    const stalled = await stall(long.url)
    const waiting = long.fetch(LONG).then(({ status }) => status)

    const other = await long.fetch(LONG, { session: { user: { id: "another" } } })
    const short = await long.fetch("/chapters?columns[text]=false")
    expect([other.status, other.body.docs.length, short.status]).toEqual([200, 9, 200])

    stalled.destroy()
    expect(await waiting).toBe(200)
  })

  test("are not those of calls in process, which nobody ends", async () => {
    const { collections } = long.app.as(null) as any
    for (let read = 0; read < 4; read++) expect((await collections.chapters.find({ limit: 9 })).docs).toHaveLength(9)

    expect((await long.fetch(LONG)).status).toBe(200)
  })

  test("are given up, and their connections closed", async () => {
    const server = await startNodeServer(long.app.handle, { port: 0, host: "127.0.0.1", answerTimeoutMs: 100 })
    const stalled = await stall(`http://127.0.0.1:${server.port}${long.app.basePath}`)

    // The budget allows one answer of this size for a caller.
    expect((await long.fetch(LONG)).status).toBe(200)

    stalled.destroy()
    await server.stop()
  })
})
