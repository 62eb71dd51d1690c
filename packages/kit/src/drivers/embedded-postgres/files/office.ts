import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { connectTo } from "./control-socket.ts"
import { hasErrorCode } from "./error-code.ts"

/**
 * The lock of a supervisor on a home. Locks are numbered; the highest number is the current lock and is never removed.
 * So taking over from a dead supervisor is one atomic step: creating the next number.
 */
export interface Office {
  readonly number: number
  readonly controlSocket: string
}

const OFFICE_NAME = /^supervisor\.(\d+)$/

export function lastOffice(home: string): Office | undefined {
  for (;;) {
    const number = Math.max(0, ...officeNumbers(home))
    if (number === 0) return undefined
    const controlSocket = readLink(officePath(home, number))
    // The link has vanished because a later lock was taken meanwhile.
    if (controlSocket !== undefined) return { number, controlSocket }
  }
}

/** Takes the lock unless a living supervisor has it. `controlSocket` must already be listening. */
export async function takeOffice(home: string, controlSocket: string): Promise<Office | undefined> {
  for (;;) {
    const last = lastOffice(home)
    if (last !== undefined && (await isAnswering(last.controlSocket))) return undefined
    const office = { number: (last?.number ?? 0) + 1, controlSocket }
    if (!createOffice(home, office)) continue
    if (isInOffice(home, office)) {
      removeEarlierLocks(home, office)
      removeDeadSocket(last, office)
      return office
    }
    // While we were slow, other supervisors took and removed our number: a later number is the current lock.
    rmSync(officePath(home, office.number), { force: true })
  }
}

export function isInOffice(home: string, office: Office): boolean {
  const last = lastOffice(home)
  return last?.number === office.number && last.controlSocket === office.controlSocket
}

function officeNumbers(home: string): number[] {
  return fileNames(home).flatMap((name) => {
    const number = OFFICE_NAME.exec(name)?.[1]
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

function officePath(home: string, number: number): string {
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
function createOffice(home: string, office: Office): boolean {
  try {
    symlinkSync(office.controlSocket, officePath(home, office.number))
    return true
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false
    throw error
  }
}

function removeEarlierLocks(home: string, office: Office): void {
  for (const number of officeNumbers(home)) {
    if (number < office.number) rmSync(officePath(home, number), { force: true })
  }
}

// Only in the directory of our own socket: a link in a user's home must not make root delete another file.
function removeDeadSocket(dead: Office | undefined, office: Office): void {
  if (dead === undefined || dirname(dead.controlSocket) !== dirname(office.controlSocket)) return
  rmSync(dead.controlSocket, { force: true })
}
