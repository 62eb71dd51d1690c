import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { hasErrorCode } from "./error-code.ts"

// Far longer than a very busy machine takes; one that is frozen never answers.
const ANSWER_LIMIT_MS = 30_000
// The request "do you speak TLS?", which every server answers with one letter before any login.
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** What a running server writes into its data directory. */
interface PostmasterFile {
  readonly pid: number
  readonly port: string
  readonly socketDirectory: string
  readonly status: string
}

export function readPostmasterFile(dataDirectory: string): PostmasterFile | undefined {
  const lines = readIfPresent(postmasterPath(dataDirectory))?.split("\n")
  if (lines === undefined) return undefined
  const [pid = "", , , port = "", socketDirectory = "", , , status = ""] = lines
  return { pid: Number(pid), port, socketDirectory, status: status.trim() }
}

/** Whether this process is alive and is the server of this data directory: after a crash the number may be another's. */
export function isPostmasterOf(dataDirectory: string, pid: number): boolean {
  return commandLine(pid).includes(` -D ${dataDirectory} `)
}

/** Whether the server behind these sockets takes connections. It may answer late, on a machine that is very busy. */
export function isServerAnswering({ socketDirectory, port }: PostmasterFile): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketDirectory, `.s.PGSQL.${port}`), () => socket.write(TLS_REQUEST))
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy())
    socket.once("data", () => {
      resolve(true)
      socket.destroy()
    })
    socket.once("error", () => resolve(false))
    socket.once("close", () => resolve(false))
  })
}

/**
 * Makes the file of a dead server harmless when its process number has been given to an unrelated process: PostgreSQL
 * takes the number of its own parent for stale. The file stays, because it also guards against orphaned backends.
 */
export function disownPostmasterFile(dataDirectory: string): void {
  const path = postmasterPath(dataDirectory)
  const content = readIfPresent(path)
  if (content === undefined) return
  const number = /^-?\d+(?=\n)/
  // Written in place: a new file would belong to root instead of the server's account.
  if (number.test(content)) writeFileSync(path, content.replace(number, String(process.pid)), { flag: "r+" })
  // Emptied by a crash of the machine, it guards nothing, and PostgreSQL refuses to start beside it.
  else rmSync(path)
}

function postmasterPath(dataDirectory: string): string {
  return join(dataDirectory, "postmaster.pid")
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ESRCH")) return undefined
    throw error
  }
}

function commandLine(pid: number): string {
  if (existsSync("/proc/self/cmdline")) return readIfPresent(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? ""
  return `${spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim()} `
}
