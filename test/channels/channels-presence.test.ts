// @module-tag not-about-shortcuts

import { channel, collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const room = channel("room-[roomId]")
  .events({ message: z.object({ text: z.string() }) })
  .access({ subscribe: ({ params }) => params.roomId !== "secret", publish: true })
  .presence(({ session, params }) => ({ name: session?.user.name ?? "somebody", room: params.roomId }))

const moods = collection("moods")
  .fields(({ f }) => ({ who: f.text().required(), mood: f.text().required() }))
  .access({})
const lounge = channel("lounge")
  .events({ message: z.object({}) })
  .access({ subscribe: true })
  .presence(async ({ session, asSystem }) => {
    const found = await asSystem().collections["moods"]?.findOne({ where: { who: `${session?.user.id}` } })
    return { mood: found?.["mood"] ?? "none" }
  })

const WAIT = { timeout: 60_000 }
const person = (id: string) => ({ user: { id, name: id.toUpperCase() } }) as unknown as Session
const [eva, ben] = [person("eva"), person("ben")]

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [moods], channels: { room, lounge } })
})

afterAll(() => app[Symbol.asyncDispose]())

const follow = (roomId: string, session?: Session) =>
  openEvents({ url: app.url, channels: [{ id: "it", channel: "room", params: { roomId } }], session })
const ids = ({ members }: { members: readonly { id: string }[] }) => members.map(({ id }) => id)
const names = (...wanted: string[]) => {
  const text = JSON.stringify(wanted)
  return (data: { members: readonly { id: string }[] }) => JSON.stringify(ids(data)) === text
}

describe("those who follow a channel", () => {
  test("see who comes and who goes, as the channel says and never as they say themselves", async () => {
    await using one = await follow("a", eva)
    const alone = await one.next("presence", names("eva"))
    const two = await follow("a", ben)

    const both = await two.next("presence", names("eva", "ben"))
    await one.next("presence", names("eva", "ben"))
    await two[Symbol.asyncDispose]()
    await one.next("presence", names("eva"))

    expect(alone).toEqual({ channelId: "it", members: [{ id: "eva", data: { name: "EVA", room: "a" } }] })
    expect(both.members[1]).toEqual({ id: "ben", data: { name: "BEN", room: "a" } })
  })

  test("are there once, however many connections they have, until the last one ends", async () => {
    await using watcher = await follow("b", ben)
    await watcher.next("presence", names("ben"))
    const first = await follow("b", eva)
    const second = await follow("b", eva)
    await second.next("presence", names("ben", "eva"))

    await first[Symbol.asyncDispose]()
    await follow("b", person("zoe")).then((zoe) => zoe.next("presence", names("ben", "eva", "zoe")))
    await second[Symbol.asyncDispose]()

    await watcher.next("presence", names("ben", "zoe"))
  })

  test("are seen in this channel alone, and nobody sees who may not follow it", async () => {
    await using elsewhere = await follow("c", ben)
    await using secret = await follow("secret", eva)
    await using anonymous = await follow("d")

    expect(await secret.next("error")).toMatchObject({ topicId: "it", code: "FORBIDDEN" })
    const { members } = await anonymous.next("presence", ({ members }) => members.length === 1)
    await elsewhere.next("presence", names("ben"))
    expect(members).toMatchObject([{ data: { name: "somebody" } }])
    expect(secret.events.some(({ name }) => name === "presence")).toBe(false)
    expect(elsewhere.events.filter(({ name }) => name === "presence").length).toBeLessThan(3)
  })

  test("are forgotten when their process is, and come again when it was only slow", async () => {
    await using stream = await follow("e", eva)
    await stream.next("presence", names("eva"))
    const place = JSON.stringify(["room-[roomId]", "e"])
    await app.database.query(`insert into "_kit_channel_instances" values ('gone', now() - interval '11 seconds')`)
    await app.database.query(
      `insert into "_kit_channel_members" (room, id, instance, member, data) values ('${place}', 'x', 'gone', 'ghost', '{}')`,
    )
    await app.database.query(`delete from "_kit_channel_members" where room = '${place}' and member = 'eva'`)
    await app.database.query(`delete from "_kit_channel_instances" where instance <> 'gone'`)

    await vi.waitFor(async () => {
      const rows = await app.database.query(`select member from "_kit_channel_members" where room = '${place}'`)
      expect(JSON.stringify(rows)).toContain("eva")
      expect(JSON.stringify(rows)).not.toContain("ghost")
    }, WAIT)
  })

  test("are a thousand at most", async () => {
    const place = JSON.stringify(["room-[roomId]", "full"])
    await app.database.query(`insert into "_kit_channel_instances" values ('other', now() + interval '1 hour')`)
    await app.database.query(
      `insert into "_kit_channel_members" (room, id, instance, member, data)
       select '${place}', n::text, 'other', n::text, '{}' from generate_series(1, 999) n`,
    )
    await using last = await follow("full", eva)
    await last.next("presence", ({ members }) => members.length === 1_000)
    await using excess = await follow("full", ben)

    expect(await excess.next("error")).toMatchObject({ topicId: "it", code: "RATE_LIMITED" })
  })

  test("are shown anew when what the channel asked about them has changed", async () => {
    await using stream = await openEvents({ url: app.url, channels: [{ id: "it", channel: "lounge" }], session: eva })
    const shows = (mood: string) => (data: object) => JSON.stringify(data).includes(`"mood":"${mood}"`)
    await stream.next("presence", shows("none"))

    await app.app.system.collections["moods"]?.create({ who: "eva", mood: "bright" })

    await stream.next("presence", shows("bright"))
  })

  test("are shown to a client, together with what it hears", async () => {
    const client = app.client(eva)
    const { room } = client.channels
    const seen: unknown[] = []
    const heard: unknown[] = []
    room.presence({ roomId: "f" }, (members: unknown) => seen.push(members))
    room.subscribe({ roomId: "f" }, ({ data }: { data: unknown }) => heard.push(data))

    await vi.waitFor(() => expect(seen.at(-1)).toEqual([{ id: "eva", data: { name: "EVA", room: "f" } }]), WAIT)
    await vi.waitFor(async () => {
      await room.publish({ params: { roomId: "f" }, event: "message", data: { text: "Hi" } })
      expect(heard).toContainEqual({ text: "Hi" })
    }, WAIT)
    const late: unknown[] = []
    room.presence({ roomId: "f" }, (members: unknown) => late.push(members))

    await vi.waitFor(() => expect(late).toEqual([seen.at(-1)]), WAIT)
    client.realtime.destroy()
    await using watcher = await follow("f", ben)
    await watcher.next("presence", names("ben"))
  })
})
