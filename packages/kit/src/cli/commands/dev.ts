import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readArguments, readPort } from "../arguments.ts"
import { showProgress } from "../show.ts"
import { watchSources } from "../watch-sources.ts"

const OPTIONS = { port: { type: "string" }, host: { type: "string" } } as const

/** Serves the app, keeps its generated types up to date, and starts it anew when a file changes. */
export async function dev(args: readonly string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS)
  readPort(values["port"])
  const server = new RestartingServer(args)
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

  constructor(args: readonly string[]) {
    this.#args = args
  }

  start(): void {
    const entry = process.argv[1] ?? ""
    const args = ["start", "--generate", "--seed", "--sync", "--development", ...this.#args]
    // The channel tells the child when this process is gone, however it ended.
    const child = spawn(process.execPath, [entry, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] })
    this.#child = child
    child.once("exit", (code) => {
      this.#child = undefined
      if (code !== 0 && code !== null) showProgress("waiting for a change …")
    })
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
