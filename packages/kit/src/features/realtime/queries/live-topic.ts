import type { LiveRead } from "../../../engine/operations/live.ts"
import { JudgedTopic } from "../topics/judged-topic.ts"
import type { AskedTopic } from "../topics/read-topics.ts"
import type { Subscription } from "./live-queries.ts"
import type { LiveSubscriber } from "./live-query.ts"
import type { Snapshot } from "./snapshot.ts"

/** Where a topic finds its query, and what its client is told. */
export interface TopicPlace {
  /** Judges the rights of the client as they are now. */
  plan(topic: AskedTopic): Promise<LiveRead>
  readonly caller: string
  join(read: LiveRead, subscriber: LiveSubscriber): Subscription
  /** Whether a snapshot of the topic can be sent now. */
  isReady(): boolean
  /** Nothing is sent now; `send` of the topic is called when it can be. */
  postpone(): void
  /** Nothing is to be sent for now, so that other topics can be. */
  settle(): void
  show(seq: number, snapshot: Snapshot): void
  /** The client has the snapshot already. */
  confirm(seq: number): void
  /** The topic is over. */
  fail(error: unknown): void
  /** Whether the reason may be gone in a moment. */
  isTemporary(error: unknown): boolean
}

/** A live query of one stream: a subscription to the query that its client may see at the time. */
export class LiveTopic extends JudgedTopic<LiveRead> implements LiveSubscriber {
  readonly asked: AskedTopic
  readonly #place: TopicPlace
  #seq = 0
  #lastHash: string | undefined
  #isAhead = false
  #subscription: Subscription | undefined

  constructor(asked: AskedTopic, place: TopicPlace) {
    super()
    this.asked = asked
    this.#place = place
    this.#lastHash = asked.lastHash
  }

  /** Whether it was told something since its rights began to be judged: changes are known to be followed up to then. */
  get isAhead(): boolean {
    return this.#isAhead
  }

  get caller(): string {
    return this.#place.caller
  }

  get isReady(): boolean {
    return this.#place.isReady()
  }

  receive(snapshot: Snapshot): void {
    if (this.isReady) this.#take(snapshot)
    else this.postpone()
  }

  postpone(): void {
    this.#place.postpone()
  }

  wait(): void {
    this.#place.settle()
  }

  /** Asks for what could not be sent before. */
  send(): void {
    this.#subscription?.send()
  }

  /** What waits is asked for by the stream. */
  drained(): void {}

  protected override planNow(): Promise<LiveRead> {
    this.#isAhead = false
    return this.#place.plan(this.asked)
  }

  protected override join(read: LiveRead): () => void {
    const subscription = this.#place.join(read, this)
    this.#subscription = subscription
    return () => {
      this.#subscription = undefined
      subscription.leave()
      this.#place.settle()
    }
  }

  protected override sayFailure(error: unknown): void {
    this.#place.fail(error)
  }

  protected override isTemporary(error: unknown): boolean {
    return this.#place.isTemporary(error)
  }

  #take(snapshot: Snapshot): void {
    const { hash } = snapshot
    this.#isAhead = true
    const isFirst = this.#seq === 0
    const isKnown = hash === this.#lastHash
    if (isKnown && !isFirst) {
      this.#place.settle()
      return
    }
    this.#seq++
    this.#lastHash = hash
    if (isKnown) this.#place.confirm(this.#seq)
    else this.#place.show(this.#seq, snapshot)
  }
}
