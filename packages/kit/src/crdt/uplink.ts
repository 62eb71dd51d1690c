import * as Y from "yjs"
import { Backoff } from "../client/live/backoff.ts"
import { type AwarenessRelay, NOTHING } from "./awareness-relay.ts"
import { framesOf, fromBase64 } from "./binary.ts"
import type { KeptUpdate } from "./offline-copy.ts"
import type { PostOutcome } from "./post-updates.ts"

/** An edit that was made here. */
export interface LocalUpdate {
  readonly update: Uint8Array
  /** The place of the update in the offline copy, if there is a copy. */
  readonly kept: KeptUpdate | undefined
}

interface UplinkSettings {
  readonly doc: Y.Doc
  readonly relay: AwarenessRelay
  /** Sends the body of a request. Never rejects. */
  post(body: Uint8Array<ArrayBuffer>, isLeaving?: boolean): Promise<PostOutcome>
  onAcknowledged(updates: readonly LocalUpdate[]): void
  /** Called when the server has refused edits. They stay in the queue. */
  onRefused(error: Error, status: number): void
  /** Called when `pending` or `failure` has changed. */
  onChange(): void
}

interface Batch {
  readonly updates: readonly LocalUpdate[]
  readonly awareness: Uint8Array
}

/** The largest update that the server accepts. */
const MAX_UPDATE_BYTES = 256 * 1024
// The server accepts some 50 requests per second of a user, who may have several documents open.
const MIN_INTERVAL_MS = 40
// A browser finishes only small requests after the page was left.
const MAX_LEAVING_BYTES = 60_000
const TOO_LARGE = 413
const UNREADABLE = 400

/**
 * Sends the edits that were made here: one request at a time, each with everything that has been made since the last
 * one. An edit leaves the queue when the server has acknowledged it.
 */
export class Uplink {
  readonly #settings: UplinkSettings
  readonly #backoff = new Backoff()
  #queue: LocalUpdate[] = []
  #isOpen = false
  #canEdit = false
  /** After `close`, the number of edits that are still sent. */
  #left = 0
  #isRunning = false
  #retry: ReturnType<typeof setTimeout> | undefined
  #failure: Error | undefined
  #sentAt = Number.NEGATIVE_INFINITY
  /** The clients of Yjs under whose numbers edits were made here. */
  readonly #own = new Set<number>()
  /** True if the server has lacked something since it last stored an edit. */
  #hasGap = false

  constructor(settings: UplinkSettings) {
    this.#settings = settings
  }

  get pending(): number {
    return this.#queue.length
  }

  /** The reason why the last request could not be answered; undefined if it was answered. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Starts to send. Edits are sent only if the user may edit the document. */
  open(canEdit: boolean): void {
    this.#isOpen = true
    this.#canEdit = canEdit
    this.#wake()
  }

  /** Stops to send. A request that is under way is still completed. */
  pause(): void {
    this.#isOpen = false
    this.#left = 0
    this.#wake()
  }

  /** Stops to send, after a last attempt to send what waits now and the user's farewell to the others. */
  close(farewell: Uint8Array): void {
    if (!this.#isOpen) return
    const left = this.#canEdit ? this.#queue.length : 0
    void this.#settings.post(framesOf([NOTHING, farewell]))
    this.#isOpen = false
    this.#left = left
    this.#wake()
  }

  add(update: LocalUpdate): void {
    for (const client of Y.parseUpdateMeta(update.update).to.keys()) this.#own.add(client)
    this.#queue.push(update)
    this.#settings.onChange()
    this.send()
  }

  /**
   * Adds what the server lacks of the edits that were made here although it is not in the queue, such as edits that the
   * server has lost. Those of others are sent by their own replicas: their numbers belong to their users.
   */
  addMissing(serverVector: Uint8Array): void {
    const { doc } = this.#settings
    const missing = missingOf(doc, this.#own, Y.decodeStateVector(serverVector))
    if (coversMissing(this.#queue, missing)) return
    const others = new Map([...clocksOf(doc)].map(([client, clock]) => [client, missing.get(client)?.from ?? clock]))
    this.#queue.unshift({ update: Y.encodeStateAsUpdate(doc, Y.encodeStateVector(others)), kept: undefined })
    this.#settings.onChange()
  }

  /** Sends what waits, unless a request is under way or waits for its next attempt. */
  send(): void {
    if (!this.#isRunning && this.#retry === undefined && this.#hasWork) void this.#run()
  }

  /** Sends everything once more in a request that outlives the page. Its answer is not awaited. */
  sendOnLeaving(): void {
    const updates = this.#queue.map(({ update }) => update)
    const bytes = updates.reduce((sum, { length }) => sum + length, 0)
    if (!this.#isOpen || !this.#canEdit || bytes === 0 || bytes > MAX_LEAVING_BYTES) return
    try {
      void this.#settings.post(framesOf([Y.mergeUpdates(updates), NOTHING]), true)
    } catch {
      // The page is being left. The offline copy has the edits.
    }
  }

  get #sendable(): readonly LocalUpdate[] {
    if (!this.#isOpen) return this.#queue.slice(0, this.#left)
    return this.#canEdit ? this.#queue : []
  }

  get #hasWork(): boolean {
    return this.#sendable.length > 0 || (this.#isOpen && this.#settings.relay.isDue)
  }

  #wake(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#backoff.reset()
    this.send()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Editors move the cursor right after the edit. Waiting for the end of the current task sends both together.
    await Promise.resolve()
    try {
      while (this.#retry === undefined && this.#hasWork) {
        await this.#nextTurn()
        await this.#sendNext()
      }
    } catch (cause) {
      // Yjs cannot read an edit or the replica. A timer or the stream may have started the run, so nothing is thrown.
      this.#refuse(new Error("The edits that wait here cannot be read, and are not sent.", { cause }), UNREADABLE)
    }
    this.#isRunning = false
  }

  // Lets some time pass between two requests, so that a fast connection is not used for a request per letter. The first
  // request after a pause does not wait.
  async #nextTurn(): Promise<void> {
    const waitMs = this.#sentAt + MIN_INTERVAL_MS - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    this.#sentAt = performance.now()
  }

  async #sendNext(): Promise<void> {
    // The connection may have ended meanwhile.
    if (!this.#hasWork) return
    const updates = firstOf(this.#sendable)
    const [first] = updates
    if (first && first.update.length > MAX_UPDATE_BYTES) return await this.#split(first)
    const awareness = this.#isOpen ? this.#settings.relay.take() : NOTHING
    const update = first ? Y.mergeUpdates(updates.map((each) => each.update)) : NOTHING
    const outcome = await this.#settings.post(framesOf([update, awareness]))
    this.#settle({ updates, awareness }, outcome)
  }

  #settle({ updates, awareness }: Batch, outcome: PostOutcome): void {
    this.#failure = this.#failureIn(outcome)
    if (outcome.kind === "acknowledged") this.#acknowledge(updates)
    else if (outcome.kind === "temporary") this.#retryLater(outcome.retryAfterMs)
    else if (outcome.kind === "gap") this.#fillGap(outcome.stateVector)
    // The server may refuse a cursor although it accepts edits. Nothing is lost then.
    else if (updates.length > 0) this.#refuse(outcome.error, outcome.status)
    if ((outcome.kind === "temporary" || outcome.kind === "gap") && awareness.length > 0)
      this.#settings.relay.takeBack()
    this.#settings.onChange()
  }

  #failureIn(outcome: PostOutcome): Error | undefined {
    const isFailure = outcome.kind === "temporary" || (outcome.kind === "gap" && this.#hasGap)
    return isFailure ? outcome.error : undefined
  }

  // Sends what the server lacks. If that was not enough, it lacks the edit of somebody else, who may send it later.
  #fillGap(stateVector: string): void {
    this.addMissing(fromBase64(stateVector))
    if (this.#hasGap) this.#retryLater(0)
    this.#hasGap = true
  }

  #acknowledge(updates: readonly LocalUpdate[]): void {
    this.#hasGap = false
    const known = new Set(updates)
    this.#queue = this.#queue.filter((update) => !known.has(update))
    this.#left = Math.max(this.#left - updates.length, 0)
    this.#backoff.reset()
    this.#settings.onAcknowledged(updates)
  }

  #retryLater(retryAfterMs: number): void {
    this.#left = 0
    if (!this.#isOpen) return
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        this.send()
      },
      Math.max(this.#backoff.nextMs(), retryAfterMs),
    )
  }

  #refuse(error: Error, status: number): void {
    this.#left = 0
    this.#canEdit = false
    this.#settings.onRefused(error, status)
  }

  // Replaces an edit that is too large for one request by several smaller ones.
  async #split(whole: LocalUpdate): Promise<void> {
    const { splitUpdate } = await import("./split-update.ts")
    const parts = splitUpdate(this.#settings.doc, whole.update, MAX_UPDATE_BYTES)
    if (!parts) return this.#refuse(tooLarge(whole), TOO_LARGE)
    // The offline copy has the whole edit, which is acknowledged with its last part.
    const last = parts.length - 1
    const updates = parts.map((update, index) => ({ update, kept: index === last ? whole.kept : undefined }))
    this.#queue = this.#queue.flatMap((update) => (update === whole ? updates : [update]))
    if (this.#left > 0) this.#left += last
  }
}

/** Returns a list of the first edits that together fit into one request, or the first one if it does not fit. */
function firstOf(updates: readonly LocalUpdate[]): readonly LocalUpdate[] {
  let bytes = 0
  const end = updates.findIndex(({ update }, index) => {
    bytes += update.length
    return index > 0 && bytes > MAX_UPDATE_BYTES
  })
  return updates.slice(0, end < 0 ? updates.length : end)
}

/** The numbers of a client, from the one that the server needs next up to the last one here. */
interface MissingRange {
  readonly from: number
  readonly to: number
}

/** Returns what the server lacks of these clients, by client. */
function missingOf(
  doc: Y.Doc,
  own: ReadonlySet<number>,
  server: ReadonlyMap<number, number>,
): ReadonlyMap<number, MissingRange> {
  const local = clocksOf(doc)
  const ranges = [...own].map(
    (client) => [client, { from: server.get(client) ?? 0, to: local.get(client) ?? 0 }] as const,
  )
  return new Map(ranges.filter(([, { from, to }]) => from < to))
}

/** True if the server has everything that it lacks as soon as it has the queue. */
function coversMissing(queue: readonly LocalUpdate[], missing: ReadonlyMap<number, MissingRange>): boolean {
  if (missing.size === 0) return true
  const queued = Y.parseUpdateMeta(Y.mergeUpdates(queue.map(({ update }) => update)))
  return [...missing].every(
    ([client, { from, to }]) => (queued.from.get(client) ?? to) <= from && (queued.to.get(client) ?? 0) >= to,
  )
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}

function tooLarge({ update }: LocalUpdate): Error {
  const kilobytes = Math.ceil(update.length / 1024)
  return new Error(`An edit of ${kilobytes} KB is too large: the server accepts at most 256 KB in one piece.`)
}
