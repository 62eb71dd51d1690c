import { appendRelayedRequest } from "../../../sql/changes/changes.ts"
import { type CommittedChange, RELAYED_REQUEST } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { TopicRequest } from "../topics/topic-kind.ts"
import type { LiveStreams } from "./live-streams.ts"
import { holderOf } from "./stream-tokens.ts"

/** The new topics of a stream, with the credentials of the client that sets them. */
export interface RelayedTopics {
  readonly sessionId: string
  readonly token: string
  readonly userId: string | undefined
  readonly topics: readonly TopicRequest[]
}

/**
 * The maximum size of the topics in one relayed request. It is limited because every process reads the topics stored
 * for any other process.
 */
export const MAX_RELAYED_BYTES = 64 * 1024

const CHANNEL = "kit_live_relayed"
const ANSWER_TIMEOUT_MS = 2_000

/**
 * Passes new topics to the process that holds their stream. They are stored as a row in the table of changes, which
 * that process reads anyway. That process replies on the message bus: true if it has set the topics, otherwise false.
 */
export class TopicRelay {
  readonly #engine: LiveEngine
  readonly #streams: LiveStreams
  readonly #waiting = new Map<string, (isDone: boolean) => void>()
  /** Resolves once this process is subscribed to the replies of other processes. */
  #listening: Promise<true> | undefined
  #unsubscribe: (() => void) | undefined

  constructor(engine: LiveEngine, streams: LiveStreams) {
    this.#engine = engine
    this.#streams = streams
  }

  /**
   * Sets the topics of a stream that this process holds. Returns false if the stream is unknown or the credentials are
   * wrong.
   */
  apply({ sessionId, token, userId, topics }: RelayedTopics): boolean {
    const stream = this.#streams.find(sessionId)
    if (!stream?.isOpenedBy(token, userId)) return false
    stream.setTopics(topics)
    return true
  }

  /** Passes the topics to the process that holds the stream. Resolves to true if that process has set them. */
  async send(relayed: RelayedTopics): Promise<boolean> {
    const holder = holderOf(relayed.sessionId)
    if (holder === "" || holder === this.#engine.instance) return false
    const id = crypto.randomUUID()
    const answer = this.#answerTo(id)
    // Waits for the subscription first, because a reply that arrives before this process has subscribed is lost.
    if (!(await Promise.race([this.#listen(), answer]))) return false
    await this.#engine.connection.query(appendRelayedRequest({ holder, id, body: { json: JSON.stringify(relayed) } }))
    return answer
  }

  /** Sets the stream topics that other processes have stored for this process. */
  onChanges(changes: readonly CommittedChange[]): void {
    for (const { resourceKind, resource, record, after } of changes) {
      if (resourceKind !== RELAYED_REQUEST || resource !== this.#engine.instance) continue
      const relayed = readRelayed(after)
      const isDone = relayed !== undefined && this.apply(relayed)
      this.#engine.bus.publish(CHANNEL, `${record} ${isDone}`)
    }
  }

  close(): void {
    this.#unsubscribe?.()
    for (const answer of this.#waiting.values()) answer(false)
  }

  #listen(): Promise<true> {
    this.#listening ??= new Promise((resolve) => {
      this.#unsubscribe = this.#engine.bus.subscribe(CHANNEL, {
        onMessage: (text) => this.#onAnswer(text),
        onListening: () => resolve(true),
      })
    })
    return this.#listening
  }

  #answerTo(id: string): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#onAnswer(`${id} false`), ANSWER_TIMEOUT_MS)
      this.#waiting.set(id, (isDone) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(isDone)
      })
    })
  }

  #onAnswer(text: string): void {
    const [id = "", isDone] = text.split(" ")
    this.#waiting.get(id)?.(isDone === "true")
  }
}

// Returns the topics that `send` has stored; undefined if another version of kit stored them in another format. They are
// JSON text inside of JSON, because `jsonb` does not keep the order of members, and the order matters in `orderBy`.
function readRelayed(stored: CommittedChange["after"]): RelayedTopics | undefined {
  const json = stored?.["json"]
  return typeof json === "string" ? JSON.parse(json) : undefined
}
