import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { ChangeFeed } from "../changes/change-feed.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamClient } from "../stream-client.ts"
import { FairSemaphore } from "../topics/fair-semaphore.ts"

// The maximum number of concurrent rule evaluations, for all streams together and for each caller. The rules' queries
// wait for database connections in the same queue as requests, and must not fill that queue.
const EVALUATION_SLOTS = { total: 20, perCaller: 10 }

/**
 * Evaluates rules and reads sessions, after the change feed has caught up. So an evaluation sees every change committed
 * before it, and the feed reports every later change.
 */
export class RuleEvaluations {
  readonly #engine: LiveEngine
  readonly #feed: ChangeFeed
  readonly #semaphore = new FairSemaphore(EVALUATION_SLOTS)

  constructor(engine: LiveEngine, feed: ChangeFeed) {
    this.#engine = engine
    this.#feed = feed
  }

  /** Evaluates the rules of a topic with the client's session. */
  async evaluate<Result>(client: StreamClient, rules: (ctx: OperationContext) => Promise<Result>): Promise<Result> {
    await this.#feed.catchUp()
    return this.#semaphore.run([client.caller.key], () => this.#engine.runAs(client, rules))
  }

  /** Resolves when all changes that were committed before this call have been passed to the streams. */
  catchUp(): Promise<void> {
    return this.#feed.catchUp()
  }

  /**
   * Reads the client's current session. The cached session is dropped first, because it may have been read before the
   * feed was opened, and the feed does not report the changes that were committed between these two times.
   */
  async readSession({ session, headers, caller }: StreamClient): Promise<Session | null> {
    await this.#feed.catchUp()
    if (session) this.#engine.forgetSessions(new Set([session.user.id]))
    return this.#semaphore.run([caller.key], () => this.#engine.readSession(headers))
  }
}
