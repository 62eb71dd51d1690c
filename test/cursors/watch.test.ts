import { afterAll, beforeAll, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { cursorWorld, EDITOR, readPage } from "../support/worlds/cursor-world.ts"
import type { TestApp } from "../support/worlds/test-app.ts"

let app: TestApp

beforeAll(async () => {
  app = await cursorWorld()
})

afterAll(() => app[Symbol.asyncDispose]())

const BY_RANK = { orderBy: { rank: "asc" }, where: { name: "watched" } } as const

test("a watched range shows what is inserted between its cursors, and nothing behind it", async () => {
  const entries = app.client(EDITOR).collections["entries"]
  for (const rank of [10, 20, 30]) await entries.create({ number: rank, rank, name: "watched" })
  const { startCursor, endCursor } = await readPage(
    { app, options: BY_RANK, session: EDITOR },
    { limit: 2, after: null },
  )
  const range = { ...BY_RANK, after: startCursor, before: endCursor, limit: 9 }
  const snapshots = entries.watchIter(range)
  const next = async () => {
    const { value } = await snapshots.next()
    return { numbers: value.docs.map(({ number }: { number: number }) => number), totalDocs: value.totalDocs }
  }

  const first = await next()
  await entries.create({ number: 25, rank: 25, name: "watched" })
  const second = await next()
  await entries.create({ number: 15, rank: 15, name: "watched" })
  const third = await next()
  await snapshots.return()

  expect([first, second, third]).toEqual([
    { numbers: [10, 20], totalDocs: 3 },
    { numbers: [10, 20], totalDocs: 4 },
    { numbers: [10, 15, 20], totalDocs: 5 },
  ])
})

test("a watched first page keeps its null cursor, and each caller has cursors of their own", async () => {
  const options = { orderBy: { number: "asc" }, after: null, limit: 2 }
  const pages = await Promise.all(
    [undefined, EDITOR].map(async (session) => {
      const snapshots = app.client(session).collections["entries"].watchIter(options)
      const { value } = await snapshots.next()
      await snapshots.return()
      return value
    }),
  )
  const own = await readPage({ app, options, session: EDITOR }, {})

  expect(pages[0].docs.map(({ id }: { id: string }) => id)).toEqual(pages[1].docs.map(({ id }: { id: string }) => id))
  expect(pages[0].endCursor).toMatch(/^[\w-]+$/)
  expect(pages[1].endCursor).toBe(own.endCursor)
  expect(pages[0].endCursor).not.toBe(own.endCursor)
})

test("a cursor that is not valid ends only its topic, and live() and counts take none", async () => {
  const topic = { resourceType: "collection", resource: "entries" }
  const topics = [
    { id: "forged", ...topic, read: { after: "forged" } },
    { id: "count", ...topic, read: { operation: "count", after: null } },
    { id: "outside", ...topic, after: null },
    { id: "good", ...topic, read: { before: null } },
  ]
  await using stream = await openEvents({ url: app.url, topics })

  const errors = await Promise.all(
    ["forged", "count", "outside"].map((id) => stream.next("error", ({ topicId }) => topicId === id)),
  )
  const good = await stream.next("snapshot", ({ topicId }) => topicId === "good")

  expect(errors.map((error) => JSON.stringify(error))).toEqual([
    expect.stringContaining("cannot be read"),
    expect.stringContaining("Only a list of records has cursors"),
    expect.stringContaining("after"),
  ])
  expect(JSON.stringify(good)).toContain("endCursor")
  expect(() => app.client().collections["entries"].live({ after: null }, () => {})).toThrow("after")
})
