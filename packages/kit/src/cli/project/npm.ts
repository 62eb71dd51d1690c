import { spawn } from "node:child_process"
import { once } from "node:events"
import { CommandFailure } from "../terminal/arguments.ts"

interface Call {
  readonly cwd: string
  readonly args: readonly string[]
  /** Whether what it prints is nothing for people. */
  readonly isQuiet?: true
}

/** Runs npm with its output shown; a failure says what to do by hand. */
export async function runNpm(call: Call, remedy: string): Promise<void> {
  const { args } = call
  await runShown({ ...call, args: npmCommand(args) }, `npm ${args[0]} failed. ${remedy}`)
}

/** Runs a script of Node with its output shown. */
export async function runNode({ cwd, args }: Call, failure: string): Promise<void> {
  await runShown({ cwd, args: [process.execPath, ...args] }, failure)
}

async function runShown({ cwd, isQuiet, args: [command = "", ...args] }: Call, failure: string): Promise<void> {
  // What it prints is progress: standard output stays ours.
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

// The npm that runs us, where one does: it need not be on the path.
function npmCommand(args: readonly string[]): readonly string[] {
  const script = process.env["npm_execpath"]
  if (script?.endsWith("npm-cli.js")) return [process.execPath, script, ...args]
  return process.platform === "win32" ? ["cmd", "/c", "npm", ...args] : ["npm", ...args]
}
