import { reportToDev } from "../dev/dev-reports.ts"
import { offStarterEnd, onStarterEnd } from "./starter.ts"

// The signals that stop a command. SIGHUP is sent when a terminal is closed.
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
// Further signals within this time count as repetitions. One Ctrl-C may arrive several times: from the terminal, and
// from npm or `kit dev`, which forward it.
const REPEATED_SIGNAL_MS = 1_000

/** A function that shuts the process down gracefully. The exit code is `code`, unless a higher one is already set. */
export type EndProcess = (code: number) => void

/** The steps in which a process stops. */
export interface Shutdown {
  /** Prepares the clients for the end. It is skipped if the process ends because of an error. */
  drain?(): Promise<void>
  stop(): Promise<void>
}

/**
 * Stops this process gracefully at the first signal, or when `kit dev` or npm, which started it, has ended; and
 * immediately at a later signal. Returns a function that stops the process gracefully without a signal.
 */
export function stopOnSignal(shutdown: Shutdown): EndProcess {
  const ending = new Ending(shutdown)
  const onSignal = () => ending.onSignal()
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
  process.on("SIGHUP", () => ending.exitAsHungUp())
  offStarterEnd(exitNow)
  onStarterEnd(() => ending.onStarterEnd())
  return (code) => ending.end(code)
}

/** The end of this process, after a signal or an error. */
class Ending {
  readonly #shutdown: Shutdown
  #exitCode = 0
  #firstSignalAt: number | undefined
  #isStopping = false
  #isHungUp = false

  constructor(shutdown: Shutdown) {
    this.#shutdown = shutdown
  }

  onSignal(): void {
    if (this.#firstSignalAt === undefined) void this.#drainAndEnd()
    else if (performance.now() - this.#firstSignalAt > REPEATED_SIGNAL_MS) process.exit(1)
  }

  // The signal that ended the starter may have come here as well, so that its end is not another signal.
  onStarterEnd(): void {
    if (this.#firstSignalAt === undefined) void this.#drainAndEnd()
  }

  exitAsHungUp(): void {
    this.#isHungUp = true
  }

  end(code: number): void {
    this.#exitCode = Math.max(this.#exitCode, code)
    if (this.#isStopping) return
    this.#isStopping = true
    void reportToDev({ isStopping: true })
    this.#shutdown.stop().then(() => this.#exit(), exitWithError)
  }

  async #drainAndEnd(): Promise<void> {
    this.#firstSignalAt = performance.now()
    void reportToDev({ isStopping: true })
    await this.#shutdown.drain?.().catch(exitWithError)
    this.end(0)
  }

  #exit(): void {
    if (this.#isHungUp) exitBySighup()
    else process.exit(this.#exitCode)
  }
}

function exitWithError(error: unknown): never {
  process.stderr.write(`${error}\n`)
  process.exit(1)
}

/** Ends this process by SIGHUP after its terminal was closed, since Node would crash if it exited normally. */
export function exitBySighup(): void {
  process.removeAllListeners("SIGHUP")
  process.kill(process.pid, "SIGHUP")
}

/** Exits if `kit dev` or npm, which started this process, ends before `stopOnSignal` is set up. */
export function exitWithStarter(): void {
  onStarterEnd(exitNow)
}

function exitNow(): void {
  process.exit(1)
}
