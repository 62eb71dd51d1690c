import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { connectTo } from "./control-socket.ts"
import { hasErrorCode } from "./error-code.ts"

/**
 * The right to supervise a home. Offices are numbered, the highest one is in force and is never removed, so taking
 * over from a dead supervisor is one atomic step: creating the next number.
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
    // A vanished link means that a later office was taken meanwhile.
    if (controlSocket !== undefined) return { number, controlSocket }
  }
}

/** Takes the office unless a living supervisor has it. `controlSocket` must be listening already. */
export async function takeOffice(home: string, controlSocket: string): Promise<Office | undefined> {
  for (;;) {
    const last = lastOffice(home)
    if (last !== undefined && (await isAnswering(last.controlSocket))) return undefined
    const office = { number: (last?.number ?? 0) + 1, controlSocket }
    if (!createOffice(home, office)) continue
    if (isInOffice(home, office)) {
      removeEarlierOffices(home, office)
      removeDeadSocket(last, office)
      return office
    }
    // We were so slow that our number had been used, left and swept away: a later one is in force.
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

// Somebody may reset the database by deleting its home while a supervisor is at work.
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

// A symbolic link appears together with its content, and creating one fails if the name is taken.
function createOffice(home: string, office: Office): boolean {
  try {
    symlinkSync(office.controlSocket, officePath(home, office.number))
    return true
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false
    throw error
  }
}

function removeEarlierOffices(home: string, office: Office): void {
  for (const number of officeNumbers(home)) {
    if (number < office.number) rmSync(officePath(home, number), { force: true })
  }
}

// Only beside our own socket: root must not be led to delete another file by a link in somebody's home.
function removeDeadSocket(dead: Office | undefined, office: Office): void {
  if (dead === undefined || dirname(dead.controlSocket) !== dirname(office.controlSocket)) return
  rmSync(dead.controlSocket, { force: true })
}
