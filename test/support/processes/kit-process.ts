import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const KIT = resolve("packages/kit")
const DEADLINE_MS = 60_000

export interface KitProcessOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** True for a new process group, as a terminal gives to each command. */
  readonly inGroup?: boolean
}

/** Returns the environment of a command: that of the tests, and what the test adds. */
export function variablesFor(env: KitProcessOptions["env"]): NodeJS.ProcessEnv {
  // Without a time to drain, because most tests have no connection left when they stop a server.
  return { ...process.env, KIT_DRAIN_MS: "0", ...env }
}

/** A command of the built package, running in the folder of an app. */
export class KitProcess {
  output = ""
  /** The output on stdout alone. */
  stdout = ""
  /** The output on stderr alone. */
  stderr = ""
  readonly #child: ChildProcess
  /** True if the whole output has been read. */
  #hasEnded = false

  constructor(args: readonly string[], { cwd, env, inGroup = false }: KitProcessOptions) {
    this.#child = spawn(process.execPath, [join(KIT, "bin/kit.mjs"), ...args], {
      cwd,
      env: variablesFor(env),
      detached: inGroup,
    })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text
        this.#child.emit("output")
      })
    }
    this.#child.once("close", () => {
      this.#hasEnded = true
      this.#child.emit("output")
    })
  }

  /** Resolves to the match of the pattern once it has been printed. */
  async printed(pattern: RegExp, deadlineMs = DEADLINE_MS): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(deadlineMs)
    for (let match = pattern.exec(this.output); ; match = pattern.exec(this.output)) {
      if (match) return match
      if (this.#hasEnded || signal.aborted) throw new Error(`${pattern} was not printed:\n${this.output}`)
      await once(this.#child, "output", { signal }).catch(() => {})
    }
  }

  async exit(): Promise<number | null> {
    if (!this.#hasEnded) await once(this.#child, "close")
    return this.#child.exitCode
  }

  /** The signal that has ended it; null if it has exited. */
  get endedBy(): NodeJS.Signals | null {
    return this.#child.signalCode
  }

  /** Ends it without giving it a chance to clean up. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.exit()
  }

  /** Ctrl-C: a terminal sends the signal to the command and every process of its group. */
  interrupt(): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGINT")
  }

  /** A closed terminal: the signal goes to every process of the group, or to the command alone. */
  hangUp(whom: "group" | "command"): void {
    if (this.#child.pid !== undefined) process.kill(whom === "group" ? -this.#child.pid : this.#child.pid, "SIGHUP")
  }

  /** Suspends the process until it is resumed; its children continue. */
  pause(): void {
    this.#child.kill("SIGSTOP")
  }

  resume(): void {
    this.#child.kill("SIGCONT")
  }

  stop(): Promise<number | null> {
    this.#child.kill("SIGTERM")
    return this.exit()
  }
}

export interface AppFolder extends AsyncDisposable {
  readonly path: string
  write(file: string, text: string): Promise<void>
}

/** Makes a folder with the files of an app, in which `kit` resolves to the built package. */
export async function appFolder(files: Readonly<Record<string, string>>): Promise<AppFolder> {
  const path = await mkdtemp(join(tmpdir(), "kit-app-"))
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), text)
  }
  // PostgreSQL never runs as root: its own user must be able to enter the folder.
  await chmod(path, 0o755)
  await mkdir(join(path, "node_modules"))
  await symlink(KIT, join(path, "node_modules/kit"))
  await write("package.json", '{ "type": "module" }')
  for (const [file, text] of Object.entries(files)) await write(file, text)
  return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
