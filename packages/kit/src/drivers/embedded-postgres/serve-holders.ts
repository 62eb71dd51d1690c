import { inspect } from "node:util"
import { prepareBinaries } from "./binaries.ts"
import { ensureDataDirectory } from "./data-directory.ts"
import { dataDirectoryOf } from "./database-home.ts"
import type { Holds } from "./holds.ts"
import { isInOffice, type Office } from "./office.ts"
import { findRunningServer, launchServer, removeServerSockets, type Server, stopServer } from "./server.ts"
import { boundServerLog } from "./server-log.ts"
import type { ServerUser } from "./unprivileged-user.ts"

const LOG_CHECK_MS = 60_000
const CRASHES_LIMIT = 10

interface Post {
  readonly home: string
  readonly office: Office
  readonly socketDirectory: string
  readonly user: ServerUser
  readonly settings: Readonly<Record<string, string>>
}

/** Keeps a server up for as long as somebody holds it, through crashes of the server; resolves when it is down. */
export async function serveHolders(holds: Holds, post: Post): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => holds.dismissAll())
  setInterval(() => isInOffice(post.home, post.office) && boundServerLog(post.home), LOG_CHECK_MS).unref()
  // Nothing is started before somebody is there to be told how it went.
  await holds.untilHeld()
  let crashes = 0
  while (!holds.isEmpty) {
    const end = await serveOnce(holds, post).catch((error: unknown) => fail(holds, error))
    if (end === "crash") crashes += 1
    if (crashes > CRASHES_LIMIT)
      fail(holds, new Error(`PostgreSQL keeps crashing. Look into ${post.home}/postgres.log.`))
  }
  removeServerSockets(post.socketDirectory)
}

async function serveOnce(holds: Holds, post: Post): Promise<"stop" | "crash"> {
  const { server, ...news } = await bringUp(holds, post)
  holds.announce({ kind: "ready", url: server.url, ...news })
  await Promise.race([holds.untilIdle(), server.exited])
  holds.announce({ kind: "progress", message: "Waiting for PostgreSQL to restart" })
  if (!holds.isEmpty) return "crash"
  await stopServer(server)
  return "stop"
}

interface BroughtUp {
  readonly server: Server
  readonly version: string
  readonly adopted: boolean
}

async function bringUp(holds: Holds, { home, office, socketDirectory, user, settings }: Post): Promise<BroughtUp> {
  // Whoever deletes the home to reset the database gets another supervisor; this one must not touch the new files.
  if (!isInOffice(home, office)) throw new Error(`The database in ${home} was deleted while in use. Start again.`)
  const onProgress = (message: string) => holds.announce({ kind: "progress", message })
  const dataDirectory = dataDirectoryOf(home)
  const binaries = prepareBinaries(home, user)
  const { version, postgres } = binaries
  const running = await findRunningServer(dataDirectory)
  if (running !== undefined) return { server: running, version, adopted: true }
  await ensureDataDirectory(home, { binaries, user, onProgress })
  onProgress(`Starting PostgreSQL ${version}`)
  const server = await launchServer({ home, dataDirectory, socketDirectory, postgres, user, settings })
  return { server, version, adopted: false }
}

function fail(holds: Holds, error: unknown): "failure" {
  // Standard error is the log file.
  process.stderr.write(`${inspect(error)}\n`)
  holds.announce({ kind: "failed", message: error instanceof Error ? error.message : String(error) })
  holds.dismissAll()
  return "failure"
}
