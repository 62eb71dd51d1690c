import type { LiveRead } from "../../../engine/operations/live.ts"
import { AuthorizedTopic } from "../topics/authorized-topic.ts"
import type { LiveTopicRequest } from "../topics/read-topics.ts"
import type { Subscription } from "./live-queries.ts"
import type { LiveSubscriber } from "./live-query.ts"
import type { Snapshot } from "./snapshot.ts"

/** The dependencies of a live topic: its live query, and the functions that send to its client. */
interface LiveTopicDependencies {
  /** Evaluates the rules with the client's current session, and returns the read that they allow. */
  plan(topic: LiveTopicRequest): Promise<LiveRead>
  readonly caller: string
  join(read: LiveRead, subscriber: LiveSubscriber): Subscription
  /** True if a snapshot of the topic can be sent to the client now. */
  isReady(): boolean
  /** Postpones the topic's snapshot. The topic's `send` is called when the client can take the snapshot. */
  postpone(): void
  /** Reports that the topic has nothing to send for now, so that other topics can send. */
  settle(): void
  sendSnapshot(seq: number, snapshot: Snapshot): void
  /** Confirms to the client that the snapshot it already has is the newest one. */
  sendCurrent(seq: number): void
  /** Ends the topic and sends the error to the client. */
  fail(error: unknown): void
  /** True if the error is temporary, so that a retry may succeed. */
  isTemporary(error: unknown): boolean
}

/**
 * A live query that a client has requested on its stream. The topic subscribes to the query that the client's current
 * rights allow.
 */
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
   * True if the client has received a snapshot since the last evaluation of the rules began. The change feed was up to
   * date at that time, but the snapshot may show later changes.
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

  /** Requests the newest snapshot from the live query, after an earlier snapshot could not be sent. */
  send(): void {
    this.#subscription?.send()
  }

  /**
   * Does nothing, because the stream itself requests the topic's postponed snapshot once the client has read
   * everything.
   */
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
