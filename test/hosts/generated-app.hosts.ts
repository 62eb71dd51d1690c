import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { job, type OpenOptions } from "kit"
import { toNodeListener } from "kit/adapters/node"
import { type AppDeclarations, openDefinition } from "kit/generated"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { listen } from "./support/running-host.ts"

// Imported by path: the types of the newsroom belong to a separate program.
const GENERATED = "../../examples/newsroom/src/generated/app.ts"
const { definition }: { definition: AppDeclarations } = await import(GENERATED)

describe("the generated app of the newsroom", () => {
  let database: TestDatabase
  let root: string
  beforeAll(async () => {
    database = await createTestDatabase()
    root = await mkdtemp(join(tmpdir(), "kit-generated-"))
  })
  afterAll(async () => {
    await database.drop()
    await rm(root, { recursive: true })
  })

  const quiet = () => {}
  const open = (options: OpenOptions = {}, parts: Partial<AppDeclarations> = {}) => {
    const config = {
      ...definition.config,
      db: { url: database.url },
      logger: { info: quiet, warn: quiet, error: quiet },
    }
    return openDefinition({ ...definition, ...parts, config }, { root, ...options })
  }

  test("is served by a host, with its records, routes and services", async () => {
    const app = await open()
    const host = await listen(createServer(toNodeListener(app)))

    const articles = await fetch(`${host.origin}/api/articles`)
    const stats = await fetch(`${host.origin}/api/stats`)

    expect([articles.status, stats.status]).toEqual([200, 200])
    expect(app.routes.map(({ title }) => title)).toContain("POST /teams/invite")
    await host.stop()
    await app.stop()
  })

  test("runs jobs where it is asked to, also those that were published elsewhere", async () => {
    let ran = (_note: string) => {}
    const done = new Promise<string>((resolve) => {
      ran = resolve
    })
    const note = job({
      name: "note",
      schema: z.object({ text: z.string() }),
      handler: ({ payload }) => ran(payload.text),
    })
    const jobs = [{ file: "src/jobs/note", key: "note", definition: note.definition }]

    const publisher = await open({}, { jobs })
    await publisher.queue["note"]?.publish({ text: "hello" })
    await publisher.stop()
    const worker = await open({ worker: true }, { jobs })

    expect(await done).toBe("hello")
    await worker.stop()
  })

  test("follows the migrations in its folder, and refuses a schema that they do not lead to", async () => {
    await mkdir(join(root, "src", "migrations"), { recursive: true })
    await writeFile(join(root, "src", "migrations", "20260101000000_first.sql"), "select 1;")

    await expect(open()).rejects.toThrow("20260101000000_first.json is missing")
    await open({ migrations: [] }).then((app) => app.stop())
  })
})
