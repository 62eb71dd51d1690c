import { keyOfChange } from "../../../engine/operations/reads/live.ts"
import type { OpenBody, Outlet, OutletCallbacks } from "../../../ports/http.ts"
import { type CommittedChange, WRITE_MARK } from "../../../sql/changes/read-changes.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { PING_INTERVAL_MS } from "../../../wire/realtime/live-events.ts"
import { ChangeFeed } from "../changes/change-feed.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamCaller, StreamClient } from "../stream-client.ts"
import type { ByteBudget } from "../topics/byte-budget.ts"
import type { TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import { LiveStream, type StreamDependencies } from "./live-stream.ts"
import { RuleEvaluations } from "./rule-evaluations.ts"
import type { StreamCredentials } from "./stream-tokens.ts"
import { UnsentSnapshots } from "./unsent-snapshots.ts"

interface StreamsOptions {
  /** The kinds of topics that a stream can have. */
  readonly kinds: readonly TopicKind[]
  /** The byte budget for the snapshots that slow clients have not read. */
  readonly unsentBytes: ByteBudget
  /** Called with the committed changes after the streams have handled them. */
  onChanges(changes: readonly CommittedChange[]): void
  /** Called when a stream has been opened. */
  onOpened(): void
}

/** The client, topics and credentials of a stream whose response has not begun yet. */
interface RequestedStream {
  readonly client: StreamClient
  readonly topics: readonly TopicRequest[]
  readonly credentials: StreamCredentials
}

// A client that reads nothing for this long is considered gone, and its stream is ended.
const MAX_BLOCKED_MS = 60_000
const RETURN_MS = 500
// The key of the resource whose records are the users that sessions belong to.
const USERS = "collection users"

/** All streams of this process. Opens streams, passes committed changes to them, and ends them. */
export class LiveStreams {
  readonly #engine: LiveEngine
  readonly #options: StreamsOptions
  readonly #streams = new Map<string, LiveStream>()
  /** The number of open streams of each caller. */
  readonly #counts = new Map<string, number>()
  readonly #feed: ChangeFeed
  readonly #dependencies: StreamDependencies
  #pinging: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(engine: LiveEngine, options: StreamsOptions) {
    this.#engine = engine
    this.#options = options
    this.#feed = new ChangeFeed(engine, {
      onChanges: (changes) => this.#onChanges(changes),
      onGap: () => this.#recheckEverything(),
    })
    this.#dependencies = {
      engine,
      kinds: options.kinds,
      evaluations: new RuleEvaluations(engine, this.#feed),
      unsent: new UnsentSnapshots(options.unsentBytes),
      onClosed: (stream) => this.#forget(stream),
    }
  }

  /** Reads the new changes that this process or another one may have committed. */
  wake(): void {
    this.#feed.wake()
  }

  find(id: string): LiveStream | undefined {
    return this.#streams.get(id)
  }

  /** Returns the response body on which the client gets the events of its topics. */
  open(requested: RequestedStream): OpenBody {
    const { caller } = requested.client
    if (this.#isStopping) throw new ApiError("SERVICE_UNAVAILABLE", { message: "The server is about to stop." })
    this.#count(caller)
    return {
      open: (outlet) => this.#begin(requested, outlet),
      discard: () => this.#uncount(caller),
    }
  }

  /** Sends a `bye` event on every stream and ends all streams. */
  stop(): void {
    this.#isStopping = true
    for (const stream of [...this.#streams.values()]) stream.sendBye(RETURN_MS)
    this.#stopFeed()
  }

  /** Called when the process is about to stop, after `stop`. */
  async close(): Promise<void> {
    await Promise.all(this.#options.kinds.map((kind) => kind.close()))
  }

  #begin({ client, topics, credentials }: RequestedStream, outlet: Outlet): OutletCallbacks {
    const stream = new LiveStream(this.#dependencies, { credentials, client, outlet })
    this.#streams.set(stream.id, stream)
    this.#options.onOpened()
    this.#keepAlive()
    if (this.#isStopping) stream.sendBye(RETURN_MS)
    else this.#start(stream, topics)
    return {
      onDrained: () => stream.drained(),
      onClosing: () => stream.sendBye(RETURN_MS),
      onClosed: () => stream.close(),
    }
  }

  // Starts the topics of a new stream. The session is read again, because it may have ended before the stream could be
  // notified. If the change feed does not report sessions, the stream polls its session anyway.
  #start(stream: LiveStream, topics: readonly TopicRequest[]): void {
    if (stream.userId !== undefined && this.#engine.reportsSessionChanges) stream.checkSession()
    stream.setTopics(topics)
  }

  #count({ key, maxStreams }: StreamCaller): void {
    const count = this.#counts.get(key) ?? 0
    if (count >= maxStreams) {
      throw new ApiError("RATE_LIMITED", {
        message: `At most ${maxStreams} streams may be open at the same time. Close one.`,
      })
    }
    this.#counts.set(key, count + 1)
  }

  #uncount({ key }: StreamCaller): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  #forget(stream: LiveStream): void {
    this.#streams.delete(stream.id)
    this.#uncount(stream.client.caller)
    if (this.#streams.size === 0) this.#stopFeed()
  }

  // Stops reading changes and sending pings, because no stream is open any more.
  #stopFeed(): void {
    clearInterval(this.#pinging)
    this.#pinging = undefined
    this.#feed.close()
  }

  // Passes committed changes first to the streams, which evaluate their rules again, and then to the kinds of topics.
  // Otherwise data could be sent that a client may no longer read.
  async #onChanges(changes: readonly CommittedChange[]): Promise<void> {
    this.#passToStreams(changes)
    this.#options.onChanges(changes)
    await Promise.all(this.#options.kinds.map((kind) => kind.onChanges(changes)))
    this.#announceWrites(changes)
  }

  // Passes the ended writes to the streams of their clients. This comes last: by now, every topic that has to show one of
  // the writes knows that its result is out of date.
  #announceWrites(changes: readonly CommittedChange[]): void {
    const writes = writesByWriter(changes)
    if (writes.size === 0) return
    for (const { writer, ownWrites } of this.#streams.values()) {
      const own = writer !== undefined && writes.get(writer)
      if (own) ownWrites.announce(own)
    }
  }

  #passToStreams(changes: readonly CommittedChange[]): void {
    const resources = new Set(changes.map(keyOfChange))
    const users = new Set(changes.filter((change) => keyOfChange(change) === USERS).map(({ record }) => record))
    if (users.size > 0) this.#engine.forgetSessions(users)
    for (const stream of this.#streams.values()) {
      if (stream.userId !== undefined && users.has(stream.userId)) stream.pauseAndCheckSession()
      else stream.reevaluateRules(resources)
    }
  }

  #recheckEverything(): void {
    for (const stream of this.#streams.values()) stream.pauseAndCheckSession()
    for (const kind of this.#options.kinds) kind.onGap()
  }

  #keepAlive(): void {
    this.#pinging ??= setInterval(() => this.#ping(), PING_INTERVAL_MS).unref()
  }

  #ping(): void {
    const text = `event: ping\ndata: {"ts":${Date.now()}}\n\n`
    const longBlocked = performance.now() - MAX_BLOCKED_MS
    for (const stream of [...this.#streams.values()]) {
      if ((stream.events.blockedAt ?? Number.POSITIVE_INFINITY) < longBlocked) stream.cut()
      else stream.events.ping(text)
    }
  }
}

function writesByWriter(changes: readonly CommittedChange[]): ReadonlyMap<string, readonly string[]> {
  const writes = new Map<string, string[]>()
  for (const { resourceKind, resource: writer, record: id } of changes) {
    if (resourceKind !== WRITE_MARK) continue
    const others = writes.get(writer)
    if (others) others.push(id)
    else writes.set(writer, [id])
  }
  return writes
}
