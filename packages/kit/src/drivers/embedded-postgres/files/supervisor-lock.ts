import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { connectTo } from "./control-socket.ts"
import { hasErrorCode } from "./error-code.ts"

/**
 * A supervisor's lock on a database home. Locks are numbered. The lock with the highest number is the current one and
 * is never removed, so a supervisor takes over from a dead one in one atomic step: it creates the lock with the next
 * number.
 */
export interface SupervisorLock {
  readonly number: number
  readonly controlSocket: string
}

const LOCK_NAME = /^supervisor\.(\d+)$/

export function latestLock(home: string): SupervisorLock | undefined {
  for (;;) {
    const number = Math.max(0, ...lockNumbers(home))
    if (number === 0) return undefined
    const controlSocket = readLink(lockPath(home, number))
    // Undefined means that the lock's symbolic link was removed in the meantime. Then a later lock exists, and the loop
    // looks for it.
    if (controlSocket !== undefined) return { number, controlSocket }
  }
}

/**
 * Takes the lock on a database home. Returns undefined if a living supervisor has it. The calling supervisor must
 * already listen on its Unix socket, whose path is `controlSocket`.
 */
export async function takeLock(home: string, controlSocket: string): Promise<SupervisorLock | undefined> {
  for (;;) {
    const last = latestLock(home)
    if (last !== undefined && (await isAnswering(last.controlSocket))) return undefined
    const lock = { number: (last?.number ?? 0) + 1, controlSocket }
    if (!createLock(home, lock)) continue
    if (isCurrentLock(home, lock)) {
      removeEarlierLocks(home, lock)
      removeDeadSocket(last, lock)
      return lock
    }
    // Removes the lock just created, because this process was slow: other supervisors have taken and removed the same
    // number before, and a lock with a higher number is the current one.
    rmSync(lockPath(home, lock.number), { force: true })
  }
}

export function isCurrentLock(home: string, lock: SupervisorLock): boolean {
  const last = latestLock(home)
  return last?.number === lock.number && last.controlSocket === lock.controlSocket
}

function lockNumbers(home: string): number[] {
  return fileNames(home).flatMap((name) => {
    const number = LOCK_NAME.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

// Returns the names of the files in a database home, or none if the home is missing. A developer may delete the home to
// reset the database while a supervisor runs.
function fileNames(home: string): string[] {
  try {
    return readdirSync(home)
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return []
    throw error
  }
}

function lockPath(home: string, number: number): string {
  return join(home, `supervisor.${number}`)
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined
    throw error
  }
}

async function isAnswering(controlSocket: string): Promise<boolean> {
  const socket = await connectTo(controlSocket)
  socket?.destroy()
  return socket !== undefined
}

// Creates the symbolic link that represents the lock. Returns false if another supervisor has created it. This is
// atomic: the link appears together with its content, or cannot be created because the name exists.
function createLock(home: string, lock: SupervisorLock): boolean {
  try {
    symlinkSync(lock.controlSocket, lockPath(home, lock.number))
    return true
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false
    throw error
  }
}

function removeEarlierLocks(home: string, lock: SupervisorLock): void {
  for (const number of lockNumbers(home)) {
    if (number < lock.number) rmSync(lockPath(home, number), { force: true })
  }
}

// Removes a dead supervisor's socket, but only if it is in the same directory as this supervisor's socket. A link in a
// user's home must not make root delete another file.
function removeDeadSocket(dead: SupervisorLock | undefined, lock: SupervisorLock): void {
  if (dead === undefined || dirname(dead.controlSocket) !== dirname(lock.controlSocket)) return
  rmSync(dead.controlSocket, { force: true })
}
