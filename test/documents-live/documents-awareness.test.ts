import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type Awareness, encodeAwarenessUpdate } from "y-protocols/awareness"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, type Place, varuint, wireDocument } from "./bare-client.ts"

const pages = collection("pages")
  .fields(({ f }) => ({ body: f.textarea().collaborative(), isOpen: f.boolean().default(true) }))
  .access({
    read: ({ session }) => session?.user.role === "editor" || { isOpen: true },
    create: true,
    update: ({ session }) => session?.user.role === "editor",
  })

const as = (id: string, claims: object = { role: "editor", name: id.toUpperCase() }) =>
  ({ user: { id, ...claims } }) as Session
const WAIT = { timeout: 60_000 }
const config = { limits: { rate: false } } as const

let app: TestApp
let other: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages], config })
  other = await testApp({ resources: [pages], config: { ...config, db: { url: app.database.url } } })
})

afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

async function page(values: Record<string, unknown> = {}): Promise<Place & { id: string }> {
  const made = await app.app.system.collections["pages"]?.create({ body: "Hello", ...values })
  return { collection: "pages", id: String(made?.["id"]), field: "body" }
}
const follow = (place: Place, session?: Session, at = app) => BareClient.open({ url: at.url, session }, place)

/** Waits until the client sees this state of another one. */
const sees = (client: BareClient, of: BareClient, state: unknown) =>
  vi.waitFor(() => {
    client.read()
    expect(stateOf(client.awareness, of)).toEqual(state)
  }, WAIT)
const stateOf = (awareness: Awareness, { doc }: BareClient) => awareness.getStates().get(doc.clientID)

/** Returns an awareness update with these entries, whatever they are. */
function entries(list: readonly (readonly [clientId: number, clock: number, state: string])[]): Uint8Array {
  const parts = list.flatMap(([clientId, clock, state]) => {
    const text = Buffer.from(state)
    return [varuint(clientId), varuint(clock), varuint(text.length), text]
  })
  return Buffer.concat([varuint(list.length), ...parts])
}

describe.each([
  { how: "in one process", there: () => app },
  { how: "in two processes", there: () => other },
])("cursors $how", ({ there }) => {
  test("are seen by the others, with the identity of the session, and vanish with their stream", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    const ben = await follow(place, as("ben"), there())

    const { status, body } = await ben.sendState({ cursor: 3, user: { id: "eva", name: "EVA", color: "red" } })
    await sees(eva, ben, { cursor: 3, user: { id: "ben", name: "BEN", color: "red" } })
    await using late = await follow(place, as("late"))
    await sees(late, ben, { cursor: 3, user: { id: "ben", name: "BEN", color: "red" } })
    await ben[Symbol.asyncDispose]()

    expect([status, body]).toEqual([200, { seq: null }])
    await sees(eva, ben, undefined)
    await sees(late, ben, undefined)
  })

  test("are known to a client that opens the document in another place later", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await eva.sendState({ cursor: 1 })

    await using ben = await follow(place, as("ben"), there())

    await sees(ben, eva, { cursor: 1, user: { id: "eva", name: "EVA" } })
    await eva.sendState({ cursor: 2 })
    await sees(ben, eva, { cursor: 2, user: { id: "eva", name: "EVA" } })
    await eva.sendState(null)
    await sees(ben, eva, undefined)
  })

  test("may be sent to any process", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))
    ben.awareness.setLocalState({ cursor: 7, text: "x".repeat(12_000) })

    await ben.post({ awareness: encodeAwarenessUpdate(ben.awareness, [ben.doc.clientID]) }, there().url)

    await sees(eva, ben, { cursor: 7, text: "x".repeat(12_000), user: { id: "ben", name: "BEN" } })
  })
})

test("users who may only read show their cursors, too, and guests have no identity", async () => {
  const place = await page()
  await using eva = await follow(place, as("eva"))
  await using reader = await follow(place, as("rita", { role: "reader" }))
  await using guest = await follow(place)

  await reader.sendState({ cursor: 1, user: { name: "Rita" } })
  await guest.sendState({ cursor: 2, user: { id: "eva" } })

  await sees(eva, reader, { cursor: 1, user: { id: "rita", name: "Rita" } })
  await sees(eva, guest, { cursor: 2, user: { id: null } })
})

test("a client id belongs to its stream, and to other streams of its user", async () => {
  const place = await page()
  await using eva = await follow(place, as("eva"))
  await using ben = await follow(place, as("ben"))
  await using mallory = await follow(place, as("mallory"))
  await using again = await follow(place, as("ben"))
  await ben.sendState({ cursor: 1 })
  await sees(eva, ben, { cursor: 1, user: { id: "ben", name: "BEN" } })

  const forged = await mallory.post({ awareness: entries([[ben.doc.clientID, 99, '{"cursor":666}']]) })
  const ended = await mallory.post({ awareness: entries([[ben.doc.clientID, 99, "null"]]) })
  const borrowed = await mallory.post({
    awareness: entries([[mallory.doc.clientID, 1, '{"cursor":5}']]),
    query: { stream: ben.streamId },
  })
  await again.post({ awareness: entries([[ben.doc.clientID, 5, '{"cursor":2}']]) })

  await sees(eva, ben, { cursor: 2, user: { id: "ben", name: "BEN" } })
  expect([forged.status, ended.status, borrowed.status]).toEqual([200, 200, 200])
  expect(stateOf(eva.awareness, mallory)).toBeUndefined()
})

test("a stream has one client in a document", async () => {
  const place = await page()
  await using eva = await follow(place, as("eva"))
  await using ben = await follow(place, as("ben"))

  const many = Array.from({ length: 50 }, (_, at) => [at + 1, 1, `{"cursor":${at}}`] as const)
  await ben.post({ awareness: entries(many) })

  await vi.waitFor(() => {
    eva.read()
    expect([...eva.awareness.getStates().keys()].filter((id) => id <= 50)).toEqual([50])
  }, WAIT)
})

describe("an awareness update", () => {
  const bad = [
    { what: "of a thousand clients", bytes: entries(Array.from({ length: 1_000 }, (_, at) => [at, 1, "{}"])) },
    { what: "that is no JSON", bytes: entries([[1, 1, "{"]]) },
    { what: "that is a list", bytes: entries([[1, 1, "[]"]]) },
    { what: "that is a text", bytes: entries([[1, 1, '"x"']]) },
    { what: "with a prototype", bytes: entries([[1, 1, '{"user":{"__proto__":{"id":"eva"}}}']]) },
    { what: "with a hidden prototype", bytes: entries([[1, 1, '{"\\u005f_proto__":{}}']]) },
    { what: "of many levels", bytes: entries([[1, 1, "[".repeat(5_000)]]) },
    { what: "with a large client id", bytes: entries([[2 ** 40, 1, "{}"]]) },
    { what: "with a large clock", bytes: entries([[1, 2 ** 52, "{}"]]) },
    { what: "that ends early", bytes: entries([[1, 1, "{}"]]).subarray(0, 3) },
    { what: "that does not end", bytes: Buffer.concat([entries([[1, 1, "{}"]]), Buffer.from([0])]) },
    { what: "that is no UTF-8", bytes: Buffer.from([1, 1, 1, 2, 0xff, 0xfe]) },
  ]

  test.each(bad)("$what is refused, with the update beside it", async ({ bytes }) => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))
    ben.doc.getText("body").insert(0, "not stored ")

    const { status } = await ben.send({ awareness: bytes })
    eva.doc.getText("body").insert(0, "stored ")
    await eva.send()
    await ben.edit()

    expect(status).toBe(400)
    expect(eva.stream.events.filter(({ name }) => name === "awareness")).toEqual([])
    expect(eva.text).toBe("stored Hello")
  })

  test("needs a stream", async () => {
    await using eva = await follow(await page(), as("eva"))

    const awareness = entries([[1, 1, "{}"]])
    eva.doc.getText("body").insert(0, "!")
    const update = eva.takeUpdate()
    const answers = await Promise.all(
      ["", "elsewhere", "a.b"].map((stream) => eva.post({ update, awareness, query: { stream } })),
    )

    for (const { status, body } of answers) {
      expect(status).toBe(400)
      expect(body.error.fieldErrors?.[0]?.path).toBe("stream")
    }
  })

  test("of keys that objects have by themselves arrives as it is", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))
    const state = { constructor: 1, toString: "x", user: { hasOwnProperty: 1, constructor: {} } }

    await ben.post({ awareness: entries([[ben.doc.clientID, 1, JSON.stringify(state)]]) })

    await sees(eva, ben, { ...state, user: { ...state.user, id: "ben", name: "BEN" } })
  })
})

test("states go only to those who may read", async () => {
  const place = await page()
  await using rita = await follow(place, as("rita", { role: "reader" }))
  await using eva = await follow(place, as("eva"))
  await eva.sendState({ cursor: 1 })
  await sees(rita, eva, { cursor: 1, user: { id: "eva", name: "EVA" } })

  await app.app.system.collections["pages"]?.updateById({ id: place.id, data: { isOpen: false } })
  await rita.stream.next("error")
  await eva.sendState({ cursor: "secret" })
  await using ben = await follow(place, as("ben"))
  await sees(ben, eva, { cursor: "secret", user: { id: "eva", name: "EVA" } })

  expect(JSON.stringify(rita.stream.events.at(-1))).not.toContain("awareness")
  expect(rita.stream.events.filter(({ name }) => name === "awareness")).toHaveLength(1)
})

test("a document has a hundred editors at most, in all processes together, and any number of readers", async () => {
  const place = await page()
  const open = (count: number, session: (at: number) => Session, at: TestApp) =>
    Promise.all(
      Array.from({ length: count }, (_, each) =>
        openEvents({ url: at.url, documents: [wireDocument(place)], session: session(each) }),
      ),
    )
  const members = async () => {
    const [row] = await app.database.query("select count(*)::int as count from _kit_channel_members")
    return row?.["count"]
  }
  const editors = [...(await open(60, (at) => as(`one${at}`), app)), ...(await open(40, (at) => as(`two${at}`), other))]
  await vi.waitFor(async () => expect(await members()).toBe(100), WAIT)

  const [refused] = await open(1, () => as("last"), other)
  const [reader] = await open(1, () => as("rita", { role: "reader" }), other)

  expect(await refused?.next("error")).toMatchObject({ topicId: "doc", code: "RATE_LIMITED" })
  expect(await reader?.next("document")).toMatchObject({ canEdit: false })
  editors[0]?.close()
  await vi.waitFor(async () => expect(await members()).toBe(99), WAIT)
  const [next] = await open(1, () => as("next"), app)
  expect(await next?.next("document")).toMatchObject({ canEdit: true })
  await vi.waitFor(async () => expect(await members()).toBe(100), WAIT)
  for (const stream of [...editors, refused, reader, next]) stream?.close()
})
