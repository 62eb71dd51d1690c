/** The result of evaluating the rules for a topic. */
export interface TopicAuthorization {
  /** A key that is equal for all clients whose rights lead to the same data. */
  readonly key: string
  /** The keys of the resources that the topic's rules queried. */
  readonly ruleDependencies: ReadonlySet<string>
}

const RETRY_MS = 1_000
// The maximum age of a rule result. Before each new read, the author's rules are evaluated again if their last result
// is older.
const MAX_RESULT_AGE_MS = 4_000
// The rules are evaluated again if a table that they query changes during the evaluation. Under continuous writes this
// would never end, so after this time a result is used anyway, and the rules are evaluated again once per interval.
const REEVALUATION_INTERVAL_MS = 1_000

/**
 * One topic of one stream. It is subscribed to its live query or channel only while the rules are known to allow this.
 */
export abstract class AuthorizedTopic<Read extends TopicAuthorization> {
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
  #hasEnded = false

  /** Evaluates the topic's rules with the client's current session. */
  protected abstract planNow(): Promise<Read>

  /** Subscribes to the live query or channel; returns a function that unsubscribes. */
  protected abstract join(read: Read): () => void

  /** Sends the client the error that ended the topic. */
  protected abstract sendFailure(error: unknown): void

  /** True if the error is temporary, so that a retry may succeed. */
  protected abstract isTemporary(error: unknown): boolean

  /** True while the topic sends nothing because its rules must be evaluated again. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Evaluates the topic's rules again, and subscribes to the data that they allow. */
  plan(): Promise<void> {
    this.#isOutdated = true
    this.#isPaused = false
    this.#planning ??= this.#planUntilCurrent().finally(() => {
      this.#planning = undefined
    })
    return this.#planning
  }

  /** Unsubscribes the topic, so that it sends nothing until its rules have been evaluated again. */
  pause(): void {
    this.#isPaused = true
    this.#unsubscribe()
  }

  /** Pauses the topic and evaluates its rules again, because the client's rights may have changed. */
  reevaluateRules(): Promise<void> {
    this.pause()
    return this.plan()
  }

  /** Evaluates the topic's rules again if their last or running evaluation queried one of these changed resources. */
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

  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.end()
    this.sendFailure(error)
  }

  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#retry)
    this.#unsubscribe()
  }

  // Evaluates the rules until the result is current. A call of `plan` during an evaluation may be due to a change that
  // the evaluation did not see, so the rules are evaluated once more.
  async #planUntilCurrent(): Promise<void> {
    while (this.#isOutdated && !this.#hasEnded) {
      this.#isOutdated = false
      await this.#planOnce()
    }
  }

  async #planOnce(): Promise<void> {
    const plannedAt = performance.now()
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
    } catch (error) {
      if (this.isTemporary(error)) this.#tryAgainLater()
      else this.fail(error)
    }
  }

  get #isUnderContinuousWrites(): boolean {
    return this.#unsettledSince !== undefined && performance.now() - this.#unsettledSince > REEVALUATION_INTERVAL_MS
  }

  #follow(read: Read): void {
    const isSame = read.key === this.#read?.key && this.#leave !== undefined
    if (!isSame) this.#unsubscribe()
    this.#read = read
    this.#leave ??= this.join(read)
  }

  #unsubscribe(): void {
    this.#leave?.()
    this.#leave = undefined
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
