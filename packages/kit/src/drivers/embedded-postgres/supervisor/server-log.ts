import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"
import { join } from "node:path"
import { isRoot, type ServerUser } from "../files/unprivileged-user.ts"

const LIMIT_BYTES = 8 * 1024 * 1024
const KEPT_BYTES = 1024 * 1024
const REPORTED_BYTES = 4096
const REPORTED_LINES = 20

interface ServerLog {
  /** A file descriptor of the log, open for appending. The caller closes it. */
  readonly descriptor: number
  /** Returns the last log lines that were written since the log was opened. */
  newLines(): string
}

export function openServerLog(home: string): ServerLog {
  const descriptor = openForAppending(home)
  const startsAt = fstatSync(descriptor).size
  return { descriptor, newLines: () => readNewLines(home, startsAt) }
}

export function lastLogLines(home: string): string {
  return readNewLines(home, 0)
}

/** If this process is root, gives the log file to the account that the PostgreSQL server runs under. */
export function giveLogTo(user: ServerUser, log: ServerLog): void {
  if (isRoot()) fchownSync(log.descriptor, user.uid, user.gid)
}

/**
 * Truncates a large log file to its newest part. Processes that have the file open append to it, so they continue at
 * the new end.
 */
export function truncateServerLog(home: string): void {
  const descriptor = openForAppending(home)
  if (fstatSync(descriptor).size > LIMIT_BYTES) {
    const kept = readEnd(descriptor, { from: 0, atMost: KEPT_BYTES })
    ftruncateSync(descriptor)
    writeSync(descriptor, kept)
  }
  closeSync(descriptor)
}

function openForAppending(home: string): number {
  // Does not follow symbolic links, because a link must not make root write to another file.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  return openSync(join(home, "postgres.log"), flags, 0o600)
}

function readNewLines(home: string, startsAt: number): string {
  const descriptor = openForAppending(home)
  const end = readEnd(descriptor, { from: startsAt, atMost: REPORTED_BYTES }).toString()
  closeSync(descriptor)
  return end.trim().split("\n").slice(-REPORTED_LINES).join("\n")
}

function readEnd(descriptor: number, range: { from: number; atMost: number }): Buffer {
  const { size } = fstatSync(descriptor)
  const from = Math.max(range.from, size - range.atMost)
  const end = Buffer.alloc(Math.max(0, size - from))
  readSync(descriptor, end, 0, end.length, from)
  return end
}
