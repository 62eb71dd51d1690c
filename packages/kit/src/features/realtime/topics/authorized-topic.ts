import type { Topic, TopicRequest } from "./topic-kind.ts"
import type { TopicStream } from "./topic-stream.ts"

/** The result of evaluating the rules for a topic. */
export interface TopicAuthorization {
  /** A key that is equal for all clients whose rights lead to the same data. */
  readonly key: string
  /** The keys of the resources that the topic's rules queried. */
  readonly ruleDependencies: ReadonlySet<string>
}

/** A callback, and the number of the first evaluation of the rules after which it is called. */
interface AuthorizationWait {
  readonly evaluation: number
  done(): void
}

const RETRY_MS = 1_000
// The maximum age of a rule result. Before each new read, the author's rules are evaluated again if their last result
// is older.
const MAX_RESULT_AGE_MS = 4_000
// The rules are evaluated again if a table that they query changes during the evaluation. Under continuous writes this
// would never end, so after this time a result is used anyway, and the rules are evaluated again once per interval.
const REEVALUATION_INTERVAL_MS = 1_000

/**
 * A topic that is subscribed to its data, such as a live query or a room, only while its rules are known to allow this.
 */
export abstract class AuthorizedTopic<Request extends TopicRequest, Read extends TopicAuthorization> implements Topic {
  readonly request: Request
  protected readonly stream: TopicStream
  #read: Read | undefined
  #leave: (() => void) | undefined
  #plannedAt = Number.NEGATIVE_INFINITY
  #planning: Promise<void> | undefined
  #isOutdated = false
  #isPaused = false
  /** The resources that have changed since the running evaluation of the rules began. */
  #changedMeanwhile = new Set<string>()
  /**
   * The start of the first of several consecutive rule evaluations during which a table that the rules query changed;
   * undefined if the last evaluation saw no such change.
   */
  #unsettledSince: number | undefined
  #retry: NodeJS.Timeout | undefined
  /** The number of evaluations of the rules that have begun. */
  #evaluations = 0
  readonly #authorizationWaits = new Set<AuthorizationWait>()
  #hasEnded = false

  constructor(request: Request, stream: TopicStream) {
    this.request = request
    this.stream = stream
  }

  /** Evaluates the topic's rules with the client's current session. */
  protected abstract planNow(): Promise<Read>

  /** Subscribes to the data that the rules allow; returns a function that unsubscribes. */
  protected abstract join(read: Read): () => void

  get isPaused(): boolean {
    return this.#isPaused
  }

  plan(): Promise<void> {
    this.#isOutdated = true
    this.#isPaused = false
    this.#planning ??= this.#planUntilCurrent()
    return this.#planning
  }

  pause(): void {
    this.#isPaused = true
    this.#unsubscribe()
  }

  reevaluateRules(): Promise<void> {
    this.pause()
    return this.plan()
  }

  onResourcesChanged(resources: ReadonlySet<string>): void {
    if (this.#planning) for (const resource of resources) this.#changedMeanwhile.add(resource)
    if (!this.#read || !intersects(resources, this.#read.ruleDependencies)) return
    if (this.#isUnderContinuousWrites) this.#retry ??= this.#planIn(REEVALUATION_INTERVAL_MS)
    else void this.reevaluateRules()
  }

  /** Evaluates the topic's rules again if their last result is too old. */
  async renew(): Promise<void> {
    if (performance.now() - this.#plannedAt > MAX_RESULT_AGE_MS) await this.plan()
  }

  /**
   * True unless the last result of the topic's rules is too old. If it soon will be, the rules are evaluated again in the
   * background, so that a busy topic does not have to wait for them.
   */
  protected isCurrent(): boolean {
    const ageMs = performance.now() - this.#plannedAt
    if (ageMs > MAX_RESULT_AGE_MS / 2 && !this.#planning) void this.plan()
    return ageMs <= MAX_RESULT_AGE_MS
  }

  /** Calls back immediately. A topic whose events show records overrides it. */
  whenCaughtUp(done: () => void): void {
    done()
  }

  /**
   * Calls back when the topic is subscribed to what the rules allow after all changes reported so far, or has ended.
   * Under continuous writes, it is enough that the evaluation of the rules begins after this call.
   */
  protected whenAuthorized(done: () => void): void {
    const isSettled = this.#leave !== undefined && !this.#planning && !this.#retry
    if (isSettled || this.#hasEnded) done()
    else this.#authorizationWaits.add({ evaluation: this.#evaluations + 1, done })
  }

  /** Does nothing. A topic that waits until the client has read everything overrides it. */
  onDrained(): void {}

  /** Does nothing. A topic that postpones snapshots overrides it. */
  sendPostponed(): void {}

  /** Ends the topic and sends the error to the client. */
  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.end()
    this.stream.removeFailed(this.request.id, error)
  }

  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#retry)
    this.#unsubscribe()
    this.#endWaits(Number.POSITIVE_INFINITY)
  }

  // Evaluates the rules until the result is current. A call of `plan` during an evaluation may be due to a change that
  // the evaluation did not see, so the rules are evaluated once more.
  async #planUntilCurrent(): Promise<void> {
    while (this.#isOutdated && !this.#hasEnded) {
      this.#isOutdated = false
      await this.#planOnce()
    }
    // Not after the promise has resolved: until then, a call of `plan` would find an evaluation that does not see it.
    this.#planning = undefined
  }

  async #planOnce(): Promise<void> {
    const plannedAt = performance.now()
    const evaluation = ++this.#evaluations
    this.#changedMeanwhile.clear()
    try {
      const read = await this.planNow()
      const isOvertaken = intersects(this.#changedMeanwhile, read.ruleDependencies)
      this.#unsettledSince = isOvertaken ? (this.#unsettledSince ?? plannedAt) : undefined
      if (isOvertaken && !this.#isUnderContinuousWrites) this.#isOutdated = true
      // A change during the evaluation may have changed the client's rights, so an outdated result is not used.
      if (this.#hasEnded || this.#isPaused || this.#isOutdated) return
      this.#plannedAt = plannedAt
      this.#follow(read)
      if (isOvertaken) this.#retry ??= this.#planIn(REEVALUATION_INTERVAL_MS)
      this.#endWaits(isOvertaken ? evaluation : Number.POSITIVE_INFINITY)
    } catch (error) {
      if (this.stream.engine.isTemporary(error)) this.#tryAgainLater()
      else this.fail(error)
    }
  }

  get #isUnderContinuousWrites(): boolean {
    return this.#unsettledSince !== undefined && performance.now() - this.#unsettledSince > REEVALUATION_INTERVAL_MS
  }

  // Ends the waits for this evaluation of the rules, or for an earlier one.
  #endWaits(evaluation: number): void {
    for (const wait of [...this.#authorizationWaits]) {
      if (wait.evaluation > evaluation) continue
      this.#authorizationWaits.delete(wait)
      wait.done()
    }
  }

  #follow(read: Read): void {
    const isSame = read.key === this.#read?.key && this.#leave !== undefined
    if (!isSame) this.#unsubscribe()
    this.#read = read
    this.#leave ??= this.join(read)
  }

  #unsubscribe(): void {
    const leave = this.#leave
    this.#leave = undefined
    leave?.()
  }

  // Unsubscribes the topic and evaluates its rules again later. While the client's rights are unknown, nothing is sent.
  #tryAgainLater(): void {
    this.#unsubscribe()
    if (this.#hasEnded) return
    clearTimeout(this.#retry)
    this.#retry = this.#planIn(RETRY_MS)
  }

  #planIn(delayMs: number): NodeJS.Timeout {
    const plan = () => {
      this.#retry = undefined
      void this.plan()
    }
    return setTimeout(plan, delayMs).unref()
  }
}

function intersects(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return others.size > 0 && [...some].some((each) => others.has(each))
}
