import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { findPlatformPackage } from "../../src/drivers/embedded-postgres/files/binaries.ts"
import { startEmbeddedPostgres } from "../../src/drivers/embedded-postgres/start.ts"
import { PLAIN_ACCOUNT, release, World } from "./embedded-postgres-world.ts"

// A sound database, to be spoilt by tests in turn.
const made = new World()

beforeAll(async () => {
  await release(await made.user())
})

afterAll(() => made[Symbol.asyncDispose]())

test("a file in place of the directory is an error that names it", async () => {
  await using world = new World()
  writeFileSync(join(world.root, ".kit"), "")

  const starting = startEmbeddedPostgres({ directory: world.directory })

  await expect(starting).rejects.toThrow(`${world.directory} cannot be created or written`)
})

test("a directory that the user may not write is an error that names it", async () => {
  await using world = new World({ account: PLAIN_ACCOUNT })
  mkdirSync(world.directory, { recursive: true })
  chmodSync(world.directory, 0o555)

  const { error } = await world.user()

  expect(error).toContain(`${world.directory} cannot be created or written`)
})

test("data of another major version is an error that says what to do", async () => {
  await using world = made.visit()
  using _broken = replaceFile(join(world.dataDirectory, "PG_VERSION"), "16\n")

  const { error } = await world.user()

  expect(error).toContain(`The database in ${world.dataDirectory} was made by PostgreSQL 16`)
  expect(error).toContain("DATABASE_URL")
})

test("a data directory that is not PostgreSQL's is left alone", async () => {
  await using world = made.visit()
  using _broken = removeFile(join(world.dataDirectory, "PG_VERSION"))

  const { error } = await world.user()

  expect(error).toContain(`${world.dataDirectory} is not a PostgreSQL data directory`)
  expect(existsSync(join(world.dataDirectory, "base"))).toBe(true)
})

test("data that belongs to another user is an error that names both", async () => {
  await using world = new World()
  mkdirSync(world.directory, { recursive: true })
  symlinkSync("/", join(world.directory, "data"))

  const starting = startEmbeddedPostgres({ directory: world.directory })

  await expect(starting).rejects.toThrow(/belongs to user 0, but PostgreSQL would run as user \d+/)
})

test("a server that cannot start says why with the end of its log", async () => {
  await using world = made.visit()
  using _broken = replaceFile(join(world.dataDirectory, "postgresql.conf"), "shared_memory_type = 'imaginary'\n")

  const { error } = await world.user()

  expect(error).toContain("PostgreSQL did not start")
  expect(error).toContain("imaginary")
})

test("a platform without binaries is an error that says what to do", () => {
  const finding = () => findPlatformPackage("@embedded-postgres/plan9-x64")

  expect(finding).toThrow(/@embedded-postgres\/plan9-x64 is not installed. Install it.*or set DATABASE_URL/)
})

function removeFile(path: string): Disposable {
  renameSync(path, `${path}.aside`)
  return { [Symbol.dispose]: () => renameSync(`${path}.aside`, path) }
}

function replaceFile(path: string, content: string): Disposable {
  const removed = removeFile(path)
  writeFileSync(path, content)
  return removed
}
