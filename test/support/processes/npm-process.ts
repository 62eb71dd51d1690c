import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, symlink } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type AppFolder, appFolder } from "./kit-process.ts"

const BIN = resolve("packages/kit/bin/kit.mjs")
const DEADLINE_MS = 60_000

/** Makes the folder of an app in which npm finds the command `kit`, as after an installation. */
export async function npmFolder(files: Readonly<Record<string, string>>): Promise<AppFolder> {
  const scripts = {
    start: "kit start --port 0 --seed",
    dev: "kit dev --port 0",
    preworker: "kit seed",
    worker: "kit worker",
  }
  const folder = await appFolder({
    ...files,
    "package.json": JSON.stringify({ name: "app", private: true, type: "module", scripts }),
  })
  const link = join(folder.path, "node_modules/.bin/kit")
  await mkdir(dirname(link), { recursive: true })
  await symlink(BIN, link)
  await chmod(BIN, 0o755)
  return folder
}

interface NpmCall {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The npm to run: the path of its `npm-cli.js`, or undefined for the installed one. */
  readonly cli?: string | undefined
  readonly shell: string
}

/** An npm that runs a command of kit in a shell. Its output ends when the last process that has it open has ended. */
export class NpmProcess implements AsyncDisposable {
  output = ""
  readonly #child: ChildProcess
  #isClosed = false

  constructor(args: readonly string[], { cwd, env, cli, shell }: NpmCall) {
    const [command, ...first] = cli === undefined ? ["npm"] : [process.execPath, cli]
    this.#child = spawn(command ?? "npm", [...first, "--script-shell", shell, "--offline", ...args], {
      cwd,
      env: { ...withoutNpm(process.env), KIT_DRAIN_MS: "0", ...env },
      // A group of its own, by which a test ends whatever is left.
      detached: true,
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text
        this.#child.emit("output")
      })
    }
    this.#child.once("close", () => {
      this.#isClosed = true
      this.#child.emit("output")
    })
  }

  /** Resolves to the match of the pattern once it has been printed. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    for (;;) {
      const match = pattern.exec(this.output)
      if (match) return match
      if (this.#isClosed || signal.aborted) throw new Error(`${pattern} was not printed:\n${this.output}`)
      await once(this.#child, "output", { signal }).catch(() => {})
    }
  }

  /** Sends the signal to npm alone, as a process manager does. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Resolves when npm and everything that it has started have ended: nobody can print any more. */
  async closed(): Promise<void> {
    if (!this.#isClosed) await once(this.#child, "close", { signal: AbortSignal.timeout(DEADLINE_MS) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed || this.#child.pid === undefined) return
    process.kill(-this.#child.pid, "SIGKILL")
    await this.closed()
  }
}

/** Returns the variables without those of the npm that runs the tests. */
export function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name) && name !== "INIT_CWD"))
}
