// @module-tag experiment

import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { collection, job } from "kit"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { rollingWorld, type Version } from "../support/worlds/rolling-world.ts"
import type { TestApp } from "../support/worlds/test-app.ts"

const PATIENCE_MS = 300_000
const OUTAGE = { code: "SERVICE_UNAVAILABLE", context: { reason: "schema" } }

const first: Version = { posts: (f) => ({ note: f.text(), size: f.number().integer().default(1) }) }

interface Change {
  readonly version: Version
  /** The text in the log. */
  readonly said: string
  /** No statement of the older version fails by itself: it could write and read wrong values unnoticed. */
  readonly isSilent?: true
}

const CHANGES: Readonly<Record<string, Change>> = {
  "renames a column": {
    version: {
      posts: (f) => ({ remark: f.text().renamedFrom("note"), size: f.number().integer().default(1) }),
    },
    said: 'the column "posts.note" is gone',
  },
  "requires a new field without a default": {
    version: { posts: (f) => ({ ...first.posts?.(f), kind: f.text().required() }) },
    said: 'the column "posts.kind" is new and needs a value',
  },
  "requires a field that could be empty": {
    version: { posts: (f) => ({ ...first.posts?.(f), note: f.text().required() }) },
    said: 'the column "posts.note" must not be empty now',
  },
  "stores a number as text": {
    version: { posts: (f) => ({ ...first.posts?.(f), size: f.text().default("1") }) },
    said: 'the column "posts.size" is text now and was integer',
    isSilent: true,
  },
  "stores a text by locale": {
    version: { posts: (f) => ({ ...first.posts?.(f), note: f.text().localized() }) },
    said: 'the column "posts.note" is jsonb now and was text',
    isSilent: true,
  },
}

describe.each(Object.entries(CHANGES))("when a newer version %s", (_name, { version, said, isSilent }) => {
  test("the older one turns not ready, and refuses what it cannot serve", async () => {
    const world = await rollingWorld()
    const old = await world.start(first)
    expect((await old.fetch("/_kit/ready")).status).toBe(200)

    await world.start(version)
    if (isSilent) await old.fetch("/_kit/ready")
    const created = await post(old, "/posts", { title: "Late" })
    const ready = await old.fetch("/_kit/ready")
    const read = await old.fetch("/posts")

    expect(created).toMatchObject({ status: 503, body: { error: OUTAGE } })
    expect(ready).toMatchObject({ status: 503, body: { error: OUTAGE } })
    expect(ready.headers.get("retry-after")).toBe("1")
    expect(read).toMatchObject({ status: 503, body: { error: OUTAGE } })
    expect(JSON.stringify([created.body, ready.body])).not.toContain("column")
    expect((await post(old, "/tags", { name: "Unchanged" })).status).toBe(201)
    const lines = old.logged.filter(({ message }) => message.includes("newer version"))
    expect(lines).toMatchObject([{ fields: { changes: expect.arrayContaining([said]) } }])
  })
})

test("a change that makes no statement fail is found out soon, without anybody asking for readiness", async () => {
  const world = await rollingWorld()
  const old = await world.start(first)

  await world.start(CHANGES["stores a number as text"]?.version)

  await vi.waitFor(async () => expect((await old.fetch("/posts")).status).toBe(503), { timeout: 60_000 })
})

test.each(["softDelete", "workflow", "revision"])(
  "an older version that knows nothing of %s would answer wrongly, and is not ready",
  async (option) => {
    const world = await rollingWorld()
    const notes = collection("notes").fields(({ f }) => ({ text: f.text() }))
    const rules = { read: true, create: true, update: true, delete: true } as const
    const old = await world.start({ more: [notes.access(rules)] })
    await post(old, "/notes", { text: "Old" })

    await world.start({ more: [notes.access(rules).options({ [option]: true })] })

    expect((await old.fetch("/_kit/ready")).status).toBe(503)
    expect(await old.fetch("/notes")).toMatchObject({ status: 503, body: { error: OUTAGE } })
    expect((await old.fetch("/posts")).status).toBe(200)
  },
)

test("a table that is gone is found out by what fails, and its return too", async () => {
  const world = await rollingWorld()
  const comments = collection("comments").fields(({ f }) => ({ text: f.text() }))
  const old = await world.start({ more: [comments.access({ read: true, create: true })] })
  await world.database.query(`alter table comments rename to others`)

  const read = await old.fetch("/comments")
  const refused = await old.fetch("/_kit/ready")
  await world.database.query(`alter table others rename to comments`)

  expect([read.status, refused.status]).toEqual([503, 503])
  expect((await old.fetch("/_kit/ready")).status).toBe(200)
  expect((await post(old, "/comments", { text: "Again" })).status).toBe(201)
  expect(old.logged.at(-1)?.message).toContain("fits this version of the app again")
})

test("a statement that is wrong for another reason stays a failure, and the process ready", async () => {
  const world = await rollingWorld()
  const broken = collection("broken")
    .fields(({ f }) => ({ text: f.text() }))
    .hooks({ beforeChange: ({ db }: any) => db.executeQuery({ sql: "select missing", parameters: [], query: {} }) })
  const old = await world.start({ more: [broken.access({ create: true })] })

  const failed = await post(old, "/broken", { text: "x" })

  expect(failed.status).toBe(500)
  expect((await old.fetch("/_kit/ready")).status).toBe(200)
})

test("live queries of the older version wait, and others go on", async () => {
  const world = await rollingWorld()
  const old = await world.start(first)
  await using stream = await openEvents({
    url: old.url,
    topics: ["posts", "tags"].map((resource) => ({ id: resource, resourceType: "collection", resource })),
  })
  await stream.next("snapshot", ({ topicId }) => topicId === "posts")
  await stream.next("snapshot", ({ topicId }) => topicId === "tags")

  const next = await world.start(CHANGES["renames a column"]?.version)
  await post(next, "/posts", { title: "New" })
  await post(next, "/tags", { name: "New" })
  await stream.next("snapshot", ({ topicId }) => topicId === "tags")

  expect(stream.events.filter(({ name }) => name === "error")).toEqual([])
})

test("jobs are left to workers of the newer version", async () => {
  const world = await rollingWorld()
  const ranBy: string[] = []
  const jobs = (version: string) => ({
    count: job({ name: "count", schema: z.object({}), handler: () => void ranBy.push(version) }),
  })
  const old = await world.start({ ...first, jobs: jobs("old") })
  const next = await world.start({ ...CHANGES["renames a column"]?.version, jobs: jobs("new") })
  expect((await old.fetch("/_kit/ready")).status).toBe(503)

  for (let published = 0; published < 10; published++) await (next.app.queue as any).count.publish({})
  await vi.waitFor(() => expect(ranBy).toHaveLength(10), { timeout: 60_000 })

  expect(new Set(ranBy)).toEqual(new Set(["new"]))
})

test(
  "a process of the older version turns not ready when a migration drops a column, and starts as such",
  async () => {
    const { folder, kit, start } = await newApp()
    await declare(folder, "title: f.text(), note: f.text()")
    await kit("migrate", "create", "first")
    const old = await start()
    expect(await old.create()).toBe(201)

    await declare(folder, "title: f.text()")
    await kit("migrate", "create", "second", "--accept-data-loss")
    await kit("migrate", "up")
    const statuses = [await old.create(), await old.create(), await old.read("/posts"), await old.read("/_kit/ready")]
    await vi.waitFor(() => expect(old.output).toContain("not ready"), { timeout: 60_000 })
    await declare(folder, "title: f.text(), note: f.text()")
    await forget(folder, "second")
    const again = await start()

    expect(statuses).toEqual([503, 503, 503, 503])
    expect(old.output.match(/not ready/g)).toHaveLength(1)
    expect(old.output).not.toContain("A request could not be served")
    expect([await again.read("/_kit/health"), await again.read("/_kit/ready")]).toEqual([200, 503])
  },
  PATIENCE_MS,
)

async function newApp() {
  const database = await createTestDatabase()
  const folder = await appFolder({})
  const processes: KitProcess[] = []
  onTestFinished(async () => {
    for (const each of processes) await each.kill()
    await folder[Symbol.asyncDispose]()
    await database.drop()
  })
  const options = { cwd: folder.path, env: { DATABASE_URL: database.url, KIT_SECRET: "a secret for tests only" } }
  return {
    folder,
    kit: async (...args: string[]) => {
      const run = new KitProcess(args, options)
      if ((await run.exit()) !== 0) throw new Error(run.output)
    },
    start: async () => {
      const port = await freePort()
      const run = new KitProcess(["start", "--port", String(port)], options)
      processes.push(run)
      await run.printed(/ready in/)
      return callsTo(run, `http://127.0.0.1:${port}/api`)
    },
  }
}

function callsTo(run: KitProcess, url: string) {
  const headers = { "content-type": "application/json" }
  return {
    get output() {
      return run.output
    },
    create: async () => (await fetch(`${url}/posts`, { method: "POST", headers, body: '{"title":"t"}' })).status,
    read: async (path: string) => (await fetch(url + path)).status,
  }
}

function declare(folder: AppFolder, fields: string): Promise<void> {
  return folder.write(
    "src/collections/posts.ts",
    `import { collection } from "kit"
     export default collection("posts").fields(({ f }) => ({ ${fields} })).access({ read: true, create: true })`,
  )
}

/** Makes the folder that of the version before this migration. */
async function forget(folder: AppFolder, migration: string): Promise<void> {
  const path = join(folder.path, "src/migrations")
  const files = (await readdir(path)).filter((name) => name.includes(migration))
  for (const file of files) await rm(join(path, file))
}

function post(app: TestApp, path: string, body: object) {
  return app.fetch(path, { method: "POST", body: JSON.stringify(body) })
}
