import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { hasErrorCode } from "./error-code.ts"

// The time limit for a server's reply. Even a server on a very busy machine takes far less; a frozen one never replies.
const ANSWER_LIMIT_MS = 30_000
// PostgreSQL's SSLRequest message. Every server replies to it with one byte, before authentication.
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** The content of `postmaster.pid`, which a running PostgreSQL server writes into its data directory. */
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

/**
 * True if the process with this pid is the PostgreSQL server of the data directory. After a crash, an unrelated process
 * may have the server's pid.
 */
export function isPostmasterOf(dataDirectory: string, pid: number): boolean {
  return commandLine(pid).includes(` -D ${dataDirectory} `)
}

/** Resolves to true if the PostgreSQL server accepts connections. This may take long on a very busy machine. */
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
 * Replaces the pid in the `postmaster.pid` file of a dead server with the pid of this process. An unrelated process may
 * have the dead server's pid by now, and PostgreSQL would then refuse to start, but it treats the pid of its own parent
 * process as stale. The file itself is kept, because it also protects against orphaned backends.
 */
export function neutralizePostmasterFile(dataDirectory: string): void {
  const path = postmasterPath(dataDirectory)
  const content = readIfPresent(path)
  if (content === undefined) return
  const number = /^-?\d+(?=\n)/
  // Writes the existing file in place, because a new file would belong to root instead of the server's account.
  if (number.test(content)) writeFileSync(path, content.replace(number, String(process.pid)), { flag: "r+" })
  // A machine crash has emptied `postmaster.pid`. An empty file protects nothing, and PostgreSQL would refuse to start.
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
