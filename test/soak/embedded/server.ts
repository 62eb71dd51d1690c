// The embedded server of an app in a folder: its processes, its files and its disk.
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, writeSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { startEmbeddedPostgres } from "../../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { until } from "../until.ts"

const FILL_BYTES = 1024 * 1024

export async function withClient<T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const embedded = await startEmbeddedPostgres({ directory: join(folder, ".kit/db") })
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await embedded.release()
  }
}

export async function supervisorOf(folder: string): Promise<number> {
  const home = join(folder, ".kit/db")
  const numbers = (await readdir(home)).flatMap((name) => /^supervisor\.(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const socket = readlinkSync(join(home, `supervisor.${Math.max(...numbers)}`))
  return Number(/control-(\d+)/.exec(socket)?.[1])
}

export function postmasterOf(folder: string): number {
  const file = join(folder, ".kit/db/data/postmaster.pid")
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0
}

/** Waits for a new server: the file of a killed server has its supervisor's pid until then. */
export async function newPostmaster(folder: string, previous: number): Promise<number> {
  let postmaster = 0
  await until(async () => {
    postmaster = postmasterOf(folder)
    return ![0, previous, await supervisorOf(folder)].includes(postmaster) && existsSync(`/proc/${postmaster}`)
  })
  return postmaster
}

/** Writes as many bytes as fit on the disk. */
export function fill(path: string): void {
  const file = openSync(path, "w")
  try {
    for (let size = FILL_BYTES; size > 0; size = Math.floor(size / 2)) writeWhilePossible(file, size)
  } finally {
    closeSync(file)
  }
}

function writeWhilePossible(file: number, size: number) {
  const zeros = Buffer.alloc(size)
  try {
    for (;;) if (writeSync(file, zeros) < size) return
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
  }
}

/** Writes until the server cannot extend its write-ahead log, and stops. */
export async function untilDown(folder: string): Promise<void> {
  await until(async () => {
    const pid = postmasterOf(folder)
    const hasServer = existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres")
    if (hasServer) await switchLog(folder)
    return !hasServer
  })
}

async function switchLog(folder: string) {
  const socketDirectory = readFileSync(join(folder, ".kit/db/data/postmaster.pid"), "utf8").split("\n")[4]
  const client = new pg.Client({ host: socketDirectory, user: "postgres", database: "kit" })
  client.on("error", () => {})
  try {
    await client.connect()
    await client.query("select pg_logical_emit_message(false, 'soak', repeat('x', 100000)), pg_switch_wal()")
  } catch {
    // The statement was refused or cut off; the caller checks the state of the server.
  } finally {
    await client.end().catch(() => {})
  }
}
