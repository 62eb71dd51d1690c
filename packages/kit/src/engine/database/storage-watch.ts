import type { DatabaseError } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import { OutageError } from "./outage.ts"

/** What an app stores its data in. */
export type StoragePlace = "database" | "files"

interface WatchedStorage {
  readonly logger: Logger
  /**
   * Stores a few megabytes for a moment in each place, and fails as the writes of callers do. Less would find room where
   * they do not, and the log would tell of a disk that is full and has room by turns.
   */
  readonly probes: Readonly<Record<StoragePlace, () => Promise<void>>>
}

const LOOK_INTERVAL_MS = 2_000

/** Knows which disks are full. Each request still tries: there may be room for what it brings. */
export class StorageWatch {
  readonly #parts: WatchedStorage
  readonly #full = new Set<StoragePlace>()
  #lookedAt = 0
  #looking: Promise<void> | undefined

  constructor(parts: WatchedStorage) {
    this.#parts = parts
  }

  /** The places that have no room, in words. */
  get problems(): readonly string[] {
    return [...this.#full].map((place) => `The disk of ${TITLES[place]} is full or cannot be written.`)
  }

  /** The error of a write, or the reason for it where the disk has no room. */
  explain(place: StoragePlace, error: unknown): unknown {
    if (!isOutOfRoom(error)) return error
    if (!this.#full.has(place)) {
      this.#full.add(place)
      this.#parts.logger.error(
        `The disk of ${TITLES[place]} is full or cannot be written: what would be stored there is refused until there is room. Reads go on.`,
        { error },
      )
    }
    const message =
      "The server cannot store anything at the moment: its disk is full or cannot be written. Try again later."
    return new OutageError({ reason: "storage", message, cause: error })
  }

  /** Looks in the background whether there is room again, unless somebody has just looked. */
  lookNowAndThen(): void {
    if (this.#full.size === 0 || performance.now() - this.#lookedAt < LOOK_INTERVAL_MS) return
    this.look().catch(() => undefined)
  }

  /** Tries the places that had no room. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    this.#lookedAt = performance.now()
    for (const place of [...this.#full]) {
      const hasRoom = await this.#parts.probes[place]().then(
        () => true,
        () => false,
      )
      if (hasRoom) this.#noteRoom(place)
    }
  }

  #noteRoom(place: StoragePlace): void {
    this.#full.delete(place)
    this.#parts.logger.info(`There is room on the disk of ${TITLES[place]} again.`)
  }
}

const TITLES: Readonly<Record<StoragePlace, string>> = { database: "the database", files: "the uploaded files" }

// Of the file system, then of Postgres: disk_full and io_error.
const NO_ROOM_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "53100", "58030"])
const INTERNAL_ERROR = "XX000"
// Postgres has no code for a used up quota; these are the functions that make its files longer.
const EXTENDING = /^md(zero)?extend$/

/** Whether a write failed because the disk takes no more. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // What a driver or the file system throws has a code; anything else has none.
  const { code } = error as Partial<DatabaseError>
  if (NO_ROOM_CODES.has(code)) return true
  return code === INTERNAL_ERROR && "routine" in error && EXTENDING.test(String(error.routine))
}
