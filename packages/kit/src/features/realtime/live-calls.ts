import type { OpenBody } from "../../ports/http.ts"
import type { Session } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { Listener } from "./live-stream.ts"
import type { LiveStreams, StreamOwner } from "./live-streams.ts"
import { type Asked, type AskedTopics, readTopics } from "./read-topics.ts"
import type { TopicRelay } from "./topic-relay.ts"

export interface LiveLimits {
  readonly topicsPerStream: number
  readonly streamsPerUser: number
  /** Of those who are not signed in. */
  readonly streamsPerAddress: number
}

/** The calls about live queries that a server takes. */
export class LiveCalls {
  readonly #streams: LiveStreams
  readonly #relay: TopicRelay
  readonly #limits: LiveLimits

  constructor(streams: LiveStreams, relay: TopicRelay, limits: LiveLimits) {
    this.#streams = streams
    this.#relay = relay
    this.#limits = limits
  }

  read(body: unknown): AskedTopics {
    return readTopics(body, this.#limits.topicsPerStream)
  }

  open(listener: Listener, topics: readonly Asked[], address: string | undefined): OpenBody {
    return this.#streams.open(listener, topics, this.#ownerOf(listener.session, address))
  }

  /** Gives a stream that is open, here or in another process, other topics. */
  async change({ stream, topics }: AskedTopics & { stream: object }, session: Session | null): Promise<void> {
    const asked = { ...stream, userId: session?.user.id, topics }
    const own = this.#streams.find(stream.sessionId)
    const isDone = own ? this.#relay.apply(asked) : await this.#relay.send(asked)
    if (!isDone) throw new ApiError("NOT_FOUND", { message: "There is no such stream. Open a new one." })
  }

  #ownerOf(session: Session | null, address: string | undefined): StreamOwner {
    const { streamsPerUser, streamsPerAddress } = this.#limits
    if (session) return { key: `user ${session.user.id}`, most: streamsPerUser }
    return { key: `address ${address ?? "unknown"}`, most: streamsPerAddress }
  }
}
