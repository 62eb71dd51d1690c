import type { DatabaseError } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import { OutageError } from "./outage.ts"

/** A storage of an app's data. */
export type StorageKind = "database" | "files"

interface StorageWatchDependencies {
  readonly logger: Logger
  /**
   * Each probe stores a few megabytes for a moment in its storage and fails if callers' writes would fail. A smaller
   * probe would succeed where their writes fail, and the log would report the disk as full and as free in turn.
   */
  readonly probes: Readonly<Record<StorageKind, () => Promise<void>>>
}

const PROBE_INTERVAL_MS = 2_000

/** Remembers which disks are full. Requests still try to write: there may be room for a small write. */
export class StorageWatch {
  readonly #dependencies: StorageWatchDependencies
  readonly #full = new Set<StorageKind>()
  #probedAt = 0
  #probing: Promise<void> | undefined

  constructor(parts: StorageWatchDependencies) {
    this.#dependencies = parts
  }

  /** Describes the disks that are full. */
  get problems(): readonly string[] {
    return [...this.#full].map((place) => `The disk of ${TITLES[place]} is full or cannot be written.`)
  }

  /** Returns the error of a write, or an outage error if a full disk is its cause. */
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

  /** Probes the disks that were full. */
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

// Codes of the file system, then disk_full and io_error of Postgres.
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "53100", "58030"])
const INTERNAL_ERROR = "XX000"
// Postgres has no error code for an exceeded disk quota. These of its functions extend files.
const FILE_EXTEND_ROUTINES = /^md(zero)?extend$/

/** True if a write failed because the disk is full or not writable. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Errors of a driver or of the file system have a code; other errors have none.
  const { code } = error as Partial<DatabaseError>
  if (DISK_FULL_CODES.has(code)) return true
  return code === INTERNAL_ERROR && "routine" in error && FILE_EXTEND_ROUTINES.test(String(error.routine))
}
