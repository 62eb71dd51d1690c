import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { KitProcess, type KitProcessOptions, variablesFor } from "./kit-process.ts"

const HOST = resolve("test/support/processes/kit-host.mjs")
const COMMAND_LINE = pathToFileURL(resolve("packages/kit/dist/bundle/cli.js")).href
// These run until a signal stops them, unless they fail.
const SERVING = ["start", "dev", "worker"]

export interface CommandResult {
  readonly code: number | null
  readonly output: string
  /** The output on stdout alone. */
  readonly stdout: string
  /** The output on stderr alone. */
  readonly stderr: string
}

type CommandOptions = Pick<KitProcessOptions, "cwd" | "env">

/**
 * Runs a command of the built package to its end. Loading the package is most of a command's work, so the commands of a
 * test process share one process that has loaded it. A test that is about the process itself starts a `KitProcess`.
 */
export function runKit(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  if (SERVING.includes(args[0] ?? "")) return runAlone(args, options)
  if (host === undefined || host.hasEnded) host = new KitHost()
  return host.run(args, options)
}

let host: KitHost | undefined

async function runAlone(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const command = new KitProcess(args, options)
  const code = await command.exit()
  const { output, stdout, stderr } = command
  return { code, output, stdout, stderr }
}

/** A process that runs one command after another. It ends with the test process, or if a command crashes it. */
class KitHost {
  hasEnded = false
  readonly #child: ChildProcessWithoutNullStreams
  #exitCode: number | null = null
  #stdout = ""
  #stderr = ""
  #output = ""
  #last: Promise<unknown> = Promise.resolve()

  constructor() {
    this.#child = spawn(process.execPath, [HOST, COMMAND_LINE])
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text
      this.#hear(text)
    })
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text
      this.#hear(text)
    })
    // A crash is noticed by the end of the process.
    this.#child.stdin.on("error", () => {})
    this.#child.once("close", (code) => {
      this.hasEnded = true
      this.#exitCode = code
      this.#child.emit("output")
    })
  }

  /** Waits for its turn, because a process has one working directory and one environment. */
  run(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
    const result = this.#last.then(() => this.#runNow(args, options))
    this.#last = result
    return result
  }

  async #runNow(args: readonly string[], { cwd, env }: CommandOptions): Promise<CommandResult> {
    const mark = randomUUID()
    const end = new RegExp(`${mark} (\\d+)\\n`)
    this.#stdout = this.#stderr = this.#output = ""
    this.#child.stdin.write(`${JSON.stringify({ args, cwd, env: variablesFor(env), mark })}\n`)
    const code = await new Promise<number | null>((resolve) => {
      const look = () => {
        const found = end.exec(this.#stdout)
        if (this.hasEnded) resolve(this.#exitCode)
        else if (found && end.test(this.#stderr)) resolve(Number(found[1]))
        else this.#child.once("output", look)
      }
      look()
    })
    const withoutMark = (text: string) => text.replace(end, "")
    return {
      code,
      output: withoutMark(withoutMark(this.#output)),
      stdout: withoutMark(this.#stdout),
      stderr: withoutMark(this.#stderr),
    }
  }

  #hear(text: string): void {
    this.#output += text
    this.#child.emit("output")
  }
}
