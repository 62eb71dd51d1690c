import { randomBytes } from "node:crypto"
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { hasErrorCode } from "./error-code.ts"

/** The directory for database files if PostgreSQL's account cannot reach the app's own directory. Only root uses it. */
export const SYSTEM_DIRECTORY = "/var/lib/kit"
const LOCATION_FILE = "moved-to.txt"
const ORIGIN_NAME = "moved-from.txt"

/** Returns the database home that `moved-to.txt` in the app's own directory names, or undefined without that file. */
export function findExternalHome(own: string): string | undefined {
  const notePath = join(own, LOCATION_FILE)
  if (!existsSync(notePath)) return undefined
  const home = readFileSync(notePath, "utf8").split("\n", 1)[0] ?? ""
  if (dirname(home) === SYSTEM_DIRECTORY && existsSync(home)) return home
  throw new Error(
    `${notePath} says that the database is in ${home || "an unnamed directory"}, but that does not exist. ` +
      "Restore it, or delete this file to begin with an empty database.",
  )
}

/** Creates a database home outside the app, and writes its path to `moved-to.txt` in the app's own directory. */
export function createExternalHome(own: string): string {
  removeAbandonedHomes()
  // The directory name is random, so that an app whose directory was deleted and created again gets an empty database,
  // and never the old one.
  const home = join(SYSTEM_DIRECTORY, randomBytes(8).toString("hex"))
  makeReachable(home, own)
  if (writeLocationFile(own, home)) return home
  // Another process that started at the same time has written `moved-to.txt` first, so this home is not needed.
  rmSync(home, { recursive: true })
  return findExternalHome(own) ?? createExternalHome(own)
}

// Removes the homes of apps that were in a temporary directory and are deleted. The homes of other missing apps are
// kept, because those apps could be on a disk that is not mounted now.
function removeAbandonedHomes(): void {
  for (const name of existsSync(SYSTEM_DIRECTORY) ? readdirSync(SYSTEM_DIRECTORY) : []) {
    const home = join(SYSTEM_DIRECTORY, name)
    const originFile = join(home, ORIGIN_NAME)
    const origin = existsSync(originFile) ? readFileSync(originFile, "utf8") : ""
    const isTemporary = origin.startsWith(`${realpathSync(tmpdir())}/`)
    if (isTemporary && !existsSync(origin)) rmSync(home, { recursive: true, force: true })
  }
}

function makeReachable(home: string, own: string): void {
  try {
    mkdirSync(home, { recursive: true })
    chmodSync(SYSTEM_DIRECTORY, 0o755)
    chmodSync(home, 0o755)
    writeFileSync(join(home, ORIGIN_NAME), own)
  } catch (cause) {
    throw new Error(
      `PostgreSQL refuses to run as root; its own account cannot enter ${own}, and ${home} cannot be created. ` +
        "Let every user enter the directories above the app (chmod o+x), or set DATABASE_URL.",
      { cause },
    )
  }
}

function writeLocationFile(own: string, home: string): boolean {
  const draft = join(own, `${LOCATION_FILE}.${process.pid}`)
  writeFileSync(
    draft,
    `${home}\n\nThe database of this app is there: PostgreSQL refuses to run as root,\nand the ` +
      "account it runs under instead cannot enter this directory.\n",
  )
  try {
    linkSync(draft, join(own, LOCATION_FILE))
    return true
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false
    throw error
  } finally {
    rmSync(draft)
  }
}
