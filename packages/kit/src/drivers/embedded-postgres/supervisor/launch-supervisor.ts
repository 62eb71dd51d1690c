import { type ChildProcess, spawn } from "node:child_process"
import { closeSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { openServerLog } from "./server-log.ts"

/** How a supervisor treats its server. */
export interface Supervision {
  /** Settings of the server besides ours. */
  readonly settings: Readonly<Record<string, string>>
  readonly lingerMs: number
  /** The folder of an installed PostgreSQL; the one that comes with kit unless set. */
  readonly binaries?: string | undefined
  /** It replaces one that was lost: a server that does not start is then tried again, and not given up. */
  readonly isSuccessor: boolean
}

/** The first word of a supervisor is one of these, or else the reason why it cannot start. */
export const LISTENING = "listening"
export const OFFICE_TAKEN = "office taken"

// NODE_OPTIONS and the like belong to the user process: a debugger or a test runner must not enter the supervisor.
const INHERITED_VARIABLES = ["PATH", "HOME", "TMPDIR"]

/** Starts a supervisor that outlives this process; false when it gives way to another one. */
export async function launchSupervisor(home: string, supervision: Supervision): Promise<boolean> {
  const log = openServerLog(home)
  const child = spawn(process.execPath, [...supervisorProgram(), home, JSON.stringify(supervision)], {
    cwd: "/",
    detached: true,
    env: inheritedEnvironment(),
    stdio: ["ignore", "pipe", log.descriptor],
  })
  closeSync(log.descriptor)
  child.unref()
  const firstWord = await readFirstWord(child)
  if (firstWord === LISTENING) return true
  if (firstWord === OFFICE_TAKEN) return false
  throw new Error(firstWord || `The supervisor of PostgreSQL did not start:\n${log.newLines()}`)
}

function readFirstWord(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.stdout?.once("end", () => resolve(""))
    child.stdout?.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim())
      child.stdout?.destroy()
    })
  })
}

// From the compiled package the supervisor is plain JavaScript; from source it needs the loader for TypeScript.
function supervisorProgram(): string[] {
  const isSource = new URL(import.meta.url).pathname.endsWith(".ts")
  if (!isSource) return [fileURLToPath(new URL("./supervisor.js", import.meta.url))]
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  return ["--import", loader, fileURLToPath(new URL("./supervisor.ts", import.meta.url))]
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]]))
}
