import type { DatabaseError } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import { OutageError } from "./outage.ts"

/** The places where an app stores data. */
type StorageKind = "database" | "files"

interface StorageWatchDependencies {
  readonly logger: Logger
  /**
   * A probe for each place where data is stored. It stores a few megabytes there for a moment, and fails if callers'
   * writes would fail. A smaller probe could succeed while callers' writes fail, and the log would then report the disk
   * alternately as full and as free.
   */
  readonly probes: Readonly<Record<StorageKind, () => Promise<void>>>
}

const PROBE_INTERVAL_MS = 2_000

/**
 * Remembers which disks are full. Requests still try to write, because a full disk may have space for a small write.
 */
export class StorageWatch {
  readonly #dependencies: StorageWatchDependencies
  readonly #full = new Set<StorageKind>()
  #probedAt = 0
  #probing: Promise<void> | undefined

  constructor(parts: StorageWatchDependencies) {
    this.#dependencies = parts
  }

  /** Returns one sentence for each full disk. */
  get problems(): readonly string[] {
    return [...this.#full].map((place) => `The disk of ${TITLES[place]} is full or cannot be written.`)
  }

  /** Returns an outage error if a full disk made a write fail with `error`. Otherwise returns `error` itself. */
  explain(place: StorageKind, error: unknown): unknown {
    if (!isDiskFull(error)) return error
    if (!this.#full.has(place)) {
      this.#full.add(place)
      this.#dependencies.logger.error(
        `The disk of ${TITLES[place]} is full or cannot be written: writes to it are refused until there is room. Reads continue.`,
        { error },
      )
    }
    const message =
      "The server cannot store anything at the moment: its disk is full or cannot be written. Try again later."
    return new OutageError({ reason: "storage", message, cause: error })
  }

  /** Probes the full disks in the background, unless the last probe was less than two seconds ago. */
  probeIfDue(): void {
    if (this.#full.size === 0 || performance.now() - this.#probedAt < PROBE_INTERVAL_MS) return
    this.probe().catch(() => undefined)
  }

  /** Probes the disks that were full, and forgets those that can be written again. */
  probe(): Promise<void> {
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #probeOnce(): Promise<void> {
    this.#probedAt = performance.now()
    for (const place of [...this.#full]) {
      const hasRoom = await this.#dependencies.probes[place]().then(
        () => true,
        () => false,
      )
      if (hasRoom) this.#markWritable(place)
    }
  }

  #markWritable(place: StorageKind): void {
    this.#full.delete(place)
    this.#dependencies.logger.info(`There is room on the disk of ${TITLES[place]} again.`)
  }
}

const TITLES: Readonly<Record<StorageKind, string>> = { database: "the database", files: "the uploaded files" }

// The first four are error codes of the file system. The last two are PostgreSQL's codes for disk_full and io_error.
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "53100", "58030"])
const INTERNAL_ERROR = "XX000"
// The names of the PostgreSQL functions that make a file longer. They identify an exceeded disk quota, for which
// PostgreSQL has no error code.
const FILE_EXTEND_ROUTINES = /^md(zero)?extend$/

/** True if a write failed because the disk is full or not writable. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The cast is safe: `code` is optional in the type, because only errors from the driver or the file system have one.
  const { code } = error as Partial<DatabaseError>
  if (DISK_FULL_CODES.has(code)) return true
  return code === INTERNAL_ERROR && "routine" in error && FILE_EXTEND_ROUTINES.test(String(error.routine))
}
