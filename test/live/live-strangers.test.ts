// @module-tag not-about-shortcuts

import { randomBytes } from "node:crypto"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true })
const POSTS = { id: "posts", resourceType: "collection", resource: "posts" }
const EVA = { user: { id: "eva" } } as Session
const BOB = { user: { id: "bob" } } as Session
const STRANGERS = 100
// On a machine that stalls, a process may not get the answer of the other in time; then the request is repeated.
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
/** The maximum number of topics for a stream, with nearly the maximum number of bytes for a body. */
const LONG_TOPICS = Array.from({ length: 100 }, (_, index) => ({
  ...POSTS,
  id: `t${index}`,
  where: { title: randomBytes(5_000).toString("hex") },
}))

// The clock is the same for all calls of a test, so that limits do not refill.
const clock = { now: new Date("2030-01-01T00:00:00Z") }

describe("the topics of a stream that another process holds", () => {
  let holder: TestApp
  let asked: TestApp

  beforeAll(async () => {
    const now = () => clock.now
    holder = await testApp({ resources: [posts], now })
    asked = await testApp({ resources: [posts], now, config: { db: { url: holder.database.url } } })
  })

  afterAll(async () => {
    await asked[Symbol.asyncDispose]()
    await holder[Symbol.asyncDispose]()
  })

  async function openStream(session?: Session) {
    const stream = await openEvents({ url: holder.url, topics: [POSTS], session })
    onTestFinished(() => stream[Symbol.asyncDispose]())
    const names = await stream.next("session")
    await stream.next("snapshot")
    return { stream, names }
  }

  function change(body: object, session?: Session) {
    return asked.fetch("/realtime", { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
  }

  async function stored(): Promise<Record<string, number>> {
    const [size] = await holder.database.query(
      `select sum(pg_total_relation_size(oid))::int as bytes, (select count(*)::int from "_kit_changes") as changes
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    return size as Record<string, number>
  }

  /** Returns what has been stored since then, on disk and in rows, without what has been deleted meanwhile. */
  async function watchTables() {
    const before = await stored()
    return async () => {
      const now = await stored()
      return Object.keys(now).filter((name) => Number(now[name]) > Number(before[name]))
    }
  }

  test("are not stored for a stream that somebody has made up", async () => {
    const { names } = await openStream()
    const [instance] = names.sessionId.split(".")
    const grown = await watchTables()

    const answers = await Promise.all(
      Array.from({ length: STRANGERS }, (_, index) =>
        change({
          sessionId: index % 2 === 0 ? `${instance}.${crypto.randomUUID()}` : `made up ${index}`,
          token: index % 4 === 0 ? names.token : crypto.randomUUID(),
          topics: LONG_TOPICS,
        }),
      ),
    )

    // This many long bodies of one caller at the same time are refused before they are read.
    expect(answers.filter(({ status }) => status !== 404 && status !== 429)).toEqual([])
    expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThan(0)
    expect(await grown()).toEqual([])
  })

  test("are not stored for anybody but whoever opened it", async () => {
    const eva = await openStream(EVA)
    const bob = await openStream(BOB)
    const nobody = await openStream()
    const { sessionId, token } = eva.names
    const grown = await watchTables()

    const attempts: [Partial<typeof eva.names>, Session?][] = [
      [{ token: `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}` }, EVA],
      [{ token: token.slice(0, -1) }, EVA],
      [{ token: "" }, EVA],
      [{ token: bob.names.token }, EVA],
      [{ sessionId: bob.names.sessionId }, EVA],
      [{ sessionId: `${sessionId}.` }, EVA],
      [bob.names, EVA],
      [nobody.names, EVA],
      [{}, BOB],
      [{}],
    ]
    for (const [forged, session] of attempts) {
      const { status, body } = await change({ sessionId, token, topics: [], ...forged }, session)
      expect({ forged, status, code: body.error.code }).toEqual({ forged, status: 404, code: "NOT_FOUND" })
    }

    expect(await grown()).toEqual([])
    await expect.poll(() => statusOf(change({ sessionId, token, topics: [{ ...POSTS, id: "more" }] }, EVA))).toBe(202)
    expect(await eva.stream.next("snapshot")).toMatchObject({ topicId: "more" })
  })

  test("are not handed on when they are too long: the client is to come anew", async () => {
    const { names } = await openStream()
    const grown = await watchTables()

    const { status, body } = await change({ ...names, topics: LONG_TOPICS })

    expect({ status, message: body.error.message }).toEqual({
      status: 404,
      message: expect.stringMatching(/too large to be sent to it.*Open a new one/),
    })
    expect(await grown()).toEqual([])
  })

  test("are handed on only so often for one user or address", async () => {
    clock.now = new Date("2030-01-02T00:00:00Z")
    const eva = await openStream(EVA)
    const nobody = await openStream()
    const topics = [POSTS]

    const answers = []
    while (answers.length < 51) answers.push(await change({ ...eva.names, topics }, EVA))
    const last = answers.pop()

    expect(answers.map(({ status }) => status)).not.toContain(429)
    expect(last).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } })
    expect(last?.headers.get("retry-after")).toBe("1")
    await expect.poll(() => statusOf(change({ ...nobody.names, topics }))).toBe(202)
    clock.now = new Date("2030-01-02T00:00:05Z")
    await expect.poll(() => statusOf(change({ ...eva.names, topics }, EVA))).toBe(202)
  })

  test("are changed where the stream is without any of this", async () => {
    const { stream, names } = await openStream()

    const body = JSON.stringify({ ...names, topics: [...LONG_TOPICS.slice(1), { ...POSTS, id: "short" }] })
    const { status } = await holder.fetch("/realtime", { method: "POST", body })

    expect(status).toBe(202)
    await stream.next("snapshot", ({ topicId }) => topicId === "short")
  })
})

test("an app without a secret has its streams changed where they are, and says what it lacks", async () => {
  const parts = { resources: [posts], mode: "production" as const }
  await using holder = await testApp(parts)
  await using other = await testApp({ ...parts, config: { db: { url: holder.database.url } } })
  await using stream = await openEvents({ url: holder.url, topics: [POSTS] })
  const init = { method: "POST", body: JSON.stringify({ ...(await stream.next("session")), topics: [POSTS] }) }

  expect(await statusOf(holder.fetch("/realtime", init))).toBe(202)
  expect(await statusOf(other.fetch("/realtime", init))).toBe(404)

  expect(holder.logged.map(({ message }) => message)).toEqual([expect.stringMatching(/no secret.*KIT_SECRET/)])
})
