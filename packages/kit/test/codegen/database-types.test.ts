// @module-tag experiment

import { execFile } from "node:child_process"
import { readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"

const run = promisify(execFile)
const kit = fileURLToPath(new URL("../../bin/kit.mjs", import.meta.url))

const NOTES = `import { collection } from "kit"

export default collection("notes").fields(({ f }) => ({ text: f.text().required() }))
`

const LENGTHS = `import type { HandlerContext } from "kit"

export const lengthsOf = ({ db }: HandlerContext) => db.selectFrom("notes").select("text").execute()

// @ts-expect-error no such table
export const wrong = ({ db }: HandlerContext) => db.selectFrom("nots").selectAll().execute()
`

test("the types of the database are there for an app that mentions it, and no other loads them", async () => {
  await using app = await appFolder(new Map([["src/collections/notes.ts", NOTES]]))
  const generated = (name: string) => readFile(join(app.path, "src", "generated", name), "utf8")
  const generate = async () => (await run(process.execPath, [kit, "generate"], { cwd: app.path })).stdout

  await generate()
  expect(await generated("tables.ts")).toContain("No file of the app mentions `db`")
  expect((await app.complaints("--listFiles")).filter((line) => line.includes("kysely"))).toEqual([])

  // Also in a file that is no module of the app.
  const helper = join(app.path, "src", "_lengths.ts")
  await writeFile(helper, LENGTHS)
  expect(await generate()).toContain("src/generated/register.ts, src/generated/tables.ts")
  expect(await generated("register.ts")).toContain("db: Kysely<AppTables>")
  expect(await app.complaints()).toEqual([])

  await rm(helper)
  await generate()
  expect(await generated("register.ts")).not.toContain("Kysely")
  expect(await app.complaints()).toEqual([])
})

test("so they are for one whose packages mention it: other folders, and links out of src", async () => {
  const route = (from: string) =>
    `import { route } from "kit"\nimport { lengthsOf } from "${from}"\n\nexport default route().handler(lengthsOf)\n`
  await using app = await appFolder(
    new Map([
      ["src/collections/notes.ts", NOTES],
      ["src/routes/linked.ts", route("../linked/lengths.ts")],
      ["shared/lengths.ts", LENGTHS],
    ]),
  )
  const generated = (name: string) => readFile(join(app.path, "src", "generated", name), "utf8")
  const generate = async () => (await run(process.execPath, [kit, "generate"], { cwd: app.path })).stdout

  await symlink(join("..", "shared"), join(app.path, "src", "linked"))
  await generate()
  expect(await generated("register.ts")).toContain("db: Kysely<AppTables>")

  await rm(join(app.path, "src", "linked"))
  await writeFile(join(app.path, "src", "routes", "linked.ts"), route("../../shared/lengths.ts"))
  await generate()
  expect(await generated("register.ts")).toContain("db: Kysely<AppTables>")
  expect(await app.complaints()).toEqual([])

  await rm(join(app.path, "src", "routes", "linked.ts"))
  await generate()
  expect(await generated("register.ts")).not.toContain("Kysely")
})

test("before it is generated, nothing that is asked of the database is a mistake", async () => {
  const route = `import { route } from "kit"

export default route().handler(async ({ db }) => ({ rows: await db.selectFrom("notes").selectAll().execute() }))
`
  await using app = await appFolder(new Map([["src/routes/all.ts", route]]))

  expect(await app.complaints()).toEqual([])
})
