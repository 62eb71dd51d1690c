// @module-tag not-about-engine
// @module-tag experiment

import { once } from "node:events"
import { existsSync } from "node:fs"
import { symlink } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

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
  await setTimeout(1_500)
  logger.info("half done")
  await setTimeout(1_000)
  return { isDone: true }
})
`

// The parent may exit before the file is loaded, and before the app is ready.
const WAITING = `
import { setTimeout } from "node:timers/promises"
import { route } from "kit"
console.log("loading")
await setTimeout(1_500)
export default route().get().handler(() => null)
`

const HELLO = `
import { email } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default email({ name: "hello", schema, handler: () => ({ subject: "Hi", html: "Hi" }) })
`

const SHARED = `
import { word } from "shared"
import { route } from "kit"
export default route().get().handler(() => word)
`

const LEAVE = `
import { route } from "kit"
export default route().get().handler(() => process.exit(0))
`

async function listenAnywhere() {
  const server = createServer().listen(0, "localhost")
  await once(server, "listening")
  // The server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

// Each test has its own folder, port and database, and mostly waits for processes.
describe.concurrent("kit dev", () => {
  test("keeps the embedded database while the app starts anew, says that it has ended, and leaves nothing running", async () => {
    await using folder = await appFolder({ "src/routes/leave.ts": LEAVE })
    const port = await freePort()
    const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env: { DATABASE_URL: "" } })
    await dev.printed(/ready in/)

    const lost = fetch(`http://localhost:${port}/api/leave`).catch(() => "cut off")
    await dev.printed(/the app has ended by itself: something calls process\.exit\n +waiting for a change/)
    await folder.write("src/routes/leave.ts", LEAVE.replace("process.exit(0)", "null"))
    await dev.printed(/leave\.ts changed[\s\S]*ready in/)
    const code = await dev.stop()

    expect(await lost).toBe("cut off")
    expect(code).toBe(0)
    expect(dev.output.match(/Starting PostgreSQL/g)).toHaveLength(1)
    expect(existsSync(join(folder.path, ".kit/db/data/PG_VERSION"))).toBe(true)
    expect(existsSync(join(folder.path, ".kit/db/data/postmaster.pid"))).toBe(false)
  })

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
    // On a busy machine the command may get the signal long after its app, and must not force the app to hurry.
    dev.pause()
    dev.interrupt()
    await dev.printed(/half done/)
    dev.resume()

    expect(dev.output).toMatch(/^ {2}info {2}looping {2}requestId=[\w-]+$/m)
    expect(dev.output).toContain(`mail is kept, not sent: ${url}/_kit/mail`)
    expect(await lost).toBe("cut off")
    expect(await (await slow).json()).toEqual({ isDone: true })
    expect(await dev.exit()).toBe(0)
    expect(dev.output).not.toContain("waiting for a change")
    await database.drop()
  })

  test.each(["group", "command"] as const)(
    "ends in order when its terminal is closed, which tells the %s",
    async (whom) => {
      const database = await createTestDatabase()
      await using folder = await appFolder({ "src/routes/slow.ts": SLOW })
      const port = await freePort()
      const env = { DATABASE_URL: database.url }
      const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env, inGroup: true })
      await dev.printed(/ready in/)

      const slow = fetch(`http://localhost:${port}/api/slow`)
      await dev.printed(/begun/)
      dev.hangUp(whom)

      expect(await (await slow).json()).toEqual({ isDone: true })
      await dev.exit()
      expect(dev.endedBy).toBe("SIGHUP")
      await database.drop()
    },
  )

  test("leaves no app behind when it is killed while that one starts", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({ "src/routes/slow.ts": WAITING })
    const env = { DATABASE_URL: database.url }
    const dev = new KitProcess(["dev", "--port", String(await freePort())], { cwd: folder.path, env })
    await dev.printed(/loading/)

    // It has ended once no process holds its output, including the app.
    await dev.kill()

    expect(dev.output).not.toMatch(/Error|ready in/)
    await database.drop()
  })

  test("ends at once where no change of a file could help: its port is taken", async () => {
    await using folder = await appFolder({ "src/routes/slow.ts": SLOW })
    await using taken = await listenAnywhere()

    const dev = new KitProcess(["dev", "--port", String(taken.port)], { cwd: folder.path, env: { DATABASE_URL: "" } })

    expect(await dev.exit()).toBe(1)
    expect(dev.output).toBe(`Port ${taken.port} is taken. Choose another with --port.\n`)
    expect(existsSync(join(folder.path, ".kit"))).toBe(false)
  })

  test("starts anew when a package of the workspace changes, also after a mistake in it", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({
      "src/routes/shared.ts": SHARED,
      "packages/shared/package.json": '{ "type": "module", "exports": "./index.ts" }',
      "packages/shared/index.ts": "export const word: string = (",
    })
    await symlink(join(folder.path, "packages/shared"), join(folder.path, "node_modules/shared"))
    const port = await freePort()
    const env = { DATABASE_URL: database.url }
    const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env })
    await dev.printed(/packages\/shared\/index\.ts:1:\d+[\s\S]*waiting for a change/)

    await folder.write("packages/shared/index.ts", 'export const word: string = "one"')
    await dev.printed(/packages\/shared\/index\.ts changed[\s\S]*ready in/)
    const first = await (await fetch(`http://localhost:${port}/api/shared`)).json()
    await folder.write("packages/shared/index.ts", 'export const word: string = "two"')
    await dev.printed(/ready in[\s\S]*packages\/shared\/index\.ts changed[\s\S]*ready in/)
    const second = await (await fetch(`http://localhost:${port}/api/shared`)).json()

    expect([first, second]).toEqual(["one", "two"])
    expect(await dev.stop()).toBe(0)
    await database.drop()
  })
})
