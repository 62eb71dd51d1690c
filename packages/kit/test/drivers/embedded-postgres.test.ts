// @module-tag experiment

import type { ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { findPlatformPackage, makeRunnable } from "../../src/drivers/embedded-postgres/files/binaries.ts"
import { runAs } from "../../src/drivers/embedded-postgres/files/run-as.ts"
import { startEmbeddedPostgres } from "../../src/drivers/embedded-postgres/start.ts"
import { truncateServerLog } from "../../src/drivers/embedded-postgres/supervisor/server-log.ts"
import { slowdown } from "../least-time.ts"
import { expectGone, isAlive, kill, PLAIN_ACCOUNT, queryValue, release, World } from "./embedded-postgres-world.ts"

// Twice the promised times, and the best of some tries, for machines that are busy with other tests.
const FIRST_START_LIMIT_MS = 6000
const LATER_START_LIMIT_MS = 1000
const ADOPTION_LIMIT_MS = 60
const FIRST_START_TRIES = 5
const LATER_START_TRIES = 20

// A database to start again and again; tests that need a first start make their own.
const made = new World()

beforeAll(async () => {
  await release(await made.user())
})

afterAll(() => made[Symbol.asyncDispose]())

test("the first start creates a database that answers, and is fast", async () => {
  let bestMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < FIRST_START_TRIES && bestMs >= FIRST_START_LIMIT_MS; tries++) {
    await using world = new World()

    const user = await world.user()

    expect(user).toMatchObject({ version: "18.4", adopted: false })
    expect(await queryValue(user.url, "select current_database() || ' ' || current_user")).toBe("kit postgres")
    bestMs = Math.min(bestMs, user.startedInMs / slowdown())
  }

  expect(bestMs).toBeLessThan(FIRST_START_LIMIT_MS)
})

test("the server is durable, private, in UTC, and knows all alphabets", async () => {
  await using world = made.visit()
  const { url } = await world.user()

  const settings = ["fsync", "jit", "listen_addresses", "max_connections", "shared_buffers", "TimeZone"]
  const shown = await Promise.all(settings.map((name) => queryValue(url, `show ${name}`)))
  const sorted = await queryValue(url, "select string_agg(x, '' order by x) from unnest(array['é','b','Z','a']) x")

  expect(shown).toEqual(["on", "off", "", "200", "128MB", "UTC"])
  expect(sorted).toBe("Zabé")
  expect(await queryValue(url, "select lower('ÁČ')")).toBe("áč")
  expect(await queryValue(url, "select 'ÁČ' ilike 'áč'")).toBe(true)
  expect(await queryValue(url, "show server_encoding")).toBe("UTF8")
})

test("trigrams see letters outside ASCII", async () => {
  await using world = made.visit()
  const { url } = await world.user()

  await queryValue(url, "create extension if not exists pg_trgm")

  expect(await queryValue(url, "select similarity('Žluťoučký', 'žluťoučká') > 0.5")).toBe(true)
})

test("a second process adopts the server and sees its data", async () => {
  await using world = made.visit()
  const first = await world.user()
  const note = await writeNote(first.url)

  const second = await world.user()

  expect(second).toMatchObject({ adopted: true, url: first.url })
  expect(await readNote(second.url)).toBe(note)
})

test("data survives a restart", async () => {
  await using world = made.visit()
  const first = await world.user()
  const note = await writeNote(first.url)
  await release(first)

  const second = await world.user()

  expect(second.adopted).toBe(false)
  expect(await readNote(second.url)).toBe(note)
})

test("later starts and adoptions are fast", async () => {
  await using world = made.visit()
  const best = { start: Number.POSITIVE_INFINITY, adoption: Number.POSITIVE_INFINITY }
  const isFast = () => best.start < LATER_START_LIMIT_MS && best.adoption < ADOPTION_LIMIT_MS

  for (let tries = 0; tries < LATER_START_TRIES && !isFast(); tries++) {
    const first = await startEmbeddedPostgres({ directory: world.directory })
    const second = await startEmbeddedPostgres({ directory: world.directory })
    await Promise.all([first.release(), second.release()])
    const factor = slowdown()
    best.start = Math.min(best.start, first.startedInMs / factor)
    best.adoption = Math.min(best.adoption, second.startedInMs / factor)
  }

  expect(best.start).toBeLessThan(LATER_START_LIMIT_MS)
  expect(best.adoption).toBeLessThan(ADOPTION_LIMIT_MS)
})

test("the server is down when the last user has released it", async () => {
  await using world = made.visit()
  const postgres = await startEmbeddedPostgres({ directory: world.directory })
  const [postmaster, supervisor] = [world.postmaster(), world.supervisor()]

  await Promise.all([postgres.release(), postgres.release()])

  expect(isAlive(postmaster)).toBe(false)
  await expectGone(supervisor)
})

test("releasing one of two holds leaves the server up", async () => {
  await using world = made.visit()
  const first = await startEmbeddedPostgres({ directory: world.directory })
  const second = await startEmbeddedPostgres({ directory: world.directory })

  await first.release()

  expect(await queryValue(second.url, "select 1")).toBe(1)
  await second.release()
})

test("killing the only user process ends server and supervisor", async () => {
  await using world = made.visit()
  const { child } = await world.user()
  const [postmaster, supervisor] = [world.postmaster(), world.supervisor()]

  await kill(child)

  await expectGone(postmaster)
  await expectGone(supervisor)
})

test("killing one of two user processes keeps the server alive for the other", async () => {
  await using world = made.visit()
  const [first, second] = [await world.user(), await world.user()]
  const postmaster = world.postmaster()

  await kill(first.child)
  await release(await world.user())

  expect(world.postmaster()).toBe(postmaster)
  expect(await queryValue(second.url, "select 1")).toBe(1)
})

test("a process that only holds the server can end by itself", async () => {
  await using world = made.visit()
  const user = await world.user()

  user.child.stdin?.end()
  const [exitCode] = await once(user.child, "exit")

  expect(exitCode).toBe(0)
})

test("a start while the server is stopping gets a fresh one", async () => {
  await using world = made.visit()
  const first = await startEmbeddedPostgres({ directory: world.directory })
  const postmaster = world.postmaster()
  const cutOff = connectionEnd(await connected(first.url))

  const stopping = first.release()
  await cutOff
  const second = await startEmbeddedPostgres({ directory: world.directory })

  expect(await queryValue(second.url, "select 1")).toBe(1)
  expect(world.postmaster()).not.toBe(postmaster)
  await stopping
  await second.release()
})

test("after a kill of the supervisor the next start adopts the running server, and ends it", async () => {
  await using world = made.visit()
  const first = await world.user()
  const [postmaster, supervisor] = [world.postmaster(), world.supervisor()]
  process.kill(supervisor, "SIGKILL")
  await expectGone(supervisor)

  const next = await world.user()
  const answer = await queryValue(next.url, "select 1")
  await kill(first.child)
  await kill(next.child)

  expect(next.adopted).toBe(true)
  expect(answer).toBe(1)
  await expectGone(postmaster)
})

test("after a kill of the server its users find it again with all that was committed", async () => {
  await using world = made.visit()
  const holder = await world.user()
  const note = await writeNote(holder.url)
  const others = [0, world.supervisor(), world.postmaster()]
  process.kill(world.postmaster(), "SIGKILL")
  await expect.poll(() => others.includes(world.postmaster()), { timeout: 60_000 }).toBe(false)

  const next = await world.user()

  expect(await readNote(next.url)).toBe(note)
  expect(await readNote(holder.url)).toBe(note)
})

test("after a kill of everything the next start recovers", async () => {
  await using world = made.visit()
  const first = await world.user()
  const note = await writeNote(first.url)
  const victims = [world.supervisor(), world.postmaster()]
  for (const pid of victims) process.kill(pid, "SIGKILL")
  await kill(first.child)
  for (const pid of victims) await expectGone(pid)

  const second = await world.user()

  expect(second.adopted).toBe(false)
  expect(await readNote(second.url)).toBe(note)
})

test("processes that start at the same time share one server", async () => {
  await using world = new World()

  const users = await Promise.all([world.user(), world.user(), world.user()])

  const starts = await Promise.all(users.map(({ url }) => queryValue(url, "select pg_postmaster_start_time()::text")))
  expect(new Set(starts).size).toBe(1)
  expect(users.filter(({ adopted }) => !adopted)).toHaveLength(1)
})

test("a creation that was killed half-way is begun anew", async () => {
  const { world, first } = await halfMade()
  await using _disposed = world
  const supervisor = world.supervisor()
  process.kill(supervisor, "SIGKILL")
  await kill(first)
  await expectGone(supervisor)

  const second = await world.user()

  expect(await queryValue(second.url, "select 1")).toBe(1)
  expect(second.adopted).toBe(false)
})

test("a process number that now belongs to another program does not block the start", async () => {
  await using world = new World({ account: PLAIN_ACCOUNT })
  await release(await world.user())
  const stranger = world.spawn(["-e", "setInterval(() => {}, 1000)"])
  const file = join(world.dataDirectory, "postmaster.pid")
  await expect.poll(() => isAlive(stranger.pid ?? 0)).toBe(true)
  writeFileSync(file, `${stranger.pid}\n${world.dataDirectory}\n1700000000\n5432\n/nowhere\n\n  1  1\nready   \n`)
  chownSync(file, PLAIN_ACCOUNT.uid, PLAIN_ACCOUNT.gid)

  const user = await world.user()

  expect(user.adopted).toBe(false)
  expect(await queryValue(user.url, "select 1")).toBe(1)
})

test("a postmaster.pid that a crash of the machine has emptied does not block the start", async () => {
  await using world = made.visit()
  writeFileSync(join(world.dataDirectory, "postmaster.pid"), "")

  const user = await world.user()

  expect(await queryValue(user.url, "select 1")).toBe(1)
})

test("deleting the directory while it is in use gives the next start an empty database", async () => {
  await using world = new World()
  const first = await world.user()
  await writeNote(first.url)
  const [postmaster, supervisor] = [world.postmaster(), world.supervisor()]
  rmSync(world.directory, { recursive: true })

  const second = await world.user()
  await kill(first.child)
  await expectGone(postmaster)
  await expectGone(supervisor)

  expect(await queryValue(second.url, "select to_regclass('notes')")).toBe(null)
})

test("a plain user without a home directory can run it", async () => {
  await using world = new World({ account: PLAIN_ACCOUNT })

  const user = await world.user()

  expect(await queryValue(user.url, "select 1")).toBe(1)
})

test("root can adopt the server of a plain user", async () => {
  await using world = new World({ account: PLAIN_ACCOUNT })
  const user = await world.user()

  const postgres = await startEmbeddedPostgres({ directory: world.directory })

  expect(postgres).toMatchObject({ adopted: true, url: user.url })
  await postgres.release()
})

test("an app in a directory that only its owner may enter works, root included", async () => {
  await using world = new World({ mode: 0o700 })
  const first = await world.user()
  const note = await writeNote(first.url)
  await release(first)

  const second = await world.user()

  expect(await readNote(second.url)).toBe(note)
})

test("a database directory that only its owner may enter is used as it is", async () => {
  await using world = new World()
  mkdirSync(world.directory, { recursive: true })
  chmodSync(world.directory, 0o700)

  const user = await world.user()

  expect(await queryValue(user.url, "show data_directory")).toBe(join(world.directory, "data"))
})

test("binaries without their links that the server's account cannot reach run from a copy", async () => {
  await using world = new World({ mode: 0o700 })
  const { root } = findPlatformPackage(`@embedded-postgres/${process.platform}-${process.arch}`)
  const installed = join(world.root, "installed")
  cpSync(root, installed, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  })
  await using reachable = new World()

  const runnable = makeRunnable(installed, { user: PLAIN_ACCOUNT, copy: join(reachable.root, "copy") })
  const program = join(runnable, "native", "bin", "postgres")
  const { output } = await runAs(PLAIN_ACCOUNT, { program, args: ["--version"] })

  expect(output).toBe("postgres (PostgreSQL) 18.4")
})

test("a log that has grown large keeps only its end", async () => {
  await using world = new World()
  const log = join(world.root, "postgres.log")
  writeFileSync(log, `${"old line\n".repeat(1_000_000)}last line\n`)

  truncateServerLog(world.root)

  expect(statSync(log).size).toBeLessThan(2_000_000)
  expect(readFileSync(log, "utf8")).toMatch(/last line\n$/)
})

async function writeNote(url: string): Promise<string> {
  const note = randomUUID()
  await queryValue(url, "drop table if exists notes")
  await queryValue(url, `create table notes as select '${note}'::text as note`)
  return note
}

function readNote(url: string): Promise<unknown> {
  return queryValue(url, "select note from notes")
}

/** A world whose first start stands still half-way. One that was made before we could look is none. */
async function halfMade(): Promise<{ world: World; first: ChildProcess }> {
  for (;;) {
    const world = new World()
    const first = world.startUser()
    await expect.poll(() => drafts(world).length > 0 || existsSync(world.dataDirectory), { interval: 5 }).toBe(true)
    process.kill(world.supervisor(), "SIGSTOP")
    if (drafts(world).length > 0) return { world, first }
    process.kill(world.supervisor(), "SIGCONT")
    await world[Symbol.asyncDispose]()
  }
}

function drafts(world: World): string[] {
  return existsSync(world.home) ? readdirSync(world.home).filter((name) => name.startsWith("data.draft-")) : []
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

function connectionEnd(client: Client): Promise<void> {
  // A server that shuts down says so by an error before it ends the connection.
  client.on("error", () => {})
  return new Promise((resolve) => client.once("end", resolve))
}
