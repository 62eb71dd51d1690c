import type { LiveEvents } from "../../wire/realtime/live-events.ts"
import type { WireDocument } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import { SubscribedTopic } from "./subscribed-topic.ts"
import type { FollowedDocument } from "./subscription.ts"

/** A collaborative document on the stream. */
export class DocumentTopic extends SubscribedTopic {
  override readonly member = "documents"
  readonly #document: FollowedDocument

  constructor(id: string, document: FollowedDocument) {
    // Two clients for the same document have different replicas, so each one has its own topic.
    super(id, `document ${id}`)
    this.#document = document
  }

  override get wire(): WireDocument {
    return { id: this.id, ...this.#document.wire() }
  }

  deliver(event: Partial<LiveEvents>): void {
    // A topic stays on the stream for a moment after its subscriber has left.
    if (this.hasSubscribers) callSafely(() => this.#document.onEvent(event))
  }

  lose(): void {
    if (this.hasSubscribers) callSafely(() => this.#document.onLost())
  }
}
