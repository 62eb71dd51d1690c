import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { connectTo } from "./control-socket.ts"
import { hasErrorCode } from "./error-code.ts"

/**
 * The lock of a supervisor on a home. Locks are numbered; the highest number is the current lock and is never removed.
 * So taking over from a dead supervisor is one atomic step: creating the next number.
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
    // The link has vanished because a later lock was taken meanwhile.
    if (controlSocket !== undefined) return { number, controlSocket }
  }
}

/** Takes the lock unless a living supervisor has it. `controlSocket` must already be listening. */
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
    // While we were slow, other supervisors took and removed our number: a later number is the current lock.
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

// A developer may reset the database by deleting its home while a supervisor runs.
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

// Creating a symbolic link is atomic: it appears with its content, and it fails if the name exists.
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

// Only in the directory of our own socket: a link in a user's home must not make root delete another file.
function removeDeadSocket(dead: SupervisorLock | undefined, lock: SupervisorLock): void {
  if (dead === undefined || dirname(dead.controlSocket) !== dirname(lock.controlSocket)) return
  rmSync(dead.controlSocket, { force: true })
}
