import type { PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import { withinLifetime } from "../../engine/context/lifetime.ts"
import { explainError } from "../../engine/database/database-errors.ts"
import type { LiveDocuments } from "../../engine/documents/live-documents.ts"
import type { Engine } from "../../engine/engine.ts"
import { ChangeNotifier } from "../../features/realtime/changes/change-notifier.ts"
import { WriteMarks } from "../../features/realtime/changes/write-marks.ts"
import { ChannelKind } from "../../features/realtime/channels/channel-kind.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { DocumentCalls } from "../../features/realtime/documents/document-calls.ts"
import { DocumentKind } from "../../features/realtime/documents/document-kind.ts"
import type { LiveEngine } from "../../features/realtime/live-engine.ts"
import { QueryKind } from "../../features/realtime/queries/query-kind.ts"
import { SessionKind } from "../../features/realtime/sessions/session-kind.ts"
import type { StreamClient } from "../../features/realtime/stream-client.ts"
import { LiveCalls } from "../../features/realtime/streams/live-calls.ts"
import { LiveStreams } from "../../features/realtime/streams/live-streams.ts"
import { StreamTokens } from "../../features/realtime/streams/stream-tokens.ts"
import { TopicRelay } from "../../features/realtime/streams/topic-relay.ts"
import type { ByteBudget } from "../../features/realtime/topics/byte-budget.ts"
import type { TopicKind } from "../../features/realtime/topics/topic-kind.ts"
import type { Caller, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RealtimeConfig } from "../config/realtime-config.ts"

interface LiveDependencies {
  readonly config: RealtimeConfig | undefined
  readonly engine: Engine
  readonly hasShortcuts: boolean
  readonly database: Database
  readonly bus: MessageBus
  readonly channels: CompiledChannels
  /** Undefined if the app has no collaborative field. */
  readonly documents: LiveDocuments | undefined
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

/** Sets up live queries, channels and documents. Nothing is opened before a client opens the first stream. */
export class OpenLive {
  readonly calls: LiveCalls
  readonly documentCalls: DocumentCalls
  readonly writeMarks: WriteMarks
  readonly #streams: LiveStreams
  readonly #relay: TopicRelay
  readonly #notifier: ChangeNotifier

  constructor(dependencies: LiveDependencies) {
    const { config = {} } = dependencies
    const engine = liveEngine(dependencies)
    this.writeMarks = new WriteMarks(engine)
    const maxConcurrentReads = concurrentReads(dependencies)
    const documents = new DocumentKind(engine, {
      documents: dependencies.documents,
      maxConcurrentReads,
    })
    this.documentCalls = documents.calls
    // All kinds of topics that a stream can have, in the order in which a request's topics are read.
    const kinds: readonly TopicKind[] = [
      new QueryKind(engine, { maxConcurrent: maxConcurrentReads, cacheBudget: snapshotBytes(config) }),
      new ChannelKind(engine, { channels: dependencies.channels, maxConcurrentReads }),
      documents,
      new SessionKind(engine.reportsSessionChanges),
    ]
    this.#notifier = new ChangeNotifier(engine, () => this.#streams.wake())
    this.#streams = new LiveStreams(engine, {
      kinds,
      unsentBytes: snapshotBytes(config),
      onChanges: (changes) => this.#relay.onChanges(changes),
      onOpened: () => this.#notifier.listen(),
    })
    this.#relay = new TopicRelay(engine, this.#streams)
    this.calls = new LiveCalls({
      kinds,
      streams: this.#streams,
      relay: this.#relay,
      tokens: new StreamTokens(engine.instance, () => dependencies.secret()),
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
    this.#notifier.onCommitted()
  }

  /** Ends all live streams. */
  endStreams(): void {
    this.#streams.stop()
  }

  async close(): Promise<void> {
    this.endStreams()
    this.#relay.close()
    await this.#streams.close()
    await this.#notifier.close()
  }
}

// Leaves half of the connections to requests.
function concurrentReads({ postgres: { maxConnections = DEFAULT_CONNECTIONS } }: LiveDependencies): number {
  return Math.max(1, Math.floor(maxConnections / 2))
}

// The byte budget for the snapshots that are cached for new subscribers. The snapshots that slow clients have not read
// have a second budget of the same size.
function snapshotBytes({ snapshotBytesPerCaller, snapshotBytes }: RealtimeConfig): ByteBudget {
  return { perCaller: snapshotBytesPerCaller ?? DEFAULT_BYTES_PER_CALLER, perProcess: snapshotBytes ?? DEFAULT_BYTES }
}

function liveEngine(dependencies: LiveDependencies): LiveEngine {
  const { engine, hasShortcuts, database, bus, logger, sessions, forgetSessions } = dependencies
  return {
    instance: crypto.randomUUID(),
    hasShortcuts,
    connection: database,
    bus,
    runAs: (client, task) => withinLifetime(contextOf(dependencies, client), task),
    readSession: async (headers) => sessions.read(headers),
    reportsSessionChanges: forgetSessions !== undefined,
    forgetSessions: (userIds) => forgetSessions?.(userIds),
    isTemporary: (error) => isUnavailable(explainError(engine.schema, error)),
    onError: (error) => logger.warn("An error occurred in live queries; they continue.", { error }),
  }
}

// All live queries in a process share connections as one caller, since each query runs once for all its subscribers.
const LIVE_QUERY_CALLER: Caller = { key: "live queries", hasLeft: false }

function contextOf({ engine, logger }: LiveDependencies, { session, locale }: StreamClient) {
  const located = engine.schema.locales.all.length > 1 ? { locale } : {}
  return engine.contextFor(session, { logger, caller: LIVE_QUERY_CALLER, ...located })
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE"
}
