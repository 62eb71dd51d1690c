import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BrowserWorld, browserWorld, PASSWORD, signInByPage } from "./support/browser-world.ts"

const EVA = "eva@example.com"

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(100) }))
  .access({ read: ({ session }) => session !== null })

let world: BrowserWorld
beforeAll(async () => {
  const secret = "kW3v9Xq2Lr8TzB5nYp7Hd4Jc6Gs1Mf0Q"
  world = await browserWorld({ collections: [notes], mode: "production", config: { secret } })
  await world.app.app.users.create({ email: EVA, name: "Eva", password: PASSWORD })
})
afterAll(() => world[Symbol.asyncDispose]())

test("a browser keeps the Secure cookie of an app in production that runs on its own machine, over http", async () => {
  const context = await world.chromium.browser.newContext()
  const { kit } = await world.open({ context })

  await signInByPage(kit, EVA)
  const found = await kit.evaluate(({ client }) => client.collections["notes"].find())

  expect(found.totalDocs).toBe(0)
  const cookies = await context.cookies(world.api)
  expect(cookies).toContainEqual(expect.objectContaining({ name: "__Secure-kit.session_token", secure: true }))
})
