import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { environmentWithoutFiles } from "../project/env-files.ts"
import { showLine } from "../terminal/show.ts"
import type { DevMessage, DevReport } from "./dev-reports.ts"

// How long an app may take to react to a signal; code in an endless loop never reacts. An app that has reacted gets
// `EXIT_TIMEOUT_MS` to exit, because a graceful stop has time limits of its own.
const SIGNAL_TIMEOUT_MS = 2_000
const EXIT_TIMEOUT_MS = 15_000

/** The end of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface ProcessCallbacks {
  onReport(process: AppProcess, report: DevReport): void
  onExit(process: AppProcess, end: ProcessEnd): void
}

/** A process that runs one version of the app. */
export class AppProcess {
  readonly #child: ChildProcess
  /**
   * True if the app has reported that it is stopping. It may have received a signal from the terminal before this
   * process sends one.
   */
  #isStopping = false
  #ending: Promise<void> | undefined

  constructor(args: readonly string[], { onReport, onExit }: ProcessCallbacks) {
    const entry = process.argv[1] ?? ""
    // The IPC channel closes however this process ends, so the child process always notices the end.
    this.#child = spawn(process.execPath, [entry, ...args], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      // The app reads the `.env` files itself, because they may have changed since `kit dev` started.
      env: { ...environmentWithoutFiles(), KIT_DEV_PID: String(process.pid) },
    })
    this.#child.on("message", (message) => {
      // The cast is safe: only `kit start` writes to the IPC channel.
      const report = message as DevReport
      if ("isStopping" in report) this.#onStopping()
      else onReport(this, report)
    })
    this.#child.once("exit", (code, signal) => onExit(this, { code, signal }))
  }

  /** Sends a message to the app. The app may have ended; the message is then lost. */
  send(message: DevMessage): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Stops the app, by force if it does not react. */
  end(): Promise<void> {
    const hasExited = this.#child.exitCode !== null || this.#child.signalCode !== null
    if (!hasExited) this.#ending ??= this.#endInTime()
    return this.#ending ?? Promise.resolve()
  }

  #onStopping(): void {
    this.#isStopping = true
    this.#child.emit("stopping")
  }

  async #endInTime(): Promise<void> {
    if (this.#isStopping) return this.#exitWithin(EXIT_TIMEOUT_MS)
    // The app is not stopping yet. An app that is stopping would treat SIGTERM as a second signal and exit immediately.
    this.#child.kill("SIGTERM")
    await this.#exitWithin(SIGNAL_TIMEOUT_MS)
  }

  async #exitWithin(limitMs: number): Promise<void> {
    const exit = once(this.#child, "exit")
    let limit = setTimeout(() => this.#kill(), limitMs)
    this.#child.once("stopping", () => {
      clearTimeout(limit)
      limit = setTimeout(() => this.#kill(), EXIT_TIMEOUT_MS)
    })
    await exit
    clearTimeout(limit)
  }

  #kill(): void {
    showLine("the app does not end: it is caught in a loop, or in the dispose of a service; it was killed")
    this.#child.kill("SIGKILL")
  }
}
