import { createHash } from "node:crypto"
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { hasErrorCode } from "./error-code.ts"
import { latestLock } from "./supervisor-lock.ts"
import { canRead, canWriteIn, type ServerUser } from "./unprivileged-user.ts"

// Operating systems allow 103 to 107 bytes for the path of a Unix socket. The longest file name in the directory takes
// about 25 of them.
const DIRECTORY_LIMIT_BYTES = 75

/**
 * Opens a private directory with a short path for a database home's Unix sockets. The path is the same at every start,
 * but changes if the home is deleted and created again, because the old server may still be closing its sockets.
 */
export function openSocketDirectory(home: string, user: ServerUser): string {
  const { ino, birthtimeNs } = statSync(home, { bigint: true })
  const name = createHash("sha256").update(`${home}\0${ino}\0${birthtimeNs}`).digest("hex").slice(0, 12)
  const directory =
    earlierDirectory(home, { user, name: `kit-${name}` }) ?? join(temporaryDirectory(user), `kit-${name}`)
  ensureSocketDirectory(directory, user)
  return directory
}

/** Creates the socket directory if it is missing, and makes sure that only the server's account can enter it. */
export function ensureSocketDirectory(directory: string, user: ServerUser): void {
  createIfMissing(directory)
  refuseForeign(directory, user)
  chownSync(directory, user.uid, user.gid)
}

/** Removes the socket directory unless another supervisor has a socket in it. */
export function closeSocketDirectory(directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    if (!hasErrorCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error
  }
}

interface EarlierDirectory {
  readonly user: ServerUser
  readonly name: string
}

// Returns the last supervisor's socket directory, because processes with another TMPDIR may still use it. Returns
// undefined if the server's account could not create that directory itself, because a link in a user's home must not
// make root create files elsewhere.
function earlierDirectory(home: string, { user, name }: EarlierDirectory): string | undefined {
  const directory = dirname(latestLock(home)?.controlSocket ?? "")
  const parent = dirname(directory)
  if (basename(directory) !== name || !existsSync(parent) || realpathSync(parent) !== parent) return undefined
  return canWriteIn(user, parent) ? directory : undefined
}

function temporaryDirectory(user: ServerUser): string {
  const directory = existsSync(tmpdir()) ? realpathSync(tmpdir()) : "/tmp"
  const isShort = Buffer.byteLength(directory) + "/kit-123456789abc".length <= DIRECTORY_LIMIT_BYTES
  return isShort && canRead(user, directory) ? directory : "/tmp"
}

function createIfMissing(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error
  }
}

// Throws if the socket directory belongs to another user. Every user can write to the temporary directory, and a user
// who created the socket directory first could see the traffic.
function refuseForeign(directory: string, user: ServerUser): void {
  const stats = lstatSync(directory)
  const isOurs = stats.isDirectory() && (stats.uid === user.uid || stats.uid === process.getuid?.())
  if (!isOurs) throw new Error(`${directory} is needed for sockets but belongs to another user. Remove it.`)
  chmodSync(directory, 0o700)
}
