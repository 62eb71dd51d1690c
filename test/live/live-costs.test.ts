// @module-tag not-about-engine

import { once } from "node:events"
import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { collection } from "kit"
import { expect, test } from "vitest"
import { CURRENT_POSITION, changesSince } from "../../packages/kit/src/sql/changes/read-changes.ts"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    status: f.text().default("open"),
    // Counts how often the record is read.
    read: f.virtual(f.number().integer(), "case when nextval('reads') > 0 then 1 end"),
  }))
  .access(everyone)
const others = collection("others")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const topicOf = (resource: string, options: object = {}) => ({
  id: resource,
  resourceType: "collection",
  resource,
  ...options,
})
const OPEN = topicOf("posts", { where: { status: "open" } })

async function countedApp() {
  const database = await createTestDatabase()
  await database.query("create sequence reads")
  const app = await testApp({ resources: [posts, others], config: { db: { url: database.url } } })
  const reads = async () => Number((await database.query("select last_value from reads"))[0]?.["last_value"])
  const { posts: own } = app.client().collections
  const { id } = await own.create({ title: "first" })
  /** Changes the record, and waits until every stream has the change. */
  const touch = async (title: string, streams: readonly EventReader[]) => {
    await own.updateById({ id, data: { title } })
    const isNew = ({ data }: { data: unknown }) => JSON.stringify(data).includes(title)
    await Promise.all(streams.map((stream) => stream.next("snapshot", isNew)))
  }
  return {
    ...{ app, id, reads, touch, own },
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

test("a change that cannot touch a query does not run it, and one that does runs it once for all who wait for it", async () => {
  await using world = await countedApp()
  const { app, own, reads, touch } = world
  const close = () => own.create({ title: "closed", status: "closed" })
  // A written record is read once, to answer the write.
  const atFirst = await reads()
  await close()
  await touch("nobody listens", [])
  expect((await reads()) - atFirst).toBe(2)
  const streams = await Promise.all(Array.from({ length: 30 }, () => openEvents({ url: app.url, topics: [OPEN] })))
  await Promise.all(streams.map((stream) => stream.next("snapshot")))

  const before = await reads()
  for (let round = 0; round < 10; round++) {
    await close()
    await app.client().collections["others"].create({ name: "other" })
  }
  await touch("everybody listens", streams)

  expect((await reads()) - before).toBe(10 + 1 + 1)
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
})

test.each(["force_custom_plan", "force_generic_plan"])(
  "the new changes are read by the index, however many older ones are kept: %s",
  async (planMode) => {
    await using world = await countedApp()
    const { database } = world.app
    await database.query(`insert into "_kit_changes" (resource_kind, resource, record, kind)
      select 'collection', 'others', n::text, 'update' from generate_series(1, 20000) n`)
    const [position] = await database.query(CURRENT_POSITION.text)
    await world.touch("after the position", [])

    const { text } = changesSince("")
    await database.query(`set plan_cache_mode = ${planMode}; prepare new_changes(text) as ${text}`)
    const plan = await database.query(`explain analyze execute new_changes('${position?.["pg_current_snapshot"]}')`)

    const lines = plan.map((line) => String(line["QUERY PLAN"])).join("\n")
    expect(lines).toMatch(/Index Scan (using|on) "_kit_changes.xid" .*\(actual .* rows=1(\.00)? /)
    expect(lines).not.toContain("Rows Removed")
  },
)

test("streams and topics that come and go leave nothing behind", async () => {
  setFlagsFromString("--expose-gc")
  const collectGarbage: () => void = runInNewContext("gc")
  const CAP = 12
  await using app = await testApp({ resources: [others], config: { realtime: { connectionsPerAddress: CAP } } })
  const change = (body: object) =>
    app.fetch("/realtime", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    })
  const cycle = async (index: number) => {
    const stream = await openEvents({ url: app.url, topics: [topicOf("others", { where: { name: `n${index}` } })] })
    const names = await stream.next("session")
    // Some clients leave before their first snapshot.
    if (index % 3 !== 0) await stream.next("snapshot")
    for (let round = 0; round < 4; round++) {
      const asked = [0, 1, 2, 3, 4].map((each) => topicOf("others", { where: { name: `${index} ${round} ${each}` } }))
      const topics = asked.map((topic, each) => ({ ...topic, id: `${round} ${each}` }))
      expect((await change({ ...names, topics })).status).toBe(202)
    }
    await stream[Symbol.asyncDispose]()
  }
  const churn = async (from: number, to: number) => {
    for (let index = from; index < to; index += 5) await Promise.all([0, 1, 2, 3, 4].map((each) => cycle(index + each)))
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  const early = await churn(0, 30)
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
  const timersBefore = timers()
  const late = await churn(30, 100)

  expect(late - early).toBeLessThan(8 * 1024 * 1024)
  // Other code may have started a timer meanwhile. One timer left by each stream would be seventy.
  expect(timers()).toBeLessThanOrEqual(timersBefore + 10)
  // A server may notice a lost connection later than the client.
  await expect.poll(() => statusesOf(app.url, CAP + 1)).toEqual([...Array.from({ length: CAP }, () => 200), 429])
})

test("whoever leaves before an answer has come is not counted", async () => {
  await using app = await testApp({ resources: [others], config: { realtime: { connectionsPerAddress: 3 } } })
  const { host, hostname, port, pathname } = new URL(app.url)
  const body = JSON.stringify({ topics: [topicOf("others")] })
  const lines = [
    `POST ${pathname.replace(/\/$/, "")}/realtime HTTP/1.1`,
    `host: ${host}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ]
  const leave = async (sent: number) => {
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body.slice(0, sent)}`, () => socket.destroy())
    await once(socket, "close")
  }

  for (let round = 0; round < 20; round++) await Promise.all([leave(body.length), leave(round)])

  await expect.poll(() => statusesOf(app.url, 4)).toEqual([200, 200, 200, 429])
})

/** Opens streams one after the other, keeps them until the last one is open, and returns the statuses. */
async function statusesOf(url: string, count: number): Promise<number[]> {
  const streams: EventReader[] = []
  for (let opened = 0; opened < count; opened++) streams.push(await openEvents({ url, topics: [] }))
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
  return streams.map(({ status }) => status)
}
