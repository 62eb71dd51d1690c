import { statfsSync } from "node:fs"

/** Describes how the process of a PostgreSQL server ended. */
export interface ProcessEnd {
  readonly signal: NodeJS.Signals | null
  /** A clause that continues "PostgreSQL is down:", such as "its process exited with code 1". */
  readonly description: string
}

interface StoppedServer {
  readonly home: string
  readonly end: ProcessEnd
  /** The last lines of the server's log. */
  readonly lines: string
}

// The disk counts as full below this much free space, because PostgreSQL allocates WAL in segments of this size.
const NEEDED_SPACE_BYTES = 16 * 1024 * 1024
const SEVERITIES = ["PANIC", "FATAL"]
// Matches log messages that do not explain a stop, because they concern one client or are a consequence of the
// shutdown.
const UNRELATED =
  /^(terminating |the database system is |sorry, too many|remaining connection slots|connection to client lost|database "|role "|canceling |no pg_hba|password )/

/**
 * Returns why a PostgreSQL server stopped or did not start, in one line. Prefers the last error in the server's log.
 */
export function stopReason({ home, end, lines }: StoppedServer): string {
  if (end.signal !== null) return end.description
  return lastLogError(lines) ?? (isDiskFull(home) ? "No space left on device" : end.description)
}

function lastLogError(lines: string): string | undefined {
  for (const severity of SEVERITIES) {
    const complaints = lines.split("\n").flatMap((line) => line.split(`${severity}:  `)[1] ?? [])
    const complaint = complaints.findLast((text) => !UNRELATED.test(text))
    if (complaint !== undefined) return complaint.trim()
  }
  return undefined
}

// True if the disk is full. The server then cannot log why it stopped, because the log is on the same disk as the data.
function isDiskFull(home: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(home)
  // Some file systems report no inode counts, so `files` is 0 there.
  return bavail * bsize < NEEDED_SPACE_BYTES || (files > 0 && ffree === 0)
}
