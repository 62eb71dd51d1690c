import type { LiveRead } from "../../engine/operations/live.ts"
import { JudgedTopic } from "./judged-topic.ts"
import type { LiveSubscriber, Snapshot } from "./live-query.ts"
import type { AskedTopic } from "./read-topics.ts"

/** Where a topic finds its query, and what its client is told. */
export interface TopicPlace {
  /** Judges the rights of the client as they are now. */
  plan(topic: AskedTopic): Promise<LiveRead>
  join(read: LiveRead, subscriber: LiveSubscriber): () => void
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

  receive(snapshot: Snapshot): void {
    const { hash } = snapshot
    this.#isAhead = true
    const isFirst = this.#seq === 0
    if (hash === this.#lastHash && !isFirst) return
    this.#seq++
    if (hash === this.#lastHash) this.#place.confirm(this.#seq)
    else this.#place.show(this.#seq, snapshot)
    this.#lastHash = hash
  }

  /** A snapshot makes those before it needless, so that nothing is left to be done here. */
  drained(): void {}

  protected override planNow(): Promise<LiveRead> {
    this.#isAhead = false
    return this.#place.plan(this.asked)
  }

  protected override join(read: LiveRead): () => void {
    return this.#place.join(read, this)
  }

  protected override sayFailure(error: unknown): void {
    this.#place.fail(error)
  }

  protected override isTemporary(error: unknown): boolean {
    return this.#place.isTemporary(error)
  }
}
