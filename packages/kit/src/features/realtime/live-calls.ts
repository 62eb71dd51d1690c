import type { OpenBody } from "../../ports/http.ts"
import type { Session } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { Listener } from "./live-stream.ts"
import type { LiveStreams, StreamOwner } from "./live-streams.ts"
import { type Asked, type AskedTopics, readTopics } from "./read-topics.ts"
import type { StreamTokens } from "./stream-tokens.ts"
import { MAX_RELAYED_BYTES, type RelayedTopics, type TopicRelay } from "./topic-relay.ts"

export interface LiveLimits {
  readonly topicsPerStream: number
  readonly streamsPerUser: number
  /** Of those who are not signed in. */
  readonly streamsPerAddress: number
}

interface CallParts {
  readonly streams: LiveStreams
  readonly relay: TopicRelay
  readonly tokens: StreamTokens
  readonly limits: LiveLimits
}

/** Who asks for other topics, and what counts those that are stored for another process: it throws at one too many. */
interface Asker {
  readonly session: Session | null
  countRelayed(): void
}

/** The calls about live queries that a server takes. */
export class LiveCalls {
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  read(body: unknown): AskedTopics {
    return readTopics(body, this.#parts.limits.topicsPerStream)
  }

  async open(listener: Listener, topics: readonly Asked[], address: string | undefined): Promise<OpenBody> {
    const names = await this.#parts.tokens.issue(listener.session?.user.id)
    return this.#parts.streams.open(listener, topics, { names, owner: this.#ownerOf(listener.session, address) })
  }

  /** Gives a stream that is open, here or in another process, other topics. */
  async change({ stream, topics }: AskedTopics & { stream: object }, asker: Asker): Promise<void> {
    const asked = { ...stream, userId: asker.session?.user.id, topics }
    const own = this.#parts.streams.find(stream.sessionId)
    const isDone = own ? this.#parts.relay.apply(asked) : await this.#handOn(asked, asker)
    if (!isDone) throw gone("There is no such stream. Open a new one.")
  }

  // What is stored for another process is stored for somebody who has opened a stream, and not without bounds.
  async #handOn(asked: RelayedTopics, asker: Asker): Promise<boolean> {
    if (!(await this.#parts.tokens.isIssued(asked))) return false
    if (Buffer.byteLength(JSON.stringify(asked)) > MAX_RELAYED_BYTES) {
      throw gone("Another process holds the stream, and the topics are too long to be handed to it. Open a new one.")
    }
    asker.countRelayed()
    return this.#parts.relay.send(asked)
  }

  #ownerOf(session: Session | null, address: string | undefined): StreamOwner {
    const { streamsPerUser, streamsPerAddress } = this.#parts.limits
    if (session) return { key: `user ${session.user.id}`, most: streamsPerUser }
    return { key: `address ${address ?? "unknown"}`, most: streamsPerAddress }
  }
}

// The client comes back with all of its topics.
function gone(message: string): ApiError {
  return new ApiError("NOT_FOUND", { message })
}
