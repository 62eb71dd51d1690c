// @module-tag not-about-shortcuts

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ section: f.text(), no: f.number().integer() }))
  .access({ read: true })
const POSTS = { id: "posts", resourceType: "collection", resource: "posts" }

describe("topics that another process passes to the one that holds the stream", () => {
  let holder: TestApp
  let other: TestApp

  beforeAll(async () => {
    holder = await testApp({ resources: [posts] })
    other = await testApp({ resources: [posts], config: { db: { url: holder.database.url } } })
    await publish({ section: "a", no: 1 })
    await publish({ section: "b", no: 2 })
  })

  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await holder[Symbol.asyncDispose]()
  })

  const publish = async (data: Record<string, unknown>) => holder.app.system.collections["posts"]?.create(data)

  // On a machine that stalls, a process may not get the answer of the other in time; then the request is repeated.
  async function change(body: object): Promise<void> {
    const init = { method: "POST", body: JSON.stringify(body) }
    await expect.poll(async () => (await other.fetch("/realtime", init)).status).toBe(202)
  }

  test("keep the order in which the client sorts", async () => {
    await using stream = await openEvents({ url: holder.url, topics: [POSTS] })
    const names = await stream.next("session")
    await stream.next("snapshot")

    await change({ ...names, topics: [{ ...POSTS, id: "sorted", orderBy: { section: "asc", no: "desc" } }] })

    expect(await stream.next("snapshot")).toMatchObject({ data: { docs: [{ section: "a" }, { section: "b" }] } })
  })

  test("continue if the stream already has them", async () => {
    const first = { ...POSTS, where: { section: "c" }, limit: 5 }
    await using stream = await openEvents({ url: holder.url, topics: [first] })
    const names = await stream.next("session")
    await stream.next("snapshot")

    await change({ ...names, topics: [first, { ...POSTS, id: "more" }] })
    await stream.next("snapshot", ({ topicId }) => topicId === "more")
    await publish({ section: "c", no: 3 })
    await stream.next("snapshot", ({ topicId, seq }) => topicId === "posts" && seq > 1)

    const own = stream.events.flatMap(({ name, data }) => (name === "snapshot" && data.topicId === "posts" ? data : []))
    expect(own.map(({ seq }) => seq)).toEqual([1, 2])
  })
})
