import { createHash } from "node:crypto"
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { hasErrorCode } from "./error-code.ts"
import { lastOffice } from "./office.ts"
import { canRead, canWriteIn, type ServerUser } from "./unprivileged-user.ts"

// Systems allow 103 to 107 bytes for the path of a socket; the longest name below the directory takes about 25.
const DIRECTORY_LIMIT_BYTES = 75

/**
 * A private directory with a short path for the sockets of this home. It is the same at every start, but another one
 * once the home was deleted and made anew: a server on deleted files may still be closing its sockets.
 */
export function openSocketDirectory(home: string, user: ServerUser): string {
  const { ino, birthtimeNs } = statSync(home, { bigint: true })
  const name = createHash("sha256").update(`${home}\0${ino}\0${birthtimeNs}`).digest("hex").slice(0, 12)
  const directory =
    earlierDirectory(home, { user, name: `kit-${name}` }) ?? join(temporaryDirectory(user), `kit-${name}`)
  createIfMissing(directory)
  refuseForeign(directory, user)
  chownSync(directory, user.uid, user.gid)
  return directory
}

/** Removes the directory unless another supervisor has a socket in it. */
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

// Processes with another temporary directory may still use the address of the last server. Only where the server's
// account could make it by itself: root must not be led to another place by a link in somebody's home.
function earlierDirectory(home: string, { user, name }: EarlierDirectory): string | undefined {
  const directory = dirname(lastOffice(home)?.controlSocket ?? "")
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

// Temporary directories are open to every user of the machine: one who was here first must not see our traffic.
function refuseForeign(directory: string, user: ServerUser): void {
  const stats = lstatSync(directory)
  const isOurs = stats.isDirectory() && (stats.uid === user.uid || stats.uid === process.getuid?.())
  if (!isOurs) throw new Error(`${directory} is needed for sockets but belongs to another user. Remove it.`)
  chmodSync(directory, 0o700)
}
