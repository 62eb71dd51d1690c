import { collection, global, route, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const CARDS = { id: "cards", resourceType: "collection", resource: "cards" }
const PAGE_ORIGIN = "https://page.example"

/** Delays the next read of the cards, or the next evaluation of the rule of `doors`, until it is opened. */
let gate: { reached(): void; readonly opened: Promise<void> } | undefined

async function passGate(): Promise<void> {
  const held = gate
  gate = undefined
  held?.reached()
  await held?.opened
}

function closeGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    gate = { reached: resolve, opened }
  })
  return { reached, open: () => open() }
}

const cards = collection("cards")
  .fields(({ f }) => ({ title: f.text(20), done: f.boolean().default(false) }))
  .access(everyone)
const gatedCards = cards.hooks({
  afterRead: async ({ row }) => {
    await passGate()
    return row
  },
})
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .access(everyone)
const keys = collection("keys")
  .fields(({ f }) => ({ holder: f.text() }))
  .access(everyone)
const doors = collection("doors")
  .fields(({ f }) => ({ name: f.text() }))
  .access({
    ...everyone,
    read: async ({ asSystem }) => {
      const found = await asSystem().collections["keys"]?.count({})
      await passGate()
      return found !== 0
    },
  })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })
const pictures = collection("pictures")
  .upload({ types: ["text/*"] })
  .access({ ...everyone, upload: true })

const twice = route().handler(async ({ input, transaction }) => {
  const title = String((input as { title: string }).title)
  for (const part of ["first", "second"]) {
    await transaction(
      ({ collections }) => collections["cards"]?.create({ title: `${part} ${title}` }) ?? Promise.reject(),
    )
  }
})
const half = route().handler(async ({ collections }) => {
  await collections["cards"]?.create({ title: "half" })
  return Response.json("no", { status: 409 })
})
const peek = route()
  .get()
  .handler(() => ({ isFine: true }))

const RESOURCES = [notes, keys, doors, settings, pictures]
const ann: Session = { user: { id: "ann" }, session: { id: "ann 1" } }
const annElsewhere: Session = { user: { id: "ann" }, session: { id: "ann 2" } }
const bob: Session = { user: { id: "bob" }, session: { id: "bob 1" } }

describe("own writes", () => {
  let app: TestApp
  let other: TestApp
  let card: string

  beforeAll(async () => {
    const config = { limits: { trustedProxies: 1, rate: false as const }, cors: { origins: [PAGE_ORIGIN] } }
    const routes = { twice, half, peek }
    app = await testApp({ resources: [gatedCards, ...RESOURCES], routes, config })
    const db = { url: app.database.url }
    other = await testApp({ resources: [cards, ...RESOURCES], routes, config: { ...config, db } })
  })

  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    await app.database.query("truncate cards, notes, keys, doors")
    await app.app.system.collections["doors"]?.create({ name: "front" })
    card = String((await app.app.system.collections["cards"]?.create({ title: "old" }))?.["id"])
  })

  interface Write {
    readonly by?: Session | undefined
    readonly method?: string
    readonly path?: string
    readonly body?: unknown
    readonly at?: TestApp
    readonly id?: string
    readonly from?: string
  }

  /** Sends a write with an id, and returns the id and the answer. */
  async function send({ by, method = "PATCH", path = `/cards/${card}`, ...rest }: Write = {}) {
    const { body = { title: "new" }, at = app, id = crypto.randomUUID(), from } = rest
    const headers = { "x-kit-write": id, ...(from !== undefined && { "x-forwarded-for": from }) }
    const content = body instanceof FormData ? body : JSON.stringify(body)
    const init = { method, headers, ...(method !== "GET" && { body: content }), ...(by && { session: by }) }
    return { id, ...(await at.fetch(path, init)) }
  }

  const listen = (session: Session | undefined, topics: readonly object[] = [CARDS], { url } = app) =>
    openEvents({ url, topics, session })

  async function listenServed(session: Session | undefined, topics: readonly object[] = [CARDS], at = app) {
    const stream = await listen(session, topics, at)
    for (const _ of topics) await stream.next("snapshot")
    return stream
  }

  const applied = (stream: EventReader) =>
    stream.events.flatMap(({ name, data }) => (name === "applied" ? data.writes : []))

  test("are announced after the snapshot that shows them", async () => {
    await using stream = await listenServed(ann)

    const { id } = await send({ by: ann })
    await stream.next("applied")

    const names = stream.events.map(({ name }) => name)
    expect(names).toEqual(["session", "snapshot", "snapshot", "applied"])
    expect(stream.events[2]).toMatchObject({ data: { data: { docs: [{ title: "new" }] } } })
    expect(applied(stream)).toEqual([id])
  })

  test("are announced if they change nothing that is shown, and if nothing is followed", async () => {
    await using stream = await listenServed(ann, [{ ...CARDS, where: { done: true } }])
    await using empty = await listen(ann, [])
    await empty.next("session")

    const { id } = await send({ by: ann })
    const { id: noteId } = await send({ by: ann, method: "POST", path: "/notes", body: { text: "a" } })
    await stream.next("applied", ({ writes }) => writes.includes(noteId))
    await empty.next("applied", ({ writes }) => writes.includes(noteId))

    expect(stream.events.filter(({ name }) => name === "snapshot")).toHaveLength(1)
    expect(applied(stream)).toEqual([id, noteId])
    expect(applied(empty)).toEqual([id, noteId])
  })

  const form = () => {
    const made = new FormData()
    made.append("file", new Blob(["hello"], { type: "text/plain" }), "a.txt")
    return made
  }

  test.each([
    ["a create", () => ({ method: "POST", path: "/cards" })],
    ["an update", () => ({})],
    ["a delete", () => ({ method: "DELETE", body: {} })],
    ["an update of many", () => ({ path: "/cards", body: { where: { title: "old" }, data: { done: true } } })],
    ["a global", () => ({ path: "/globals/settings", body: { motto: "now" } })],
    ["an upload", () => ({ method: "POST", path: "/pictures/upload", body: form() })],
    ["a route", () => ({ method: "POST", path: "/twice", body: { title: "a" } })],
  ])("can be %s", async (_what, write) => {
    await using stream = await listenServed(ann)

    const { status, id } = await send({ by: ann, ...write() })
    expect(status).toBeLessThan(300)
    await stream.next("applied")

    expect(applied(stream)).toEqual([id])
  })

  test("of a route with two transactions are announced after both", async () => {
    await using stream = await listenServed(ann)

    await send({ by: ann, method: "POST", path: "/twice", body: { title: "a" } })
    await stream.next("applied")

    const last = stream.events.filter(({ name }) => name === "snapshot").at(-1)
    expect(last).toMatchObject({ data: { data: { totalDocs: 3 } } })
  })

  test("are not announced if they fail, are dry runs or only read", async () => {
    await using stream = await listenServed(ann)

    const failed = [
      await send({ by: ann, body: { title: "x".repeat(21) } }),
      await send({ by: ann, path: `/cards/${crypto.randomUUID()}` }),
      await send({ by: ann, method: "POST", path: "/half", body: {} }),
    ]
    const others = [
      await send({ by: ann, path: `/cards/${card}?dryRun=true` }),
      await send({ by: ann, method: "GET" }),
      await send({ by: ann, method: "GET", path: "/peek" }),
      await send({ by: ann, method: "POST", path: "/cards/query", body: {} }),
    ]
    const { id } = await send({ by: ann })
    await stream.next("applied", ({ writes }) => writes.includes(id))

    expect(failed.map(({ status }) => status)).toEqual([400, 404, 409])
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(applied(stream)).toEqual([id])
  })

  test("are named by a UUID, and by nothing else", async () => {
    const wrong = await Promise.all(["1", "", `${crypto.randomUUID()}0`, "a'b"].map((id) => send({ by: ann, id })))
    const read = await send({ by: ann, method: "GET", id: "1" })

    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(wrong[0]?.body.error.message).toContain("X-Kit-Write must be a UUID")
    expect(read.body.title).toBe("old")
    expect(read.status).toBe(200)
  })

  test("are announced to the session that made them, and to no other", async () => {
    await using own = await listenServed(ann)
    await using elsewhere = await listenServed(annElsewhere)
    await using stranger = await listenServed(bob)
    await using nobody = await listenServed(undefined)

    const { id } = await send({ by: ann })
    await own.next("applied")
    for (const [stream, by] of [
      [elsewhere, annElsewhere],
      [stranger, bob],
      [nobody, undefined],
    ] as const) {
      const { id: ownId } = await send({ by })
      await stream.next("applied")
      expect(applied(stream)).toEqual([ownId])
    }

    expect(applied(own)).toEqual([id])
  })

  test("of nobody in particular are announced to the same address, and to no other", async () => {
    const from = (address: string) => ({ "x-forwarded-for": address })
    await using near = await openEvents({ url: app.url, topics: [CARDS], headers: from("192.0.2.1") })
    await using far = await openEvents({ url: app.url, topics: [CARDS], headers: from("192.0.2.2") })
    await near.next("snapshot")
    await far.next("snapshot")

    const one = await send({ from: "192.0.2.1" })
    await near.next("applied")
    const two = await send({ from: "192.0.2.2" })
    await far.next("applied")

    expect(applied(near)).toEqual([one.id])
    expect(applied(far)).toEqual([two.id])
  })

  test("are announced by the process that holds the stream, whichever process has written", async () => {
    await using stream = await listenServed(ann, [CARDS], other)

    const { id } = await send({ by: ann })
    await stream.next("applied")

    expect(stream.events.map(({ name }) => name)).toEqual(["session", "snapshot", "snapshot", "applied"])
    expect(applied(stream)).toEqual([id])
  })

  test("wait for a read that is under way", async () => {
    await using stream = await listenServed(ann)
    const { reached, open } = closeGate()

    const { id } = await send({ by: ann, method: "POST", path: "/notes", body: { text: "a" } })
    await other.app.system.collections["cards"]?.updateById({ id: card, data: { title: "held" } })
    await reached
    const { id: late } = await send({ by: ann, method: "POST", path: "/notes", body: { text: "b" } })
    // The order of the feed shows that both notes have been seen: another stream announces them.
    await using witness = await listen(ann, [])
    await witness.next("session")
    const { id: last } = await send({ by: ann, method: "POST", path: "/notes", body: { text: "c" } })
    await witness.next("applied", ({ writes }) => writes.includes(last))
    const before = applied(stream)
    open()
    await stream.next("applied", ({ writes }) => writes.includes(last))

    expect(before).not.toContain(late)
    expect(applied(stream)).toEqual([id, late, last])
    const names = stream.events.map(({ name }) => name)
    expect(names.lastIndexOf("snapshot")).toBeLessThan(names.lastIndexOf("applied"))
  })

  test("wait for rights that are judged again", async () => {
    await using stream = await listenServed(ann, [CARDS])
    await using door = await listen(ann, [{ ...CARDS, id: "doors", resource: "doors" }])
    await door.next("error")
    door.close()
    const key = await app.app.system.collections["keys"]?.create({ holder: "ann" })
    await using doorStream = await listenServed(ann, [{ ...CARDS, id: "doors", resource: "doors" }])
    const { reached, open } = closeGate()

    const { id } = await send({ by: ann, method: "DELETE", path: `/keys/${key?.["id"]}`, body: {} })
    await reached
    await stream.next("applied", ({ writes }) => writes.includes(id))
    const before = applied(doorStream)
    open()
    await doorStream.next("applied")

    expect(before).toEqual([])
    // The write took the topic away: that comes first, too.
    expect(doorStream.events.map(({ name }) => name)).toEqual(["session", "snapshot", "error", "applied"])
  })

  test("do not wait for a topic that the client has left meanwhile", async () => {
    await using stream = await listenServed(ann)
    const { sessionId, token } = await stream.next("session")
    const { reached, open } = closeGate()

    const { id } = await send({ by: ann, at: other, body: { title: "unseen" } })
    await reached
    const change = { sessionId, token, topics: [] }
    await app.fetch("/realtime", { method: "POST", body: JSON.stringify(change), session: ann })
    await stream.next("applied")
    open()

    expect(applied(stream)).toEqual([id])
  })

  test("do not wait forever while others write without pause", async () => {
    await using stream = await listenServed(ann)
    let isOver = false
    const writing = (async () => {
      for (let number = 0; !isOver; number++) {
        await app.app.system.collections["cards"]?.updateById({ id: card, data: { title: `${number}` } })
      }
    })()

    const { id } = await send({ by: ann, body: { done: true } })
    await stream.next("applied")
    isOver = true
    await writing

    expect(applied(stream)).toEqual([id])
    const snapshots = stream.events.slice(
      0,
      stream.events.findIndex(({ name }) => name === "applied"),
    )
    expect(snapshots.at(-1)).toMatchObject({ data: { data: { docs: [{ done: true }] } } })
  })

  test("may be named by pages of the allowed origins", async () => {
    const headers = {
      origin: PAGE_ORIGIN,
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "x-kit-write",
    }
    const { headers: answered } = await app.fetch("/cards", { method: "OPTIONS", headers })

    expect(answered.get("access-control-allow-headers")?.split(", ")).toContain("x-kit-write")
  })
})
