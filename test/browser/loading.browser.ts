import { collection } from "kit"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { PageKit } from "./page/main.ts"
import { type BrowserWorld, browserWorld } from "./support/browser-world.ts"
import { bundlers, type Site } from "./support/page-server.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(100) }))
  .access({ read: true })

describe.each(["rolldown", "esbuild"] as const)("the client as %s bundles it for a page", (bundler) => {
  let world: BrowserWorld
  let site: Site
  beforeAll(async () => {
    site = await bundlers[bundler]()
    world = await browserWorld({ collections: [posts], site })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test("runs without anything of Node", async () => {
    const { kit, failures } = await world.open()

    const found = await kit.evaluate(({ client }) => client.collections["posts"].find())

    expect(found).toMatchObject({ docs: [], totalDocs: 0 })
    expect(failures).toEqual([])
    for (const text of site.values()) expect(text).not.toMatch(/["']node:|createRequire|process\.|Buffer\b/)
  })

  test("loads what serves live queries with the first of them, and what uploads with the first upload", async () => {
    const { page, kit } = await world.open()
    const loaded = scriptsOf(page)
    const steps: number[] = []
    const note = () => steps.push(loaded.length)

    await kit.evaluate(({ client }) => client.collections["posts"].find())
    note()
    await kit.evaluate(({ client }) => client.collections["posts"].count())
    note()
    await kit.evaluate(({ client }) => client.collections["posts"].upload(new Blob(["x"])).catch(() => "refused"))
    note()
    await kit.evaluate(({ client }) => client.collections["posts"].liveIter({}).next())
    note()
    await kit.evaluate(({ newClient }) => newClient().collections["posts"].liveIter({ limit: 1 }).next())
    note()

    const [atFind = -1, atCount = -1, atUpload = -1, atLive = -1, atAnother = -1] = steps
    expect([atFind, atCount]).toEqual([0, 0])
    expect(atUpload).toBeGreaterThan(atCount)
    expect(atLive).toBeGreaterThan(atUpload)
    expect(atAnother).toBe(atLive)
    const streaming = [...site].filter(([, text]) => text.includes("text/event-stream")).map(([path]) => path)
    expect(streaming).toEqual(loaded.slice(atUpload).filter((path) => streaming.includes(path)))
  })

  // The standard of the web has browsers remember a failed import for as long as the page is open.
  test("says so when a part cannot be loaded, and loads it in the page that is loaded next", async () => {
    const { page, kit } = await world.open()
    const heard = () => kit.evaluate(() => Reflect.get(globalThis, "heard") as unknown[])

    await page.route("**/*.js", (route) => route.abort())
    await kit.evaluate(({ client }) => {
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      client.collections["posts"].live({}, () => {}, {
        onError: (error: unknown, isFinal: unknown) => heard.push([error instanceof Error, isFinal ?? false]),
      })
    })
    await expect.poll(heard).toContainEqual([true, false])
    expect(await kit.evaluate(({ client }) => client.realtime.subscriberCount)).toBe(1)
    await page.unroute("**/*.js")
    await page.reload()

    const next = await page.waitForFunction(() => Reflect.get(globalThis, "kit") as PageKit | undefined)
    const { value } = await next.evaluate((loaded) => loaded?.client.collections["posts"].liveIter({}).next())
    expect(value).toMatchObject({ totalDocs: 0 })
  })

  test("runs in a worker too, without a document", async () => {
    const { page } = await world.open()
    const started = page.waitForEvent("worker")
    await page.evaluate((path) => {
      ;new (Reflect.get(globalThis, "Worker"))(path, { type: "module" })
    }, `/main.js?api=${world.api}`)
    const worker = await started
    await expect.poll(() => worker.evaluate("'kit' in globalThis")).toBe(true)

    const [found, followed] = await worker.evaluate(async () => {
      // The page's own script has set this.
      const { posts } = (Reflect.get(globalThis, "kit") as PageKit).client.collections
      const { value } = await posts.liveIter({}).next()
      return [await posts.find(), value]
    })

    expect(found).toMatchObject({ docs: [], totalDocs: 0 })
    expect(followed).toEqual(found)
  })
})

/** Collects the paths of scripts that the page loads from now on. */
function scriptsOf(page: Page): readonly string[] {
  const paths: string[] = []
  page.on("request", (request) => {
    const { pathname } = new URL(request.url())
    if (request.resourceType() === "script") paths.push(pathname)
  })
  return paths
}
