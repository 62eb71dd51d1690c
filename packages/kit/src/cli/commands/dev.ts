import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { setImmediate } from "node:timers/promises"
import { KeptDatabase } from "../database/kept-database.ts"
import type { DevReport, StartReport } from "../project/dev-reports.ts"
import { environmentWithoutFiles } from "../project/env-files.ts"
import { type Address, listenRefusal } from "../project/listen-refusal.ts"
import { watchSources } from "../sources/watch-sources.ts"
import { type CommandArguments, CommandFailure, readHost, readPort } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { exitBySighup, STOP_SIGNALS } from "../terminal/stop-on-signal.ts"
import type { SummaryLine } from "../terminal/summary.ts"

// How long an app may take to react to a signal; code in an endless loop never reacts. An app that has reacted gets
// `EXIT_TIMEOUT_MS` to exit, because a graceful stop has time limits of its own.
const SIGNAL_TIMEOUT_MS = 2_000
const EXIT_TIMEOUT_MS = 15_000

/** Serves the app, keeps its generated types up to date, and restarts it when a file changes. */
export async function dev({ values }: CommandArguments): Promise<void> {
  await checkAddress({ port: readPort(values["port"]), host: readHost(values["host"]) })
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  const watch = watchSources(process.cwd(), (file) => server.restart(file))
  const server = new RestartingServer(given, (inputs) => watch.follow(inputs))
  server.start()
  const heard = await Promise.race(STOP_SIGNALS.map((signal) => once(process, signal).then(() => signal)))
  watch.close()
  // Forwards further signals to the app while it stops. The app decides whether a signal is a repetition.
  for (const signal of STOP_SIGNALS) process.on(signal, () => server.signal(signal))
  await server.stop()
  if (heard === "SIGHUP") exitBySighup()
}

// Ends the command if the address cannot be used, since every start would fail and no change of a file could fix it.
async function checkAddress(address: Address): Promise<void> {
  const server = createServer().listen(address)
  try {
    await once(server, "listening")
  } catch (error) {
    const refusal = listenRefusal(error, address)
    if (refusal !== undefined) throw new CommandFailure(refusal, { cause: error })
  }
  await new Promise((resolve) => void server.close(resolve))
}

/**
 * Runs the app in a child process, and starts a new process when files change, because only a new process reads the
 * changed files.
 */
class RestartingServer {
  readonly #args: readonly string[]
  readonly #onInputs: (paths: readonly string[]) => void
  #child: ChildProcess | undefined
  /** True while the old process ends. The next process covers all changes that arrive in this time. */
  #isRestarting = false
  #isStopping = false
  /**
   * The child process that has reported that it is stopping. It may have received a signal from the terminal before
   * this process sends one.
   */
  #stoppingChild: ChildProcess | undefined
  readonly #database = new KeptDatabase(process.cwd())
  #ending: Promise<void> | undefined
  /** The summary that the app reported at its last successful start. */
  #lastSummary: readonly SummaryLine[] = []

  constructor(args: readonly string[], onInputs: (paths: readonly string[]) => void) {
    this.#args = args
    this.#onInputs = onInputs
  }

  start(): void {
    const entry = process.argv[1] ?? ""
    const args = ["start", "--generate", "--seed", "--sync", "--development", ...this.#args]
    // The IPC channel closes however this process ends, so the child process always notices the end.
    const child = spawn(process.execPath, [entry, ...args], {
      // The child reads the `.env` files again, because they may have changed since `kit dev` started.
      env: environmentWithoutFiles(),
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    })
    this.#child = child
    // The cast is safe: only `kit start` writes to the IPC channel.
    child.on("message", (message) => this.#onReport(child, message as DevReport))
    child.once("exit", (code, signal) => {
      this.#child = undefined
      if (!this.#isStopping && !this.#isRestarting) showEnd(code, signal)
    })
  }

  #onReport(child: ChildProcess, report: DevReport): void {
    if ("inputs" in report) return void this.#onInputs(report.inputs)
    if ("isStopping" in report) {
      this.#stoppingChild = child
      child.emit("stopping")
      return
    }
    if (report.isEmbedded) this.#database.join()
    this.#show(report)
  }

  #show({ summary, ready }: StartReport): void {
    const before = new Map(this.#lastSummary.map((line) => [line.key, line]))
    const news = summary.filter((line) => changeKeyOf(before.get(line.key)) !== changeKeyOf(line))
    for (const { text } of news) showLine(text)
    const about = new Set(summary.map((line) => line.key))
    for (const line of this.#lastSummary) if (!about.has(line.key)) showLine(`no longer: ${line.text}`)
    showLine(ready)
    this.#lastSummary = summary
  }

  restart(file: string): void {
    if (this.#isRestarting) return
    this.#isRestarting = true
    showLine(`${file} changed`)
    void this.#endChild().then(() => {
      this.#isRestarting = false
      if (!this.#isStopping) this.start()
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    // First handles the messages that the app has already sent, because the app may be stopping already.
    await setImmediate()
    await this.#endChild()
    await this.#database.release()
  }

  #endChild(): Promise<void> {
    const child = this.#child
    if (child === undefined) return Promise.resolve()
    this.#ending ??= this.#endInTime(child).then(() => {
      this.#ending = undefined
    })
    return this.#ending
  }

  async #endInTime(child: ChildProcess): Promise<void> {
    if (this.#stoppingChild === child) return exitWithin(child, EXIT_TIMEOUT_MS)
    // The app is not stopping yet. An app that is stopping would treat SIGTERM as a second signal and exit immediately.
    child.kill("SIGTERM")
    await exitWithin(child, SIGNAL_TIMEOUT_MS)
  }
}

// Explains the end of the app if a signal or `process.exit` ended it. The app itself has reported its errors.
function showEnd(code: number | null, signal: NodeJS.Signals | null): void {
  if (signal !== null) showLine(`the app was ended by ${signal}`)
  else if (code === 0) showLine("the app has ended by itself: something calls process.exit")
  showLine("waiting for a change …")
}

async function exitWithin(child: ChildProcess, limitMs: number): Promise<void> {
  const exit = once(child, "exit")
  let limit = setTimeout(killChild, limitMs, child)
  child.once("stopping", () => {
    clearTimeout(limit)
    limit = setTimeout(killChild, EXIT_TIMEOUT_MS, child)
  })
  await exit
  clearTimeout(limit)
}

function killChild(child: ChildProcess): void {
  showLine("the app does not end: it is caught in a loop, or in the dispose of a service; it was killed")
  child.kill("SIGKILL")
}

function changeKeyOf(line: SummaryLine | undefined): string | undefined {
  return line?.changeKey ?? line?.text
}
