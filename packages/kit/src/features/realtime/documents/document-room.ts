import { setImmediate as breathe } from "node:timers/promises"
import type { StoredDocument, UpdatesPage } from "../../../engine/documents/live-documents.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { AwarenessRoom } from "./awareness/awareness-exchange.ts"
import { AwarenessStates, type StateOwner } from "./awareness/awareness-states.ts"
import { type AwarenessEntry, encodeAwareness } from "./awareness/awareness-update.ts"
import { SharedUpdate, toBase64 } from "./shared-update.ts"

/** A document topic, seen from the room that passes updates to it. */
export interface RoomSubscriber {
  /** The stream of the subscriber, and its current user. */
  readonly owner: StateOwner
  /** Receives updates of the document, in order. The subscriber may already have received some of them. */
  receive(updates: readonly SharedUpdate[]): void
  /** Called when there are updates that the room does not pass to the subscriber. The subscriber reads them itself. */
  fallBehind(): void
  /** Receives the reason why the record refuses the document's value, or null if it accepts the value. */
  showProblem(message: string | null): void
  /** Receives states of other clients, as an awareness update in base64. */
  showAwareness(update: string): void
}

interface RoomDependencies {
  readonly engine: LiveEngine
  /** Reads the updates after this position. */
  read(position: number): Promise<UpdatesPage | undefined>
}

const SUBSCRIBERS_PER_SLICE = 200
const RETRY_MS = 1_000
const MAX_UNANNOUNCED = 1_000

/**
 * All subscribers of one document in this process. Each update is read once and passed to all of them. An update that
 * this process has stored is not read at all.
 */
export class DocumentRoom implements AwarenessRoom {
  readonly states = new AwarenessStates()
  readonly #dependencies: RoomDependencies
  readonly #subscribers = new Set<RoomSubscriber>()
  /** The number of the newest update that was passed to the subscribers. Undefined until one of them has the document. */
  #position: number | undefined
  /** The numbers of updates that were passed on before the change feed announced them. */
  readonly #unannounced = new Set<number>()
  /** The highest number that the change feed has announced. */
  #announced = 0
  #problem: string | null = null
  #isStale = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(dependencies: RoomDependencies) {
    this.#dependencies = dependencies
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0
  }

  add(subscriber: RoomSubscriber): void {
    this.#subscribers.add(subscriber)
  }

  remove(subscriber: RoomSubscriber): void {
    this.#subscribers.delete(subscriber)
    if (this.isEmpty) clearTimeout(this.#retry)
  }

  isFollowedBy({ stream, userId }: StateOwner): boolean {
    return [...this.#subscribers].some(({ owner }) => owner.stream === stream && owner.userId === userId)
  }

  showAwareness(entries: readonly AwarenessEntry[], from: string | undefined): void {
    const update = toBase64(encodeAwareness(entries)).toString("latin1")
    for (const subscriber of [...this.#subscribers]) {
      if (subscriber.owner.stream !== from) subscriber.showAwareness(update)
    }
  }

  /** Called when a subscriber has read the document up to this update. The room continues from there. */
  start({ seq, problem }: Pick<StoredDocument, "seq" | "problem">): void {
    if (this.#position === undefined) {
      this.#position = seq
      this.#problem = problem
    } else this.#showProblem(problem)
    if (this.#isStale) this.refresh()
  }

  /** Passes on an update that this process has stored. */
  deliver(update: SharedUpdate): void {
    if (this.#position === undefined || update.seq <= this.#position) return
    // Another process has stored the updates between, so that all of them are read.
    if (update.seq > this.#position + 1) return void this.refresh()
    this.#position = update.seq
    if (this.#unannounced.size === MAX_UNANNOUNCED) this.#unannounced.clear()
    if (update.seq > this.#announced) this.#unannounced.add(update.seq)
    void this.#sendToAll([update])
  }

  /** Called when the change feed announces the update with this number, or another problem since this update. */
  onAnnounced(seq: number): void {
    this.#announced = Math.max(this.#announced, seq)
    if (!this.#unannounced.has(seq)) return void this.refresh()
    // One change announces all updates that were stored together.
    for (const earlier of this.#unannounced) if (earlier <= seq) this.#unannounced.delete(earlier)
  }

  /** Reads the updates that were stored since the last read, and passes them to the subscribers. */
  refresh(): void {
    this.#isStale = true
    if (!this.#isReading && this.#position !== undefined) void this.#readUntilCurrent()
  }

  async #readUntilCurrent(): Promise<void> {
    this.#isReading = true
    while (this.#isStale && this.#position !== undefined && !this.isEmpty) {
      this.#isStale = false
      await this.#readOnce(this.#position).catch((error) => this.#readLater(error))
    }
    this.#isReading = false
  }

  #readLater(error: unknown): void {
    this.#dependencies.engine.onError(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.refresh(), RETRY_MS).unref()
  }

  async #readOnce(from: number): Promise<void> {
    const page = await this.#dependencies.read(from)
    if (page === undefined) return void this.#letAllFallBehind()
    // Updates that this process has stored may have been passed on during the read.
    const position = this.#position ?? from
    const read = page.updates.map((bytes, index) => new SharedUpdate(from + 1 + index, bytes))
    const updates = read.filter(({ seq }) => seq > position)
    this.#position = updates.at(-1)?.seq ?? position
    this.#showProblem(page.problem)
    await this.#sendToAll(updates)
  }

  // Passes the updates to all subscribers, and yields to the event loop after each batch of subscribers.
  async #sendToAll(updates: readonly SharedUpdate[]): Promise<void> {
    if (updates.length === 0) return
    let sent = 0
    for (const subscriber of [...this.#subscribers]) {
      if (!this.#subscribers.has(subscriber)) continue
      subscriber.receive(updates)
      sent++
      if (sent % SUBSCRIBERS_PER_SLICE === 0) await breathe()
    }
  }

  // Makes all subscribers read the document themselves, because it was compacted or deleted. The first that has read it
  // determines the new position.
  #letAllFallBehind(): void {
    this.#position = undefined
    for (const subscriber of [...this.#subscribers]) subscriber.fallBehind()
  }

  #showProblem(problem: string | null): void {
    if (problem === this.#problem) return
    this.#problem = problem
    for (const subscriber of [...this.#subscribers]) subscriber.showProblem(problem)
  }
}
