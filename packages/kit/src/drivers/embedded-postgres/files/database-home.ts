import { accessSync, chmodSync, constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { createExternalHome, findExternalHome } from "./external-home.ts"
import { canEnterAbove, isRoot, serverUserFor } from "./unprivileged-user.ts"

/**
 * Opens the home, which is the directory for the database's data, log and supervisor lock. The home is the app's own
 * database directory, or a directory outside of the app.
 */
export function openDatabaseHome(directory: string): string {
  const own = openDirectory(directory)
  const home = findExternalHome(own) ?? (canUseOwnDirectory(own) ? own : createExternalHome(own))
  refuseForeignData(home)
  return home
}

export function dataDirectoryOf(home: string): string {
  return join(home, "data")
}

function openDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK | constants.X_OK)
    return realpathSync(directory)
  } catch (cause) {
    throw new Error(
      `The database directory ${directory} cannot be created or written. ` +
        "Make it a directory that this user may write, or set DATABASE_URL to use another PostgreSQL.",
      { cause },
    )
  }
}

function canUseOwnDirectory(own: string): boolean {
  const dataDirectory = dataDirectoryOf(own)
  if (!isRoot() || existsSync(dataDirectory)) return true
  if (!canEnterAbove(serverUserFor(dataDirectory), own)) return false
  // Allows other users to pass through this directory, and nothing more. The data and the log in it remain inaccessible
  // to them.
  chmodSync(own, statSync(own).mode | 0o011)
  return true
}

function refuseForeignData(home: string): void {
  const dataDirectory = dataDirectoryOf(home)
  const owner = statSync(dataDirectory, { throwIfNoEntry: false })?.uid
  const expected = serverUserFor(dataDirectory).uid
  if (owner === undefined || owner === expected) return
  throw new Error(
    `The database in ${dataDirectory} belongs to user ${owner}, but PostgreSQL would run as user ${expected}. ` +
      `Run kit as that user, or give it the directory (chown -R ${expected}), or set DATABASE_URL.`,
  )
}
