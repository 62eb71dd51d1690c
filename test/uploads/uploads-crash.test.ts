// @module-tag not-about-shortcuts

import { randomUUID } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { collection, job } from "kit"
import { testApp } from "kit/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { type Moment, startCommitProxy } from "../support/processes/commit-proxy.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { formWith, PNG } from "../support/worlds/files-world.ts"

// With a hook, the record is stored in a transaction, whose commit the proxy can see.
const scans = collection("scans")
  .upload()
  .access({ read: true, create: true })
  .hooks({ afterChange: () => undefined })
const idle = job({ name: "idle", schema: z.object({}), handler: () => undefined })

let database: TestDatabase
let folder = ""

beforeEach(async () => {
  database = await createTestDatabase()
  folder = join(tmpdir(), `kit-files-${randomUUID()}`)
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function open(url: string, now = new Date()) {
  const config = { db: { url }, storage: { folder } }
  return testApp({ collections: [scans], jobs: { idle }, config, now })
}

async function storedFiles(): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

const count = async (table: string) =>
  Number((await database.query(`select count(*)::int as n from "${table}"`))[0]?.["n"])

test.each<[Moment, number]>([
  ["commit asked", 0],
  ["commit done", 1],
])(
  "a connection that breaks at a commit loses no file that has a record, and leaves no other: %s",
  async (moment, records) => {
    const proxy = await startCommitProxy(database)
    const app = await open(proxy.url)
    await app.app.stopWorker()
    const cut = new Promise<void>((resolve) => proxy.at(moment, () => resolve(proxy[Symbol.asyncDispose]())))

    const answer = await app.fetch("/scans/upload", { method: "POST", body: formWith(PNG) })
    await cut
    await app.stop()

    expect(answer.status).toBe(503)
    await expect.poll(() => count("scans")).toBe(records)
    expect([await storedFiles(), await count("_kit_files")]).toEqual([1, 1])

    const hours = (n: number) => new Date(Date.now() + n * 3_600_000)
    await using later = await open(database.url, hours(2))
    await later.clock.advance("1h")
    await later.jobs.settle()

    expect([await storedFiles(), await count("scans"), await count("_kit_files")]).toEqual([records, records, 0])
  },
)
