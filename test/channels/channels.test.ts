// @module-tag not-about-shortcuts

import { channel, collection, job, route, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const text = z.object({ text: z.string() })
const room = channel("room-[roomId]")
  .events({ message: text, typing: z.object({}), at: z.object({ at: z.coerce.date() }) })
  .access({ subscribe: true, publish: ({ session }) => session !== null })
const hall = channel("hall").events({ message: text }).access({ subscribe: true })
const closed = channel("closed").events({ message: text })
const pair = channel("pair-[one]-[other]").events({ message: text }).access({ subscribe: true, publish: true })

// The members of a team may subscribe to its channel.
const members = collection("members")
  .fields(({ f }) => ({ team: f.text().required(), person: f.text().required() }))
  .access({ read: true })
const team = channel("team-[team]")
  .events({ message: text })
  .access({
    subscribe: async ({ session, params, collections }) => {
      const where = { team: params.team, person: session?.user.id ?? "" }
      return (await collections["members"]?.count({ where })) === 1
    },
    publish: ({ params, event }) => params.team === "open" && event === "message",
  })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ create: true, read: true })
  .hooks({
    afterChange: async ({ row, channels }) => {
      await channels["room"]?.publish({
        params: { roomId: "notes" },
        event: "message",
        data: { text: `${row["text"]}` },
      })
      if (row["text"] === "refused") throw new Error("refused")
    },
  })
const twice = route()
  .schema(z.object({ fails: z.boolean() }))
  .handler(async ({ input, transaction }) => {
    await transaction(async ({ channels }) => {
      await channels["room"]?.publish({
        params: { roomId: "route" },
        event: "message",
        data: { text: `${input.fails}` },
      })
      if (input.fails) throw new Error("Not this time.")
    })
  })
const tell = job({
  name: "tell",
  schema: text,
  options: { retryLimit: 0 },
  handler: async ({ payload, transaction }) => {
    await transaction(async ({ channels }) => {
      await channels["room"]?.publish({ params: { roomId: "job" }, event: "message", data: payload })
    })
  },
})

const eva: Session = { user: { id: "eva" } } as Session
const ben: Session = { user: { id: "ben" } } as Session

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [members, notes],
    channels: { room, hall, closed, pair, team },
    routes: { twice },
    jobs: { tell },
  })
})

afterAll(() => app[Symbol.asyncDispose]())

const of = (id: string, more: object = {}) => ({ id, channel: "room", params: { roomId: id }, ...more })
const follow = (channels: object[], session?: Session) => openEvents({ url: app.url, channels, session })
const publish = (body: object, session: Session | null = eva) =>
  app.fetch("/channels/publish", { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
const say = (roomId: string, words: string) =>
  publish({ channel: "room", params: { roomId }, event: "message", data: { text: words } })
const system = (key: string) => {
  const publisher = app.app.channels[key]
  if (!publisher) throw new Error(key)
  return publisher
}
const tellRoom = (roomId: string, words: string) =>
  system("room").publish({ params: { roomId }, event: "message", data: { text: words } })

describe("a channel", () => {
  test("hands what is published to those who follow it, in the order of the ids", async () => {
    await using stream = await follow([of("first")])
    await using other = await follow([of("second")])
    const began = await stream.next("subscribed")
    await other.next("subscribed")

    const one = await say("first", "One")
    const two = await say("first", "Two")
    const events = [await stream.next("channel"), await stream.next("channel")]
    await say("second", "Three")
    const apart = await other.next("channel")

    expect(began).toEqual({ channelId: "first", eventId: "0" })
    expect(one).toMatchObject({ status: 200, body: { eventId: expect.stringMatching(/^\d+$/) } })
    expect(events).toEqual([
      { channelId: "first", event: "message", eventId: one.body.eventId, data: { text: "One" } },
      { channelId: "first", event: "message", eventId: two.body.eventId, data: { text: "Two" } },
    ])
    expect(Number(two.body.eventId)).toBeGreaterThan(Number(one.body.eventId))
    expect(apart.data).toEqual({ text: "Three" })
    expect(other.events.filter(({ name }) => name === "channel")).toHaveLength(1)
  })

  test("keeps channels apart whose parameters look the same in a row", async () => {
    const params = (one: string, other: string) => ({ channel: "pair", params: { one, other } })
    await using stream = await follow([{ id: "a", ...params("1-2", "3") }])
    await stream.next("subscribed")

    await publish({ ...params("1", "2-3"), event: "message", data: { text: "for others" } })
    await publish({ ...params("1-2", "3"), event: "message", data: { text: "for us" } })

    expect((await stream.next("channel")).data).toEqual({ text: "for us" })
  })

  test("gives the data that the schema makes, with dates to those who ask for extended JSON", async () => {
    const headers = { "x-extendedjson": "1" }
    await using stream = await openEvents({ url: app.url, channels: [of("dates")], headers })
    await using plain = await follow([of("dates")])
    await Promise.all([stream.next("subscribed"), plain.next("subscribed")])

    await publish({ channel: "room", params: { roomId: "dates" }, event: "at", data: { at: "2020-01-01", more: 1 } })

    const at = "2020-01-01T00:00:00.000Z"
    expect((await stream.next("channel")).data).toEqual({ json: { at }, meta: { values: { at: "Date" } } })
    expect((await plain.next("channel")).data).toEqual({ at })
  })
})

describe("a publish in a transaction", () => {
  test("is sent when that commits, and never when it does not", async () => {
    await using stream = await follow([of("notes"), of("route"), of("job")])
    await Promise.all(["notes", "route", "job"].map((id) => stream.next("subscribed", (data) => data.channelId === id)))
    const post = (path: string, body: object) => app.fetch(path, { method: "POST", body: JSON.stringify(body) })

    const refused = await post("/notes", { text: "refused" })
    const failed = await post("/twice", { fails: true })
    await post("/notes", { text: "kept" })
    await post("/twice", { fails: false })
    await app.app.queue["tell"]?.publish({ text: "done" })

    const next = (id: string) => stream.next("channel", ({ channelId }) => channelId === id)
    expect([refused.status, failed.status]).toEqual([500, 500])
    expect([await next("notes"), await next("route"), await next("job")]).toMatchObject([
      { data: { text: "kept" } },
      { data: { text: "false" } },
      { data: { text: "done" } },
    ])
  })

  test("has ids in the order of the commits, however many publish at once", async () => {
    await using stream = await follow([of("busy")])
    await stream.next("subscribed")

    const published = await Promise.all(Array.from({ length: 60 }, (_, index) => tellRoom("busy", String(index))))

    const heard: string[] = []
    for (const _ of published) heard.push((await stream.next("channel")).eventId)
    expect(heard).toEqual([...heard].sort((one, other) => Number(one) - Number(other)))
    expect(new Set(heard)).toEqual(new Set(published.map(({ eventId }) => eventId)))
  })
})

describe("the rules of a channel", () => {
  test("let nobody in where there is none", async () => {
    await using stream = await follow([{ id: "c", channel: "closed" }], eva)
    const refused = await publish({ channel: "closed", event: "message", data: { text: "" } })
    const anonymous = await publish({ channel: "hall", event: "message", data: { text: "" } }, null)

    expect(await stream.next("error")).toMatchObject({ topicId: "c", code: "FORBIDDEN" })
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"])
    expect([anonymous.status, anonymous.body.error.code]).toEqual([401, "UNAUTHORIZED"])
  })

  test("are asked with the parameters, and again when what they read has changed", async () => {
    const { system: api } = app.app
    const member = await api.collections["members"]?.create({ team: "red", person: "eva" })
    const red = { id: "red", channel: "team", params: { team: "red" } }
    await using stream = await follow([red, { ...red, id: "blue", params: { team: "blue" } }], eva)
    await using stranger = await follow([red], ben)

    expect(await stream.next("error")).toMatchObject({ topicId: "blue", code: "FORBIDDEN" })
    expect(await stranger.next("error")).toMatchObject({ topicId: "red", code: "FORBIDDEN" })
    await stream.next("subscribed")
    await system("team").publish({ params: { team: "red" }, event: "message", data: { text: "hello" } })
    expect(await stream.next("channel")).toMatchObject({ channelId: "red", data: { text: "hello" } })

    await api.collections["members"]?.deleteById({ id: String(member?.["id"]) })
    await system("team").publish({ params: { team: "red" }, event: "message", data: { text: "for members" } })
    expect(await stream.next("error")).toMatchObject({ topicId: "red", code: "FORBIDDEN" })
    expect(stream.events.filter(({ name }) => name === "channel")).toHaveLength(1)
  })

  test("judge a publish by its channel and event", async () => {
    const to = (name: string) =>
      publish({ channel: "team", params: { team: name }, event: "message", data: { text: "" } })

    expect([(await to("open")).status, (await to("shut")).status]).toEqual([200, 403])
  })
})

describe("a client that comes back", () => {
  test("is told what was published while it was away", async () => {
    const known = await tellRoom("replay", "known")
    const missed = await tellRoom("replay", "missed")

    await using stream = await follow([of("replay", { lastEventId: known.eventId })])

    expect(await stream.next("subscribed")).toEqual({ channelId: "replay", eventId: known.eventId })
    expect(await stream.next("channel")).toMatchObject({ eventId: missed.eventId, data: { text: "missed" } })
    await tellRoom("replay", "new")
    expect(await stream.next("channel")).toMatchObject({ data: { text: "new" } })
    expect(stream.events.some(({ name }) => name === "gap")).toBe(false)
  })

  test("is told all of it, however much it was", async () => {
    const first = await tellRoom("long", "0")
    for (let index = 1; index <= 450; index++) await tellRoom("long", String(index))

    await using stream = await follow([of("long", { lastEventId: first.eventId })])

    await stream.next("channel", ({ data }) => (data as { text: string }).text === "450")
    const words = stream.events.filter(({ name }) => name === "channel").map(({ data }: any) => Number(data.data.text))
    expect(words).toEqual(Array.from({ length: 450 }, (_, index) => index + 1))
  })

  test("is told of a gap where something is forgotten, and of none where nothing was missed", async () => {
    const known = await tellRoom("gap", "known")
    await tellRoom("gap", "forgotten")
    const kept = await tellRoom("gap", "kept")
    const place = JSON.stringify(["room-[roomId]", "gap"])
    await app.database.query(`delete from "_kit_channel_events" where room = '${place}' and id < ${kept.eventId}`)

    await using stream = await follow([of("gap", { lastEventId: known.eventId })])
    await using current = await follow([of("gap", { lastEventId: kept.eventId })])
    await using ahead = await follow([of("gap", { lastEventId: "9007199254740991" })])

    expect(await stream.next("gap")).toEqual({ channelId: "gap", eventId: kept.eventId })
    expect(await current.next("subscribed")).toEqual({ channelId: "gap", eventId: kept.eventId })
    expect(await ahead.next("gap")).toEqual({ channelId: "gap", eventId: kept.eventId })
    const next = await tellRoom("gap", "next")
    for (const reader of [stream, current, ahead]) {
      expect(await reader.next("channel")).toMatchObject({ eventId: next.eventId })
    }
    expect(current.events.some(({ name }) => name === "gap")).toBe(false)
  })
})

test("events are forgotten after a day, and channels long after that", async () => {
  const place = JSON.stringify(["room-[roomId]", "old"])
  const idOf = (age: string) => `(extract(epoch from now() - interval '${age}') * 1000000)::bigint`
  await app.app.stopWorker()
  await app.database.query(`insert into "_kit_channels" (room, last_event) values ('${place}', ${idOf("61 days")})`)
  await app.database.query(
    `insert into "_kit_channel_events" (room, id, previous, event, data)
     values ('${place}', ${idOf("25 hours")}, 0, 'message', '{}'), ('${place}', ${idOf("23 hours")}, 0, 'message', '{}')`,
  )
  await app.database.query(`update "_kit_cron" set last_at = last_at - interval '2 hours'`)

  await app.app.startWorker()

  const left = (table: string) => app.database.query(`select from "${table}" where room = '${place}'`)
  await vi.waitFor(
    async () => expect([await left("_kit_channel_events"), await left("_kit_channels")]).toEqual([[{}], []]),
    { timeout: 60_000 },
  )
})
