// @module-tag not-about-engine
// @module-tag experiment

import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required(), owner: f.text(60) }))
  .access({ read: true, create: ({ session }) => session && { owner: session.user.id } })
`
const SEED = `
import { seed } from "kit"
export default seed(async ({ collections, progress }) => {
  await collections.posts.create({ title: "First" })
  progress("posts", 1, 1)
})
`
const ROUTES = {
  "src/routes/adminStats.ts": `
import { route } from "kit"
export default route().get().handler(async ({ collections, myClock }) => ({
  count: await collections.posts.count(),
  year: myClock.now().getUTCFullYear(),
}))
`,
  "src/blog/routes/clubs/[club]/invite.ts": `
import { route } from "kit"
export default route().access(({ session }) => session !== null).handler(({ params }) => params)
`,
  "src/routes/_shared/x.ts": "throw new Error('skipped')",
  "src/routes/adminStats.test.ts": "throw new Error('skipped')",
  "src/services/my-clock.ts": `
import { service } from "kit/services"
export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date(0) }) })
`,
}
const EMAIL = `
import { email } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default email({ name: "welcome back", schema, handler: () => ({ subject: "Hi", html: "Hi" }) })
`
const GREET = `
import { route } from "kit"
export default route().handler(({ email }) => email.sendTemplate({ template: "welcomeBack", to: "a@x.test", input: {} }))
`
const HELLO = `
import { route } from "kit"
export default route().get().handler(() => ({ hello: true }))
`
const APP = { "src/collections/posts.ts": POSTS, "src/seeds/first.ts": SEED }

describe("kit start", () => {
  test("serves the app, seeds it once, and ends on SIGTERM", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }

    const first = new KitProcess(["start", "--port", "0", "--seed"], { cwd: folder.path, env })
    const [, url] = await first.printed(/on (http:\S+)/)
    const page: any = await (await fetch(`${url}/posts`)).json()
    const code = await first.stop()
    const second = new KitProcess(["start", "--port", "0", "--seed"], { cwd: folder.path, env })
    await second.printed(/ready in/)
    await second.stop()

    expect(page.docs).toMatchObject([{ title: "First" }])
    expect(code).toBe(0)
    expect(first.output).toContain("seeded seeds/first")
    expect(second.output).not.toContain("seeded")
    expect(await database.query("select count(*)::int as count from posts")).toEqual([{ count: 1 }])
    await database.drop()
  })

  test("runs on the embedded database when no other is named", async () => {
    await using folder = await appFolder(APP)

    const started = new KitProcess(["start", "--port", "0", "--seed"], { cwd: folder.path, env: { DATABASE_URL: "" } })
    const [, url] = await started.printed(/on (http:\S+)/)
    const answer = await fetch(`${url}/posts/count`)
    const count = await answer.json()
    await started.stop()

    expect(count).toEqual({ count: 1 })
    expect(started.output).toMatch(/embedded Postgres 18/)
  })

  test("lists every mistake of the files with its place, and does not start", async () => {
    await using folder = await appFolder({
      "src/collections/posts.ts": POSTS.replace("owner: f.text(60)", 'owner: f.relation("people"), kind: f.select([])'),
      "src/collections/broken.ts": "export default collection(",
      "src/globals/site.ts": "export default 5",
      "kit.config.ts": 'export default { basepath: "/x" }',
    })

    const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path })
    const code = await started.exit()

    expect(code).toBe(1)
    expect(started.output).toContain('kit.config.ts: there is no setting "basepath". Did you mean "basePath"?')
    expect(started.output).toMatch(/src\/collections\/broken\.ts:1:\d+: could not be loaded/)
    expect(started.output).toContain("src/globals/site.ts: its default export is not a global")
    expect(started.output).toContain('src/collections/posts.ts: field "kind" has no options.')
  })

  test("finds email templates by their files, which routes send", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({
      ...APP,
      "src/blog/emails/welcome-back.ts": EMAIL,
      "src/routes/greet.ts": GREET,
    })

    const started = new KitProcess(["start", "--port", "0", "--generate"], {
      cwd: folder.path,
      env: { DATABASE_URL: database.url },
    })
    const [, url] = await started.printed(/on (http:\S+)/)
    const answer = await fetch(`${url}/greet`, { method: "POST" })
    await started.stop()

    expect(answer.status).toBe(200)
    expect(await database.query('select "to", subject from _kit_mail')).toEqual([{ to: ["a@x.test"], subject: "Hi" }])
    const generated = await readFile(join(folder.path, "src/generated/register.ts"), "utf8")
    expect(generated).toContain('welcomeBack: EmailInput<typeof import("../blog/emails/welcome-back.js").default>')
    await database.drop()
  })

  test("finds routes and services by their files, and says which routes anyone may call", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({ ...APP, ...ROUTES })

    const started = new KitProcess(["start", "--port", "0", "--generate"], {
      cwd: folder.path,
      env: { DATABASE_URL: database.url },
    })
    const [, url] = await started.printed(/on (http:\S+)/)
    await started.printed(/ready in/)
    const answers = await Promise.all([fetch(`${url}/admin-stats`), fetch(`${url}/clubs/x/invite`, { method: "POST" })])
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    await started.stop()

    expect(bodies).toEqual([{ count: 0, year: 1970 }, expect.objectContaining({ error: expect.anything() })])
    expect(answers[1]?.status).toBe(401)
    expect(started.output).toContain(
      "2 collections, 0 globals, 2 routes    open to anyone: GET /posts, GET /admin-stats",
    )
    expect(started.output).toContain("routes: GET /admin-stats, POST /clubs/:club/invite")
    const generated = await readFile(join(folder.path, "src/generated/index.ts"), "utf8")
    expect(generated).toContain('get: RouteQuery<typeof import("../routes/adminStats.js").default>')
    expect(generated).toContain('typeof import("../blog/routes/clubs/[club]/invite.js").default')
    await database.drop()
  })

  test("a file in the wrong folder is told where it belongs", async () => {
    await using folder = await appFolder({
      "src/collections/posts.ts": POSTS,
      "src/routes/clock.ts": ROUTES["src/services/my-clock.ts"],
      "src/services/stats.ts": ROUTES["src/routes/adminStats.ts"],
      "src/routes/[any].ts": ROUTES["src/routes/adminStats.ts"],
      "src/routes/empty.ts": "export default 5",
      "src/services/session.ts": ROUTES["src/services/my-clock.ts"],
      "src/services/welcome.ts": EMAIL,
      "src/emails/clock.ts": ROUTES["src/services/my-clock.ts"],
      "src/emails/2nd.ts": EMAIL,
    })

    const { code, output } = await runKit(["generate"], { cwd: folder.path })

    expect(code).toBe(1)
    expect(output).toMatch(/src\/routes\/clock\.ts: .* It is a service: move the file to services\//)
    expect(output).toMatch(/src\/services\/stats\.ts: .* It is a route: move the file to routes\//)
    expect(output).toMatch(/src\/services\/welcome\.ts: .* It is an email: move the file to emails\//)
    expect(output).toMatch(/src\/emails\/clock\.ts: its default export is not an email.* move the file to services\//)
    expect(output).toContain('src/emails/2nd.ts: an email is named after its file, and "2nd" is not a name.')
    expect(output).toContain("src/routes/[any].ts: GET /:any would answer in place of every collection.")
    expect(output).toContain("src/routes/empty.ts: its default export is not a route")
    expect(output).toContain("src/services/session.ts: a service is named after its file, and the context already has")
  })

  test("says which port is taken", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }
    const first = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
    const [, port] = await first.printed(/on http:\/\/localhost:(\d+)/)

    const second = new KitProcess(["start", "--port", String(port)], { cwd: folder.path, env })
    const code = await second.exit()
    await first.stop()

    expect(code).toBe(1)
    expect(second.output).toContain(`Port ${port} is taken. Choose another with --port.`)
    await database.drop()
  })

  test("explains a database that cannot be reached", async () => {
    await using folder = await appFolder(APP)

    const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", KIT_DATABASE_WAIT_MS: "0" }
    const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })

    expect(await started.exit()).toBe(1)
    expect(started.output).toContain("Could not connect to PostgreSQL")
    expect(started.output).toContain("Check DATABASE_URL")
  })
})

test("kit dev starts anew when a file changes, also after a mistake, and then says only what is new", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ ...APP, "src/routes/hello.ts": HELLO })
  const port = await freePort()
  const url = `http://localhost:${port}/api`

  const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env: { DATABASE_URL: database.url } })
  await dev.printed(/ready in/)
  const first = dev.output
  await folder.write("src/collections/posts.ts", POSTS.replace("f.text(60)", "f.txt(60)"))
  await dev.printed(/waiting for a change/)
  await folder.write("src/routes/hello.ts", HELLO.replace(".handler", ".access(false).handler"))
  await folder.write("src/collections/posts.ts", POSTS.replace("owner:", "note: f.text(), owner:"))
  const [later] = await dev.printed(/waiting for a change[\s\S]*ready in/)
  // On a busy machine the two files may change too far apart for a single restart.
  const page: any = await vi.waitFor(async () => (await fetch(`${url}/posts`)).json(), { timeout: 60_000 })
  const code = await dev.stop()

  expect(page.docs[0]).toMatchObject({ title: "First", note: null })
  expect(code).toBe(0)
  expect(await readFile(join(folder.path, "src/generated/index.ts"), "utf8")).toContain("note: string | null")
  expect(first).toContain(`GET ${url}/hello    open to anyone`)
  expect(first).toContain('collection "posts" has no rule for update, delete: denied to all but system code.')
  expect(first).toContain("Write .access({ update: …, delete: … }).")
  expect(later).toContain(`GET ${url}/hello\n`)
  expect(later).not.toContain("has no rule")
  expect(later).not.toContain(`on ${url}`)
  await database.drop()
})

describe("kit generate", () => {
  test("writes the types, writes nothing when they are up to date, and checks them without writing", async () => {
    await using folder = await appFolder(APP)
    const generate = (...args: readonly string[]) => runKit(["generate", ...args], { cwd: folder.path })

    const first = await generate()
    const second = await generate("--json")
    await folder.write("src/collections/posts.ts", POSTS.replace("owner:", "note: f.text(), owner:"))
    const checked = await generate("--check")
    const generated = await readFile(join(folder.path, "src/generated/index.ts"), "utf8")

    expect(first).toMatchObject({ code: 0, output: expect.stringContaining("src/generated/index.ts") })
    expect(second).toMatchObject({ code: 0, output: '{"written":[]}\n' })
    expect(checked.code).toBe(1)
    expect(checked.output).toMatch(/^src\/generated\/index\.ts.*: out of date\. Run kit generate\.\n$/)
    expect(generated).not.toContain("note")
  })

  test("the types of the example are up to date", async () => {
    const { code, output } = await runKit(["generate"], { cwd: resolve("examples/newsroom") })

    expect(code).toBe(0)
    expect(output).toContain("up to date")
  })
})

describe("kit user", () => {
  test("makes somebody who can sign in, also while the app is running", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }
    const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
    const [, url] = await started.printed(/on (http:\S+)/)

    const args = ["user", "create", "--email", "Eva@example.com", "--name", "Eva", "--role", "editor"]
    const created = await runKit(args, { cwd: folder.path, env })
    const password = /password: (\S+)/.exec(created.output)?.[1]
    const body = JSON.stringify({ email: "eva@example.com", password })
    const headers = { "content-type": "application/json" }
    const answer: any = await (await fetch(`${url}/auth/sign-in/email`, { method: "POST", headers, body })).json()
    const listed = await runKit(["user", "list"], { cwd: folder.path, env })
    await started.stop()

    expect([created.code, listed.code]).toEqual([0, 0])
    expect(created.output).toContain("created eva@example.com (editor)")
    expect(answer.user).toMatchObject({ email: "eva@example.com", role: "editor", emailVerified: true })
    expect(listed.output).toContain("eva@example.com    Eva    editor")
    await database.drop()
  })

  test("works on the embedded database while nothing else runs", async () => {
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: "" }

    const args = [
      "user",
      "create",
      "--email",
      "root@example.com",
      "--name",
      "Root",
      "--password",
      "correct horse",
      "--admin",
    ]
    const created = await runKit(args, { cwd: folder.path, env })
    const again = await runKit(args, { cwd: folder.path, env })

    expect(created.output).toContain("created root@example.com (admin)")
    expect(created.output).not.toContain("correct horse")
    expect(again.code).toBe(1)
    expect(again.output).toContain("There is a user with this address already.")
  })

  test.each([
    [["user", "create", "--email", "none", "--name", "Eva"], "email: Expected an email address"],
    [["user", "create", "--email", "e@x.yz", "--name", "Eva", "--password", "short"], "password: Must have from 8"],
  ])("%j is explained", async (args, message) => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)

    const { code, output } = await runKit(args, { cwd: folder.path, env: { DATABASE_URL: database.url } })

    expect(code).toBe(2)
    expect(output).toContain(message)
    await database.drop()
  })
})

test("a wrong command or flag is explained", async () => {
  await using folder = await appFolder(APP)

  const command = new KitProcess(["strat"], { cwd: folder.path })
  const flag = new KitProcess(["start", "--prot", "1"], { cwd: folder.path })
  const port = new KitProcess(["start", "--port", "many"], { cwd: folder.path })

  expect([await command.exit(), await flag.exit(), await port.exit()]).toEqual([2, 2, 2])
  expect(command.output).toContain('There is no command "strat". Did you mean "start"?')
  expect(flag.output).toContain('There is no option "--prot". Did you mean "--port"?')
  expect(flag.output).toContain("Usage: kit start [--port <port>]")
  expect(port.output).toContain('"many" is not a port')
})
