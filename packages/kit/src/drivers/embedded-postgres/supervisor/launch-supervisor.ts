import { type ChildProcess, spawn } from "node:child_process"
import { closeSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { openServerLog } from "./server-log.ts"

/** The options with which a supervisor runs its PostgreSQL server. */
export interface SupervisorOptions {
  /** Additional PostgreSQL settings, by name. */
  readonly settings: Readonly<Record<string, string>>
  readonly lingerMs: number
  /** The folder of an installed PostgreSQL. Unless set, the PostgreSQL that comes with kit is used. */
  readonly binaries?: string | undefined
  /**
   * True if this supervisor replaces a lost supervisor. It then retries a failed start of the server instead of giving
   * up.
   */
  readonly isSuccessor: boolean
}

/** The first output of a supervisor is `LISTENING`, `LOCK_TAKEN`, or the reason why it cannot start. */
export const LISTENING = "listening"
export const LOCK_TAKEN = "lock taken"

// The environment variables that a supervisor inherits. NODE_OPTIONS and similar variables are excluded, so that this
// process's debugger or test runner does not attach to the supervisor.
const INHERITED_VARIABLES = ["PATH", "HOME", "TMPDIR"]

/**
 * Starts a detached supervisor, which outlives this process. Returns false if another supervisor already has the lock.
 */
export async function launchSupervisor(home: string, supervision: SupervisorOptions): Promise<boolean> {
  const log = openServerLog(home)
  const child = spawn(process.execPath, [...supervisorProgram(), home, JSON.stringify(supervision)], {
    cwd: "/",
    detached: true,
    env: inheritedEnvironment(),
    stdio: ["ignore", "pipe", log.descriptor],
  })
  closeSync(log.descriptor)
  child.unref()
  const firstWord = await readFirstOutput(child)
  if (firstWord === LISTENING) return true
  if (firstWord === LOCK_TAKEN) return false
  throw new Error(firstWord || `The supervisor of PostgreSQL did not start:\n${log.newLines()}`)
}

function readFirstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.stdout?.once("end", () => resolve(""))
    child.stdout?.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim())
      child.stdout?.destroy()
    })
  })
}

// Returns the arguments that run the supervisor. It is plain JavaScript in the compiled package, but TypeScript in the
// source tree, where it needs a loader.
function supervisorProgram(): string[] {
  const isSource = new URL(import.meta.url).pathname.endsWith(".ts")
  if (!isSource) return [fileURLToPath(new URL("./supervisor.js", import.meta.url))]
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  return ["--import", loader, fileURLToPath(new URL("./supervisor.ts", import.meta.url))]
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]]))
}
