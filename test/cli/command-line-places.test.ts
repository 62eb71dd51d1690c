// @module-tag not-about-engine

import { readdir } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { type AppFolder, appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) })).access({ read: true })
`
const APP = { "src/collections/posts.ts": POSTS }
// These tests use the embedded database, so DATABASE_URL is empty.
const EMBEDDED = { DATABASE_URL: "" }

function run(folder: AppFolder, args: readonly string[], env: Record<string, string>) {
  return runKit(args, { cwd: folder.path, env })
}

describe("a place that cannot be used is one line that says so", () => {
  test("the folder of the embedded database is a file", async () => {
    await using folder = await appFolder({ ...APP, ".kit/db": "" })

    const started = await run(folder, ["start", "--port", "0"], EMBEDDED)

    expect(started.code).toBe(1)
    expect(started.output.trim()).toMatch(/^The database directory .* cannot be created or written\. Make it .*$/)
  })

  test("the folder of compiled files is a file, which the doctor finds among the rest", async () => {
    await using folder = await appFolder({ ...APP, ".kit/sources": "" })

    const examined = await run(folder, ["doctor"], EMBEDDED)

    expect(examined.code).toBe(1)
    expect(examined.output).toMatch(/fail +app +\.kit\/sources, for the compiled files, cannot be written/)
    expect(examined.output).toMatch(/ok +port|warn +port/)
  })

  test("a folder without an app is left as it was", async () => {
    await using folder = await appFolder({})

    const started = await run(folder, ["start", "--port", "0"], EMBEDDED)

    expect(started.code).toBe(1)
    expect(started.output.trim().split("\n")).toEqual([expect.stringContaining(`this is ${folder.path}.`)])
    expect(await readdir(folder.path)).toEqual(["node_modules", "package.json"])
  })

  test("generated files cannot be written", async () => {
    await using folder = await appFolder({ ...APP, "src/generated": "" })

    const generated = await run(folder, ["generate"], EMBEDDED)

    expect(generated.code).toBe(1)
    expect(generated.output.trim().split("\n")).toEqual([expect.stringContaining("src/generated")])
  })

  test("an address of another machine, and one that is none", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const start = (...args: readonly string[]) =>
      run(folder, ["start", "--port", "0", ...args], { DATABASE_URL: database.url })

    const elsewhere = await start("--host", "192.0.2.1")
    const unnamed = await run(folder, ["seed"], { DATABASE_URL: "mysql://root:hidden@localhost/shop" })

    expect(elsewhere.output.trim()).toBe(
      '"192.0.2.1" is not an address of this machine. Set --host or HOST to one that is, or to 0.0.0.0 for all of them.',
    )
    expect(unnamed.output).toMatch(/^DATABASE_URL.* is not the address of a PostgreSQL\. Write it as postgres:/)
    expect(unnamed.output).not.toContain("hidden")
    expect([elsewhere.code, unnamed.code]).toEqual([1, 1])
    await database.drop()
  })
})

test("kit db url prints the address and nothing else, whatever the settings print and however old the build is", async () => {
  await using folder = await appFolder({ ...APP, "kit.config.ts": 'console.log("settings")\nexport default {}' })
  const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
  const built = await run(folder, ["build"], env)
  await folder.write("src/collections/posts.ts", POSTS.replace("200", "300"))

  const asked = await run(folder, ["db", "url"], env)

  expect([built.code, asked.code]).toEqual([0, 0])
  expect(asked.stdout).toBe(`${env.DATABASE_URL}\n`)
  expect(asked.output).toContain("has changed since kit build")
})
