import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs"
import { join } from "node:path"
import type { Binaries } from "./binaries.ts"
import { dataDirectoryOf } from "./database-home.ts"
import { type CommandResult, runAs } from "./run-as.ts"
import type { ServerUser } from "./unprivileged-user.ts"

export const DATABASE_NAME = "kit"
export const SUPERUSER_NAME = "postgres"

// The values to try for PostgreSQL's LC_CTYPE, in this order. The extension pg_trgm recognises letters by LC_CTYPE, so
// a UTF-8 value is preferred. LC_CTYPE does not affect the sort order, which is always by code point.
const CHARACTER_TYPES = ["C.UTF-8", "en_US.UTF-8", "C"]
const FIRST_WITH_BUILTIN_LOCALE = 17
const DRAFT_PREFIX = "data.draft-"

interface DataDirectoryOptions {
  readonly binaries: Binaries
  readonly user: ServerUser
  readonly onProgress: (message: string) => void
}

/** Creates the PostgreSQL data directory unless it exists. The directory appears atomically: complete or not at all. */
export async function ensureDataDirectory(home: string, options: DataDirectoryOptions): Promise<void> {
  removeDrafts(home)
  const dataDirectory = dataDirectoryOf(home)
  if (isPresent(dataDirectory)) return
  options.onProgress(`Creating the database in ${dataDirectory}`)
  const draft = mkdtempSync(join(home, DRAFT_PREFIX))
  chownSync(draft, options.user.uid, options.user.gid)
  await initialize(draft, options)
  await createDatabase(draft, options)
  await writeToDisk(draft, options)
  renameSync(draft, dataDirectory)
  syncDirectory(home)
}

// Removes unfinished data directories that a killed supervisor has left. May fail, because the supervisor's orphaned
// initdb process may still be writing.
function removeDrafts(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

function isPresent(dataDirectory: string): boolean {
  return existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0
}

/** Throws if the data directory was created by another major version of PostgreSQL. */
export function refuseOtherVersion(home: string, { version, major, postgres }: Binaries): void {
  const dataDirectory = dataDirectoryOf(home)
  if (!isPresent(dataDirectory)) return
  const versionFile = join(dataDirectory, "PG_VERSION")
  if (!existsSync(versionFile)) {
    throw new Error(
      `${dataDirectory} is not a PostgreSQL data directory. Move it away, or configure another database directory.`,
    )
  }
  const found = readFileSync(versionFile, "utf8").trim()
  if (found === major) return
  throw new Error(
    `The database in ${dataDirectory} was made by PostgreSQL ${found}, but ${postgres} is PostgreSQL ${version}. ` +
      `Run it with PostgreSQL ${found}: set db.embedded.binaries or KIT_POSTGRES_BIN to its folder, or remove both ` +
      `settings if the version that comes with kit made it. Or dump it with PostgreSQL ${found} and restore the dump ` +
      "into an empty directory, or set DATABASE_URL to a server of the old version, or delete it if its data can go.",
  )
}

async function initialize(draft: string, { binaries, user }: DataDirectoryOptions): Promise<void> {
  let result: CommandResult | undefined
  for (const characterType of CHARACTER_TYPES) {
    result = await runAs(user, {
      program: binaries.initdb,
      args: initdbArguments(draft, { characterType, major: binaries.major }),
    })
    if (result.isSuccess || !result.output.includes("invalid locale")) break
  }
  if (result?.isSuccess === true) return
  throw new Error(
    `PostgreSQL could not create its files in ${draft}:\n${result?.output}\n` +
      "Fix that, or set DATABASE_URL to use another PostgreSQL.",
  )
}

interface InitdbOptions {
  readonly characterType: string
  readonly major: string
}

function initdbArguments(draft: string, { characterType, major }: InitdbOptions): string[] {
  // Strings are sorted by code point: by the builtin collation provider of PostgreSQL 17 and later, and before that by
  // libc's "C" collation.
  const hasBuiltin = Number(major) >= FIRST_WITH_BUILTIN_LOCALE
  const provider = hasBuiltin ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : ["--locale-provider=libc"]
  return [
    ...["-D", draft, "-U", SUPERUSER_NAME, "--auth=trust", "--no-sync", "--no-instructions", "--encoding=UTF8"],
    ...[...provider, "--locale=C", `--lc-ctype=${characterType}`],
  ]
}

async function createDatabase(draft: string, { binaries, user }: DataDirectoryOptions): Promise<void> {
  const result = await runAs(user, {
    program: binaries.postgres,
    args: ["--single", "-D", draft, "template1"],
    input: `CREATE DATABASE ${DATABASE_NAME}\n`,
  })
  // Also searches the output for errors, because PostgreSQL's single-user mode exits with code 0 even after a failed
  // statement.
  if (result.isSuccess && !result.output.includes("ERROR:")) return
  throw new Error(`PostgreSQL could not create the database "${DATABASE_NAME}":\n${result.output}`)
}

async function writeToDisk(draft: string, { binaries, user }: DataDirectoryOptions): Promise<void> {
  const result = await runAs(user, { program: binaries.initdb, args: ["--sync-only", "-D", draft] })
  if (!result.isSuccess) throw new Error(`PostgreSQL could not write its files to disk:\n${result.output}`)
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}
