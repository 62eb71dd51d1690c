// @module-tag not-about-shortcuts

import { channel, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const room = channel("room-[roomId]")
  .events({ message: z.object({ text: z.string() }) })
  .access({ subscribe: true, publish: true })
  .presence(({ session }) => ({ name: session?.user.id ?? "somebody" }))
const broken = channel("broken")
  .events({ message: z.any() })
  .access({
    subscribe: () => {
      throw new Error("a secret of the rule")
    },
    // @ts-expect-error only true allows, whatever else is returned.
    publish: () => "yes",
  })
const large = channel("large")
  .events({ message: z.any() })
  .access({ subscribe: true })
  .presence(() => "x".repeat(1024 * 1024))

let app: TestApp
/** If set, the app uses it as the current time. */
let moment: Date | undefined
// The app replaces `new Date()`, so this reads the real time.
const currentTime = () => new Date(performance.timeOrigin + performance.now())

beforeAll(async () => {
  app = await testApp({ channels: { room, broken, large }, now: () => moment ?? currentTime() })
})

afterAll(() => app[Symbol.asyncDispose]())

const post = (path: string, body: unknown, session?: Session) =>
  app.fetch(path, { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
const message = { channel: "room", params: { roomId: "a" }, event: "message", data: { text: "Hi" } }
const as = (id: string) => ({ user: { id } }) as Session

// One name looks like "room", but has a different letter in it.
const NAMES = [
  "*",
  "..",
  ".",
  "",
  "a\u0000b",
  "r".repeat(10_240),
  "r\u043eom",
  "room-[roomId]",
  "room-a",
  "__proto__",
  7,
  null,
  {},
]
const PARAMS = [
  "*",
  "..",
  ".",
  "",
  "a\u0000b",
  "a".repeat(10_240),
  "\u0430",
  "a b",
  "a/b",
  "%",
  "a\n",
  "\ud800",
  7,
  null,
  ["a"],
]

describe("a name that is none", () => {
  test.each(NAMES)("of a channel: %j", async (name) => {
    const published = await post("/channels/publish", { ...message, channel: name }, as(`name ${NAMES.indexOf(name)}`))
    await using stream = await openEvents({
      url: app.url,
      channels: [{ id: "x", channel: name, params: { roomId: "a" } }],
    })

    expect([400, 404]).toContain(published.status)
    expect(await stream.next("error")).toMatchObject({
      topicId: "x",
      code: expect.stringMatching(/VALIDATION|NOT_FOUND/),
    })
  })

  test.each(PARAMS)("of a room: %j", async (roomId) => {
    const params = { roomId }
    const published = await post("/channels/publish", { ...message, params }, as(`param ${PARAMS.indexOf(roomId)}`))
    await using stream = await openEvents({ url: app.url, channels: [{ id: "x", channel: "room", params }] })

    expect([published.status, published.body.error.fieldErrors]).toMatchObject([400, [{ path: "params.roomId" }]])
    expect(await stream.next("error")).toMatchObject({ topicId: "x", code: "VALIDATION_ERROR" })
  })

  test.each([
    { ...message, event: "nothing" },
    { ...message, event: "__proto__" },
    { ...message, event: 5 },
    { ...message, params: { roomId: "a", more: "b" } },
    { ...message, params: {} },
    { ...message, params: [] },
    { ...message, eventId: "1" },
    { ...message, data: { text: 5 } },
    [message],
    "room",
  ])("of an event, a parameter or a member: %j", async (body) => {
    expect((await post("/channels/publish", body, as(JSON.stringify(body)))).status).toBe(400)
  })
})

describe("a stream that asks for channels", () => {
  test.each([
    { channels: {} },
    { channels: [5] },
    { channels: [{ id: "", channel: "room" }] },
    { channels: [{ id: "*", channel: "room" }] },
    { channels: [{ id: "a", channel: "room", presence: { name: "the boss" } }] },
    { channels: [{ id: "a", channel: "room", lastEventId: 5 }] },
    { channels: [{ id: "a", channel: "room", lastEventId: "1; drop table users" }] },
    { channels: [{ id: "a", channel: "room", lastEventId: "9999999999999999" }] },
    { channels: [{ id: "a", channel: "room" }], topics: [{ id: "a", resourceType: "collection", resource: "b" }] },
    { channels: Array.from({ length: 101 }, (_, index) => ({ id: `${index}`, channel: "room" })) },
  ])("in a wrong way is refused as a whole: %j", async (body) => {
    expect((await post("/realtime", { topics: [], ...body }, as(JSON.stringify(body).slice(0, 100)))).status).toBe(400)
  })

  test("is not told what the rule says to the log, and no failure of a rule allows", async () => {
    await using stream = await openEvents({
      url: app.url,
      channels: [{ id: "x", channel: "broken" }],
      session: as("eva"),
    })
    const { status } = await post("/channels/publish", { channel: "broken", event: "message", data: 1 }, as("eva"))

    const error = await stream.next("error")
    expect(error).toMatchObject({ topicId: "x", code: "FORBIDDEN" })
    expect(error.message).not.toContain("secret")
    expect(status).toBe(403)
  })
})

// Freezes the clock, so that all calls fall into the same second.
function holdTime(): void {
  moment = currentTime()
  onTestFinished(() => {
    moment = undefined
  })
}

describe("what is too much", () => {
  test("an event of more than 16 KB, and a body of more than a megabyte", async () => {
    const fits = await post("/channels/publish", { ...message, data: { text: "x".repeat(16_000) } }, as("long"))
    const tooLong = await post("/channels/publish", { ...message, data: { text: "x".repeat(16_384) } }, as("long"))
    const huge = await post("/channels/publish", { ...message, data: { text: "x".repeat(1_100_000) } }, as("long"))
    const presence = { id: "a", channel: "room", presence: "x".repeat(1_100_000) }
    const shown = await post("/realtime", { topics: [], channels: [presence] }, as("long"))

    expect([fits.status, tooLong.status, huge.status, shown.status]).toEqual([200, 413, 413, 413])
  })

  test("more than 20 events a second of one user; another one may still publish", async () => {
    holdTime()
    const [eva, ben] = [as("eager"), as("calm")]
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await post("/channels/publish", message, eva)).status),
    )

    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
    expect((await post("/channels/publish", message, ben)).status).toBe(200)
  })

  test("a thousand joins in a second", async () => {
    holdTime()
    const join = { topics: [], channels: [{ id: "a", channel: "room", params: { roomId: "joins" } }] }
    const stream = { sessionId: "nowhere", token: "none" }
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => post("/realtime", { ...stream, ...join }, as("mob"))),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
  })

  test("a presence that is longer than an event", async () => {
    await using stream = await openEvents({ url: app.url, channels: [{ id: "x", channel: "large" }] })

    expect(await stream.next("error")).toMatchObject({ topicId: "x", code: "PAYLOAD_TOO_LARGE" })
  })
})
