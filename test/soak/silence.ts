import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { startForwardingProxy } from "../support/processes/forwarding-proxy.ts"
import { startInstance } from "./live/start-instance.ts"

interface SilenceOptions {
  /** An empty database. */
  readonly url: string
  /** How many send requests at the same time. */
  readonly clients: number
  /** The number of rounds of each kind of silence. */
  readonly rounds: number
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

const INSTANCE = new URL("silence/instance.ts", import.meta.url)
// The rows that all clients write: a lock that is left behind on one of them becomes visible.
const SHARED_ROWS = 4
const OUTAGE_MIN_MS = 5_000
const OUTAGE_SPREAD_MS = 35_000
const LOAD_BEFORE_MS = 2_000
const IDLE_MS = 5_000
// The experiment regards the fault as over after this time without a failure.
const CALM_MS = 8_000
const GIVE_UP_MS = 200_000
const LOOK_EVERY_MS = 20

/**
 * The kinds of faults. "old": under load, existing connections fall silent and new ones work. "all": under load,
 * existing connections fall silent and new ones get no answer for a while. "idle": as "old", without load.
 */
const KINDS = ["old connections", "all connections", "idle connections"] as const

/**
 * When the network between a process and its database drops every packet, the process recovers by itself. Every
 * acknowledged write is stored, and none is stored twice.
 */
export async function soakSilence({ url, clients, rounds, below }: SilenceOptions) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const proxy = await startForwardingProxy(url)
  const instance = await startInstance(proxy.url, INSTANCE)
  const load = new Load(instance.url, below)
  try {
    await load.prepare()
    const results = []
    for (let round = 0; round < rounds * KINDS.length; round++) {
      const kind = KINDS[round % KINDS.length] ?? KINDS[0]
      results.push({ kind, ...(await runRound({ kind, proxy, load, clients, below })) })
      console.log(results.at(-1))
    }
    return { clients, ...(await evaluate(client, load)), rounds: results }
  } finally {
    load.stop()
    await instance.kill()
    await proxy.close()
    await client.end()
  }
}

type SilentProxy = Awaited<ReturnType<typeof startForwardingProxy>>

async function runRound({
  kind,
  proxy,
  load,
  clients,
  below,
}: {
  kind: (typeof KINDS)[number]
  proxy: SilentProxy
  load: Load
  clients: number
  below: SilenceOptions["below"]
}) {
  load.start(clients)
  await wait(LOAD_BEFORE_MS + below(LOAD_BEFORE_MS))
  if (kind === "idle connections") {
    await load.drain()
    await wait(IDLE_MS)
  }
  load.reset()
  proxy.silence()
  let outageMs = 0
  if (kind === "all connections") {
    outageMs = OUTAGE_MIN_MS + below(OUTAGE_SPREAD_MS)
    proxy.shut()
    await wait(outageMs)
    proxy.open()
  }
  // The time is measured from here: the beginning of the silence, or the return of the network.
  load.countSuccesses()
  if (kind === "idle connections") load.start(clients)
  await untilCalm(load)
  await load.drain()
  return { outageMs, ...load.figures() }
}

async function untilCalm(load: Load) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  while (!load.isCalm) {
    if (performance.now() > giveUpAt) throw new Error(`No recovery within ${GIVE_UP_MS / 1000} s.`)
    await wait(LOOK_EVERY_MS)
  }
}

/** Clients that read and write without pause. */
class Load {
  acknowledged: string[] = []
  #statuses: Map<number, number> = new Map()
  #running: Promise<void>[] = []
  #isStopped = false
  #sent = 0
  /** The time from which successes count. */
  #since = Number.POSITIVE_INFINITY
  #firstSuccessAt = Number.POSITIVE_INFINITY
  #lastFailureAt = 0
  #failed = 0
  #slowestMs = 0

  readonly url: string
  readonly below: SilenceOptions["below"]

  constructor(url: string, below: SilenceOptions["below"]) {
    this.url = url
    this.below = below
  }

  async prepare() {
    for (let row = 0; row < SHARED_ROWS; row++) {
      const { status } = await this.#send("POST", "/counters", { id: `row-${row}`, text: "" })
      if (status !== 201) throw new Error(`The experiment cannot begin: ${status}.`)
    }
  }

  start(clients: number) {
    this.#isStopped = false
    this.#running = Array.from({ length: clients }, () => this.#run())
  }

  stop() {
    this.#isStopped = true
  }

  async drain() {
    this.stop()
    await Promise.all(this.#running)
  }

  reset() {
    this.#since = Number.POSITIVE_INFINITY
    this.#firstSuccessAt = Number.POSITIVE_INFINITY
    this.#lastFailureAt = 0
    this.#failed = 0
    this.#slowestMs = 0
  }

  countSuccesses() {
    this.#since = performance.now()
  }

  get isCalm() {
    const calmSince = Math.max(this.#lastFailureAt, this.#firstSuccessAt)
    return performance.now() > calmSince + CALM_MS
  }

  figures() {
    return {
      firstSuccessMs: Math.round(this.#firstSuccessAt - this.#since),
      lastFailureMs: Math.max(0, Math.round(this.#lastFailureAt - this.#since)),
      failed: this.#failed,
      slowestMs: Math.round(this.#slowestMs),
    }
  }

  get statuses() {
    return Object.fromEntries([...this.#statuses].sort())
  }

  async #run() {
    while (!this.#isStopped) {
      const sentAt = performance.now()
      const status = await this.#sendOne()
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
      this.#note(sentAt, status < 400)
    }
  }

  #note(sentAt: number, isDone: boolean) {
    const now = performance.now()
    this.#slowestMs = Math.max(this.#slowestMs, now - sentAt)
    if (isDone && sentAt >= this.#since) this.#firstSuccessAt = Math.min(this.#firstSuccessAt, now)
    if (isDone) return
    this.#failed += 1
    this.#lastFailureAt = now
  }

  async #sendOne() {
    const choice = this.below(4)
    if (choice === 0) return (await this.#send("GET", "/notes?limit=5")).status
    const key = `key-${this.#sent++}`
    if (choice === 1)
      return (await this.#send("PATCH", `/counters/row-${this.below(SHARED_ROWS)}`, { text: key })).status
    const { status } = await this.#send("POST", "/notes", { key })
    if (status === 201) this.acknowledged.push(key)
    return status
  }

  async #send(method: string, path: string, data?: object) {
    const body =
      data === undefined ? {} : { body: JSON.stringify(data), headers: { "content-type": "application/json" } }
    const response = await fetch(this.url + path, { method, ...body })
    await response.arrayBuffer()
    return response
  }
}

/** Checks the table, read directly with SQL. */
async function evaluate(client: pg.Client, load: Load) {
  const { rows } = await client.query("select key, count(*)::integer as count from notes group by key")
  const stored = new Set(rows.map(({ key }) => key))
  return {
    acknowledged: load.acknowledged.length,
    stored: stored.size,
    lost: load.acknowledged.filter((key) => !stored.has(key)).length,
    doubles: rows.filter(({ count }) => count > 1).length,
    statuses: load.statuses,
  }
}
