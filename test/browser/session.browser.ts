import type { BrowserContext, JSHandle } from "playwright-core"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import type { PageKit } from "./page/main.ts"
import { type BrowserWorld, browserWorld, PASSWORD } from "./support/browser-world.ts"

const EVA = "eva@example.com"
const WAIT = { timeout: 60_000 }

let world: BrowserWorld

beforeAll(async () => {
  world = await browserWorld()
  await world.app.app.users.create({ email: EVA, name: "Eva", password: PASSWORD })
})

afterAll(() => world[Symbol.asyncDispose]())

/** Opens a tab that keeps the names of the users whom its session has had. */
async function openTab(context: BrowserContext) {
  const { kit, failures } = await world.open({ context })
  await kit.evaluate(({ client, kept }) => {
    kept["names"] = []
    client.auth.watch((session: any) => kept["names"].push(session?.user.name ?? null))
  })
  const names = () => kit.evaluate(({ kept }): string[] => kept["names"])
  return {
    kit,
    failures,
    sees: (expected: unknown) => vi.waitFor(async () => expect(await names()).toEqual(expected), WAIT),
  }
}

const signIn = (kit: JSHandle<PageKit>) =>
  kit.evaluate(({ client }, given) => client.auth.signIn(given), { email: EVA, password: PASSWORD })

test("a sign-in and a sign-out in one tab are seen in the other tabs, and in no other browser", async () => {
  const context = await world.chromium.browser.newContext()
  const [first, second] = [await openTab(context), await openTab(context)]
  const stranger = await openTab(await world.chromium.browser.newContext())
  await Promise.all([first, second, stranger].map(({ sees }) => sees([null])))

  await signIn(first.kit)
  await Promise.all([first, second].map(({ sees }) => sees([null, "Eva"])))
  await second.kit.evaluate(({ client }) => client.auth.signOut())
  await Promise.all([first, second].map(({ sees }) => sees([null, "Eva", null])))

  await stranger.sees([null])
  expect([...first.failures, ...second.failures, ...stranger.failures]).toEqual([])
})

test("a sign-in without a client, as with another service, is seen in the other tabs when its page has loaded", async () => {
  const context = await world.chromium.browser.newContext()
  const first = await openTab(context)
  await first.sees([null])

  await context.request.post(`${world.api}/api/auth/sign-in/email`, { data: { email: EVA, password: PASSWORD } })
  const second = await openTab(context)

  await second.sees(["Eva"])
  await first.sees([null, "Eva"])
})

test("nothing of client.auth is loaded before it is called", async () => {
  const { page, kit } = await world.open()
  const loaded: string[] = []
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname))

  await kit.evaluate(({ client }) => Object.keys(client.auth))
  expect(loaded).toEqual([])
  await kit.evaluate(({ client }) => client.auth.session())

  expect(loaded.some((path) => path.endsWith(".js"))).toBe(true)
  expect(loaded.at(-1)).toBe("/api/auth/get-session")
})
