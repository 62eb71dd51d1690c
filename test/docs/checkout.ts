import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../support/processes/free-port.ts"
import type { Place } from "./snippets.ts"

/** Ends what hangs. An install and a start take a minute, and ten times as long beside other work. */
const DEADLINE_MS = 600_000
// A request that fails makes the command fail, as a reader would see it.
const PRELUDE = 'curl() { command curl --fail-with-body --silent --show-error "$@"; }\n'
// The last line of a start. A line of `kit new` begins in the same way.
const SERVING = /ready in [\d.]+ s$/m
const DOCUMENTED_ADDRESS = "localhost:3000"

/** A shell script that has been started. */
interface Running {
  readonly child: ChildProcess
  readonly output: () => string
}

interface CheckoutPlace {
  readonly root: string
  readonly ports: Readonly<Record<Place, number>>
}

/**
 * A fresh copy of the repository, without installed packages and builds, in which the commands of the pages run as
 * they would for a reader. Each app listens on a port of its own instead of the documented one.
 */
export class Checkout implements AsyncDisposable {
  readonly root: string
  readonly ports: Readonly<Record<Place, number>>
  readonly #servers: Running[] = []

  constructor({ root, ports }: CheckoutPlace) {
    this.root = root
    this.ports = ports
  }

  static async make(): Promise<Checkout> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "kit-docs-")))
    // PostgreSQL never runs as root: its own user must be able to enter the folder.
    await chmod(folder, 0o755)
    const root = join(folder, "kit")
    await copySources(resolve("."), root)
    const newsroom = await freePort()
    return new Checkout({ root, ports: { newsroom, checkout: newsroom, blog: await freePort() } })
  }

  folderOf(place: Place): string {
    if (place === "newsroom") return join(this.root, "examples/newsroom")
    return place === "blog" ? join(this.root, "../blog") : this.root
  }

  addressOf(place: Place): string {
    return `localhost:${this.ports[place]}`
  }

  /** Runs a script to its end, or until its output matches; throws with the output if it fails. */
  async run(place: Place, script: string, until?: RegExp): Promise<string> {
    const running = this.#start(place, script)
    if (until === undefined) await ended(running)
    else {
      await printed(running, until)
      await interrupt(running)
    }
    return running.output()
  }

  /** Runs a script that serves the app of a place, until the checkout is disposed of. */
  async serve(place: Place, script: string): Promise<void> {
    const running = this.#start("checkout", script, { PORT: String(this.ports[place]) })
    this.#servers.push(running)
    await printed(running, SERVING)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await interrupt(server)
    // The databases of the tests that ran there may still be ending.
    await rm(dirname(this.root), { recursive: true, force: true, maxRetries: 40, retryDelay: 100 })
  }

  #start(place: Place, script: string, env: Readonly<Record<string, string>> = {}): Running {
    const cwd = this.folderOf(place)
    const commands = join(place === "blog" ? cwd : this.root, "node_modules/.bin")
    const text = PRELUDE + script.replaceAll(DOCUMENTED_ADDRESS, this.addressOf(place))
    const child = spawn("bash", ["-euo", "pipefail", "-c", text], {
      cwd,
      env: { ...environment(), PATH: `${commands}:${process.env["PATH"]}`, ...env },
      // A process group of its own, so that the commands and the processes that they start can be interrupted together.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text
        child.emit("output")
      })
    }
    return { child, output: () => output }
  }
}

// Returns the environment of a reader, without the settings of the test run.
function environment(): NodeJS.ProcessEnv {
  const own = /^(VITEST|KIT_|NODE_ENV$|NODE_OPTIONS$|DATABASE_URL$|TEST$|MODE$|DEV$|PROD$|npm_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

// Copies the files that git tracks or would add, as they are in the working tree.
async function copySources(from: string, to: string): Promise<void> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]
  const { stdout } = await promisify(execFile)("git", args, { cwd: from, maxBuffer: 64 * 1024 * 1024 })
  const files = stdout.split("\0").filter((file) => file !== "")
  for (const folder of new Set(files.map((file) => dirname(join(to, file))))) await mkdir(folder, { recursive: true })
  for (const file of files) {
    // A file that was deleted, but not by git, is listed, too.
    await cp(join(from, file), join(to, file), { verbatimSymlinks: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
  }
}

async function ended({ child, output }: Running): Promise<void> {
  const [code] = await once(child, "close", { signal: AbortSignal.timeout(DEADLINE_MS) })
  if (code !== 0) throw new Error(`ended with ${code}:\n${output()}`)
}

async function printed({ child, output }: Running, pattern: RegExp): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  child.once("close", () => child.emit("output"))
  while (!pattern.test(output())) {
    if (hasEnded(child) || signal.aborted) throw new Error(`${pattern} was not printed:\n${output()}`)
    await once(child, "output", { signal }).catch(() => {})
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

// Ctrl-C: the signal goes to the commands and to every process of their group.
async function interrupt({ child }: Running): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return
  const closed = once(child, "close")
  process.kill(-child.pid, "SIGINT")
  await closed
}
