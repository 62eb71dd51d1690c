import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startEmbeddedPostgres } from "../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import { ARCHIVED_APP, answersOf, runKit, upload, whileServed } from "../support/worlds/archive-world.ts"

const BINARIES = process.env["KIT_POSTGRES_BIN"] ?? ""

test("an archive moves an app from the embedded database to an installed PostgreSQL, and back", async () => {
  const directory = await mkdtemp(join(tmpdir(), "kit-installed-"))
  await chmod(directory, 0o755)
  const installed = await startEmbeddedPostgres({ directory: join(directory, "db"), binaries: BINARIES })
  await using folder = await appFolder(ARCHIVED_APP)
  const own = { folder, env: { DATABASE_URL: "", KIT_POSTGRES_BIN: "" } }
  const other = { folder, env: { DATABASE_URL: installed.url } }
  await runKit(own, "seed")
  const before = await whileServed(own, async (url) => {
    await upload(url, "a.txt", Buffer.from("some text"))
    return answersOf(url)
  })

  const steps = [
    await runKit(own, "db", "dump", "there.kit"),
    await runKit(other, "db", "restore", "there.kit"),
    await runKit(other, "db", "dump", "back.kit"),
  ]
  const there = await whileServed(other, answersOf)
  steps.push(await runKit(own, "db", "reset"), await runKit(own, "db", "restore", "back.kit", "--replace"))
  const back = await whileServed(own, answersOf)

  expect(
    steps.map(({ code }) => code),
    steps.map(({ output }) => output).join("\n"),
  ).toEqual([0, 0, 0, 0, 0])
  expect(steps[3]?.output).toMatch(/Postgres 18/)
  expect(there).toEqual(before)
  expect(back).toEqual(before)
  await installed.release()
  await rm(directory, { recursive: true })
})
