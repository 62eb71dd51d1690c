/** The locales in which a record is complete; null if that cannot be known. */
type Completeness = ReadonlySet<string> | null

type Read = (ids: readonly string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>>>

interface Known {
  /** Changes whenever the record does. */
  readonly version: string
  /** Undefined while it is being read for the first time. */
  readonly completeness: Completeness | undefined
}

// All rows that come into view together are one read.
const GATHER_MS = 60
const MAX_READ = 100

/** The languages in which the records of a list are complete. Each is read when its row is drawn, and when it has changed. */
export class CompletenessStore {
  readonly #read: Read
  readonly #listeners = new Set<() => void>()
  readonly #known = new Map<string, Known>()
  readonly #wanted = new Map<string, string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(read: Read) {
    this.#read = read
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns what is known of a record, if need be of how it was before it changed. */
  get(id: string): Completeness | undefined {
    return this.#known.get(id)?.completeness
  }

  /** Reads the record unless it has been read in this version. */
  want(id: string, version: string): void {
    if (this.#known.get(id)?.version === version) return
    this.#known.set(id, { version, completeness: this.get(id) })
    this.#wanted.set(id, version)
    this.#timer ??= setTimeout(() => this.#readWanted(), GATHER_MS)
  }

  #readWanted(): void {
    this.#timer = undefined
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    for (let at = 0; at < wanted.length; at += MAX_READ) void this.#readSome(wanted.slice(at, at + MAX_READ))
  }

  async #readSome(wanted: readonly (readonly [id: string, version: string])[]): Promise<void> {
    // The marks are an addition: a list without them is still a list.
    const found = await this.#read(wanted.map(([id]) => id)).catch(() => new Map<string, ReadonlySet<string>>())
    for (const [id, version] of wanted) {
      // An answer about an older version says nothing of a newer one.
      if (this.#known.get(id)?.version === version)
        this.#known.set(id, { version, completeness: found.get(id) ?? null })
    }
    for (const listener of [...this.#listeners]) listener()
  }
}
