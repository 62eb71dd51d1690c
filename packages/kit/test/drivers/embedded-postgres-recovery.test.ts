// @module-tag experiment

import { once } from "node:events"
import { appendFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { startEmbeddedPostgres } from "../../src/drivers/embedded-postgres/start.ts"
import type { ServerState } from "../../src/drivers/embedded-postgres/supervisor/server-state.ts"
import { expectGone, kill, queryValue, release, World } from "./embedded-postgres-world.ts"

const WAIT = { timeout: 60_000, interval: 20 }

// A database to start again and again.
const made = new World()

beforeAll(async () => {
  await release(await made.user())
})

afterAll(() => made[Symbol.asyncDispose]())

test("a process that has another temporary directory brings the server back at the same address", async () => {
  await using world = new World()
  const first = await world.user()
  mkdirSync(join(world.root, "tmp"), { mode: 0o777 })
  const second = await world.user({ TMPDIR: realpathSync(join(world.root, "tmp")) })
  const victims = [world.supervisor(), world.postmaster()]

  await kill(first.child)
  for (const pid of victims) process.kill(pid, "SIGKILL")
  for (const pid of victims) await expectGone(pid)

  await vi.waitFor(async () => expect(await queryValue(second.url, "select 1")).toBe(1), WAIT)
})

test("a process whose server cannot start can end by itself, and leaves no supervisor behind", async () => {
  await using world = new World()
  const user = await world.user()
  const victims = [world.supervisor(), world.postmaster()]
  appendFileSync(join(world.dataDirectory, "postgresql.conf"), "shared_memory_type = 'imaginary'\n")
  for (const pid of victims) process.kill(pid, "SIGKILL")
  await vi.waitFor(() => expect(victims).not.toContain(world.supervisor()), WAIT)
  const successor = world.supervisor()

  user.child.stdin?.end()
  const [exitCode] = await once(user.child, "exit")

  expect(exitCode).toBe(0)
  await expectGone(successor)
})

test("a process that comes while the server is down waits for it, and is told why", async () => {
  await using world = new World()
  await world.user()
  const settings = join(world.dataDirectory, "postgresql.conf")
  appendFileSync(settings, "shared_memory_type = 'imaginary'\n")
  process.kill(world.postmaster(), "SIGKILL")
  const log = join(world.home, "postgres.log")
  await vi.waitFor(() => expect(readFileSync(log, "utf8")).toContain("PostgreSQL is down: configuration file"), WAIT)

  const heard: string[] = []
  const starting = startEmbeddedPostgres({ directory: world.directory, onProgress: (message) => heard.push(message) })
  await vi.waitFor(() => expect(heard.join("\n")).toContain("contains errors"), WAIT)
  // The last of two values counts.
  appendFileSync(settings, "shared_memory_type = 'mmap'\n")
  const postgres = await starting

  expect(await queryValue(postgres.url, "select 1")).toBe(1)
  await postgres.release()
})

test("a listener hears of each change, with its reason, and of no attempt", async () => {
  await using world = made.visit()
  const postgres = await startEmbeddedPostgres({ directory: world.directory })
  const states: ServerState[] = []
  postgres.watch((state) => states.push(state))

  process.kill(world.postmaster(), "SIGKILL")
  await vi.waitFor(() => expect(states.at(-1)?.kind).toBe("up"), WAIT)
  process.kill(world.supervisor(), "SIGKILL")
  await vi.waitFor(() => expect(states.at(-1)?.kind).toBe("unsupervised"), WAIT)
  await postgres.release()

  expect(states).toEqual([
    { kind: "down", reason: "its process was ended by SIGKILL" },
    { kind: "up", downMs: expect.any(Number) },
    { kind: "unsupervised" },
  ])
  await expectGone(world.postmaster())
})
