import { collection } from "kit"
import type { BrowserContext, JSHandle } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { PageKit } from "./page/main.ts"
import { type BrowserWorld, browserWorld, kitIn, PASSWORD, signInByPage } from "./support/browser-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(20).required(), at: f.datetime(), size: f.number().bigint() }))
  .access({ read: true, create: true })
const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(20).required() }))
  .access({ read: ({ session }) => session !== null })

const EVA = "eva@example.com"

let world: BrowserWorld

beforeAll(async () => {
  world = await browserWorld({ collections: [posts, notes] })
  await world.app.app.users.create({ email: EVA, name: "Eva", password: PASSWORD })
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  // Deletes through the app, so that open live queries are updated.
  for (const name of ["posts", "notes"]) await world.app.system.collections[name]?.deleteMany({ all: true })
})

/** Opens a live query in the page, which keeps its snapshots under the name. */
const follow = (kit: JSHandle<PageKit>, name: string) =>
  kit.evaluate(({ client, kept }, resource) => {
    const told: { pages: any[]; errors: any[] } = { pages: [], errors: [] }
    kept[resource] = told
    client.collections[resource].live({ orderBy: { title: "asc" } }, (page: any) => told.pages.push(page), {
      onError: ({ name, status, code }: any, isFinal: boolean) => told.errors.push({ name, status, code, isFinal }),
    })
  }, name)

const pagesOf = (kit: JSHandle<PageKit>, name: string): Promise<any[]> =>
  kit.evaluate(({ kept }, resource) => kept[resource].pages, name)
const errorsOf = (kit: JSHandle<PageKit>, name: string): Promise<any[]> =>
  kit.evaluate(({ kept }, resource) => kept[resource].errors, name)
const newestTitles = async (kit: JSHandle<PageKit>, name: string) =>
  (await pagesOf(kit, name)).at(-1)?.docs.map(({ title }: { title: string }) => title)

/**
 * Returns the browser's default context: in contexts that are made for tests, every tab counts as the foreground tab.
 */
function defaultContext(): BrowserContext {
  const [context] = world.chromium.browser.contexts()
  if (!context) throw new Error("The browser has no default context.")
  return context
}

/** Writes as another client, outside of the browser. */
const write = (name: string, record: object) => world.app.system.collections[name]?.create(record as never)

describe("a live query in a page", () => {
  test("has the first snapshot, and each change that somebody else makes", async () => {
    await write("posts", { title: "One", at: new Date(5), size: 2n ** 62n })
    const { kit, failures } = await world.open()

    await follow(kit, "posts")
    await expect.poll(() => newestTitles(kit, "posts")).toEqual(["One"])
    await write("posts", { title: "Two" })
    await expect.poll(() => newestTitles(kit, "posts")).toEqual(["One", "Two"])

    const [first] = await pagesOf(kit, "posts")
    expect(first.docs).toMatchObject([{ at: new Date(5), size: 2n ** 62n }])
    expect(await errorsOf(kit, "posts")).toEqual([])
    expect(failures).toEqual([])
  })

  test("goes on by itself after the server was stopped and started again", async () => {
    const { kit } = await world.open()
    await follow(kit, "posts")
    await expect.poll(() => newestTitles(kit, "posts")).toEqual([])

    await world.stopApi()
    await world.startApi()
    await write("posts", { title: "After" })

    await expect.poll(() => newestTitles(kit, "posts")).toEqual(["After"])
    expect((await errorsOf(kit, "posts")).filter(({ isFinal }) => isFinal)).toEqual([])
  })

  test("ends with an error when its user signs out, and comes back with a query after the next sign-in", async () => {
    const { kit } = await world.open()
    await signInByPage(kit, EVA)
    await follow(kit, "notes")
    await expect.poll(() => newestTitles(kit, "notes")).toEqual([])

    await kit.evaluate(({ client }) => client.routes.auth.signOut())
    await expect.poll(() => errorsOf(kit, "notes")).toHaveLength(1)
    await write("notes", { title: "Secret" })
    const [error] = await errorsOf(kit, "notes")
    const unseen = await pagesOf(kit, "notes")
    await signInByPage(kit, EVA)
    await follow(kit, "notes")
    await expect.poll(() => newestTitles(kit, "notes")).toEqual(["Secret"])

    expect(error).toEqual({ name: "QuestpieClientError", status: 401, code: "UNAUTHORIZED", isFinal: true })
    expect(unseen).toHaveLength(1)
  })
})

describe("a page that nobody looks at", () => {
  test("goes on when its visitor comes back to it", async () => {
    const { page, kit } = await world.open({ context: defaultContext() })
    await page.evaluate('addEventListener("pageshow", (event) => { globalThis.shown = event })')
    await follow(kit, "posts")
    await expect.poll(() => newestTitles(kit, "posts")).toEqual([])

    await page.goto(world.neighbour.origin)
    await write("posts", { title: "While away" })
    await page.goBack({ waitUntil: "commit" })
    const back = await kitIn(page)
    await expect.poll(() => newestTitles(back, "posts")).toEqual(["While away"])
    await write("posts", { title: "With you" })
    await expect.poll(() => newestTitles(back, "posts")).toEqual(["While away", "With you"])

    expect(await page.evaluate("shown.persisted")).toBe(true)
    expect(await errorsOf(back, "posts")).toEqual([])
    await page.close()
  })

  test("closes its stream after 30 seconds, and goes on when it is shown again", async () => {
    const context = defaultContext()
    const { page, kit } = await world.open({ context, hasClock: true })
    const streams: string[] = []
    const note = (what: string) => (request: { url(): string }) =>
      request.url().endsWith("/realtime") && streams.push(what)
    page.on("request", note("opened"))
    page.on("requestfailed", note("closed"))
    await follow(kit, "posts")
    await expect.poll(() => newestTitles(kit, "posts")).toEqual([])

    const front = await context.newPage()
    await expect.poll(() => page.evaluate("document.visibilityState")).toBe("hidden")
    // Advances in steps with an event after each: a stream that is silent for 25 seconds would be closed too.
    for (const title of ["After 10 s", "After 20 s"]) {
      await page.clock.fastForward(10_000)
      await write("posts", { title })
      await expect.poll(() => newestTitles(kit, "posts")).toContain(title)
    }
    expect(streams).toEqual(["opened"])
    await page.clock.fastForward(10_000)
    await expect.poll(() => streams).toEqual(["opened", "closed"])
    await write("posts", { title: "While away" })
    await page.clock.fastForward(60_000)
    expect(await newestTitles(kit, "posts")).toEqual(["After 10 s", "After 20 s"])
    expect(streams).toEqual(["opened", "closed"])
    await page.bringToFront()
    await expect.poll(() => newestTitles(kit, "posts")).toEqual(["After 10 s", "After 20 s", "While away"])

    expect(streams).toEqual(["opened", "closed", "opened"])
    expect(await errorsOf(kit, "posts")).toEqual([])
    await front.close()
    await page.close()
  })
})
