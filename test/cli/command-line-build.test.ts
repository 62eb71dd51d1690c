// @module-tag not-about-engine
// @module-tag experiment

import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

// A file that prints and keeps the process busy must neither corrupt JSON nor keep a command from ending.
const POSTS = `
import { collection } from "kit"
import { readable } from "../_rules.ts"
console.log("posts are loaded")
setInterval(() => {}, 1000)
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .access({ read: readable, create: true, update: true, delete: true })
`
const APP = {
  "src/collections/posts.ts": POSTS,
  "src/_rules.ts": "export const readable = true",
  "kit.config.ts": 'import { defineConfig } from "kit"\nexport default defineConfig({ basePath: "/v1" })',
}

// A process of its own, which a file of the author could keep from ending.
async function kit(folder: AppFolder, args: readonly string[], env: Record<string, string> = {}) {
  const command = new KitProcess(args, { cwd: folder.path, env })
  return { code: await command.exit(), output: command.output, stdout: command.stdout }
}

function command(folder: AppFolder, args: readonly string[], env: Record<string, string> = {}) {
  return runKit(args, { cwd: folder.path, env })
}

describe("kit build", () => {
  test("the newsroom runs from its build, without its sources", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({})
    await cp(resolve("examples/newsroom"), folder.path, { recursive: true, filter: (path) => !path.includes("/.kit") })
    await symlink(resolve("node_modules/zod"), join(folder.path, "node_modules/zod")).catch(() => {})
    const env = { DATABASE_URL: database.url }

    const built = await kit(folder, ["build"])
    await rm(join(folder.path, "src"), { recursive: true })
    await rm(join(folder.path, "kit.config.ts"))
    const started = new KitProcess(["start", "--port", "0", "--json"], { cwd: folder.path, env })
    await started.printed(/ready in/)
    const ready = JSON.parse(started.stdout)
    const answers = await Promise.all(["teams", "stats", "articles/count"].map((path) => fetch(`${ready.url}/${path}`)))
    const [teams, stats]: any[] = await Promise.all(answers.map((answer) => answer.json()))
    await kit(folder, ["user", "create", "--email", "eva@example.com", "--name", "Eva", "--admin"], env)
    const users = await kit(folder, ["user", "list", "--json"], env)
    const code = await started.stop()

    expect(built, built.output).toMatchObject({ code: 0 })
    expect(built.output).not.toContain("out of date")
    expect(ready).toMatchObject({ isBuilt: true, port: expect.any(Number), url: expect.stringContaining("/api") })
    expect(started.output).toContain("newsroom on")
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(teams).toMatchObject({ docs: [], totalDocs: 0 })
    expect(stats).toEqual(expect.any(Object))
    expect(JSON.parse(users.stdout)).toMatchObject({ email: "eva@example.com", role: "admin" })
    expect(code).toBe(0)
    await database.drop()
  })

  test("a source that has changed since is served in its place, and named", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }
    const start = async () => {
      const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
      const [, url] = await started.printed(/on (http:\S+)/)
      const { status } = await fetch(`${url}/posts`)
      await started.stop()
      return { status, output: started.output }
    }

    const built = await kit(folder, ["build"])
    const fromBuild = await start()
    await folder.write("src/_rules.ts", "export const readable = false")
    const fromSources = await start()
    await rm(join(folder.path, "src"), { recursive: true })
    await folder.write("kit.config.ts", "export default {}")
    const refused = await kit(folder, ["start", "--port", "0"], env)

    expect(built.output).toContain("src/generated/index.ts")
    expect(built.output).toContain("out of date. Run kit generate.")
    expect(fromBuild).toMatchObject({ status: 200, output: expect.stringContaining("from the build") })
    expect(fromSources.status).not.toBe(200)
    expect(fromSources.output).toContain("src/_rules.ts has changed since kit build: using the sources.")
    expect(refused.code).toBe(1)
    expect(refused.output).toBe(
      "kit.config.ts is not what the build in dist was made of. Run kit build where the sources are.\n",
    )
    await database.drop()
  })

  test("brings the migrations along, which the other commands read from it", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }

    const planned = await command(folder, ["migrate", "plan", "--json"], env)
    await command(folder, ["migrate", "create", "first"], env)
    await command(folder, ["build"])
    await rm(join(folder.path, "src"), { recursive: true })
    const pending = await command(folder, ["migrate", "status", "--json"], env)
    const up = await command(folder, ["migrate", "up"], env)
    const applied = await command(folder, ["migrate", "status", "--json"], env)

    const plan = JSON.parse(planned.stdout)
    expect(plan.refusals).toEqual([])
    expect(plan.steps[0]).toMatchObject({ title: expect.any(String), sql: [expect.stringMatching(/create/i)] })
    expect(JSON.parse(pending.stdout).migrations).toEqual([
      { name: expect.stringMatching(/_first$/), state: "pending", appliedAt: null },
    ])
    expect(up.output).toMatch(/applied \d+_first/)
    expect(JSON.parse(applied.stdout)).toMatchObject({ migrations: [{ state: "applied" }], isSchemaAhead: false })
    await database.drop()
  })

  test("an app with mistakes has them all listed, and no build", async () => {
    await using folder = await appFolder({
      ...APP,
      "src/collections/more.ts": POSTS.replace("f.text(200)", 'f.relation("people")'),
      "src/collections/broken.ts": "export default collection(",
    })
    await mkdir(join(folder.path, "dist"))
    await folder.write("dist/page.html", "the author's own")

    const broken = await command(folder, ["build"])
    await rm(join(folder.path, "src/collections/broken.ts"))
    const wrong = await command(folder, ["build"])
    await rm(join(folder.path, "src/collections/more.ts"))
    await folder.write("dist/app.js", "the author's own")
    const occupied = await command(folder, ["build"])
    await rm(join(folder.path, "dist/app.js"))
    await folder.write("node_modules/shared/package.json", '{ "type": "module", "exports": "./index.ts" }')
    await folder.write("node_modules/shared/index.ts", "export const readable: boolean = true")
    await folder.write("src/_rules.ts", 'export { readable } from "shared"')
    const uncompiled = await command(folder, ["build"])

    expect([broken.code, wrong.code, occupied.code, uncompiled.code]).toEqual([1, 1, 1, 1])
    expect(occupied.output).toContain("dist/app.js is not from kit build. Move it away; nothing was written.")
    expect(broken.output).toMatch(/src\/collections\/broken\.ts:1:\d+: could not be loaded/)
    expect(wrong.output).toMatch(/src\/collections\/(more|posts)\.ts: .*posts/)
    expect(wrong.output).toContain('"people"')
    expect(uncompiled.output).toMatch(/could not be loaded: .*shared\/index\.ts/)
    expect(await readdir(join(folder.path, "dist"))).toContain("page.html")
    expect(await readdir(join(folder.path, "dist"))).not.toContain("kit-build.json")
  })
})

test("an import that leads to another copy of kit is refused in one line with both", async () => {
  await using folder = await appFolder({
    ...APP,
    "src/blog/collections/notes.ts": POSTS.replaceAll("posts", "notes").replace("../_", "../../_"),
    "src/blog/node_modules/kit/package.json": '{ "name": "kit", "version": "9.9.9", "main": "index.js" }',
    "src/blog/node_modules/kit/index.js": "",
  })

  const { code, output } = await command(folder, ["generate"])

  expect(code).toBe(1)
  expect(output.split("\n")).toHaveLength(2)
  expect(output).toMatch(/^src\/blog\/collections\/notes\.ts: it imports kit 9\.9\.9 in src\/blog\/node_modules\/kit, /)
  expect(output).toMatch(/but kit \d\S+ in \S+packages\/kit runs the app\. Keep one of them/)
})

describe("kit doctor", () => {
  test("finds what is unfinished and says what to write", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({
      ...APP,
      "src/collections/posts.ts": POSTS.replace(", update: true, delete: true", ""),
      "src/routes/hello.ts": 'import { route } from "kit"\nexport default route().get().handler(() => 1)',
    })

    const local = await command(folder, ["doctor"], { DATABASE_URL: database.url })
    const production = await command(folder, ["doctor", "--production", "--json"], { DATABASE_URL: "", KIT_SECRET: "" })

    expect(local.code).toBe(0)
    expect(local.output).toMatch(/warn {2}types +src\/generated\/app\.ts.*out of date\n +Run kit generate\./)
    expect(local.output).toMatch(/ok +database +Postgres at .*, version \d/)
    expect(local.output).toMatch(/warn +database +the next start will: .*posts/)
    expect(local.output).toMatch(/warn +rules +collection "posts" has no rule for update, delete/)
    expect(local.output).toContain("Write .access({ update: …, delete: … }) in src/collections/posts.ts.")
    expect(local.output).toMatch(/warn +open +GET \/hello has no rule/)
    expect(production.code).toBe(1)
    const { isHealthy, findings } = JSON.parse(production.stdout)
    expect(isHealthy).toBe(false)
    const failed = findings.filter(({ status }: { status: string }) => status === "fail")
    expect(failed).toEqual([expect.objectContaining({ check: "secret", fix: expect.stringContaining("KIT_SECRET") })])
    const message = expect.stringMatching(
      /^the programs of the embedded one contain OpenSSL \d\S+, zlib \d\S+, libxml2 \d/,
    )
    const fix = expect.stringContaining("db.embedded.binaries")
    expect(findings).toContainEqual({ check: "database", status: "warn", message, fix })
    await database.drop()
  })

  test("names hidden fields that searches can find out", async () => {
    const fields = `title: f.text(), code: f.text().hidden(), wage: f.text().access({ read: ({ session }) => session !== null })`
    const posts = `import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ ${fields} })).title("title").searchable({ fields: ["code", "wage"] })`
    await using folder = await appFolder({ ...APP, "src/collections/posts.ts": posts })

    const { stdout } = await command(folder, ["doctor", "--json"], { DATABASE_URL: "" })

    const found = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === "search")
    expect(found).toEqual([
      {
        ...{ check: "search", status: "warn" },
        message: expect.stringContaining('the hidden field "code" of "posts" is searched'),
        fix: expect.stringMatching(
          /^Leave "code" out of \.searchable\(\{ fields \}\) in src\/collections\/posts\.ts, or/,
        ),
      },
    ])
  })

  test("goes on where the app does not load or the database does not answer", async () => {
    await using folder = await appFolder({ "src/collections/broken.ts": "export default collection(" })

    const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", PORT: "many" }
    const { code, output } = await command(folder, ["doctor"], env)

    expect(code).toBe(1)
    expect(output).toMatch(/fail +app +src\/collections\/broken\.ts:1:\d+: could not be loaded/)
    expect(output).toMatch(/fail +database +Could not connect to PostgreSQL/)
    expect(output).toMatch(/fail +port +PORT is "many"/)
    expect(output).toMatch(/3 checks failed\.\n$/)
  })
})
