import type { App } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

/** A store under test, and access to its internals. */
export interface KvWorld extends AsyncDisposable {
  readonly app: App
  /** Makes every lifetime of up to an hour expire. */
  passAnHour(): Promise<void>
  /** Returns the milliseconds until the value expires; null if it does not. */
  remainingMs(key: string): Promise<number | null>
}

/** Tests the behaviour that all stores share. */
export function describeKeyValues(name: string, open: () => Promise<KvWorld>): void {
  describe(name, () => {
    let world: KvWorld
    let kv: App["kv"]

    beforeAll(async () => {
      world = await open()
      kv = world.app.kv
    })

    afterAll(() => world[Symbol.asyncDispose]())

    describeValues(() => kv)
    describeLifetimes(() => world)
    describeCounting(() => world)
    describeRefusals(() => kv)
  })
}

function describeValues(kv: () => App["kv"]): void {
  test.each<[string, unknown]>([
    ["null", null],
    ["true", true],
    ["zero", 0],
    ["a fraction", -1.5e-7],
    ["a large number", 1e300],
    ["an empty text", ""],
    ["a text with everything in it", "\0\u0001\n\"'\\ä😀\ud800"],
    ["a list", [1, [2, "3"], null]],
    ["an object", { b: 1, a: { c: [] }, "": 2 }],
    ["an own __proto__", JSON.parse('{ "__proto__": { "x": 1 } }')],
  ])("%s comes back as it was set", async (key, value) => {
    await kv().set(key, value)

    expect(await kv().get(key)).toEqual(value)
    expect(JSON.stringify(await kv().get(key))).toBe(JSON.stringify(value))
    expect(await kv().has(key)).toBe(true)
  })

  test("a date comes back as its text", async () => {
    await kv().set("date", { at: new Date(0) })

    expect(await kv().get("date")).toEqual({ at: "1970-01-01T00:00:00.000Z" })
  })

  test("what was never set is not there", async () => {
    expect(await kv().get("never")).toBeUndefined()
    expect(await kv().has("never")).toBe(false)
    expect(await kv().delete("never")).toBe(false)
  })

  test("a value is replaced, and deleted", async () => {
    await kv().set("one", 1)
    await kv().set("one", { two: 2 })
    const replaced = await kv().get("one")

    const deleted = await kv().delete("one")

    expect(replaced).toEqual({ two: 2 })
    expect(deleted).toBe(true)
    expect(await kv().get("one")).toBeUndefined()
  })

  test("keys that look alike are not the same", async () => {
    const keys = ["key", "Key", "key ", "k\u00e9y", "ke\u0301y", "key%", "key_", "key*"]
    for (const [index, key] of keys.entries()) await kv().set(key, index)

    expect(await Promise.all(keys.map((key) => kv().get(key)))).toEqual(keys.map((_, index) => index))
  })

  test("the longest key and the largest value fit", async () => {
    const key = "ä".repeat(256)
    const value = "x".repeat(1024 * 1024 - 2)
    await kv().set(key, value)

    expect(await kv().get(key)).toBe(value)
  })
}

function describeLifetimes(world: () => KvWorld): void {
  const kv = () => world().app.kv

  test("a lifetime is kept to", async () => {
    await kv().set("session", "x", { ttl: 60 })
    await kv().set("short", "x", { ttl: 0.25 })
    await kv().set("forever", "x")

    expect(await world().remainingMs("session")).toBeGreaterThan(50_000)
    expect(await world().remainingMs("session")).toBeLessThanOrEqual(60_000)
    // On a machine that stalls it may have expired by now.
    expect((await world().remainingMs("short")) ?? 0).toBeLessThanOrEqual(250)
    expect(await world().remainingMs("forever")).toBeNull()
  })

  test("what has expired is not there, and can be set anew", async () => {
    await kv().set("gone", 1, { ttl: 3600 })
    await kv().set("gone too", 1, { ttl: 3600 })
    await kv().set("stays", 1)
    await world().passAnHour()

    expect([await kv().get("gone"), await kv().has("gone"), await kv().delete("gone")]).toEqual([
      undefined,
      false,
      false,
    ])
    expect(await kv().get("stays")).toBe(1)
    await kv().set("gone too", 2)
    expect(await kv().get("gone too")).toBe(2)
  })

  test("a new value has a lifetime of its own", async () => {
    await kv().set("renewed", 1, { ttl: 60 })
    await kv().set("renewed", 2)
    const withoutEnd = await world().remainingMs("renewed")
    await kv().set("renewed", 3, { ttl: 3600 })

    expect(withoutEnd).toBeNull()
    expect(await world().remainingMs("renewed")).toBeGreaterThan(60_000)
  })
}

function describeCounting(world: () => KvWorld): void {
  const kv = () => world().app.kv

  test("counting starts at 0, and goes both ways", async () => {
    const sums = [
      await kv().increment("visits"),
      await kv().increment("visits", 5),
      await kv().increment("visits", -10),
    ]

    expect(sums).toEqual([1, 6, -4])
    expect(await kv().get("visits")).toBe(-4)
    expect(await kv().increment("visits", 0)).toBe(-4)
  })

  test("a number that was set is counted on", async () => {
    await kv().set("stock", 41)

    expect(await kv().increment("stock")).toBe(42)
  })

  test("a hundred callers at once are all counted", async () => {
    const sums = await Promise.all(Array.from({ length: 100 }, () => kv().increment("race")))

    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  test("a counter ends when its first count said, and starts anew", async () => {
    await kv().increment("window", 1, { ttl: 3600 })
    await kv().increment("window", 1, { ttl: 36_000 })
    const remaining = await world().remainingMs("window")
    await world().passAnHour()

    expect(remaining).toBeLessThanOrEqual(3_600_000)
    expect(remaining).toBeGreaterThan(3_500_000)
    expect(await kv().increment("window", 7, { ttl: 60 })).toBe(7)
    expect(await world().remainingMs("window")).toBeLessThanOrEqual(60_000)
  })

  test("a counter without an end gets none later", async () => {
    await kv().increment("endless")
    await kv().increment("endless", 1, { ttl: 60 })

    expect(await world().remainingMs("endless")).toBeNull()
  })

  test.each<[string, unknown]>([
    ["a text", "5"],
    ["a fraction", 1.5],
    ["null", null],
    ["an object", { n: 1 }],
    ["true", true],
    ["a number beyond all whole ones", 1e21],
    ["the largest whole number", Number.MAX_SAFE_INTEGER],
  ])("%s is not counted on, and stays", async (name, value) => {
    await kv().set(name, value)

    const counting = kv().increment(name)

    await expect(counting).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining(`"${name}"`) })
    expect(await kv().get(name)).toEqual(value)
  })

  test("the limits of whole numbers are reached", async () => {
    await kv().set("high", Number.MAX_SAFE_INTEGER - 1)
    await kv().set("low", -Number.MAX_SAFE_INTEGER + 1)

    expect(await kv().increment("high")).toBe(Number.MAX_SAFE_INTEGER)
    expect(await kv().increment("low", -1)).toBe(-Number.MAX_SAFE_INTEGER)
    await expect(kv().increment("low", -1)).rejects.toMatchObject({ code: "CONFLICT" })
  })
}

function describeRefusals(kv: () => App["kv"]): void {
  const loop: { self?: unknown } = {}
  loop.self = loop

  test.each<[string, (kv: App["kv"]) => Promise<unknown>, string, RegExp]>([
    ["an empty key", (kv) => kv.get(""), "key", /not empty/],
    ["a long key", (kv) => kv.set("ä".repeat(257), 1), "key", /512 bytes/],
    ["a NUL in a key", (kv) => kv.has("a\0b"), "key", /NUL/],
    ["a key that is no text", (kv) => kv.delete(7 as unknown as string), "key", /text/],
    ["nothing as a value", (kv) => kv.set("bad", undefined), "value", /delete/],
    ["a function as a value", (kv) => kv.set("bad", () => 1), "value", /function/],
    ["a bigint as a value", (kv) => kv.set("bad", 1n), "value", /BigInt/],
    ["a loop as a value", (kv) => kv.set("bad", loop), "value", /circular/],
    ["a value that is too large", (kv) => kv.set("bad", "x".repeat(1024 * 1024)), "value", /1048576 bytes/],
    ["a lifetime of nothing", (kv) => kv.set("bad", 1, { ttl: 0 }), "ttl", /seconds/],
    ["a lifetime in the past", (kv) => kv.increment("bad", 1, { ttl: -1 }), "ttl", /seconds/],
    ["a lifetime that is no number", (kv) => kv.set("bad", 1, { ttl: Number.NaN }), "ttl", /seconds/],
    ["a lifetime without end", (kv) => kv.set("bad", 1, { ttl: Number.POSITIVE_INFINITY }), "ttl", /seconds/],
    ["a step that is not whole", (kv) => kv.increment("bad", 0.5), "by", /whole number/],
  ])("%s is refused, and nothing is kept", async (_name, call, path, message) => {
    await expect(call(kv())).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      fieldErrors: [{ path, message: expect.stringMatching(message) }],
    })
    expect(await kv().has("bad")).toBe(false)
  })
}
