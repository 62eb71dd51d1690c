import type { LiveRead } from "../../../engine/operations/live.ts"
import { AuthorizedTopic } from "../topics/authorized-topic.ts"
import type { LiveTopicRequest } from "../topics/read-topics.ts"
import type { Subscription } from "./live-queries.ts"
import type { LiveSubscriber } from "./live-query.ts"
import type { Snapshot } from "./snapshot.ts"

/** The dependencies of a live topic: its query, and the functions that send to its client. */
export interface LiveTopicDependencies {
  /** Evaluates the rules for the client as they are now. */
  plan(topic: LiveTopicRequest): Promise<LiveRead>
  readonly caller: string
  join(read: LiveRead, subscriber: LiveSubscriber): Subscription
  /** True if a snapshot of the topic can be sent now. */
  isReady(): boolean
  /** Postpones the snapshot; `send` of the topic is called when it can be sent. */
  postpone(): void
  /** The topic has nothing to send for now, so other topics can send. */
  settle(): void
  sendSnapshot(seq: number, snapshot: Snapshot): void
  /** Confirms that the client already has the newest snapshot. */
  sendCurrent(seq: number): void
  /** Ends the topic with an error. */
  fail(error: unknown): void
  /** True if a retry may succeed. */
  isTemporary(error: unknown): boolean
}

/** A live query of one stream: a subscription to the query that the client's current rights allow. */
export class LiveTopic extends AuthorizedTopic<LiveRead> implements LiveSubscriber {
  readonly request: LiveTopicRequest
  readonly #dependencies: LiveTopicDependencies
  #seq = 0
  #lastHash: string | undefined
  #isAhead = false
  #subscription: Subscription | undefined

  constructor(asked: LiveTopicRequest, place: LiveTopicDependencies) {
    super()
    this.request = asked
    this.#dependencies = place
    this.#lastHash = asked.lastHash
  }

  /**
   * True if a snapshot was sent since the evaluation of the rules began. The change feed was known to be current then.
   */
  get isAhead(): boolean {
    return this.#isAhead
  }

  get caller(): string {
    return this.#dependencies.caller
  }

  get isReady(): boolean {
    return this.#dependencies.isReady()
  }

  receive(snapshot: Snapshot): void {
    if (this.isReady) this.#take(snapshot)
    else this.postpone()
  }

  postpone(): void {
    this.#dependencies.postpone()
  }

  onDelayed(): void {
    this.#dependencies.settle()
  }

  /** Requests the snapshot that could not be sent before. */
  send(): void {
    this.#subscription?.send()
  }

  /** Does nothing: the stream itself requests the snapshots that wait. */
  drained(): void {}

  protected override planNow(): Promise<LiveRead> {
    this.#isAhead = false
    return this.#dependencies.plan(this.request)
  }

  protected override join(read: LiveRead): () => void {
    const subscription = this.#dependencies.join(read, this)
    this.#subscription = subscription
    return () => {
      this.#subscription = undefined
      subscription.leave()
      this.#dependencies.settle()
    }
  }

  protected override sendFailure(error: unknown): void {
    this.#dependencies.fail(error)
  }

  protected override isTemporary(error: unknown): boolean {
    return this.#dependencies.isTemporary(error)
  }

  #take(snapshot: Snapshot): void {
    const { hash } = snapshot
    this.#isAhead = true
    const isFirst = this.#seq === 0
    const isKnown = hash === this.#lastHash
    if (isKnown && !isFirst) {
      this.#dependencies.settle()
      return
    }
    this.#seq++
    this.#lastHash = hash
    if (isKnown) this.#dependencies.sendCurrent(this.#seq)
    else this.#dependencies.sendSnapshot(this.#seq, snapshot)
  }
}
