import type { OpenBody } from "../../../ports/http.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { readTopics, type StreamRequest, type TopicRequest } from "../topics/read-topics.ts"
import type { Caller, StreamClient } from "./live-stream.ts"
import type { LiveStreams } from "./live-streams.ts"
import type { StreamTokens } from "./stream-tokens.ts"
import { MAX_RELAYED_BYTES, type RelayedTopics, type TopicRelay } from "./topic-relay.ts"

export interface LiveLimits {
  readonly topicsPerStream: number
  readonly streamsPerUser: number
  /** For clients that are not signed in. */
  readonly streamsPerAddress: number
  readonly queriesPerUser: number
  readonly queriesPerAddress: number
}

interface CallDependencies {
  readonly streams: LiveStreams
  readonly relay: TopicRelay
  readonly tokens: StreamTokens
  readonly limits: LiveLimits
}

/** The client that changes its topics. `countRelayed` counts relays to other processes, and throws above the limit. */
interface TopicsClient {
  readonly session: Session | null
  countRelayed(): void
}

/** The requests about live queries that a server handles. */
export class LiveCalls {
  readonly #dependencies: CallDependencies

  constructor(parts: CallDependencies) {
    this.#dependencies = parts
  }

  read(body: unknown): StreamRequest {
    return readTopics(body, this.#dependencies.limits.topicsPerStream)
  }

  async open(
    given: Omit<StreamClient, "caller">,
    topics: readonly TopicRequest[],
    address: string | undefined,
  ): Promise<OpenBody> {
    const names = await this.#dependencies.tokens.issue(given.session?.user.id)
    const listener = { ...given, caller: this.#callerOf(given.session, address) }
    return this.#dependencies.streams.open(listener, topics, names)
  }

  /** Replaces the topics of a stream that is open in this process or another. */
  async change({ stream, topics }: StreamRequest & { stream: object }, asker: TopicsClient): Promise<void> {
    const asked = { ...stream, userId: asker.session?.user.id, topics }
    const own = this.#dependencies.streams.find(stream.sessionId)
    const isDone = own ? this.#dependencies.relay.apply(asked) : await this.#relay(asked, asker)
    if (!isDone) throw gone("There is no such stream. Open a new one.")
  }

  // Topics are stored for another process only if the client has opened a stream, and only up to a limit.
  async #relay(asked: RelayedTopics, asker: TopicsClient): Promise<boolean> {
    if (!(await this.#dependencies.tokens.isIssued(asked))) return false
    if (Buffer.byteLength(JSON.stringify(asked)) > MAX_RELAYED_BYTES) {
      throw gone("Another process holds the stream, and the topics are too large to be sent to it. Open a new one.")
    }
    asker.countRelayed()
    return this.#dependencies.relay.send(asked)
  }

  #callerOf(session: Session | null, address: string | undefined): Caller {
    const { limits } = this.#dependencies
    return session
      ? { key: `user ${session.user.id}`, maxStreams: limits.streamsPerUser, maxQueries: limits.queriesPerUser }
      : {
          key: `address ${address ?? "unknown"}`,
          maxStreams: limits.streamsPerAddress,
          maxQueries: limits.queriesPerAddress,
        }
  }
}

// The client then opens a new stream with all of its topics.
function gone(message: string): ApiError {
  return new ApiError("NOT_FOUND", { message })
}
