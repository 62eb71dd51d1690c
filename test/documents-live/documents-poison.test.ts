import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, fromBase64, type Place } from "./bare-client.ts"
import { forgedUpdate, gap, item, TEXT } from "./forged-update.ts"

const pages = collection("pages")
  .fields(({ f }) => ({ body: f.textarea().collaborative() }))
  .access({ read: true, create: true, update: true })

const notes = collection("notes")
  .fields(({ f }) => ({ body: f.richText().collaborative() }))
  .access({ read: true, create: true, update: true })

const as = (id: string) => ({ user: { id } }) as Session
const WAIT = { timeout: 60_000 }
const FORGED = 7

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages, notes], config: { limits: { rate: false } } })
})

afterAll(() => app[Symbol.asyncDispose]())

async function page(body = "Hello"): Promise<Place & { id: string }> {
  const made = await app.app.system.collections["pages"]?.create({ body })
  return { collection: "pages", id: String(made?.["id"]), field: "body" }
}

const follow = (place: Place, session?: Session) => BareClient.open({ url: app.url, session }, place)

const recordHas = (id: string, body: unknown) =>
  expect
    .poll(async () => (await app.app.system.collections["pages"]?.findOne({ where: { id } }))?.["body"], WAIT)
    .toEqual(body)

const hasText = (client: BareClient, text: string) =>
  vi.waitFor(() => {
    client.read()
    expect(client.text).toBe(text)
  }, WAIT)

/** Returns the id of a character that the client has. */
function firstCharacter({ doc }: BareClient): readonly [number, number] {
  const id = doc.getText("body")._start?.id
  if (!id) throw new Error("The document has no text.")
  return [id.client, id.clock]
}

/** Two updates after which Yjs cannot load a document: a part of a character, and more text under the same numbers. */
function poison(client: BareClient): readonly [Uint8Array, Uint8Array] {
  const part = item({ ...TEXT("a"), parent: firstCharacter(client) })
  const update = (each: Uint8Array) => forgedUpdate({ client: FORGED, clock: 0, items: [each] })
  const updates = [update(part), update(item(TEXT("abc")))] as const
  const doc = new Y.Doc()
  Y.applyUpdate(doc, client.state)
  Y.applyUpdate(doc, updates[0])
  expect(() => Y.applyUpdate(doc, updates[1])).toThrow(TypeError)
  return updates
}

describe("a document", () => {
  test("is not poisoned by two updates of one client and clock, and the record follows its other editors", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await using mallory = await follow(place, as("mallory"))
    const [first, second] = poison(mallory)

    const answers = [await mallory.post({ update: first }), await mallory.post({ update: second })]
    eva.doc.getText("body").insert(5, " world")
    const { status } = await eva.send()

    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(status).toBe(200)
    await hasText(mallory, "Hello world")
    await recordHas(place.id, "Hello world")
    await using fresh = await follow(place, as("ben"))
    expect(fresh.text).toBe("Hello world")
  })

  test("stores nothing twice: a repeated update is acknowledged, and of a longer one the new part is stored", async () => {
    const place = await page("")
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))
    eva.doc.getText("body").insert(0, "abc")
    const first = eva.takeUpdate()
    eva.doc.getText("body").insert(3, "def")
    const both = eva.state

    const answers = []
    for (const update of [first, first, both, both]) answers.push(await eva.post({ update }))

    expect(answers.map(({ status, body }) => [status, body.seq])).toEqual([
      [200, 1],
      [200, 1],
      [200, 2],
      [200, 2],
    ])
    await hasText(ben, "abcdef")
    const stored = await app.database.query(
      `select octet_length(u.update) as bytes from _kit_document_updates u join _kit_documents d on d.id = u.document
        where d.record = $1 order by u.seq`,
      [place.id],
    )
    expect(stored).toHaveLength(2)
    await recordHas(place.id, "abcdef")
  })

  const GAPS: readonly { readonly what: string; update(from: readonly [number, number]): Uint8Array }[] = [
    {
      what: "that leaves out numbers of its client",
      update: () => forgedUpdate({ client: FORGED, clock: 3, items: [item(TEXT("x"))] }),
    },
    {
      what: "with a gap inside",
      update: () => forgedUpdate({ client: FORGED, clock: 0, items: [item(TEXT("x")), gap(2), item(TEXT("y"))] }),
    },
    {
      what: "that refers to what is not there",
      update: ([client]) =>
        forgedUpdate({ client: FORGED, clock: 0, items: [item({ ...TEXT("x"), origin: [client, 99] })] }),
    },
    {
      what: "that deletes what will be typed",
      update: ([client]) => forgedUpdate({ client: FORGED, clock: 0, items: [], deletes: [[client, 0, 1_000]] }),
    },
  ]

  test.each(GAPS)("refuses an update $what, and says what it has", async ({ update }) => {
    const place = await page()
    await using eva = await follow(place, as("eva"))

    const { status, body } = await eva.post({ update: update(firstCharacter(eva)) })

    expect(status).toBe(409)
    expect(body.error.code).toBe("CONFLICT")
    const vector = Y.decodeStateVector(fromBase64(String(body.error.context?.["stateVector"])))
    expect(vector).toEqual(Y.decodeStateVector(fromBase64(eva.stateVector)))
  })

  test("refuses parts of an update that refer to each other in a circle", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    const one = forgedUpdate({ client: 8, clock: 0, items: [item({ ...TEXT("x"), origin: [FORGED, 0] })] })
    const other = forgedUpdate({ client: FORGED, clock: 0, items: [item({ ...TEXT("y"), origin: [8, 0] })] })
    const update = Buffer.concat([Buffer.from([2]), one.subarray(1, -1), other.subarray(1, -1), Buffer.from([0])])

    const { status, body } = await eva.post({ update })

    expect(status).toBe(400)
    expect(body.error.message).toContain("refers to itself")
  })

  test("gives the numbers of a client to the user who has used them first", async () => {
    const place = await page("")
    await using eva = await follow(place, as("eva"))
    await using again = await follow(place, as("eva"))
    await using mallory = await follow(place, as("mallory"))
    await using guest = await follow(place)
    const typed = (clock: number, text: string) =>
      forgedUpdate({ client: eva.doc.clientID, clock, items: [item(TEXT(text))] })

    const answers = [
      await eva.post({ update: typed(0, "a") }),
      await mallory.post({ update: typed(1, "b") }),
      await guest.post({ update: typed(1, "c") }),
      await again.post({ update: typed(1, "d") }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 200])
    expect(answers[1]?.body.error).toMatchObject({ code: "CONFLICT", context: { client: eva.doc.clientID } })
  })

  test("lets a guest who signs in go on with the same numbers, which are the user's from then on", async () => {
    const place = await page("")
    await using guest = await follow(place)
    await using eva = await follow(place, as("eva"))
    const typed = (clock: number) => forgedUpdate({ client: FORGED, clock, items: [item(TEXT("a"))] })

    const answers = [
      await guest.post({ update: typed(0) }),
      await eva.post({ update: typed(1) }),
      await guest.post({ update: typed(2) }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409])
  })

  test("keeps the numbers of the server's edits to the server", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    const [client] = firstCharacter(eva)

    const { status } = await eva.post({ update: forgedUpdate({ client, clock: 5, items: [item(TEXT("!"))] }) })

    expect(status).toBe(409)
  })
})

describe("a document that was poisoned before its clients were counted", () => {
  async function poisoned() {
    const place = await page()
    await using mallory = await follow(place, as("mallory"))
    const updates = poison(mallory)
    mallory.doc.getText("body").insert(5, " world")
    const honest = mallory.takeUpdate()
    const all = [...updates, honest]
    for (const [index, update] of all.entries()) {
      await app.database.query(
        `insert into _kit_document_updates (document, seq, update, user_id)
          select id, $2, $3, 'mallory' from _kit_documents where record = $1`,
        [place.id, index + 1, Buffer.from(update)],
      )
    }
    await app.database.query(
      `update _kit_documents set seq = 3, size = size + 100, has_clients = false, edited_at = now() where record = $1`,
      [place.id],
    )
    await app.database.query(
      `delete from _kit_document_clients c using _kit_documents d where d.id = c.document and d.record = $1`,
      [place.id],
    )
    return { place, updates }
  }

  test("is repaired when it is next edited: what cannot be loaded is set aside, and everything else stays", async () => {
    const { place, updates } = await poisoned()
    await using eva = await follow(place, as("eva"))
    const former = eva.epoch
    eva.doc.getText("body").insert(0, "> ")

    const refused = await eva.send()
    await using again = await follow(place, as("eva"))
    again.doc.getText("body").insert(0, "> ")
    const { status } = await again.send()

    expect(refused.status).toBe(409)
    expect(again.epoch).not.toBe(former)
    expect(status).toBe(200)
    await recordHas(place.id, "> Hello world")
    const kept = await app.database.query(
      `select s.update, s.user_id, s.reason from _kit_document_set_aside s join _kit_documents d on d.id = s.document
        where d.record = $1`,
      [place.id],
    )
    expect(kept).toEqual([{ update: Buffer.from(updates[1]), user_id: "mallory", reason: expect.stringMatching(/./) }])
  })

  test("is repaired when its value is written, and its editors are told", async () => {
    const { place } = await poisoned()
    await app.database.query(`update _kit_documents set has_clients = true where record = $1`, [place.id])
    await using eva = await follow(place, as("eva"))

    const typed = forgedUpdate({ client: eva.doc.clientID, clock: 0, items: [item(TEXT("> "))] })
    const { status } = await eva.post({ update: typed })
    await recordHas(place.id, expect.stringMatching(/^(> Hello world|Hello world> )$/))

    expect(status).toBe(200)
    expect(await eva.stream.next("error")).toMatchObject({ code: "CONFLICT" })
    await vi.waitFor(async () => {
      await using again = await BareClient.open({ url: app.url, session: as("eva") }, place)
      expect(again.text).toContain("Hello world")
      expect(again.problem).toContain("set aside")
    }, WAIT)
  })

  test("is repaired by the check of a deletion, too, with the names of its nodes", async () => {
    const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] })
    const made = await app.app.system.collections["notes"]?.create({
      body: { type: "doc", content: [paragraph("Hello")] },
    })
    const place = { collection: "notes", id: String(made?.["id"]), field: "body" }
    const textOf = ({ doc }: BareClient) => (doc.getXmlFragment("body").get(0) as Y.XmlElement).get(0) as Y.XmlText
    await using eva = await follow(place, as("eva"))
    textOf(eva).insert(5, " world")
    await eva.send()
    const character = textOf(eva)._start?.id
    const part = item({ ...TEXT("a"), parent: [character?.client ?? 0, character?.clock ?? 0] })
    for (const [index, each] of [part, item(TEXT("abc"))].entries()) {
      const update = forgedUpdate({ client: FORGED, clock: 0, items: [each] })
      await app.database.query(
        `insert into _kit_document_updates (document, seq, update) select id, seq + $2, $3 from _kit_documents where record = $1`,
        [place.id, index + 1, Buffer.from(update)],
      )
    }
    await app.database.query(`update _kit_documents set seq = seq + 2 where record = $1`, [place.id])

    textOf(eva).delete(0, 1)
    const refused = await eva.send()
    await using again = await follow(place, as("eva"))
    textOf(again).delete(0, 1)
    const { status } = await again.send()

    expect(refused.status).toBe(409)
    expect(again.epoch).not.toBe(eva.epoch)
    expect(status).toBe(200)
    await expect
      .poll(
        async () => (await app.app.system.collections["notes"]?.findOne({ where: { id: place.id } }))?.["body"],
        WAIT,
      )
      .toMatchObject({ content: [paragraph("ello world")] })
  })
})
