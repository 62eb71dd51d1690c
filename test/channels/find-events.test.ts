// @module-tag not-about-shortcuts

import { channel, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const isNamed = ({ session }: { session: Session | null }) => session !== null

const room = channel("room-[roomId]")
  .events({ message: z.object({ text: z.string(), at: z.date().optional(), size: z.bigint().optional() }) })
  .access({ subscribe: ({ session, params }) => params.roomId === "open" || isNamed({ session }), publish: isNamed })
const hall = channel("hall")
  .events({ message: z.object({ text: z.string() }) })
  .access({ subscribe: true })
const closed = channel("closed")
  .events({ message: z.object({ text: z.string() }) })
  .access({ publish: true })

const EVA: Session = { user: { id: "eva" } }
const BEN: Session = { user: { id: "ben" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ channels: { room, hall, closed } })
})

afterAll(() => app[Symbol.asyncDispose]())

const rooms = (session: Session | undefined = EVA) => app.client(session).channels["room"] as any
const say = async (roomId: string, text: string, more: object = {}) => {
  const message = { params: { roomId }, event: "message", data: { text, ...more } }
  return String((await app.app.channels["room"]?.publish(message))?.eventId)
}
/** Publishes these texts, one after the other. */
const sayAll = async (roomId: string, texts: readonly string[]) => {
  for (const text of texts) await say(roomId, text)
}
const textsOf = ({ docs }: { docs: readonly any[] }) => docs.map(({ data }) => data.text).join("")
const get = (path: string, session: Session | null = EVA) =>
  app.fetch(`/_kit/channels${path}`, session ? { session } : {})
const refusedAt = (path: string) => ({ status: 400, body: { error: { fieldErrors: [{ path }] } } })

describe("the events of a room", () => {
  test("are listed the newest first, as a subscriber gets them", async () => {
    const [at, size] = [new Date(0), 12345678901234567890n]
    const first = await say("typed", "one", { at, size })
    const second = await say("typed", "two")

    const page = await rooms().findEvents({ params: { roomId: "typed" } })

    expect(page).toEqual({
      docs: [
        { event: "message", eventId: second, data: { text: "two" } },
        { event: "message", eventId: first, data: { text: "one", at, size } },
      ],
      limit: 50,
      hasPrevPage: false,
      hasNextPage: false,
      startCursor: expect.any(String),
      endCursor: expect.any(String),
    })
    const plain = await get("/room/events?params[roomId]=typed&limit=1&after=")
    expect(plain.body.docs).toEqual([{ event: "message", eventId: second, data: { text: "two" } }])
    const older = await get(`/room/events?params[roomId]=typed&after=${plain.body.endCursor}`)
    expect(older.body.docs[0].data).toEqual({ text: "one", at: at.toISOString(), size: String(size) })
  })

  test("are read page by page, from both ends and in ranges", async () => {
    await sayAll("pages", [..."abcdefgh"])
    const read = (range: object) => rooms().findEvents({ params: { roomId: "pages" }, ...range })

    const first = await read({ limit: 3, after: null })
    const second = await read({ limit: 3, after: first.endCursor })
    const last = await read({ limit: 3, after: second.endCursor })
    const fromEnd = await read({ limit: 3, before: null })
    const back = await read({ limit: 3, before: second.startCursor })
    const range = await read({ after: first.startCursor, before: second.endCursor, limit: 4 })

    const pages = [first, second, last, fromEnd, back, range]
    expect(pages.map(textsOf)).toEqual(["hgf", "edc", "ba", "cba", "hgf", "hgfe"])
    expect(pages.map(({ hasPrevPage, hasNextPage }) => [hasPrevPage, hasNextPage])).toEqual([
      [false, true],
      [true, true],
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  test("that are published or deleted meanwhile shift no page", async () => {
    await sayAll("moving", [..."abcdef"])
    const read = (range: object) => rooms().findEvents({ params: { roomId: "moving" }, limit: 2, ...range })
    const first = await read({ after: null })

    await sayAll("moving", ["g"])
    await app.database.query("delete from _kit_channel_events where room = $1 and data like '%e%e%'", [
      '["room-[roomId]","moving"]',
    ])
    const second = await read({ after: first.endCursor })
    const newer = await read({ before: first.startCursor })

    expect([first, second, newer].map(textsOf)).toEqual(["fe", "dc", "g"])
  })

  test("are continued by a subscription", async () => {
    await sayAll("chat", ["a", "b"])
    const { docs } = await rooms().findEvents({ params: { roomId: "chat" }, limit: 1 })
    await sayAll("chat", ["c"])
    const client = app.client(EVA)

    const heard = []
    for await (const event of (client.channels["room"] as any).iter(
      { roomId: "chat" },
      { lastEventId: docs[0].eventId },
    )) {
      heard.push(event.data.text)
      break
    }
    client.realtime.destroy()

    expect(heard).toEqual(["c"])
  })

  test("of a room without any are an empty page with the cursors that it was asked with", async () => {
    const nothing = await rooms().findEvents({ params: { roomId: "silent" } })
    await sayAll("short", ["a"])
    const { endCursor } = await rooms().findEvents({ params: { roomId: "short" } })
    const behind = await rooms().findEvents({ params: { roomId: "short" }, after: endCursor })

    expect(nothing).toMatchObject({
      docs: [],
      hasPrevPage: false,
      hasNextPage: false,
      startCursor: null,
      endCursor: null,
    })
    expect(behind).toMatchObject({ docs: [], hasPrevPage: true, startCursor: endCursor, endCursor })
  })

  test("are walked completely with any limits, in both directions, while others are published", async () => {
    const { below } = seededRandom()
    const texts = Array.from({ length: 40 }, (_, index) => `(${index})`)
    await sayAll("walk", texts)
    for (const direction of ["after", "before"] as const) {
      const pages: any[] = []
      let cursor: string | null = null
      for (let isMore = true; isMore; ) {
        const page: any = await rooms().findEvents({
          params: { roomId: "walk" },
          limit: 1 + below(7),
          [direction]: cursor,
        })
        pages.push(page)
        cursor = direction === "after" ? page.endCursor : page.startCursor
        isMore = direction === "after" ? page.hasNextPage : page.hasPrevPage
        if (direction === "after" && below(2) === 0) await sayAll("walk", ["new"])
      }
      const walked = direction === "after" ? pages : pages.reverse()
      const found = walked.map(textsOf).join("").replaceAll("new", "")
      expect(found).toBe([...texts].reverse().join(""))
    }
  })
})

describe("the right to list events", () => {
  test("is that to subscribe", async () => {
    await sayAll("open", ["a"])
    await app.app.channels["hall"]?.publish({ event: "message", data: { text: "h" } })

    expect((await get("/room/events?params[roomId]=open", null)).status).toBe(200)
    expect((await get("/room/events?params[roomId]=shut", null)).status).toBe(401)
    expect((await get("/room/events?params[roomId]=shut")).status).toBe(200)
    expect((await get("/closed/events", null)).status).toBe(401)
    expect((await get("/closed/events")).status).toBe(403)
    expect(textsOf((await get("/hall/events", null)).body)).toBe("h")
    expect(textsOf(await (app.client().channels["hall"] as any).findEvents({}))).toBe("h")
  })

  test("holds for a cursor, too, which belongs to a room and a user", async () => {
    await sayAll("mine", [..."abc"])
    await sayAll("other", [..."xyz"])
    const { endCursor } = await rooms().findEvents({ params: { roomId: "mine" }, limit: 1 })
    const at = (roomId: string, cursor: unknown, session: Session | null = EVA) =>
      get(`/room/events?params[roomId]=${roomId}&after=${cursor}`, session)

    expect((await at("mine", endCursor)).status).toBe(200)
    expect(await at("other", endCursor)).toMatchObject(refusedAt("after"))
    expect(await at("mine", endCursor, BEN)).toMatchObject(refusedAt("after"))
    expect(await get(`/hall/events?after=${endCursor}`)).toMatchObject(refusedAt("after"))
    expect(await at("mine", `${endCursor}A`)).toMatchObject(refusedAt("after"))
    expect(await at("mine", "1763294400000000")).toMatchObject(refusedAt("after"))
    expect(endCursor).not.toContain("mine")
  })
})

test.each([
  ["an unknown channel", "/romo/events", 404, undefined],
  ["no room", "/room/events", 400, "params.roomId"],
  ["an unknown parameter", "/room/events?params[roomId]=a&params[romId]=b", 400, "params.romId"],
  ["a text for the parameters", "/room/events?params=a", 400, "params"],
  ["a wrong limit", "/room/events?params[roomId]=a&limit=1001", 400, "limit"],
  ["no limit", "/room/events?params[roomId]=a&limit=0", 400, "limit"],
  ["an offset", "/room/events?params[roomId]=a&offset=1", 400, "offset"],
  ["a misspelt option", "/room/events?params[roomId]=a&afer=", 400, "afer"],
])("%s is an error", async (_name, path, status, at) => {
  const answer = await get(path)

  expect({ status: answer.status, path: answer.body.error.fieldErrors?.[0].path }).toEqual({ status, path: at })
})
