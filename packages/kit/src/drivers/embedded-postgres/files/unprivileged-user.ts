import { readFileSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * The account that the PostgreSQL server runs under: the account of this process or, if that is root, an unprivileged
 * account, because PostgreSQL refuses to run as root.
 */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

const ACCOUNT_NAMES = ["postgres", "_postgres", "nobody"]
const NOBODY: ServerUser = { uid: 65534, gid: 65534 }
const READ = 4
const WRITE = 2
const ENTER = 1

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

export function serverUserFor(dataDirectory: string): ServerUser {
  if (!isRoot()) return { uid: process.getuid?.() ?? NOBODY.uid, gid: process.getgid?.() ?? NOBODY.gid }
  return ownerUnlessRoot(dataDirectory) ?? systemAccount() ?? NOBODY
}

/** True if the account that PostgreSQL runs under may read a file or directory, and enter every directory above it. */
export function canRead(user: ServerUser, path: string): boolean {
  // If this process is not root, the server runs under the same account, and access is assumed: the check below would
  // ignore the supplementary groups of that account.
  if (!isRoot()) return true
  const stats = statSync(path)
  return hasPermission(user, stats, stats.isDirectory() ? READ + ENTER : READ) && canEnterAbove(user, path)
}

/** True if the account that PostgreSQL runs under may create files in a directory. */
export function canWriteIn(user: ServerUser, directory: string): boolean {
  if (!isRoot()) return true
  return hasPermission(user, statSync(directory), WRITE + ENTER) && canEnterAbove(user, directory)
}

function ownerUnlessRoot(path: string): ServerUser | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined || stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid }
}

function systemAccount(): ServerUser | undefined {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n")
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(":") ?? []
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** True if the account that PostgreSQL runs under may enter every directory above a file path. */
export function canEnterAbove(user: ServerUser, path: string): boolean {
  const parent = dirname(path)
  if (parent === path) return true
  return hasPermission(user, statSync(parent), ENTER) && canEnterAbove(user, parent)
}

function hasPermission(user: ServerUser, stats: Stats, wanted: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0
  return ((stats.mode >> shift) & wanted) === wanted
}
