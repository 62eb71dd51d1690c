import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { applyUpdate, Doc, encodeStateVector, mergeUpdates } from "yjs"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, framesOf, fromBase64, postUpdate, toBase64, wireDocument } from "./bare-client.ts"

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.textarea().collaborative(),
    story: f.textarea().localized().collaborative(),
  }))
  .access({ read: true, create: true, update: ({ session }) => session !== null })
const motto = global("motto")
  .fields(({ f }) => ({ text: f.textarea().collaborative() }))
  .access({ read: true, update: true })

const as = (id: string, claims: object = {}) => ({ user: { id, ...claims } }) as Session
const WAIT = { timeout: 60_000 }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages, motto], config: { locales: { default: "en", all: ["en", "de"] } } })
})

afterAll(() => app[Symbol.asyncDispose]())

async function page(body: string | null = "Hello", story?: string) {
  const made = await app.app.system.collections["pages"]?.create({ body, ...(story && { story }) })
  return { collection: "pages", id: String(made?.["id"]), field: "body" }
}

const follow = (place: Parameters<typeof BareClient.open>[1], session?: Session) =>
  BareClient.open({ url: app.url, session }, place)

describe("a document", () => {
  test("comes with the record's value, and takes the updates of several editors to all of them", async () => {
    const place = await page("Hello")
    await using eva = await follow(place, as("eva"))
    await using ben = await follow(place, as("ben"))

    eva.doc.getText("body").insert(5, " world")
    const answer = await eva.send()
    await ben.edit()
    ben.doc.getText("body").insert(0, "> ")
    const second = await ben.send()
    await vi.waitFor(() => {
      eva.read()
      expect(eva.text).toBe("> Hello world")
    }, WAIT)

    expect(answer).toEqual({ status: 200, body: { seq: 1 } })
    expect(second).toEqual({ status: 200, body: { seq: 2 } })
    expect(ben.text).toBe("> Hello world")
    expect(eva.stateVector).toBe(ben.stateVector)
  })
})
