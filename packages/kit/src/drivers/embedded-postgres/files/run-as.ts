import { spawn } from "node:child_process"
import type { ServerUser } from "./unprivileged-user.ts"

interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly input?: string
}

export interface CommandResult {
  readonly isSuccess: boolean
  /** The program's standard output and standard error, interleaved. */
  readonly output: string
}

/**
 * The environment variables for every PostgreSQL program. Those of this process are not inherited, because they could
 * select another server (PGDATA, PGPORT) or locale.
 */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }

/** Runs a short-lived program under the account that the PostgreSQL server runs under. */
export function runAs(user: ServerUser, command: Command): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.program, command.args, { ...user, cwd: "/", env: SERVER_ENVIRONMENT })
    let output = ""
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.once("error", reject)
    child.once("close", (code) => resolve({ isSuccess: code === 0, output: output.trim() }))
    // Ignored: a program that fails early closes its standard input, and its exit code reports the failure.
    child.stdin.on("error", () => {})
    child.stdin.end(command.input)
  })
}
