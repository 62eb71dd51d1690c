import { setImmediate } from "node:timers/promises"
import { KeptDatabase } from "../database/kept-database.ts"
import { showLine } from "../terminal/show.ts"
import type { SummaryLine } from "../terminal/summary.ts"
import { AppProcess, type ProcessEnd } from "./app-process.ts"
import type { DevReport, StartReport } from "./dev-reports.ts"

const SLOW_LOAD_MS = 10_000
const SLOW_LOAD = `the app has not loaded after ${SLOW_LOAD_MS / 1000} s: a file may be caught in a loop, or wait for something`

interface ServerCallbacks {
  /** Called with the paths of the files from which the app was compiled. */
  onInputs(paths: readonly string[]): void
  /** Called with the paths of the files that the app lacks, besides its sources. */
  onAwaited(paths: readonly string[]): void
  /** Called when the newest version serves. */
  onStarted(): void
  /** Called when a version begins to load, and when the app has ended by itself: any file may be the one it lacks. */
  onIncomplete(): void
}

/**
 * Serves the app while its files change. Only a new process reads changed files. The old process serves until the new
 * one has loaded the app and found no mistake; if there is a mistake, the old process remains.
 */
export class RollingServer {
  readonly #args: readonly string[]
  readonly #callbacks: ServerCallbacks
  readonly #database = new KeptDatabase(process.cwd())
  readonly #processes = new Set<AppProcess>()
  /** The process that serves the app, or is about to after its predecessor has ended. */
  #serving: AppProcess | undefined
  /** The process that loads the newest version. It has changed nothing yet. */
  #next: AppProcess | undefined
  #slowLoad: NodeJS.Timeout | undefined
  /** The reason why `#next` cannot start, if it has reported one. */
  #failure: string | undefined
  /** Resolves when every process that was replaced so far has ended. */
  #replacing = Promise.resolve()
  #isStopping = false
  /** The summary that the app reported at its last successful start. */
  #lastSummary: readonly SummaryLine[] = []

  constructor(args: readonly string[], callbacks: ServerCallbacks) {
    this.#args = args
    this.#callbacks = callbacks
  }

  /** Starts the version that the files contain now. */
  start(): void {
    const args = ["start", "--generate", "--seed", "--sync", "--development", ...this.#args]
    const started = new AppProcess(args, {
      onReport: (from, report) => this.#onReport(from, report),
      onExit: (from, end) => this.#onExit(from, end),
    })
    this.#processes.add(started)
    this.#next = started
    this.#failure = undefined
    this.#callbacks.onIncomplete()
    clearTimeout(this.#slowLoad)
    if (this.#serving) this.#slowLoad = setTimeout(() => this.#onSlowLoad(), SLOW_LOAD_MS)
  }

  restart(file: string): void {
    showLine(`${file} changed`)
    const outdated = this.#next
    this.start()
    void outdated?.end()
  }

  signal(signal: NodeJS.Signals): void {
    for (const running of this.#processes) running.signal(signal)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#slowLoad)
    // First handles the messages that the app has already sent, because the app may be stopping already.
    await setImmediate()
    await Promise.all(Array.from(this.#processes, (running) => running.end()))
    await this.#database.release()
  }

  #onReport(from: AppProcess, report: DevReport): void {
    if ("inputs" in report) this.#callbacks.onInputs(report.inputs)
    else if ("awaited" in report) this.#callbacks.onAwaited(report.awaited)
    else if ("summary" in report) this.#onStarted(report)
    // A process that is no longer the newest one gets no answer, and is ended.
    else if (from === this.#next) this.#onProgress(from, report)
  }

  #onProgress(next: AppProcess, report: DevReport): void {
    if ("failure" in report) this.#failure = report.failure
    if ("isLoaded" in report) {
      next.send({ isOtherServing: this.#serving !== undefined })
      if (this.#serving === undefined) this.#replaceBy(next)
    }
    if ("isChecked" in report) this.#replaceBy(next)
  }

  // Ends the old process, and then lets the new one change the tables and take the port.
  #replaceBy(next: AppProcess): void {
    const old = this.#serving
    this.#serving = next
    this.#next = undefined
    clearTimeout(this.#slowLoad)
    this.#replacing = this.#replacing.then(async () => {
      await old?.end()
      next.send({ mayTakeOver: true })
    })
  }

  #onStarted(report: StartReport): void {
    if (report.isEmbedded) this.#database.join()
    if (this.#next === undefined) this.#callbacks.onStarted()
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

  #onExit(ended: AppProcess, end: ProcessEnd): void {
    this.#processes.delete(ended)
    if (this.#isStopping) return
    if (ended === this.#next) this.#onNextEnded(end)
    else if (ended === this.#serving) this.#onServingEnded(end)
  }

  // The newest version could not be loaded. It has printed the reason, unless something else ended it.
  #onNextEnded(end: ProcessEnd): void {
    clearTimeout(this.#slowLoad)
    this.#next = undefined
    const reason = reasonOf(end)
    if (this.#failure === undefined && reason !== undefined) showLine(reason)
    this.#refuse(this.#failure ?? reason ?? "The app ended while it was loading. The terminal shows the reason.")
  }

  #onServingEnded(end: ProcessEnd): void {
    this.#serving = undefined
    this.#callbacks.onIncomplete()
    const reason = reasonOf(end)
    if (reason !== undefined) showLine(reason)
    if (this.#next === undefined) showLine("waiting for a change …")
  }

  #onSlowLoad(): void {
    showLine(SLOW_LOAD)
    this.#refuse(SLOW_LOAD)
  }

  // Shows on the page of the serving process why the newest version does not replace it.
  #refuse(mistake: string): void {
    this.#serving?.send({ mistake })
    showLine(this.#serving ? "still serving the last good version, waiting for a change …" : "waiting for a change …")
  }
}

// Explains the end of the app if a signal or `process.exit` ended it. The app itself has reported its errors.
function reasonOf({ code, signal }: ProcessEnd): string | undefined {
  if (signal !== null) return `the app was ended by ${signal}`
  return code === 0 ? "the app has ended by itself: something calls process.exit" : undefined
}

function changeKeyOf(line: SummaryLine | undefined): string | undefined {
  return line?.changeKey ?? line?.text
}
