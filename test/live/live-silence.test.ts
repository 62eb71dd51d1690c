// @module-tag experiment

import { collection, users } from "kit"
import { describe, expect, test, vi } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { usedInTime } from "../support/used-in-time.ts"
import { identityApp } from "../support/worlds/identity-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access(everyone)
/** For signed-in users: an answer shows that the session was valid. */
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null })
const topicOf = (resource: string, options: object = {}) => ({
  id: resource,
  resourceType: "collection",
  resource,
  ...options,
})
const POSTS = topicOf("posts")
const NOTES = topicOf("notes")

// Each test has its own app and waits for seconds, all at the same time.
describe.concurrent("while nothing happens", () => {
  test("nothing is asked, and after the last stream has closed neither", async () => {
    await using proxy = await startDatabaseProxy()
    await using writer = await testApp({ resources: [posts], config: { db: { url: proxy.database.url } } })
    await using app = await testApp({ resources: [posts], config: { db: { url: proxy.url } } })
    const { posts: own } = writer.client().collections
    await own.create({ title: "one" })
    const streams: EventReader[] = [
      await openEvents({ url: app.url, topics: [POSTS] }),
      await openEvents({ url: app.url, topics: [topicOf("posts", { limit: 1 })] }),
    ]
    for (const stream of streams) await stream.next("snapshot")
    // Written by another process: this one listens.
    await own.create({ title: "two" })
    for (const stream of streams) {
      await stream.next("snapshot", ({ data }) => (data as { totalDocs: number }).totalDocs === 2)
    }

    const idle = { asked: proxy.statements(), said: proxy.statementsOfBus() }
    await streams[0]?.next("ping")
    // A ping comes after eight seconds. There may be keep-alive checks 5 s after a message and a check for changes
    // after each of them, because other databases of the server are written, and one more because of a late
    // notification.
    expect(proxy.statements() - idle.asked).toBeLessThanOrEqual(7)
    expect(proxy.statementsOfBus() - idle.said).toBeLessThanOrEqual(6)

    for (const stream of streams) await stream[Symbol.asyncDispose]()
    await own.create({ title: "three" })
    const witness = await openEvents({ url: writer.url, topics: [POSTS] })
    await witness.next("snapshot")
    await witness[Symbol.asyncDispose]()
    const silent = proxy.statements()
    for (let round = 0; round < 5; round++) await own.create({ title: `late ${round}` })
    await app.fetch("/posts/count")
    // Only the count itself: no subscriber is left for whom the changes would be read.
    expect(proxy.statements() - silent).toBe(1)
  })

  test("what a process has written that died before it could say so is found", async () => {
    await using app = await testApp({ resources: [posts] })
    await using stream = await openEvents({ url: app.url, topics: [POSTS] })
    await stream.next("snapshot")

    // The rows that a process of this kind leaves behind.
    await app.database.query(`with written as (
        insert into posts (id, title, "createdAt", "updatedAt") values (gen_random_uuid(), 'late', now(), now()) returning id
      ) insert into _kit_changes (resource_kind, resource, record, kind) select 'collection', 'posts', id, 'create' from written`)

    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ title: "late" }] })
  })

  test("a provider of sessions that forgets one ends its streams within five seconds", async () => {
    const known = new Map([["token", { user: { id: "ann" } }]])
    const provider = {
      read: async (headers: { get(name: string): string | null }) => known.get(headers.get("x-token") ?? "") ?? null,
    }
    await using app = await testApp({ resources: [posts], config: { sessions: provider } })
    const headers = { "x-token": "token" }
    await using stream = await openEvents({ url: app.url, topics: [POSTS], headers })
    await stream.next("snapshot")

    known.clear()
    const endedAt = performance.now()

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    expect(performance.now() - endedAt).toBeLessThan(30_000)
  })

  test("a session that expires ends the stream", async () => {
    await using app = await testApp({ resources: [notes] })
    const { stream, expiresAt } = await usedInTime(async (lifeMs) => {
      const expiresAt = new Date(Date.now() + lifeMs)
      const session = { user: { id: "ann" }, session: { id: "brief", expiresAt } }
      return { expiresAt, stream: await openEvents({ url: app.url, topics: [NOTES], session }) }
    })
    await using _left = stream

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    await stream.ended
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
  })

  test("a key that expires ends the streams that it opened", async () => {
    await using app = await identityApp({ resources: [users().fields(() => ({})), notes] })
    const eva = await app.signIn({ email: "eva@example.com" })
    const { stream, expiresAt } = await usedInTime(async (lifeMs) => {
      const expiresAt = new Date(Date.now() + lifeMs)
      const made = await app.fetch("/auth/api-keys", {
        method: "POST",
        body: { name: "brief", expiresAt },
        headers: { cookie: eva.cookie, origin: app.origin },
      })
      const headers = { authorization: `Bearer ${made.body.key}` }
      return { expiresAt, stream: await openEvents({ url: app.url, topics: [NOTES], headers }) }
    })
    await using _left = stream

    expect(await stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
  })

  test("a session that is renewed while it is used does not end its stream", async () => {
    await using app = await identityApp({ resources: [users().fields(() => ({})), notes] })
    const { stream, endedAt } = await usedInTime(async (lifeMs) => {
      const eva = await app.signIn({ email: `eva${lifeMs}@example.com` })
      const ending = `update _kit_sessions set "expiresAt" = now() + interval '${lifeMs} ms' where "userId" = $1`
      await app.database.query(ending, [eva.id])
      const endedAt = Date.now() + lifeMs + 500
      await app.app.system.collections["users"]?.updateById({ id: eva.id, data: { name: "Eva" } })
      return { endedAt, stream: await openEvents({ url: app.url, topics: [NOTES], headers: { cookie: eva.cookie } }) }
    })
    await using _left = stream

    // It would have ended by now.
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(endedAt), { timeout: 60_000 })
    await app.app.system.collections["notes"]?.create({ text: "Still here" })

    await stream.next("snapshot")
    expect(stream.events.map(({ name }) => name)).not.toContain("error")
  })

  test("topics of a stream that nobody holds are not found, however long another process is asked", async () => {
    await using app = await testApp({ resources: [posts] })
    const body = JSON.stringify({ sessionId: "a.b", token: "c", topics: [] })

    const answer = await app.fetch("/realtime", { method: "POST", body })

    expect(answer.status).toBe(404)
  })
})
