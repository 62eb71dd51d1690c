import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { type CommandArguments, readPort } from "../arguments.ts"
import { showProgress } from "../show.ts"
import type { SummaryLine } from "../summary.ts"
import { watchSources } from "../watch-sources.ts"
import type { StartReport } from "./start.ts"

/** Serves the app, keeps its generated types up to date, and starts it anew when a file changes. */
export async function dev({ values }: CommandArguments): Promise<void> {
  readPort(values["port"])
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  const server = new RestartingServer(given)
  server.start()
  const stopWatching = watchSources(process.cwd(), (file) => server.restart(file))
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")])
  stopWatching()
  await server.stop()
}

/** The app in a process of its own: a fresh one reads the changed files. */
class RestartingServer {
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  /** Changes that come while the old process ends are served by the same new one. */
  #isRestarting = false
  /** What the last start that came up has said. */
  #shown: readonly SummaryLine[] = []

  constructor(args: readonly string[]) {
    this.#args = args
  }

  start(): void {
    const entry = process.argv[1] ?? ""
    const args = ["start", "--generate", "--seed", "--sync", "--development", ...this.#args]
    // The channel tells the child when this process is gone, however it ended.
    const child = spawn(process.execPath, [entry, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] })
    this.#child = child
    // Only `kit start` writes to the channel.
    child.on("message", (message) => this.#show(message as StartReport))
    child.once("exit", (code) => {
      this.#child = undefined
      if (code !== 0 && code !== null) showProgress("waiting for a change …")
    })
  }

  #show({ summary, ready }: StartReport): void {
    const before = new Map(this.#shown.map((line) => [line.about, line]))
    const news = summary.filter((line) => factOf(before.get(line.about)) !== factOf(line))
    for (const { text } of news) showProgress(text)
    const about = new Set(summary.map((line) => line.about))
    for (const line of this.#shown) if (!about.has(line.about)) showProgress(`no more: ${line.text}`)
    showProgress(ready)
    this.#shown = summary
  }

  restart(file: string): void {
    if (this.#isRestarting) return
    this.#isRestarting = true
    showProgress(`${file} changed`)
    void this.stop().then(() => {
      this.#isRestarting = false
      this.start()
    })
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    await exit
  }
}

function factOf(line: SummaryLine | undefined): string | undefined {
  return line?.fact ?? line?.text
}
