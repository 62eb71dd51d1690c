import { suggestResource } from "../../../engine/access/known-resources.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { type LiveRead, planLiveRead } from "../../../engine/operations/reads/live.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { StreamClient } from "../stream-client.ts"
import { AuthorizedTopic } from "../topics/authorized-topic.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import type { LiveQueries, Subscription } from "./live-queries.ts"
import type { LiveSubscriber } from "./live-query.ts"
import { checkTopicMembers, type QueryRequest } from "./query-request.ts"
import { type Snapshot, snapshotEvent } from "./snapshot.ts"

interface QueryTopicDependencies {
  readonly stream: TopicStream
  readonly queries: LiveQueries
}

/** A callback, and the number of the read whose result the client must have been sent before. */
interface AwaitedRead {
  readonly read: number
  done(): void
}

/**
 * A live query that a client has requested on its stream. The topic subscribes to the query that the client's current
 * rights allow.
 */
export class QueryTopic extends AuthorizedTopic<QueryRequest, LiveRead> implements LiveSubscriber {
  readonly #queries: LiveQueries
  #seq = 0
  #lastHash: string | undefined
  #isAhead = false
  #subscription: Subscription | undefined
  /** The reads that callers of `whenCaughtUp` wait for. */
  #awaitedReads: AwaitedRead[] = []

  constructor(request: QueryRequest, { stream, queries }: QueryTopicDependencies) {
    super(request, stream)
    this.#queries = queries
    this.#lastHash = request.lastHash
  }

  /**
   * True if the client has received a snapshot since the last evaluation of the rules began. The change feed was up to
   * date at that time, but the snapshot may show later changes.
   */
  get isAhead(): boolean {
    return this.#isAhead
  }

  get client(): StreamClient {
    return this.stream.client
  }

  get isReady(): boolean {
    return this.stream.events.isReadyFor(this.request.id)
  }

  get isExpecting(): boolean {
    return this.#awaitedReads.length > 0
  }

  receive(snapshot: Snapshot, read: number): void {
    if (!this.isReady) {
      this.postpone()
      return
    }
    this.#take(snapshot)
    this.#shown(read)
  }

  onPublished(read: number): void {
    if (!this.#isPostponed) this.#shown(read)
  }

  postpone(): void {
    this.stream.events.postpone(this.request.id)
  }

  onDelayed(): void {
    this.#settle()
  }

  override sendPostponed(): void {
    this.#subscription?.send()
  }

  override whenCaughtUp(done: () => void): void {
    this.whenAuthorized(() => this.#whenShown(done))
  }

  protected override planNow(): Promise<LiveRead> {
    this.#isAhead = false
    return this.stream.evaluateRules((ctx) => planRead(ctx, this.request))
  }

  protected override join(read: LiveRead): () => void {
    const subscription = this.#queries.join(read, this)
    this.#subscription = subscription
    return () => {
      this.#subscription = undefined
      subscription.leave()
      this.#settle()
      this.#waitAnew()
    }
  }

  get #isPostponed(): boolean {
    return this.stream.events.isPostponed(this.request.id)
  }

  // Calls back when the client has been sent the result of a read that shows all changes reported so far.
  #whenShown(done: () => void): void {
    const subscription = this.#subscription
    if (!subscription || (subscription.isCurrent && !this.#isPostponed)) done()
    else this.#awaitedReads.push({ read: subscription.expect(), done })
  }

  #shown(read: number): void {
    if (!this.isExpecting) return
    const shown = this.#awaitedReads.filter((awaited) => awaited.read <= read)
    this.#awaitedReads = this.#awaitedReads.filter((awaited) => awaited.read > read)
    for (const { done } of shown) done()
  }

  // The numbers of reads belong to the live query that the topic has just left. The next query counts its own reads.
  #waitAnew(): void {
    const awaited = this.#awaitedReads
    this.#awaitedReads = []
    for (const { done } of awaited) this.whenCaughtUp(done)
  }

  #take(snapshot: Snapshot): void {
    const { hash } = snapshot
    this.#isAhead = true
    const isFirst = this.#seq === 0
    const isKnown = hash === this.#lastHash
    if (isKnown && !isFirst) {
      this.#settle()
      return
    }
    this.#seq++
    this.#lastHash = hash
    if (isKnown) this.#confirmCurrent()
    else this.#sendSnapshot(snapshot)
  }

  #sendSnapshot(snapshot: Snapshot): void {
    const topicId = this.request.id
    const parts = snapshotEvent(snapshot, topicId, this.#seq)
    this.stream.events.sendSnapshot({ topicId, parts, data: snapshot.data })
  }

  // Confirms to the client that the snapshot it already has is the newest one.
  #confirmCurrent(): void {
    this.stream.events.send("current", { topicId: this.request.id, seq: this.#seq })
    this.#settle()
  }

  // Reports that the topic has nothing to send for now, so that other topics can send.
  #settle(): void {
    this.stream.events.settle(this.request.id)
  }
}

async function planRead(ctx: OperationContext, request: QueryRequest): Promise<LiveRead> {
  checkTopicMembers(request)
  const { kind, name, options, operation, recordId: id } = request
  const known = kind === "global" ? ctx.schema.globals : ctx.schema.collections
  if (known.has(name)) return planLiveRead(ctx, { kind, name }, { operation, id, given: { options, isText: false } })
  const remedy = await suggestResource(ctx, name, known)
  throw new ApiError("NOT_FOUND", { message: `There is no ${kind} "${name}".${remedy}` })
}
