import type { PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import { suggestResource } from "../../engine/access/known-resources.ts"
import { withinLifetime } from "../../engine/context/lifetime.ts"
import { explainError } from "../../engine/database/database-errors.ts"
import type { Engine } from "../../engine/engine.ts"
import { keyOfChange, type LiveRead, planLiveRead } from "../../engine/operations/live.ts"
import { answerText } from "../../engine/read/answer-text.ts"
import { ChangeNotifier } from "../../features/realtime/changes/change-notifier.ts"
import { addressOf } from "../../features/realtime/channels/channel-address.ts"
import { evaluateSubscribe } from "../../features/realtime/channels/channel-rights.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import { LiveCalls } from "../../features/realtime/streams/live-calls.ts"
import type { StreamClient } from "../../features/realtime/streams/live-stream.ts"
import { LiveStreams } from "../../features/realtime/streams/live-streams.ts"
import { StreamTokens } from "../../features/realtime/streams/stream-tokens.ts"
import { TopicRelay } from "../../features/realtime/streams/topic-relay.ts"
import type { LiveTopicRequest } from "../../features/realtime/topics/read-topics.ts"
import type { Caller, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RealtimeConfig } from "../config/realtime-config.ts"

interface LiveDependencies {
  readonly config: RealtimeConfig | undefined
  readonly engine: Engine
  readonly database: Database
  readonly bus: MessageBus
  readonly channels: CompiledChannels
  readonly logger: Logger
  readonly sessions: SessionProvider
  /** Returns the secret that signs stream tokens, by which the app's processes recognise each other's streams. */
  secret(): Promise<string>
  readonly postgres: Pick<PostgresOptions, "maxConnections">
  /**
   * Removes the sessions of these users from the cache, so that they are read again. Undefined if the app has its own
   * session provider: kit is not notified of changes to its users, so a session must be read again from time to time.
   */
  readonly forgetSessions: ((userIds: ReadonlySet<string>) => void) | undefined
}

const DEFAULT_CONNECTIONS = 10
const DEFAULT_TOPICS = 100
const DEFAULT_STREAMS_PER_USER = 20
const DEFAULT_STREAMS_PER_ADDRESS = 100
const DEFAULT_QUERIES_PER_USER = 2_000
const DEFAULT_QUERIES_PER_ADDRESS = 1_000
const DEFAULT_BYTES_PER_CALLER = 16 * 1024 * 1024
const DEFAULT_BYTES = 64 * 1024 * 1024

/** Sets up live queries and channels. Nothing is opened before a client opens the first stream. */
export class OpenLive {
  readonly calls: LiveCalls
  readonly #streams: LiveStreams
  readonly #relay: TopicRelay
  readonly #notices: ChangeNotifier

  constructor(place: LiveDependencies) {
    const { config = {}, database, postgres, bus, logger, sessions, forgetSessions } = place
    const instance = crypto.randomUUID()
    const onError = (error: unknown) => logger.warn("An error occurred in live queries; they continue.", { error })
    this.#notices = new ChangeNotifier({
      instance,
      database,
      bus,
      onError,
      onChangesAvailable: () => this.#streams.wake(),
    })
    this.#streams = new LiveStreams({
      connection: database,
      instance,
      maxConcurrentQueries: Math.max(1, Math.floor((postgres.maxConnections ?? DEFAULT_CONNECTIONS) / 2)),
      snapshotBytes: {
        perCaller: config.snapshotBytesPerCaller ?? DEFAULT_BYTES_PER_CALLER,
        perProcess: config.snapshotBytes ?? DEFAULT_BYTES,
      },
      reportsSessionChanges: forgetSessions !== undefined,
      plan: (listener, topic) => plan(place, listener, topic),
      planChannel: (listener, { name, params }) =>
        withinLifetime(contextOf(place, listener), async (ctx) =>
          evaluateSubscribe(ctx, addressOf(place.channels, name, params)),
        ),
      run: (listener, read, onRead) =>
        withinLifetime(contextOf(place, listener), async (ctx) =>
          answerText(await read.run(ctx, onRead), listener.isExtended),
        ),
      readSession: async (headers) => sessions.read(headers),
      isOfUser: (change) => keyOfChange(change) === "collection users",
      forgetSessions: (ids) => forgetSessions?.(ids),
      isTemporary: (error) => isUnavailable(explainError(place.engine.schema, error)),
      onError,
      onChanges: (changes) => this.#relay.onChanges(changes),
      onOpened: () => this.#notices.listen(),
    })
    this.#relay = new TopicRelay({ instance, connection: database, bus, find: (id) => this.#streams.find(id) })
    this.calls = new LiveCalls({
      streams: this.#streams,
      relay: this.#relay,
      tokens: new StreamTokens(instance, () => place.secret()),
      limits: {
        topicsPerStream: config.topicsPerConnection ?? DEFAULT_TOPICS,
        streamsPerUser: config.connectionsPerUser ?? DEFAULT_STREAMS_PER_USER,
        streamsPerAddress: config.connectionsPerAddress ?? DEFAULT_STREAMS_PER_ADDRESS,
        queriesPerUser: config.queriesPerUser ?? DEFAULT_QUERIES_PER_USER,
        queriesPerAddress: config.queriesPerAddress ?? DEFAULT_QUERIES_PER_ADDRESS,
      },
    })
  }

  /** Notifies live queries; to be called after this process has committed changes. */
  notifyCommitted(): void {
    this.#notices.onCommitted()
  }

  /** Ends all live streams. */
  endStreams(): void {
    this.#streams.stop()
  }

  async close(): Promise<void> {
    this.endStreams()
    this.#relay.close()
    await this.#streams.close()
    await this.#notices.close()
  }
}

// All live queries in a process share connections as one caller, since each query runs once for all its subscribers.
const LIVE_QUERY_CALLER: Caller = { key: "live queries", hasLeft: false }

function contextOf({ engine, logger }: LiveDependencies, { session, locale }: StreamClient) {
  const located = engine.schema.locales.all.length > 1 ? { locale } : {}
  return engine.contextFor(session, { logger, caller: LIVE_QUERY_CALLER, ...located })
}

function plan(
  place: LiveDependencies,
  listener: StreamClient,
  { kind, name, options }: LiveTopicRequest,
): Promise<LiveRead> {
  const { schema } = place.engine
  const known = kind === "global" ? schema.globals : schema.collections
  return withinLifetime(contextOf(place, listener), async (ctx) => {
    if (known.has(name)) return planLiveRead(ctx, { kind, name }, { options, isText: false })
    const remedy = await suggestResource(ctx, name, known)
    throw new ApiError("NOT_FOUND", { message: `There is no ${kind} "${name}".${remedy}` })
  })
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE"
}
