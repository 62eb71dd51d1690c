import { ApiError, channel, collection, route } from "kit"
import { createClient } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const LONG = "x".repeat(70_000)
const AT = new Date(0)

// The value that a route returns, and the plain JSON that a caller without extended JSON gets for it.
const VALUES: Record<string, [value: unknown, plain: unknown]> = {
  "map-of-names": [new Map([["a", 1]]), { a: 1 }],
  "map-of-numbers": [new Map([[1, "a"]]), [[1, "a"]]],
  "map-of-both": [
    new Map<unknown, number>([
      ["a", 1],
      [AT, 2],
    ]),
    [
      ["a", 1],
      [AT.toISOString(), 2],
    ],
  ],
  "empty-map": [new Map(), {}],
  set: [new Set(["a", { b: 1n }]), ["a", { b: "1" }]],
  "nested-values": [
    { list: [new Map([["inner", new Set([new Map([["deep", AT]])])]])], plain: {} },
    { list: [{ inner: [{ deep: AT.toISOString() }] }], plain: {} },
  ],
  "bad-names": [new Map([["__proto__", 1]]), JSON.parse('{"__proto__":1}')],
  "own-json": [Object.assign(new Map([["a", 1]]), { toJSON: () => ["own"] }), ["own"]],
  "looks-alike": [
    { text: "{}", empty: {} },
    { text: "{}", empty: {} },
  ],
}

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.textarea() }))
  .access({ read: true, create: true })
  .hooks({ afterRead: ({ row }) => ({ ...row, seen: new Map([["by", new Set(["Ann"])]]) }) })

const room = channel("room")
  .events({ names: z.object({ names: z.set(z.string()) }) })
  .access({ subscribe: true })

let app: TestApp
beforeAll(async () => {
  const routes = Object.entries(VALUES).map(([name, [value]]) => [name, route().handler(() => value)])
  const refused = route().handler(() => {
    throw new ApiError("CONFLICT", { message: "No.", context: { taken: new Set(["a"]) } })
  })
  app = await testApp({
    resources: [notes],
    routes: { ...Object.fromEntries(routes), refused },
    channels: { room },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const call = async (path: string) => (await app.fetch(path, { method: "POST" })).body

describe("a Map or a Set that the author's code returns", () => {
  test.each(Object.entries(VALUES))("is written as plain JSON: %s", async (name, [, plain]) => {
    expect(await call(`/${name}`)).toStrictEqual(plain)
  })

  test("reaches a caller of extended JSON as what it is", async () => {
    const client = createClient<any>({ baseURL: app.url })

    expect(await client.routes.nestedValues()).toEqual(VALUES["nested-values"]?.[0])
    expect(await client.routes.mapOfBoth()).toEqual(VALUES["map-of-both"]?.[0])
  })

  test("is plain JSON in the details of an error", async () => {
    const { error } = await call("/refused")

    expect(error.context).toEqual({ taken: ["a"] })
  })

  test("is plain JSON in records that a hook has changed, in short and long answers", async () => {
    await Promise.all(
      ["short", ...Array(30).fill(LONG)].map((text) => app.app.system.collections["notes"]?.create({ text })),
    )

    const short = await app.fetch("/notes?where[text]=short")
    const long = await app.fetch("/notes")

    expect(short.body.docs).toMatchObject([{ text: "short", seen: { by: ["Ann"] } }])
    expect(long.body.docs).toHaveLength(31)
    expect(long.body.docs.every((doc: any) => doc.seen.by[0] === "Ann")).toBe(true)
  })

  test("is plain JSON in the events of a channel", async () => {
    await using plain = await openEvents({ url: app.url, channels: [{ id: "1", channel: "room" }] })
    await plain.next("subscribed")

    await app.app.channels["room"]?.publish({ event: "names", data: { names: new Set(["Ann"]) } })

    expect((await plain.next("channel")).data).toEqual({ names: ["Ann"] })
  })
})
