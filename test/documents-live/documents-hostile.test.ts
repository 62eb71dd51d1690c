import { createHook } from "node:async_hooks"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { applyUpdate, Doc, encodeStateAsUpdate } from "yjs"
import { openEvents } from "../support/oracles/live-events.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, framesOf, fromBase64, type Place, postUpdate, varuint, wireDocument } from "./bare-client.ts"

const pages = collection("pages")
  .fields(({ f }) => ({ body: f.textarea().collaborative(), isOpen: f.boolean().default(true) }))
  .access({ read: () => ({ isOpen: true }), create: true, update: true })

const as = (id: string) => ({ user: { id } }) as Session
const WAIT = { timeout: 60_000 }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages], config: { limits: { rate: false } } })
})

afterAll(() => app[Symbol.asyncDispose]())

async function page(values: Record<string, unknown> = {}): Promise<Place & { id: string }> {
  const made = await app.app.system.collections["pages"]?.create({ body: "Hello", ...values })
  return { collection: "pages", id: String(made?.["id"]), field: "body" }
}

/** Counts the timers of realtime that run. */
function countTimers() {
  const running = new Set<number>()
  const hook = createHook({
    init: (id, type) => {
      if (type === "Timeout" && new Error("here").stack?.includes("/realtime/")) running.add(id)
    },
    destroy: (id) => void running.delete(id),
  }).enable()
  return { running, [Symbol.dispose]: () => hook.disable() }
}

test("a thousand requests for documents of unreadable and missing records leave nothing behind", async () => {
  const hidden = await page({ isOpen: false })
  const count = (table: string) => app.database.query(`select count(*)::int as count from ${table}`)
  const places = Array.from({ length: 1_000 }, (_, at) => (at % 2 ? hidden : { ...hidden, id: crypto.randomUUID() }))
  using timers = countTimers()

  for (let start = 0; start < places.length; start += 100) {
    const documents = places.slice(start, start + 100).map((place, at) => wireDocument(place, { id: `${start + at}` }))
    await using stream = await openEvents({ url: app.url, documents, session: as(`eva${start}`) })
    for (const _document of documents) expect(await stream.next("error")).toMatchObject({ code: "NOT_FOUND" })
    expect(stream.events.map(({ name }) => name)).not.toContain("document")
  }

  await vi.waitFor(() => expect(timers.running.size).toBe(0), WAIT)
  for (const table of ["_kit_documents", "_kit_channel_members"]) expect((await count(table))[0]).toEqual({ count: 0 })
})

test("a document that was followed leaves nothing behind, either", async () => {
  const place = await page()
  using timers = countTimers()
  {
    await using eva = await BareClient.open({ url: app.url, session: as("eva") }, place)
    await using ben = await BareClient.open({ url: app.url, session: as("ben") }, place)
    await eva.sendState({ cursor: 1 })
    await ben.stream.next("awareness")
    expect(timers.running.size).toBeGreaterThan(0)
  }

  await vi.waitFor(() => expect(timers.running.size).toBe(0), WAIT)
  await vi.waitFor(async () => {
    const [members] = await app.database.query("select count(*)::int as count from _kit_channel_members")
    expect(members).toEqual({ count: 0 })
  }, WAIT)
})

describe("a body", () => {
  const KB = 1024
  const otherRoot = new Doc()
  otherRoot.getText("title").insert(0, "in another root")
  const empty = new Uint8Array([0, 0])
  const bodies: readonly { what: string; body: Uint8Array; status: number }[] = [
    { what: "without a frame", body: new Uint8Array(), status: 400 },
    { what: "with one frame", body: new Uint8Array([0]), status: 400 },
    { what: "with three frames", body: new Uint8Array([0, 0, 0]), status: 400 },
    { what: "with a length beyond its end", body: Buffer.concat([varuint(1e9), empty]), status: 400 },
    { what: "with an endless length", body: Buffer.alloc(100, 0xff), status: 400 },
    { what: "with a length of zeros", body: Buffer.alloc(100_000, 0x80), status: 400 },
    { what: "with an update that is none", body: framesOf({ update: Buffer.from("not an update") }), status: 400 },
    { what: "with an update of another root", body: framesOf({ update: encodeStateAsUpdate(otherRoot) }), status: 400 },
    { what: "with too large an update", body: framesOf({ update: Buffer.alloc(256 * KB + 1) }), status: 413 },
    {
      what: "with too large an awareness update",
      body: framesOf({ awareness: Buffer.alloc(16 * KB + 1) }),
      status: 413,
    },
    { what: "with megabytes", body: Buffer.alloc(10 * KB * KB), status: 413 },
  ]

  test.each(bodies)("$what is refused", async ({ body, status }) => {
    const place = await page()
    await using eva = await BareClient.open({ url: app.url, session: as("eva") }, place)

    const answer = await eva.post({ body })

    expect(answer.status).toBe(status)
    expect(answer.body.error.message).not.toBe("")
    const [document] = await app.database.query("select seq::int from _kit_documents where record = $1", [place.id])
    expect(document).toEqual({ seq: 0 })
  })

  test("of random bytes never makes the server fail", async () => {
    const place = await page()
    await using eva = await BareClient.open({ url: app.url, session: as("eva") }, place)
    const { seed, below } = seededRandom()
    const bytes = () => Buffer.from(Array.from({ length: below(60) }, () => below(256)))
    const frames = () => framesOf({ update: bytes(), awareness: bytes() })

    for (let round = 0; round < 200; round++) {
      const body = round % 2 === 0 ? frames() : bytes()
      const { status } = await postUpdate({ url: app.url, session: as(`sender ${round}`) }, place, {
        body,
        query: { epoch: eva.epoch, stream: eva.streamId },
      })
      expect(status, `seed ${seed}: ${Buffer.from(body).toString("hex")}`).toBeLessThan(500)
    }
    eva.doc.getText("body").insert(0, "still ")
    expect((await eva.send()).status).toBe(200)
  })

  test("of another content type is 415", async () => {
    const place = await page()
    await using eva = await BareClient.open({ url: app.url }, place)
    const types = [
      { "content-type": "application/json" },
      { "content-type": "text/plain" },
      { "content-encoding": "gzip" },
    ]

    const answers = await Promise.all(types.map((headers) => eva.post({ headers, body: framesOf({}) })))

    expect(answers.map(({ status }) => status)).toEqual([415, 415, 415])
  })
})

test("options that do not exist or are no texts are refused, and so is an update without an epoch", async () => {
  const place = await page()
  const doc = new Doc()
  doc.getText("body").insert(0, "!")
  const update = encodeStateAsUpdate(doc)
  const queries: readonly Record<string, string>[] = [
    { epok: "x" },
    { "epoch[a]": "x" },
    { "stream[0]": "x" },
    {},
    { "locale[a]": "x" },
  ]

  const answers = await Promise.all(queries.map((query) => postUpdate({ url: app.url }, place, { update, query })))

  expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 400))
})

test("a user who sends too many requests is refused for a moment, and others are not", async () => {
  const now = new Date()
  await using still = await testApp({ resources: [pages], config: { limits: { rate: false } }, now: () => now })
  const made = await still.app.system.collections["pages"]?.create({ body: "Hello" })
  const place = { collection: "pages", id: String(made?.["id"]), field: "body" }
  const send = (id: string) => postUpdate({ url: still.url, session: as(id) }, place, {})

  const answers = await Promise.all(Array.from({ length: 60 }, () => send("flood")))

  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(429)])
  expect((await send("calm")).status).toBe(200)
})

describe("a client that reads slowly", () => {
  test("is brought up to date when it reads again", async () => {
    const place = await page({ body: "" })
    await using writer = await BareClient.open({ url: app.url, session: as("writer") }, place)
    const leaving = new AbortController()
    const response = await fetch(`${app.url}/realtime`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ topics: [], documents: [wireDocument(place)] }),
      signal: leaving.signal,
    })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toContain("event: session")

    for (let round = 0; round < 40; round++) {
      writer.doc.getText("body").insert(0, String(round % 10).repeat(90_000))
      expect((await writer.send()).status).toBe(200)
      writer.doc.getText("body").delete(0, 90_000)
      expect((await writer.send()).status).toBe(200)
    }
    writer.doc.getText("body").insert(0, "the end")
    await writer.send()
    const doc = new Doc()
    let text = ""
    const decoder = new TextDecoder()
    while (doc.getText("body").toString() !== "the end") {
      const { value, done } = (await reader?.read()) ?? { done: true }
      expect(done).toBe(false)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) applyBlock(doc, block)
    }
    leaving.abort()

    expect(doc.getText("body").toString()).toBe("the end")
  })

  function applyBlock(doc: Doc, block: string): void {
    const update = /^event: (?:document|edit)\n.*"update":"([^"]*)"/.exec(block)?.[1]
    if (update !== undefined) applyUpdate(doc, fromBase64(update))
  }
})
