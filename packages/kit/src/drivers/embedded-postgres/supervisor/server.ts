import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { DATABASE_NAME, SUPERUSER_NAME } from "../files/data-directory.ts"
import { dataDirectoryOf } from "../files/database-home.ts"
import { hasErrorCode } from "../files/error-code.ts"
import {
  isPostmasterOf,
  isServerAnswering,
  neutralizePostmasterFile,
  readPostmasterFile,
} from "../files/postmaster-file.ts"
import { SERVER_ENVIRONMENT } from "../files/run-as.ts"
import type { ServerUser } from "../files/unprivileged-user.ts"
import { giveLogTo, lastLogLines, openServerLog } from "./server-log.ts"
import { type ProcessEnd, stopReason } from "./stop-reason.ts"

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

/** A PostgreSQL server that accepts connections. */
export interface Server {
  readonly url: string
  readonly socketPath: string
  readonly pid: number
  /** Resolves when the server has exited, to the reason for its exit. */
  readonly exited: Promise<string>
}

/** Thrown if the PostgreSQL server did not start. The error message contains the end of the server's log. */
export class ServerStartError extends Error {
  /** The reason why the server did not start, in one line. */
  readonly reason: string

  constructor(reason: string, output: string) {
    super(`PostgreSQL did not start:\n${output}`)
    this.name = "ServerStartError"
    this.reason = reason
  }
}

interface ServerOptions {
  readonly home: string
  readonly dataDirectory: string
  readonly socketDirectory: string
  readonly postgres: string
  readonly user: ServerUser
  /** PostgreSQL settings that extend or override the default settings. */
  readonly settings: Readonly<Record<string, string>>
}

/** Finds the PostgreSQL server that a killed supervisor has left running on the data directory of a home. */
export async function findRunningServer(home: string): Promise<Server | undefined> {
  const dataDirectory = dataDirectoryOf(home)
  for (;;) {
    const file = readPostmasterFile(dataDirectory)
    if (file === undefined || !isPostmasterOf(dataDirectory, file.pid)) return undefined
    if (file.status !== "ready") {
      await delay(POLL_MS)
      continue
    }
    const exited = watchForEnd(home, file.pid)
    const server = { pid: file.pid, ...addressOf(file.socketDirectory, file.port), exited }
    if (await isServerAnswering(file)) return server
    // The server's sockets are gone, so no client can connect to it.
    await stopServer(server)
  }
}

/** Starts a PostgreSQL server on a data directory that has no running server. */
export async function launchServer(place: ServerOptions): Promise<Server> {
  neutralizePostmasterFile(place.dataDirectory)
  removeServerSockets(place.socketDirectory)
  const giveUpAt = Date.now() + ORPHANS_LIMIT_MS
  for (;;) {
    const outcome = await tryLaunch(place)
    if ("url" in outcome) return outcome
    // If an earlier server was killed, the start is retried, because that server's backends need a moment to notice
    // that their postmaster is gone.
    const hasOrphans = outcome.output.includes("pre-existing shared memory block")
    if (!hasOrphans || Date.now() > giveUpAt) throw new ServerStartError(outcome.reason, outcome.output)
    await delay(ORPHANS_POLL_MS)
  }
}

/** Performs a fast shutdown of the server. Open transactions are rolled back, and all committed data is on disk. */
export async function stopServer(server: Server): Promise<void> {
  signal(server.pid, "SIGINT")
  const forcedStop = new AbortController()
  const quitLater = delay(FAST_STOP_LIMIT_MS, undefined, { signal: forcedStop.signal }).then(
    () => signal(server.pid, "SIGQUIT"),
    () => {},
  )
  await server.exited
  forcedStop.abort()
  await quitLater
}

// Waits until a server that another process started has ended, and resolves to the reason. Only a server's parent
// process gets its exit code, so the reason can only come from the log.
async function watchForEnd(home: string, pid: number): Promise<string> {
  while (isPostmasterOf(dataDirectoryOf(home), pid)) await delay(WATCH_MS)
  return stopReason({ home, lines: lastLogLines(home), end: { signal: null, description: "its process has ended" } })
}

function addressOf(socketDirectory: string, port: string): Pick<Server, "url" | "socketPath"> {
  const host = encodeURIComponent(socketDirectory)
  return {
    url: `postgresql://${SUPERUSER_NAME}@localhost:${port}/${DATABASE_NAME}?host=${host}`,
    socketPath: join(socketDirectory, `.s.PGSQL.${port}`),
  }
}

/** Removes the socket files that a PostgreSQL server may have left behind when it ended. */
export function removeServerSockets(socketDirectory: string): void {
  rmSync(join(socketDirectory, `.s.PGSQL.${PORT}`), { force: true })
  rmSync(join(socketDirectory, `.s.PGSQL.${PORT}.lock`), { force: true })
}

interface LaunchFailure {
  readonly reason: string
  readonly output: string
}

async function tryLaunch(place: ServerOptions): Promise<Server | LaunchFailure> {
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
  const exited = ended.then((end) => stopReason({ home: place.home, end, lines: log.newLines() }))
  const pid = await untilReady(place.dataDirectory, child)
  if (pid !== undefined) return { pid, ...addressOf(place.socketDirectory, PORT), exited }
  const { description } = await ended
  return { reason: await exited, output: log.newLines() || description }
}

function serverArguments({ dataDirectory, socketDirectory, settings: given }: ServerOptions): string[] {
  const settings = Object.entries({ ...SETTINGS, ...given }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return ["-D", dataDirectory, "-k", socketDirectory, "-p", PORT, ...settings]
}

async function endOf(child: ChildProcess): Promise<ProcessEnd> {
  try {
    const [code, signal] = await once(child, "exit")
    return { signal, description: signal === null ? exitDescription(code) : `its process was ended by ${signal}` }
  } catch (error) {
    // The `postgres` program could not be run at all.
    return { signal: null, description: String(error) }
  }
}

function exitDescription(code: number): string {
  return code === 0 ? "another program shut it down" : `its process exited with code ${code}`
}

// Resolves to the server's pid once it accepts connections, or to undefined if it exits before that.
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
