/** What a topic follows under the rights of its client. */
export interface Judgement {
  /** Where rights lead to the same, it is equal. */
  readonly key: string
  /** The keys of the resources that were asked when the rights were judged. */
  readonly judgedBy: ReadonlySet<string>
}

const RETRY_MS = 1_000
// So long rights that the author's code has judged are trusted when something changes.
const TRUSTED_MS = 4_000
// What rights depend on may be written without pause. They are judged now and then, if they cannot be judged in between.
const PATIENCE_MS = 1_000

/** One topic of one stream, as far as its rights go: it follows something only while they are known to allow it. */
export abstract class JudgedTopic<Read extends Judgement> {
  #read: Read | undefined
  #leave: (() => void) | undefined
  #plannedAt = Number.NEGATIVE_INFINITY
  #planning: Promise<void> | undefined
  #isOutdated = false
  #isPaused = false
  /** What has changed since the rights began to be judged. */
  #changedMeanwhile = new Set<string>()
  /** Since when what the rights depend on has changed each time before they were judged. */
  #unsettledSince: number | undefined
  #retry: NodeJS.Timeout | undefined
  #hasEnded = false

  /** Judges the rights of the client as they are now. */
  protected abstract planNow(): Promise<Read>

  /** Begins to follow; returns how that ends. */
  protected abstract join(read: Read): () => void

  /** The client is told that the topic is over. */
  protected abstract sayFailure(error: unknown): void

  /** Whether the reason may be gone in a moment. */
  protected abstract isTemporary(error: unknown): boolean

  /** Whether it waits for its rights to be judged again. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Judges the rights anew, and goes on with what they lead to. */
  plan(): Promise<void> {
    this.#isOutdated = true
    this.#isPaused = false
    this.#planning ??= this.#planUntilCurrent().finally(() => {
      this.#planning = undefined
    })
    return this.#planning
  }

  /** Tells nothing more until the rights are judged again. */
  pause(): void {
    this.#isPaused = true
    this.#leaveIt()
  }

  /** The rights may be others now. */
  judgeAgain(): Promise<void> {
    this.pause()
    return this.plan()
  }

  /** These resources have changed, and so may rights that were, or just are, judged by asking one of them. */
  followRights(resources: ReadonlySet<string>): void {
    if (this.#planning) for (const resource of resources) this.#changedMeanwhile.add(resource)
    if (!this.#read || !meet(resources, this.#read.judgedBy)) return
    if (this.#isCrowded) this.#retry ??= this.#planIn(PATIENCE_MS)
    else void this.judgeAgain()
  }

  /** Judges the rights again if that was long ago. */
  async renew(): Promise<void> {
    if (performance.now() - this.#plannedAt > TRUSTED_MS) await this.plan()
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.end()
    this.sayFailure(error)
  }

  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#retry)
    this.#leaveIt()
  }

  // Whoever asks while the rights are being judged may know of something that came too late for that.
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
      const isOvertaken = meet(this.#changedMeanwhile, read.judgedBy)
      this.#unsettledSince = isOvertaken ? (this.#unsettledSince ?? plannedAt) : undefined
      if (isOvertaken && !this.#isCrowded) this.#isOutdated = true
      // What has become known meanwhile may have changed the rights.
      if (this.#hasEnded || this.#isPaused || this.#isOutdated) return
      this.#plannedAt = plannedAt
      this.#follow(read)
      if (isOvertaken) this.#retry ??= this.#planIn(PATIENCE_MS)
    } catch (error) {
      if (this.isTemporary(error)) this.#tryAgainLater()
      else this.fail(error)
    }
  }

  get #isCrowded(): boolean {
    return this.#unsettledSince !== undefined && performance.now() - this.#unsettledSince > PATIENCE_MS
  }

  #follow(read: Read): void {
    const isSame = read.key === this.#read?.key && this.#leave !== undefined
    if (!isSame) this.#leaveIt()
    this.#read = read
    this.#leave ??= this.join(read)
  }

  #leaveIt(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  // Under rights that nobody knows nothing is told.
  #tryAgainLater(): void {
    this.#leaveIt()
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

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return others.size > 0 && [...some].some((each) => others.has(each))
}
