import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { watch } from "node:fs"
import { sep } from "node:path"
import { readArguments, readPort } from "../arguments.ts"
import { showProgress } from "../show.ts"

const OPTIONS = { port: { type: "string" }, host: { type: "string" } } as const
// Editors write a file in several steps.
const SETTLE_MS = 80

/** Serves the app, keeps its generated types up to date, and starts it anew when a file changes. */
export async function dev(args: readonly string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS)
  readPort(values["port"])
  const server = new RestartingServer(args)
  server.start()
  const watcher = watchSources(process.cwd(), (file) => server.restart(file))
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")])
  watcher.close()
  await server.stop()
}

class RestartingServer {
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  #isRestarting = false

  constructor(args: readonly string[]) {
    this.#args = args
  }

  start(): void {
    const entry = process.argv[1] ?? ""
    const child = spawn(process.execPath, [entry, "start", "--generate", "--seed", ...this.#args], { stdio: "inherit" })
    this.#child = child
    child.once("exit", (code) => {
      if (this.#child === child) this.#child = undefined
      if (code !== 0 && code !== null) showProgress("waiting for a change …")
    })
  }

  async restart(file: string): Promise<void> {
    if (this.#isRestarting) return
    this.#isRestarting = true
    showProgress(`${file} changed`)
    await this.stop()
    this.#isRestarting = false
    this.start()
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    await exit
  }
}

// Generated files and the database change by our own doing.
function watchSources(root: string, onChange: (file: string) => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  return watch(root, { recursive: true }, (_event, file) => {
    if (file === null || !isSource(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => void onChange(file), SETTLE_MS)
  })
}

function isSource(file: string): boolean {
  if (file === "kit.config.ts") return true
  const isGenerated = file.startsWith(`src${sep}generated${sep}`)
  return file.startsWith(`src${sep}`) && !isGenerated && /\.(ts|js|mts|mjs|json)$/.test(file)
}
