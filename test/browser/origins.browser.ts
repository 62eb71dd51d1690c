import { collection } from "kit"
import type { BrowserContext } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type BrowserWorld, browserWorld, type OpenPage, PASSWORD, signInByPage } from "./support/browser-world.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(100).required(), owner: f.text(60) }))
  .options({ revision: true })
  .access({
    read: ({ session }) => session && { owner: session.user.id },
    create: ({ session }) => session && { owner: session.user.id },
    update: ({ session }) => session && { owner: session.user.id },
  })

const EVA = "eva@example.com"

let world: BrowserWorld
let owner: string

beforeAll(async () => {
  world = await browserWorld({ collections: [notes] })
  owner = (await world.app.app.users.create({ email: EVA, name: "Eva", password: PASSWORD })).id
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  await world.database.query("truncate notes")
})

const stored = () => world.database.query("select text from notes order by text")

const writeNote = (kit: OpenPage["kit"], text: string) =>
  kit.evaluate(({ client }, data) => client.collections["notes"].create(data), { text, owner })

/** Tries to write and returns the error that the page gets. */
const refusedNote = (kit: OpenPage["kit"], text: string) =>
  kit.evaluate(
    ({ client, QuestpieClientError }, data) =>
      client.collections["notes"].create(data).then(
        () => "written",
        (error: unknown) => error instanceof QuestpieClientError && { status: error.status, message: error.message },
      ),
    { text, owner },
  )

describe("a page of an invited origin", () => {
  test("signs in, and reads and writes with the cookie that the browser keeps", async () => {
    const context = await world.chromium.browser.newContext()
    const { page, kit } = await world.open({ context })

    await signInByPage(kit, EVA)
    const note = await writeNote(kit, "Mine")
    const second = await world.open({ context })
    const found = await second.kit.evaluate(({ client }) => client.collections["notes"].find())

    expect(found.docs).toEqual([note])
    const [cookie] = await context.cookies(world.api)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", domain: "127.0.0.1" })
    expect(await page.evaluate("document.cookie")).toBe("")
  })

  test("has what the headers of an answer say", async () => {
    const { kit } = await world.open()
    await signInByPage(kit, EVA)
    const { id } = await writeNote(kit, "One")

    const failure = await kit.evaluate(
      ({ client }, sent) =>
        client.collections["notes"].update(sent).catch(({ status, code, context, requestId }: any) => ({
          status,
          code,
          context,
          requestId,
        })),
      { id, data: { text: "Two" }, expectedRevision: 9 },
    )

    expect(failure).toMatchObject({ status: 409, code: "CONFLICT", context: { revision: { expected: 9, actual: 1 } } })
    expect(failure.requestId).toMatch(/\S/)
  })

  test("sends headers of its own, except those that are the framework's", async () => {
    const { kit } = await world.open()
    await signInByPage(kit, EVA)
    const findWith = (headers: Record<string, string>) =>
      kit.evaluate(
        ({ newClient }, sent) =>
          newClient({ headers: sent })
            .collections["notes"].find()
            .then(
              ({ totalDocs }: any) => totalDocs,
              ({ status, message }: any) => ({ status, message }),
            ),
        headers,
      )

    expect(await findWith({ "X-Tenant": "north", "sentry-trace": "1" })).toBe(0)
    expect(await findWith({ "X-Kit-Peer": "10.0.0.1" })).toMatchObject({
      status: 0,
      message: expect.stringContaining("CORS"),
    })
  })

  test("is nobody after it has signed out", async () => {
    const { kit } = await world.open()
    await signInByPage(kit, EVA)
    await writeNote(kit, "Before")

    await kit.evaluate(({ client }) => client.routes.auth.signOut())

    expect(await refusedNote(kit, "After")).toMatchObject({ status: 401 })
    expect(await stored()).toEqual([{ text: "Before" }])
  })
})

describe("a page of an origin that is not invited", () => {
  let context: BrowserContext
  beforeAll(async () => {
    const { page, kit } = await world.open()
    await signInByPage(kit, EVA)
    context = page.context()
  })

  const places = [
    ["on the same site, with the visitor's cookies,", () => world.neighbour.origin, 403],
    ["on another site, without them,", () => world.neighbour.otherSite, 415],
  ] as const

  test.each(places)("%s reads and writes nothing", async (_place, origin) => {
    const { kit } = await world.open({ context, origin: origin() })

    const written = await refusedNote(kit, "Foreign")
    const read = await kit.evaluate(({ client }) =>
      client.collections["notes"].find().catch(({ status, message }: any) => ({ status, message })),
    )

    for (const failure of [written, read]) {
      expect(failure).toMatchObject({ status: 0, message: expect.stringContaining("CORS") })
    }
    expect(await stored()).toEqual([])
  })

  test.each(places)("%s gets nothing done by requests that no browser asks about first", async (...place) => {
    const [, origin, status] = place
    const { page } = await world.open({ context, origin: origin() })
    const url = `${world.api}/api/notes`
    const forged = JSON.stringify({ text: "Forged", owner })

    const blind = await page.evaluate(
      (sent) =>
        fetch(sent.url, { method: "POST", mode: "no-cors", credentials: "include", body: sent.forged }).then(
          () => "answered",
          (error: unknown) => String(error),
        ),
      { url, forged },
    )
    await page.setContent(`<form method="post" action="${url}" enctype="text/plain"><input name="x" value="y"></form>`)
    const answered = page.waitForEvent("response", (response) => response.request().isNavigationRequest())
    await page.evaluate(
      (name) => {
        const [form] = Reflect.get(globalThis, "document").forms
        form.elements[0].name = name
        form.submit()
      },
      `${forged.slice(0, -1)},"x":"`,
    )
    const answer = await answered

    expect(blind).toBe("TypeError: Failed to fetch")
    expect([answer.request().method(), answer.url(), answer.status()]).toEqual(["POST", url, status])
    expect(await stored()).toEqual([])
  })
})
