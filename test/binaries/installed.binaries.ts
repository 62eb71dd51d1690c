import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { expect, test, vi } from "vitest"
import { latestLock } from "../../packages/kit/src/drivers/embedded-postgres/files/supervisor-lock.ts"
import { startEmbeddedPostgres } from "../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { expectGone } from "../../packages/kit/test/drivers/embedded-postgres-world.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"

const BINARIES = process.env["KIT_POSTGRES_BIN"] ?? ""
const VERSION = /\) (\d+)\.(\d+)/.exec(execFileSync(join(BINARIES, "postgres"), ["--version"], { encoding: "utf8" }))
const [, MAJOR = "", MINOR = ""] = VERSION ?? []
const WAIT = { timeout: 60_000, interval: 50 }

const KEYS = `
  import { collection } from "kit"
  export default collection("keys").fields(({ f }) => ({ key: f.text().required() })).access({ read: true, create: true })`

test("the other tests of this run use the installed programs", async () => {
  const major = await query(process.env["KIT_TEST_DATABASE_URL"] ?? "", "select current_setting('server_version_num')")

  expect(Math.floor(Number(major) / 10_000)).toBe(Number(MAJOR))
})

test("a first start makes a database of their version, which sorts and knows letters as the other does", async () => {
  await using place = await temporaryPlace()

  const { url, version, release } = await startEmbeddedPostgres({ directory: place.directory, binaries: BINARIES })

  expect(version).toBe(`${MAJOR}.${MINOR}`)
  expect((await readFile(join(place.directory, "data/PG_VERSION"), "utf8")).trim()).toBe(MAJOR)
  expect(await query(url, "show server_encoding")).toBe("UTF8")
  expect(await query(url, "select string_agg(x, '' order by x) from unnest(array['é','b','Z','a']) x")).toBe("Zabé")
  expect(await query(url, "select lower('ÁČ') || ('ÁČ' ilike 'áč')")).toBe("áčtrue")
  await query(url, "create extension pg_trgm")
  expect(await query(url, "select similarity('Žluťoučký', 'žluťoučká') > 0.5")).toBe(true)
  await release()
})

test("data of another version is refused both ways, with what to do", async () => {
  await using mine = await temporaryPlace()
  await using theirs = await temporaryPlace()
  const bundled = await startEmbeddedPostgres({ directory: mine.directory })
  const installed = await startEmbeddedPostgres({ directory: theirs.directory, binaries: BINARIES })
  await Promise.all([bundled.release(), installed.release()])

  const withInstalled = () => startEmbeddedPostgres({ directory: mine.directory, binaries: BINARIES })
  const withBundled = () => startEmbeddedPostgres({ directory: theirs.directory })

  const bundledMajor = bundled.version.split(".")[0]
  await expect(withInstalled).rejects.toThrow(
    `was made by PostgreSQL ${bundledMajor}, but ${BINARIES}/postgres is PostgreSQL ${MAJOR}.${MINOR}. Run it with PostgreSQL ${bundledMajor}`,
  )
  await expect(withBundled).rejects.toThrow(new RegExp(`was made by PostgreSQL ${MAJOR}, but .*KIT_POSTGRES_BIN`))
})

test("kit runs them by its setting, relative and without bin, and kit doctor names them", async () => {
  await using folder = await appFolder({
    "kit.config.ts": `
      import { defineConfig } from "kit"
      export default defineConfig({ db: { embedded: { binaries: "vendor/postgresql" } } })`,
    "src/collections/keys.ts": KEYS,
  })
  await mkdir(join(folder.path, "vendor"))
  await symlink(dirname(BINARIES), join(folder.path, "vendor/postgresql"))
  const options = { cwd: folder.path, env: { DATABASE_URL: "", KIT_POSTGRES_BIN: "" } }

  const server = new KitProcess(["start", "--port", "0"], options)
  const [, url = ""] = await server.printed(/on (http:\S+)/)
  const headers = { "content-type": "application/json" }
  const created = await fetch(`${url}/keys`, { method: "POST", body: '{"key":"a"}', headers })
  const doctor = new KitProcess(["doctor"], options)
  await doctor.exit()
  const code = await server.stop()

  expect([created.status, code]).toEqual([201, 0])
  expect(server.output).toContain(`embedded Postgres ${MAJOR}.${MINOR}`)
  expect(doctor.output).toMatch(/ok +database +the embedded one is run by the programs in \S+vendor\/postgresql/)
})

test("a process that names none brings back the server with the programs that it ran with", async () => {
  await using place = await temporaryPlace()
  const { directory } = place
  const first = await startEmbeddedPostgres({ directory, binaries: BINARIES })
  const second = await startEmbeddedPostgres({ directory })
  await first.release()

  const supervisor = Number(/control-(\d+)/.exec(latestLock(directory)?.controlSocket ?? "")?.[1])
  const postmaster = Number((await readFile(join(directory, "data/postmaster.pid"), "utf8")).split("\n")[0])
  for (const pid of [supervisor, postmaster]) process.kill(pid, "SIGKILL")
  for (const pid of [supervisor, postmaster]) await expectGone(pid)

  const version = await vi.waitFor(() => query(second.url, "show server_version"), WAIT)
  expect(String(version)).toMatch(new RegExp(`^${MAJOR}\\.${MINOR}\\b`))
  await second.release()
})

// Only root switches to another account; other users can read everything that they own.
test("run as root, programs that the account of the server cannot reach are refused, with the path", async () => {
  await using place = await temporaryPlace()
  await using hidden = await temporaryPlace()
  await chmod(dirname(hidden.directory), 0o700)
  await symlink(BINARIES, hidden.directory)

  const starting = startEmbeddedPostgres({ directory: place.directory, binaries: hidden.directory })

  await expect(starting).rejects.toThrow(new RegExp(`runs as user \\d+, who cannot read ${hidden.directory}`))
})

interface Place extends AsyncDisposable {
  readonly directory: string
}

async function temporaryPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "kit-test-"))
  // PostgreSQL never runs as root: its own user must be able to enter the folder.
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true })
  return { directory: join(folder, "db"), [Symbol.asyncDispose]: remove }
}

/** Returns the first column of the first row. */
async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  try {
    const { rows } = await client.query({ text, rowMode: "array" })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
