import { setTimeout as delay } from "node:timers/promises"
import { inspect } from "node:util"
import { bundledBinaries } from "../files/binaries.ts"
import { ensureDataDirectory, refuseOtherVersion } from "../files/data-directory.ts"
import { dataDirectoryOf } from "../files/database-home.ts"
import { installedBinaries } from "../files/installed-binaries.ts"
import { isCurrentLock, type SupervisorLock } from "../files/supervisor-lock.ts"
import type { ServerUser } from "../files/unprivileged-user.ts"
import type { ControlListener } from "./control-listener.ts"
import type { Holds } from "./holds.ts"
import type { SupervisorOptions } from "./launch-supervisor.ts"
import { RestartBackoff } from "./restart-backoff.ts"
import {
  findRunningServer,
  launchServer,
  removeServerSockets,
  type Server,
  ServerStartError,
  stopServer,
} from "./server.ts"
import { truncateServerLog } from "./server-log.ts"
import { StateReport } from "./server-state.ts"
import { untilDeleted } from "./until-deleted.ts"

const LOG_CHECK_MS = 60_000
const LONGEST_PAUSE_MS = 10_000
// The longest pause before a crashed server is restarted. It is short, because a server that keeps crashing is usable
// between the crashes.
const LONGEST_PAUSE_AFTER_CRASH_MS = 5_000
// A server that ran for at least this long before it crashed resets the restart backoff.
const STABLE_RUN_MS = 10_000

interface SupervisorDependencies {
  readonly home: string
  readonly lock: SupervisorLock
  readonly control: ControlListener
  readonly socketDirectory: string
  readonly user: ServerUser
  readonly supervision: SupervisorOptions
}

/**
 * Keeps a PostgreSQL server running while a process uses it, and restarts it after crashes. Resolves when the server
 * has stopped.
 */
export async function serveHolders(holds: Holds, post: SupervisorDependencies): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => holds.dismissAll())
  setInterval(() => boundLog(post), LOG_CHECK_MS).unref()
  // The server starts only once a process is connected to the supervisor. That process gets the outcome of the start.
  await holds.untilHeld()
  await new RestartLoop(holds, post).run()
  removeServerSockets(post.socketDirectory)
}

// Keeps the log file short. Errors are only logged, because a full or missing disk must not end the supervisor.
function boundLog({ home, lock }: SupervisorDependencies): void {
  try {
    if (isCurrentLock(home, lock)) truncateServerLog(home)
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`)
  }
}

type RunOutcome =
  | { readonly kind: "stopped" }
  | { readonly kind: "crashed"; readonly reason: string; readonly ranMs: number }
  | { readonly kind: "not started"; readonly error: unknown }

/** Restarts the PostgreSQL server each time it ends, as long as a process uses it. */
class RestartLoop {
  readonly #holds: Holds
  readonly #dependencies: SupervisorDependencies
  readonly #crashBackoff = new RestartBackoff(LONGEST_PAUSE_AFTER_CRASH_MS)
  readonly #startBackoff = new RestartBackoff(LONGEST_PAUSE_MS)
  readonly #report = new StateReport()
  /** True if the server has run before. A failed start is then retried. */
  #isRestart: boolean

  constructor(holds: Holds, post: SupervisorDependencies) {
    this.#holds = holds
    this.#dependencies = post
    this.#isRestart = post.supervision.isSuccessor
    this.#report.listen((state) => {
      if (state.kind !== "down") return
      holds.announce(state)
      // The supervisor's standard error is the log file.
      process.stderr.write(`PostgreSQL is down: ${state.reason}\n`)
    })
  }

  async run(): Promise<void> {
    while (!this.#holds.isEmpty) {
      const end = await this.#serveOnce()
      if (end.kind === "stopped") continue
      if (end.kind === "not started" && !this.#canRetry()) this.#giveUp(end.error)
      else await this.#pauseAfter(end)
    }
  }

  async #serveOnce(): Promise<RunOutcome> {
    const startedUp = await this.#bringUp().catch((error: unknown) => ({ error }))
    if ("error" in startedUp) return { kind: "not started", error: startedUp.error }
    const { server, ...news } = startedUp
    const since = performance.now()
    this.#isRestart = true
    this.#report.up()
    this.#startBackoff.reset()
    this.#holds.announce({ kind: "ready", url: server.url, supervision: this.#dependencies.supervision, ...news })
    const { reason, isRunning } = await this.#untilEnd(server)
    this.#holds.announce({ kind: "progress", message: "Waiting for PostgreSQL to restart" })
    const isHeld = !this.#holds.isEmpty
    if (isRunning) await stopServer(server)
    return isHeld ? { kind: "crashed", reason, ranMs: performance.now() - since } : { kind: "stopped" }
  }

  // Waits until the server has exited, or has to be stopped: because no process uses it any more, or because its sockets
  // were deleted. PostgreSQL creates its socket only when it starts.
  async #untilEnd(server: Server): Promise<{ reason: string; isRunning: boolean }> {
    const { home, lock, control } = this.#dependencies
    const watch = new AbortController()
    // A supervisor that has taken the lock meanwhile decides what becomes of the server.
    const onDeleted = (path?: string) => ({ reason: `${path} was deleted`, isRunning: isCurrentLock(home, lock) })
    const end = await Promise.race([
      server.exited.then((reason) => ({ reason, isRunning: false })),
      this.#holds.untilIdle().then(() => ({ reason: "", isRunning: this.#holds.isEmpty })),
      untilDeleted([server.socketPath, control.path], watch.signal).then(onDeleted),
    ])
    watch.abort()
    return end
  }

  async #bringUp(): Promise<{ server: Server; version: string; adopted: boolean }> {
    const { home, user, socketDirectory, control } = this.#dependencies
    this.#refuseWithoutLock()
    await control.restore()
    const { settings, binaries: folder } = this.#dependencies.supervision
    const binaries = folder === undefined ? bundledBinaries(home, user) : await installedBinaries(folder, user)
    const { version, postgres } = binaries
    refuseOtherVersion(home, binaries)
    const running = await findRunningServer(home)
    if (running !== undefined) return { server: running, version, adopted: true }
    if (this.#isRestart && !this.#report.isDown) this.#report.down("its process was ended together with its supervisor")
    await ensureDataDirectory(home, { binaries, user, onProgress: (message) => this.#announceProgress(message) })
    this.#announceProgress(`Starting PostgreSQL ${version}`)
    const dataDirectory = dataDirectoryOf(home)
    const server = await launchServer({ home, dataDirectory, socketDirectory, postgres, user, settings })
    return { server, version, adopted: false }
  }

  // Throws if this supervisor has lost its lock. If the home was deleted to reset the database, another supervisor
  // takes over, and this one must not touch the new files.
  #refuseWithoutLock(): void {
    const { home, lock } = this.#dependencies
    if (!isCurrentLock(home, lock)) throw new Error(`The database in ${home} was deleted while in use. Restart kit.`)
  }

  // Announces the progress of a first start. During a restart, the connected processes get the reason for the outage
  // instead.
  #announceProgress(message: string): void {
    if (!this.#isRestart) this.#holds.announce({ kind: "progress", message })
  }

  #canRetry(): boolean {
    return this.#isRestart && isCurrentLock(this.#dependencies.home, this.#dependencies.lock)
  }

  async #pauseAfter(end: Exclude<RunOutcome, { kind: "stopped" }>): Promise<void> {
    const isCrash = end.kind === "crashed"
    this.#report.down(isCrash ? end.reason : reasonOf(end.error))
    if (isCrash && end.ranMs >= STABLE_RUN_MS) this.#crashBackoff.reset()
    const pauses = isCrash ? this.#crashBackoff : this.#startBackoff
    await Promise.race([delay(pauses.next()), this.#holds.untilIdle()])
  }

  #giveUp(error: unknown): void {
    process.stderr.write(`${inspect(error)}\n`)
    this.#holds.announce({ kind: "failed", message: error instanceof Error ? error.message : String(error) })
    this.#holds.dismissAll()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ServerStartError) return error.reason
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n", 1)[0] ?? ""
}
