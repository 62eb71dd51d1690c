import { spawn } from "node:child_process"
import { once } from "node:events"
import { CommandFailure } from "../terminal/arguments.ts"

interface ProcessCall {
  readonly cwd: string
  readonly args: readonly string[]
  /** True if the child process's standard output is not shown. */
  readonly isQuiet?: true
}

/** True if npm has started this process, by `npm start`, `npm run` or `npx`, or a process that npm has started. */
export function isRunByNpm(): boolean {
  return Boolean(process.env["npm_lifecycle_event"] || process.env["npm_command"])
}

/** Runs npm and shows its output. If npm fails, the error message says what to do by hand. */
export async function runNpm(call: ProcessCall, remedy: string): Promise<void> {
  const { args } = call
  await runShown({ ...call, args: npmCommand(args) }, `npm ${args[0]} failed. ${remedy}`)
}

/** Runs a Node script and shows its output. */
export async function runNode({ cwd, args }: ProcessCall, failure: string): Promise<void> {
  await runShown({ cwd, args: [process.execPath, ...args] }, failure)
}

async function runShown({ cwd, isQuiet, args: [command = "", ...args] }: ProcessCall, failure: string): Promise<void> {
  // The child process's output is shown on standard error as progress, because standard output is reserved for kit's
  // own output.
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] })
  if (isQuiet) child.stdout.resume()
  else child.stdout.pipe(process.stderr, { end: false })
  try {
    const [code] = await once(child, "close")
    if (code === 0) return
  } catch (cause) {
    throw new CommandFailure(`${failure} (${command} could not be started)`, { cause })
  }
  throw new CommandFailure(failure)
}

// Prefers the npm that started this process, because npm may not be on the PATH.
function npmCommand(args: readonly string[]): readonly string[] {
  const script = process.env["npm_execpath"]
  if (script?.endsWith("npm-cli.js")) return [process.execPath, script, ...args]
  return process.platform === "win32" ? ["cmd", "/c", "npm", ...args] : ["npm", ...args]
}
