import type { OpenBody } from "../../../ports/http.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { StreamCaller, StreamClient } from "../stream-client.ts"
import type { TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { LiveStreams } from "./live-streams.ts"
import { readTopics, type StreamRequest } from "./read-topics.ts"
import type { StreamTokens } from "./stream-tokens.ts"
import { MAX_RELAYED_BYTES, type RelayedTopics, type TopicRelay } from "./topic-relay.ts"

interface LiveLimits {
  readonly topicsPerStream: number
  readonly streamsPerUser: number
  /** The maximum number of open streams per IP address, for clients that are not signed in. */
  readonly streamsPerAddress: number
  readonly queriesPerUser: number
  readonly queriesPerAddress: number
}

interface CallDependencies {
  readonly kinds: readonly TopicKind[]
  readonly streams: LiveStreams
  readonly relay: TopicRelay
  readonly tokens: StreamTokens
  readonly limits: LiveLimits
}

/**
 * The client that changes the topics of its stream. The function `countRelayed` counts how often the client's topics
 * are relayed to other processes, and throws above the limit.
 */
interface TopicsClient {
  readonly session: Session | null
  countRelayed(): void
}

/** Handles the HTTP requests that open a stream or change the topics of a stream. */
export class LiveCalls {
  readonly #dependencies: CallDependencies

  constructor(dependencies: CallDependencies) {
    this.#dependencies = dependencies
  }

  read(body: unknown): StreamRequest {
    const { kinds, limits } = this.#dependencies
    return readTopics(kinds, body, limits.topicsPerStream)
  }

  async open(
    client: Omit<StreamClient, "caller">,
    topics: readonly TopicRequest[],
    address: string | undefined,
  ): Promise<OpenBody> {
    const credentials = await this.#dependencies.tokens.issue(client.session?.user.id)
    const caller = this.#callerOf(client.session, address)
    return this.#dependencies.streams.open({ client: { ...client, caller, address }, topics, credentials })
  }

  /** Replaces the topics of a stream that is open in this process or in another one. */
  async change({ stream, topics }: StreamRequest & { stream: object }, client: TopicsClient): Promise<void> {
    const { streams, relay } = this.#dependencies
    const change = { ...stream, userId: client.session?.user.id, topics }
    const isOwn = streams.find(stream.sessionId) !== undefined
    const isDone = isOwn ? relay.apply(change) : await this.#relay(change, client)
    if (!isDone) throw gone("There is no such stream. Open a new one.")
  }

  // Stores the topics for the process that holds the stream. This is done only for a client that has opened a stream,
  // and only up to a limit.
  async #relay(change: RelayedTopics, client: TopicsClient): Promise<boolean> {
    if (!(await this.#dependencies.tokens.isIssued(change))) return false
    if (Buffer.byteLength(JSON.stringify(change)) > MAX_RELAYED_BYTES) {
      throw gone("Another process holds the stream, and the topics are too large to be sent to it. Open a new one.")
    }
    client.countRelayed()
    return this.#dependencies.relay.send(change)
  }

  #callerOf(session: Session | null, address: string | undefined): StreamCaller {
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

// Creates the error that makes the client open a new stream with all of its topics.
function gone(message: string): ApiError {
  return new ApiError("NOT_FOUND", { message })
}
