import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { DATABASE_NAME, SUPERUSER_NAME } from "./data-directory.ts"
import { hasErrorCode } from "./error-code.ts"
import { disownPostmasterFile, isPostmasterOf, isServerAnswering, readPostmasterFile } from "./postmaster-file.ts"
import { SERVER_ENVIRONMENT } from "./run-as.ts"
import { giveLogTo, openServerLog } from "./server-log.ts"
import type { ServerUser } from "./unprivileged-user.ts"

const POLL_MS = 5
const WATCH_MS = 100
const ORPHANS_LIMIT_MS = 15_000
const ORPHANS_POLL_MS = 50
const FAST_STOP_LIMIT_MS = 30_000
const PORT = "5432"

const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "200",
  shared_buffers: "128MB",
  fsync: "on",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
}

/** A server that takes connections. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** Resolves when it is gone, for whatever reason. */
  readonly exited: Promise<void>
}

interface ServerPlace {
  readonly home: string
  readonly dataDirectory: string
  readonly socketDirectory: string
  readonly postgres: string
  readonly user: ServerUser
  /** Besides ours, or in place of them. */
  readonly settings: Readonly<Record<string, string>>
}

/** The server that a killed supervisor has left behind on this data directory, if it still serves. */
export async function findRunningServer(dataDirectory: string): Promise<Server | undefined> {
  for (;;) {
    const file = readPostmasterFile(dataDirectory)
    if (file === undefined || !isPostmasterOf(dataDirectory, file.pid)) return undefined
    if (file.status !== "ready") {
      await delay(POLL_MS)
      continue
    }
    const exited = watchForEnd(dataDirectory, file.pid)
    const server = { pid: file.pid, url: urlOf(file.socketDirectory, file.port), exited }
    if (await isServerAnswering(file)) return server
    // Its sockets are gone, so nobody can use it.
    await stopServer(server)
  }
}

/** Starts a server on a data directory that none runs on. */
export async function launchServer(place: ServerPlace): Promise<Server> {
  disownPostmasterFile(place.dataDirectory)
  removeServerSockets(place.socketDirectory)
  const giveUpAt = Date.now() + ORPHANS_LIMIT_MS
  for (;;) {
    const outcome = await tryLaunch(place)
    if ("url" in outcome) return outcome
    // Backends of a killed server take a moment to notice that it is gone.
    const hasOrphans = outcome.failure.includes("pre-existing shared memory block")
    if (!hasOrphans || Date.now() > giveUpAt) throw new Error(`PostgreSQL did not start:\n${outcome.failure}`)
    await delay(ORPHANS_POLL_MS)
  }
}

/** Stops it the fast way: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(server: Server): Promise<void> {
  signal(server.pid, "SIGINT")
  const patience = new AbortController()
  const impatient = delay(FAST_STOP_LIMIT_MS, undefined, { signal: patience.signal }).then(
    () => signal(server.pid, "SIGQUIT"),
    () => {},
  )
  await server.exited
  patience.abort()
  await impatient
}

async function watchForEnd(dataDirectory: string, pid: number): Promise<void> {
  while (isPostmasterOf(dataDirectory, pid)) await delay(WATCH_MS)
}

function urlOf(socketDirectory: string, port: string): string {
  return `postgresql://${SUPERUSER_NAME}@localhost:${port}/${DATABASE_NAME}?host=${encodeURIComponent(socketDirectory)}`
}

/** Removes what a server that is gone may have left there. */
export function removeServerSockets(socketDirectory: string): void {
  rmSync(join(socketDirectory, `.s.PGSQL.${PORT}`), { force: true })
  rmSync(join(socketDirectory, `.s.PGSQL.${PORT}.lock`), { force: true })
}

async function tryLaunch(place: ServerPlace): Promise<Server | { failure: string }> {
  const log = openServerLog(place.home)
  giveLogTo(place.user, log)
  const child = spawn(place.postgres, serverArguments(place), {
    ...place.user,
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    stdio: ["ignore", log.descriptor, log.descriptor],
  })
  closeSync(log.descriptor)
  const ended = endOf(child)
  const pid = await untilReady(place.dataDirectory, child)
  if (pid === undefined) return { failure: (await ended) + log.newLines() }
  return { pid, url: urlOf(place.socketDirectory, PORT), exited: ended.then(() => {}) }
}

function serverArguments({ dataDirectory, socketDirectory, settings: given }: ServerPlace): string[] {
  const settings = Object.entries({ ...SETTINGS, ...given }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return ["-D", dataDirectory, "-k", socketDirectory, "-p", PORT, ...settings]
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    await once(child, "exit")
    return ""
  } catch (error) {
    // Raised when the program could not be run at all.
    return `${error}\n`
  }
}

// Its process number once it takes connections; undefined if it ends before.
async function untilReady(dataDirectory: string, child: ChildProcess): Promise<number | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const file = readPostmasterFile(dataDirectory)
    if (file?.status === "ready" && file.pid === child.pid) return file.pid
    await delay(POLL_MS)
  }
  return undefined
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!hasErrorCode(error, "ESRCH")) throw error
  }
}
