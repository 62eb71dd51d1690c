import { describe, expect, test } from "vitest"
import { freePort } from "./support/free-port.ts"
import { appFolder, KitProcess } from "./support/kit-process.ts"
import { createTestDatabase } from "./support/test-database.ts"

const LOOP = `
import { route } from "kit"
export default route().get().handler(({ logger }) => {
  logger.info("looping")
  for (;;);
})
`
const SLOW = `
import { setTimeout } from "node:timers/promises"
import { route } from "kit"
export default route().get().handler(async ({ logger }) => {
  logger.info("begun")
  await setTimeout(2_500)
  return { isDone: true }
})
`

const HELLO = `
import { email } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default email({ name: "hello", schema, handler: () => ({ subject: "Hi", html: "Hi" }) })
`

describe("kit dev", () => {
  test("gets on when the app is caught in a loop, and Ctrl-C lets a request end before it stops", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({
      "src/routes/loop.ts": LOOP,
      "src/routes/slow.ts": SLOW,
      "src/emails/hello.ts": HELLO,
    })
    const port = await freePort()
    const url = `http://localhost:${port}/api`
    const env = { DATABASE_URL: database.url }
    const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env, inGroup: true })
    await dev.printed(/ready in/)

    const lost = fetch(`${url}/loop`).catch(() => "cut off")
    await dev.printed(/looping/)
    await folder.write("src/routes/loop.ts", LOOP.replace("for (;;);", ""))
    await dev.printed(/the app does not end: .*[\s\S]*ready in/)
    const slow = fetch(`${url}/slow`)
    await dev.printed(/begun/)
    dev.interrupt()

    expect(dev.output).toMatch(/^ {2}info {2}looping {2}requestId=[\w-]+$/m)
    expect(dev.output).toContain(`mail is kept, not sent: ${url}/_kit/mail`)
    expect(await lost).toBe("cut off")
    expect(await (await slow).json()).toEqual({ isDone: true })
    expect(await dev.exit()).toBe(0)
    expect(dev.output).not.toContain("waiting for a change")
    await database.drop()
  })
})
