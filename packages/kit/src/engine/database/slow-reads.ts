import type { Database, ReadShape, TablesRead } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import { addSlowReads, type SlowReadsOfShape, trimSlowReads } from "../../sql/internal/slow-reads.ts"

interface SlowReadsDependencies {
  readonly database: Pick<Database, "query">
  readonly logger: Logger
}

/** A read that takes the server longer is stored, so that kit can propose an index for it. */
export const SLOW_READ_MS = 300

// The time for which slow reads are gathered before one statement stores them.
const GATHER_MS = 1_000
const RETRY_MS = 60_000
const MAX_GATHERED = 100

/** Stores by which fields slow reads found their rows. `kit doctor` and `kit migrate plan` propose indexes for them. */
export class SlowReads {
  readonly #dependencies: SlowReadsDependencies
  #gathered = new Map<string, SlowReadsOfShape>()
  /** Set while the gathered reads wait to be stored, and while others are being stored. */
  #timer: NodeJS.Timeout | undefined
  #pauseMs = GATHER_MS
  #isClosed = false

  constructor(dependencies: SlowReadsDependencies) {
    this.#dependencies = dependencies
  }

  note(tables: TablesRead, tookMs: number): void {
    for (const shape of tables.shapes()) this.#add(shape, Math.round(tookMs))
    this.#storeSoon()
  }

  /** Forgets what has not been stored. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #add(shape: ReadShape, tookMs: number): void {
    const key = JSON.stringify(shape)
    const known = this.#gathered.get(key)
    if (known === undefined && this.#gathered.size >= MAX_GATHERED) return
    const { times, longestMs } = known ?? { times: 0, longestMs: 0 }
    this.#gathered.set(key, { shape, times: times + 1, longestMs: Math.max(longestMs, tookMs) })
  }

  #storeSoon(): void {
    if (this.#gathered.size === 0 || this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#store(), this.#pauseMs).unref()
  }

  async #store(): Promise<void> {
    const reads = [...this.#gathered.values()]
    this.#gathered = new Map()
    this.#pauseMs = (await this.#write(reads)) ? GATHER_MS : RETRY_MS
    this.#timer = undefined
    this.#storeSoon()
  }

  /** Resolves to true if the reads were stored. */
  async #write(reads: readonly SlowReadsOfShape[]): Promise<boolean> {
    const { database, logger } = this.#dependencies
    const now = new Date()
    try {
      await database.query(addSlowReads(reads, now))
      await database.query(trimSlowReads(now))
      return true
    } catch (error) {
      logger.warn("Slow reads could not be stored. No index is proposed for them.", { error })
      return false
    }
  }
}
