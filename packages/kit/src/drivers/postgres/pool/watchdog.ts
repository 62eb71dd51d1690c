import type pg from "pg"
import type { PostgresConnection } from "../connection.ts"
import { PostgresProbe, type ProbeAnswer } from "../probe.ts"
import type { Backend, Traffic } from "../session.ts"

interface WatchdogOptions {
  readonly config: pg.ClientConfig
  readonly connections: ReadonlySet<PostgresConnection>
  readonly statementTimeoutMs: number
  /** The interval at which the watchdog checks the connections. It is one second, except in tests. */
  readonly tickMs: number
  /** Called after connections were closed because the server was silent on them. */
  readonly onSilence: (error: Error) => void
}

/** The state of a connection that waits for the server's reply and receives nothing. */
interface Silence {
  readonly traffic: Traffic
  /**
   * How many strikes are allowed in addition to `MAX_STRIKES` after a large write. The kernel may still be sending data
   * that it has buffered, and this process cannot observe that.
   */
  readonly extraStrikes: number
  ticks: number
  /** The number of consecutive probes that did not find the server executing the statement. */
  strikes: number
  /** True if the last probe found that the server is executing the statement. */
  isBusy: boolean
  nextProbeTick: number
}

// A silent connection is suspect after this many ticks. All times are counted in ticks, so that the time in which this
// process was suspended does not count as waiting.
const SUSPECT_TICKS = 2
const PROBE_TICKS = 4
const BUSY_TICKS = 4
// A connection is closed after this many strikes (probes that did not find the server busy). One strike is not enough,
// because the server's reply may be on its way during the first probe.
const MAX_STRIKES = 2
// A connection gets one extra strike for this many bytes written, because the kernel buffers up to some megabytes of
// unsent data. A network of 4 Mbit/s sends this many bytes in one tick.
const BYTES_PER_EXTRA_STRIKE = 512 * 1024
const MAX_EXTRA_STRIKES = 8
// The server cancels a statement that exceeds its time limit. The server's error message gets this many ticks to
// arrive.
const LIMIT_GRACE_TICKS = 5

/**
 * Finds connections that are open but will never get a reply, because the network drops packets or the server's machine
 * is gone. As a statement may also be slow or wait for a lock, the watchdog asks the server over a new connection
 * whether the session is busy. One timer watches all connections, so a statement itself has no overhead.
 */
export class PostgresWatchdog {
  readonly #options: WatchdogOptions
  readonly #silences = new Map<PostgresConnection, Silence>()
  /** The number of bytes that each connection had written at the last tick. */
  readonly #bytesWritten = new WeakMap<PostgresConnection, number>()
  #abandoned: readonly Backend[] = []
  #probe: { readonly running: PostgresProbe; readonly sinceTick: number } | undefined
  #tick = 0
  #nextCleanupTick = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /**
   * Starts the timer. The timer stops by itself when there is nothing to watch, and a new connection starts it again.
   */
  start(): void {
    this.#timer ??= setInterval(() => this.#onTick(), this.#options.tickMs).unref()
  }

  /**
   * Terminates the server sessions of silent connections, because the server may not notice that their sockets were
   * closed.
   */
  terminateSessions(connections: readonly PostgresConnection[]): void {
    this.#abandoned = [...this.#abandoned, ...connections.flatMap(({ backend }) => backend ?? [])]
    this.#nextCleanupTick = this.#tick
    if (this.#abandoned.length > 0) this.start()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#probe?.running.abort()
  }

  #onTick(): void {
    this.#tick++
    this.#listen()
    this.#closeSilent([...this.#silences].filter(([connection, silence]) => this.#isPastLimit(connection, silence)))
    if (this.#probe) this.#limitProbe(this.#probe)
    else if (this.#isProbeDue()) void this.#runProbe()
    else if (this.#options.connections.size === 0 && this.#abandoned.length === 0) this.stop()
  }

  #listen(): void {
    const { connections } = this.#options
    for (const connection of this.#silences.keys()) {
      if (!connections.has(connection) || !connection.awaitsAnswer) this.#silences.delete(connection)
    }
    for (const connection of connections) {
      const { traffic } = connection
      if (connection.awaitsAnswer) this.#listenTo(connection, traffic)
      this.#bytesWritten.set(connection, traffic.bytesWritten)
    }
  }

  #listenTo(connection: PostgresConnection, traffic: Traffic): void {
    const known = this.#silences.get(connection)
    if (known && !hasTraffic(known.traffic, traffic)) {
      known.ticks++
      return
    }
    const written = traffic.bytesWritten - (this.#bytesWritten.get(connection) ?? 0)
    const isSameStatement = known?.traffic.bytesRead === traffic.bytesRead
    const extraStrikes = Math.max(isSameStatement ? known.extraStrikes : 0, extraStrikesFor(written))
    this.#silences.set(connection, { traffic, extraStrikes, ticks: 0, strikes: 0, isBusy: false, nextProbeTick: 0 })
  }

  // True if a statement has received nothing for longer than the statement timeout. This matters where a probe cannot
  // find the session, e.g. behind a pooler. Elsewhere the server itself enforces the timeout.
  #isPastLimit(connection: PostgresConnection, { ticks, isBusy }: Silence): boolean {
    const { statementTimeoutMs, tickMs } = this.#options
    if (statementTimeoutMs === 0 || connection.hasOwnStatementTimeout || isBusy) return false
    return ticks * tickMs >= statementTimeoutMs + LIMIT_GRACE_TICKS * tickMs
  }

  #isProbeDue(): boolean {
    if (this.#abandoned.length > 0 && this.#tick >= this.#nextCleanupTick) return true
    return this.#suspects().some(([, { nextProbeTick }]) => this.#tick >= nextProbeTick)
  }

  #suspects(): [PostgresConnection, Silence][] {
    return [...this.#silences].filter(([, { ticks }]) => ticks >= SUSPECT_TICKS)
  }

  #limitProbe({ running, sinceTick }: { running: PostgresProbe; sinceTick: number }): void {
    if (this.#tick - sinceTick >= PROBE_TICKS) running.abort()
  }

  async #runProbe(): Promise<void> {
    const suspects = this.#suspects()
    const abandoned = this.#abandoned
    const backends = suspects.flatMap(([{ backend }]) => backend ?? [])
    const running = new PostgresProbe(this.#options.config, { suspects: backends, abandoned })
    this.#probe = { running, sinceTick: this.#tick }
    const answer = await running.answer
    this.#probe = undefined
    if (this.#timer === undefined) return
    this.#nextCleanupTick = this.#tick + BUSY_TICKS
    if (answer.kind === "answered") this.#abandoned = this.#abandoned.filter((backend) => !abandoned.includes(backend))
    const stillSilent = suspects.filter(([connection, silence]) => this.#isStillSilent(connection, silence))
    for (const [connection, silence] of stillSilent) this.#applyFinding(silence, findingOf(connection, answer))
    this.#closeSilent(stillSilent.filter(([, silence]) => silence.strikes >= maxStrikes(silence, answer)))
  }

  #isStillSilent(connection: PostgresConnection, silence: Silence): boolean {
    return this.#silences.get(connection) === silence && !hasTraffic(silence.traffic, connection.traffic)
  }

  #applyFinding(silence: Silence, finding: Finding): void {
    silence.isBusy = finding === "busy"
    silence.strikes = finding === "silent" ? silence.strikes + 1 : 0
    silence.nextProbeTick = this.#tick + (finding === "silent" ? 1 : BUSY_TICKS)
  }

  #closeSilent(silences: readonly [PostgresConnection, Silence][]): void {
    if (silences.length === 0) return
    const longestMs = Math.max(...silences.map(([, { ticks }]) => ticks)) * this.#options.tickMs
    for (const [connection, { ticks }] of silences) {
      this.#silences.delete(connection)
      connection.destroy(
        new Error(`Timeout: PostgreSQL has sent nothing for ${secondsOf(ticks * this.#options.tickMs)}.`),
      )
    }
    this.terminateSessions(silences.map(([connection]) => connection))
    this.#options.onSilence(connectionsClosed(silences.length, longestMs))
  }
}

type Finding = "busy" | "silent" | "unknown"

function findingOf({ backend }: PostgresConnection, answer: ProbeAnswer): Finding {
  if (answer.kind === "away") return "silent"
  if (answer.kind === "undecided" || backend === undefined) return "unknown"
  return answer.busyPids.has(backend.pid) ? "busy" : "silent"
}

function hasTraffic(before: Traffic, after: Traffic): boolean {
  return before.bytesRead !== after.bytesRead || before.bytesQueued !== after.bytesQueued
}

function extraStrikesFor(bytesWritten: number): number {
  return Math.min(MAX_EXTRA_STRIKES, Math.floor(bytesWritten / BYTES_PER_EXTRA_STRIKE))
}

function maxStrikes({ extraStrikes }: Silence, { kind }: ProbeAnswer): number {
  return kind === "away" ? MAX_STRIKES : MAX_STRIKES + extraStrikes
}

function connectionsClosed(count: number, silentMs: number): Error {
  const connections = count === 1 ? "A connection" : `${count} connections`
  return new Error(
    `Timeout: ${connections} to PostgreSQL got no answer for ${secondsOf(silentMs)} and ${count === 1 ? "was" : "were"} ` +
      "closed. The running statements failed, and writes may or may not have committed. Check the network to the database.",
  )
}

function secondsOf(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
