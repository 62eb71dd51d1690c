import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { applyUpdate, Doc, encodeStateVector } from "yjs"
import { openEvents } from "../support/oracles/live-events.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, fromBase64, type Place, postUpdate, toBase64, wireDocument } from "./bare-client.ts"

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.textarea().collaborative(),
    story: f.textarea().localized().collaborative(),
    article: f.richText().collaborative(),
    extra: f.json().collaborative(),
  }))
  .options({ softDelete: true })
  .access({ read: true, create: true, update: true, delete: true })
const motto = global("motto")
  .fields(({ f }) => ({ text: f.textarea().collaborative() }))
  .access({ read: true, update: true })

const resources = [pages, motto]
const as = (id: string) => ({ user: { id } }) as Session
const WAIT = { timeout: 60_000 }
const config = { locales: { default: "en", all: ["en", "de"] }, limits: { rate: false } } as const

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources, config })
})

afterAll(() => app[Symbol.asyncDispose]())

async function page(
  values: Record<string, unknown> = { body: "Hello" },
  field = "body",
): Promise<Place & { id: string }> {
  const made = await app.app.system.collections["pages"]?.create(values)
  return { collection: "pages", id: String(made?.["id"]), field }
}

const follow = (place: Place, session?: Session, at = app) => BareClient.open({ url: at.url, session }, place)

const hasText = (client: BareClient, text: string) =>
  vi.waitFor(() => {
    client.read()
    expect(client.text).toBe(text)
  }, WAIT)

describe("a document", () => {
  test("comes with the record's value, and takes the updates of several editors to all of them", async () => {
    const place = await page()
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))

    eva.doc.getText("body").insert(5, " world")
    const answer = await eva.send()
    await ben.edit()
    ben.doc.getText("body").insert(0, "> ")
    const second = await ben.send()
    await hasText(eva, "> Hello world")

    expect(answer).toEqual({ status: 200, body: { seq: 1 } })
    expect(second).toEqual({ status: 200, body: { seq: 2 } })
    expect(ben.text).toBe("> Hello world")
    expect(eva.stateVector).toBe(ben.stateVector)
  })

  test("has a root of each kind", async () => {
    const doc = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Rich" }] }] }
    const values = { article: doc, extra: { colour: "red" } }
    await using rich = await follow(await page(values, "article"))
    await using map = await follow(await page(values, "extra"))

    expect(rich.doc.getXmlFragment("article").toString()).toBe("<paragraph>Rich</paragraph>")
    expect(map.doc.getMap("extra").toJSON()).toEqual({ colour: "red" })
  })

  test("of a global can be edited before the global was ever written", async () => {
    const place = { global: "motto", field: "text" }
    await using eva = await follow(place)
    await using ben = await follow(place)

    eva.doc.getText("text").insert(0, "Carpe diem")
    const { status } = await eva.send()
    await ben.edit()

    expect(status).toBe(200)
    expect(ben.text).toBe("Carpe diem")
  })

  test("of a localized field belongs to one locale, by default that of the request", async () => {
    const place = await page({ story: "A story" }, "story")
    await using english = await follow(place)
    await using german = await follow({ ...place, locale: "de" })
    const headers = { "accept-language": "de" }
    await using preferred = await BareClient.open({ url: app.url, headers }, place)

    german.doc.getText("story").insert(0, "Eine Geschichte")
    await german.send()
    await preferred.edit()

    expect(english.text).toBe("A story")
    expect(preferred.text).toBe("Eine Geschichte")
    expect(preferred.epoch).toBe(german.epoch)
    expect(english.epoch).not.toBe(german.epoch)
  })

  test("brings a client that returns only what it lacks, and says what the server lacks", async () => {
    const place = await page({ body: "x".repeat(10_000) })
    await using eva = await follow(place)
    eva.doc.getText("body").insert(0, "one")
    await eva.send()
    const doc = new Doc()
    applyUpdate(doc, eva.state)
    doc.getText("body").insert(0, "typed offline")
    eva.doc.getText("body").insert(0, "two")
    await eva.send()

    const stateVector = toBase64(encodeStateVector(doc))
    const returning = [wireDocument(place, { epoch: eva.epoch, stateVector })]
    await using stream = await openEvents({ url: app.url, documents: returning })
    const document = await stream.next("document")
    applyUpdate(doc, fromBase64(document.update))

    expect(fromBase64(document.update).length).toBeLessThan(200)
    expect(document.stateVector).toBe(eva.stateVector)
    expect(doc.getText("body").toString()).toContain("two")
  })

  test("that was made anew does not merge with an old replica", async () => {
    const place = await page()
    const documents = [wireDocument(place, { epoch: crypto.randomUUID() })]
    await using stream = await openEvents({ url: app.url, documents })
    await using eva = await follow(place)
    eva.doc.getText("body").insert(0, "!")

    const answer = await eva.send({ query: { epoch: crypto.randomUUID() } })

    expect(await stream.next("error")).toMatchObject({ topicId: "doc", code: "CONFLICT" })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } })
  })

  test("shows a change of the record by other means as an edit", async () => {
    const place = await page({ body: "One two three" })
    await using eva = await follow(place)

    await app.app.system.collections["pages"]?.updateById({ id: place.id, data: { body: "One 2 three" } })

    await hasText(eva, "One 2 three")
  })

  test("goes with its record", async () => {
    const place = await page()
    await using eva = await follow(place)
    eva.doc.getText("body").insert(0, "!")

    await app.app.system.collections["pages"]?.deleteById({ id: place.id })

    expect(await eva.stream.next("error")).toMatchObject({ topicId: "doc", code: "NOT_FOUND" })
    expect((await eva.send()).status).toBe(404)
  })
})

describe("a request for a document", () => {
  const refused = async (place: Place) => {
    await using stream = await openEvents({ url: app.url, documents: [wireDocument(place)] })
    const { code, message } = await stream.next("error")
    const { status, body } = await postUpdate({ url: app.url }, place, {})
    expect(body.error.code).toBe(code)
    return { status, code, message }
  }

  test("says what is wrong with it, where the caller may know", async () => {
    const place = await page()

    expect(await refused({ ...place, field: "title" })).toMatchObject({
      status: 400,
      message: 'field: "title" is not collaborative. Declare it with .collaborative().',
    })
    expect(await refused({ ...place, field: "bdy" })).toMatchObject({
      status: 404,
      message: 'There is no collaborative field of this name. Did you mean "body"?',
    })
    expect(await refused({ ...place, locale: "xx" })).toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
    expect(await refused({ ...place, locale: "*" })).toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
    expect(await refused({ ...place, id: crypto.randomUUID() })).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(await refused({ ...place, id: "not an id" })).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(await refused({ ...place, collection: "page" })).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(await refused({ global: "moto", field: "text" })).toMatchObject({ status: 404, code: "NOT_FOUND" })
  })

  test("that has the wrong shape is refused as a whole", async () => {
    const place = wireDocument(await page())
    const bad: readonly unknown[] = [
      7,
      null,
      [],
      { ...place, id: "" },
      { ...place, id: "*" },
      { ...place, resourceType: "channel" },
      { ...place, resource: 7 },
      { ...place, recordId: {} },
      { ...place, recordId: undefined },
      { ...place, field: ["body"] },
      { ...place, locale: 7 },
      { ...place, epoch: null },
      { ...place, stateVector: "***" },
      { ...place, stateVector: toBase64(Buffer.from([200])) },
      { ...place, stateVector: toBase64(Buffer.alloc(100, 0xff)) },
      { ...place, stateVector: 7 },
      { ...place, resourceType: "global", resource: "motto", field: "text" },
      { ...place, more: 1 },
    ]

    const answers = await Promise.all(
      bad.map((document) =>
        app.fetch("/realtime", { method: "POST", body: JSON.stringify({ topics: [], documents: [document] }) }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 400))
    for (const { body } of answers)
      expect(body.error.fieldErrors?.[0]?.path ?? "", body.error.message).toMatch(/^documents/)
  })

  test("with another method is 405", async () => {
    const { id } = await page()

    const { status, headers } = await app.fetch(`/crdt/pages/${id}/body/updates`)

    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("POST")
  })
})

describe("two processes on one database", () => {
  async function twoProcesses() {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const parts = { resources, config: { ...config, db: { url: database.url } } }
    const [one, other] = [await testApp(parts), await testApp(parts)]
    onTestFinished(() => one[Symbol.asyncDispose]())
    onTestFinished(() => other[Symbol.asyncDispose]())
    return { one, other }
  }

  test("pass on the updates of either, in any mixture", async () => {
    const { one, other } = await twoProcesses()
    const made = await one.app.system.collections["pages"]?.create({ body: "" })
    const place = { collection: "pages", id: String(made?.["id"]), field: "body" }
    await using eva = await follow(place, as("eva"), one)
    await using ben = await follow(place, as("ben"), other)
    await using eve = await follow(place, as("eve"), one)

    for (let round = 0; round < 20; round++) {
      for (const client of [eva, ben, eve]) client.doc.getText("body").insert(0, `${round},`)
      const answers = await Promise.all([eva.send(), ben.send(), eve.send()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }

    const clients = [eva, ben, eve]
    await vi.waitFor(() => {
      for (const client of clients) client.read()
      expect(new Set(clients.map(({ stateVector }) => stateVector)).size).toBe(1)
    }, WAIT)
    expect(new Set(clients.map(({ text }) => text)).size).toBe(1)
    expect(eva.text.match(/,/g)).toHaveLength(60)
  })
})
