import { setTimeout as wait } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { present } from "../support/present.ts"
import { DatabaseLine } from "./backwards/database-line.ts"
import { ClientFollower, RawFollower } from "./backwards/follower.ts"
import { STEADY, STRUCK, TOPICS } from "./backwards/world.ts"
import { type Instance, startInstance } from "./live/start-instance.ts"

interface BackwardsOptions {
  /** An empty database. */
  readonly url: string
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
  /** Each with one strike. */
  readonly rounds: number
  readonly streams: number
  /** After this a topic that is not what it should be never will. */
  readonly patienceMs: number
}

const INSTANCE = new URL("backwards/instance.ts", import.meta.url)
const STRIKES = ["freeze", "hold some", "kill", "hold all", "cut"] as const
// One of this many streams uses the framework's client.
const CLIENT_EVERY = 4
const PAUSE_MS = 15
const ANSWER_MS = 4_000
const STRUCK_MS = { least: 700, more: 1_800 }
const MOVE_MS = { least: 20, more: 160 }

/**
 * Clients switch between two instances on one database, while one instance is frozen, killed or cut off from its
 * database, and writes go on without pause. No client ever sees an older state than before, and in the end all clients
 * see the current state.
 */
export async function soakBackwards(options: BackwardsOptions): ReturnType<Experiment["evaluate"]> {
  const experiment = new Experiment(options)
  try {
    await experiment.begin()
    for (let round = 0; round < options.rounds; round++) await experiment.round(round)
    return await experiment.evaluate()
  } finally {
    await experiment.end()
  }
}

class Experiment {
  lines: DatabaseLine[] = []
  addresses: string[] = []
  instances: Instance[] = []
  /** Nobody strikes it. */
  steady: Instance | undefined
  followers: (RawFollower | ClientFollower)[] = []
  writers: Promise<void>[] = []
  isWriting = true
  counts = { writes: 0, lostWrites: 0, moves: 0 }
  strikes: Record<string, number> = {}

  readonly options: BackwardsOptions
  readonly below

  constructor(options: BackwardsOptions) {
    this.options = options
    this.below = options.below
  }

  async begin() {
    for (const place of [0, 1]) {
      const line = new DatabaseLine(this.options.url)
      this.lines.push(line)
      this.addresses.push(await line.open())
      await this.#start(place)
    }
    await post(`${this.#instance(0).url}/prepare`, {})
    for (let count = 0; count < this.options.streams; count++) {
      const urlOf = (turn: number) => this.#instance(count + turn).url
      const isClient = count % CLIENT_EVERY === CLIENT_EVERY - 1
      this.followers.push(isClient ? new ClientFollower(urlOf) : new RawFollower(urlOf))
    }
    this.steady = await startInstance(this.options.url, INSTANCE)
    const steady = this.steady.url
    this.writers = [
      this.#write(() => [`${steady}/count`, { name: STEADY[this.below(STEADY.length)] }]),
      this.#write(() => [`${steady}/tick`, { isFlip: this.below(10) === 0 }]),
      this.#write(() => [`${this.#instance(this.below(2)).url}/count`, { name: STRUCK[this.below(STRUCK.length)] }]),
    ]
  }

  async round(round: number) {
    const strike = STRIKES[round % STRIKES.length] ?? "kill"
    const place = this.below(2)
    const heal = this.#strike(strike, place)
    await this.#moveFor(STRUCK_MS.least + this.below(STRUCK_MS.more))
    await heal()
    await this.#moveFor(STRUCK_MS.least)
    this.strikes[strike] = (this.strikes[strike] ?? 0) + 1
  }

  async evaluate() {
    this.isWriting = false
    await Promise.all(this.writers)
    const writtenAt = performance.now()
    const expected = await this.#expected()
    const isThere = () => this.followers.every(({ newest }) => isDeepStrictEqual(newest, expected))
    while (!isThere() && performance.now() - writtenAt < this.options.patienceMs) await wait(PAUSE_MS)
    const missing = this.followers.filter(({ newest }) => !isDeepStrictEqual(newest, expected))
    const faults = this.followers.flatMap((follower) => follower.faults)
    const endings = this.followers.flatMap((follower) => follower.endings)
    const sum = (of: (follower: RawFollower | ClientFollower) => number) =>
      this.followers.map(of).reduce((all, one) => all + one, 0)
    return {
      rounds: this.options.rounds,
      strikes: this.strikes,
      ...this.counts,
      streams: this.followers.length,
      connections: sum(({ connections }) => connections),
      snapshots: sum(({ snapshots }) => snapshots),
      convergedMs: Math.round(performance.now() - writtenAt),
      notConverged: missing.length,
      backwards: faults.length,
      ended: endings.length,
      faults: [...faults, ...endings].slice(0, 5),
    }
  }

  async end() {
    this.isWriting = false
    await Promise.all(this.followers.map((follower) => follower.close()))
    for (const instance of this.instances) instance.thaw()
    await Promise.all([...this.instances, ...(this.steady ? [this.steady] : [])].map((instance) => instance.kill()))
    await Promise.all(this.writers)
    for (const line of this.lines) line.close()
  }

  #instance(place: number): Instance {
    return present(this.instances[place % 2])
  }

  #line(place: number): DatabaseLine {
    return present(this.lines[place])
  }

  async #start(place: number) {
    this.instances[place] = await startInstance(String(this.addresses[place]), INSTANCE)
  }

  #strike(strike: (typeof STRIKES)[number], place: number): () => void | Promise<void> {
    const line = this.#line(place)
    const instance = this.#instance(place)
    if (strike === "kill") {
      const killed = instance.kill()
      return () => killed.then(() => this.#start(place))
    }
    if (strike === "freeze") {
      instance.freeze()
      return () => instance.thaw()
    }
    if (strike === "cut") line.cut()
    else if (strike === "hold some") line.holdUpSome(this.below)
    else line.holdUp()
    return () => line.letGo()
  }

  /** Moves clients from one instance to the other, one at a time. */
  async #moveFor(durationMs: number) {
    const until = performance.now() + durationMs
    while (performance.now() < until) {
      this.followers[this.below(this.followers.length)]?.move()
      this.counts.moves += 1
      await wait(MOVE_MS.least + this.below(MOVE_MS.more))
    }
  }

  /** Writes in sequence until the experiment ends. */
  async #write(next: () => [url: string, body: object]) {
    while (this.isWriting) {
      await post(...next()).then(
        () => this.counts.writes++,
        () => this.counts.lostWrites++,
      )
      await wait(PAUSE_MS)
    }
  }

  async #expected() {
    const { url } = present(this.steady)
    const entries = Object.entries(TOPICS).map(async ([name, { asked, measure }]) => {
      const { resourceType, resource, ...options } = asked
      const isGlobal = resourceType === "global"
      const data = isGlobal ? await get(`${url}/globals/${resource}`) : await post(`${url}/${resource}/query`, options)
      return [name, measure(data)]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
}

async function post(url: string, body: object) {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const headers = { "content-type": "application/json" }
  return read(await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal }))
}

async function get(url: string) {
  return read(await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }))
}

async function read(response: Response) {
  if (!response.ok) throw new Error(`It answered ${response.status}: ${await response.text()}`)
  return response.json()
}
