import { needsMore } from "../support/needs-more.ts"
import { Chance } from "./live/random.ts"
import { Aggregates } from "./worlds/aggregates.ts"
import { CALLERS, type Caller } from "./worlds/callers.ts"
import { House } from "./worlds/content.ts"
import { Exceptions } from "./worlds/exceptions.ts"
import { addFirstRecords } from "./worlds/first-records.ts"
import { LivePart } from "./worlds/live-part.ts"
import { modelOf } from "./worlds/model.ts"
import { Pair } from "./worlds/pair.ts"
import { Reads } from "./worlds/reads.ts"
import { Searches } from "./worlds/searches.ts"
import { Secrets } from "./worlds/secrets.ts"
import { Walks } from "./worlds/walks.ts"
import { Workers } from "./worlds/workers.ts"
import { type Jobs, type Query, type Request, World } from "./worlds/world.ts"
import { Writes } from "./worlds/writes.ts"

interface WorldsOptions {
  /** An app on an empty database. */
  readonly start: (
    model: ReturnType<typeof modelOf>,
  ) => Promise<{ app: any; query: Query; jobs: Jobs; stop: () => Promise<void> }>
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
  /** In all, sent to both worlds. */
  readonly requests: number
  /** Requests to the same two worlds. */
  readonly perRound: number
  /** Followed in each world, in some rounds. */
  readonly topics: number
  /** Topics are followed in the second of so many rounds. */
  readonly liveEvery: number
  /** False while another round is needed, because something has not occurred in these. */
  readonly isComplete?: (figures: Figures["result"]) => boolean
  readonly onRound?: (progress: object) => void
}

const START = Date.parse("2027-01-01T00:00:00Z")
const SECRETS = 40
const SEARCHES_PERCENT = 20
const AGGREGATES_PERCENT = 15
// Each has several requests.
const WALKS_PERCENT = 6
// How many successful writes are followed by a search for what was written, with a typing error.
const ECHOES_PERCENT = 40
const BATCH = 60
const MAX_SHOWN = 10

// Names that callers may not learn; one of them is similar to a name that they may know.
const NAMES = [
  { hidden: "note", vault: "vault" },
  { hidden: "titles", vault: "vaults" },
]

/**
 * Two worlds are the same to some callers, and differ in all data that is hidden from these callers. For every read,
 * write or subscription of these callers, both worlds answer the same.
 */
export async function soakWorlds(options: WorldsOptions): Promise<Figures["result"]> {
  const { isComplete = () => true } = options
  const figures = new Figures()
  const goal = () => ({ cases: options.requests, isComplete: figures.isBroken || isComplete(figures.result) })
  for (let round = 0; needsMore(figures.requests, goal()); round++) {
    const missing = options.requests - figures.requests
    const requests = missing > 0 ? Math.min(options.perRound, missing) : options.perRound
    await runRound({ ...options, requests }, { round, figures })
    options.onRound?.({ round, ...figures.counts, ...figures.found })
  }
  return figures.result
}

async function runRound(options: WorldsOptions, { round, figures }: { round: number; figures: Figures }) {
  const chance = new Chance(options.below)
  // An editor sees nearly everything, so editors are chosen less often.
  const callers = CALLERS.filter((caller) => chance.is(caller === "ed" ? 25 : 40))
  if (callers.length === 0) callers.push(chance.of(CALLERS))
  const experiment = new Round({ options, callers, chance, isLive: round % options.liveEvery === 1 })
  try {
    await experiment.begin()
    await experiment.run()
  } catch (error) {
    if (!(experiment.pair?.isApart ?? false)) throw error
  } finally {
    await experiment.end()
  }
  figures.add(experiment)
}

class Round {
  pair: Pair | undefined
  live: LivePart | undefined
  walks: Walks | undefined
  workers: Workers | undefined
  secrets: Secrets | undefined
  exceptions: Exceptions | undefined
  /** The number of misspelled searches for what was just written that have found something. */
  echoes = 0
  #worlds: World[] = []

  readonly options
  readonly callers
  readonly chance
  readonly isLive
  readonly house
  readonly reads
  readonly searches
  readonly aggregates
  readonly writes

  constructor({
    options,
    callers,
    chance,
    isLive,
  }: { options: WorldsOptions; callers: Caller[]; chance: Chance; isLive: boolean }) {
    this.options = options
    this.callers = callers
    this.chance = chance
    this.isLive = isLive
    this.house = new House(chance)
    this.reads = new Reads(this.house)
    this.searches = new Searches(this.reads)
    this.aggregates = new Aggregates(this.reads)
    this.writes = new Writes(this.house)
  }

  async begin() {
    const clock = { ms: START }
    for (const names of NAMES) {
      const model = modelOf({ names, now: () => new Date(clock.ms) })
      this.#worlds.push(new World({ names, ...(await this.options.start(model)) }))
    }
    this.pair = new Pair({ worlds: this.#worlds, chance: this.chance, clock })
    const scene = { pair: this.pair, house: this.house, callers: this.callers }
    await addFirstRecords(scene)
    this.secrets = new Secrets(scene)
    this.exceptions = new Exceptions(scene)
    await this.secrets.fillHiddenFields()
    await this.#keepSecrets(SECRETS)
    this.workers = new Workers({ worlds: this.#worlds, chance: this.chance })
    const { pair, reads } = this
    const walks = new Walks({ pair, reads, keepSecret: () => this.#keepSecrets(1) })
    this.walks = walks
    if (!this.isLive) return
    this.live = new LivePart({ pair, reads, walks, callers: this.callers })
    await this.live.open(this.options.topics)
  }

  /** Stops as soon as the worlds differ, because everything afterwards would differ too. */
  async run() {
    const { pair } = this
    while (pair && !pair.isApart && pair.requests < this.options.requests) {
      await this.workers?.change()
      for (let count = 0; count < BATCH && !pair.isApart; count++) await this.#step()
      if (pair.isApart) return
      const somebody = this.callers.filter((caller) => caller !== "nobody")
      if (somebody.length > 0) await this.exceptions?.provoke(this.chance.of(somebody))
      await this.live?.compare()
      if (this.live) await this.live.expectSilence(() => this.#keepSecrets(8))
      else await this.#keepSecrets(4)
    }
  }

  async end() {
    await this.live?.close()
    for (const world of this.#worlds) await world.stop()
  }

  async #step() {
    const caller = this.chance.of(this.callers)
    if (this.chance.is(WALKS_PERCENT)) return this.walks?.walk(caller)
    if (this.chance.is(65)) {
      await this.pair?.ask(this.#read(caller))
      return
    }
    const request = this.writes.next(caller)
    const answer = await this.pair?.ask(request)
    if (answer) this.writes.learn(request, answer)
    if (answer && answer.status < 300 && this.chance.is(ECHOES_PERCENT)) await this.#echo(request)
  }

  #read(caller: Caller) {
    if (this.chance.is(SEARCHES_PERCENT)) return this.searches.next(caller)
    return this.chance.is(AGGREGATES_PERCENT) ? this.aggregates.next(caller) : this.reads.next(caller)
  }

  /** Searches what the caller has just written. */
  async #echo({ caller, body }: Request) {
    const search = this.searches.echo(caller, JSON.stringify(body ?? ""))
    const answer = search && (await this.pair?.ask(search))
    if (answer && JSON.parse(answer.text).total > 0) this.echoes += 1
  }

  async #keepSecrets(count: number) {
    for (let kept = 0; kept < count; kept++) await this.secrets?.keep()
  }
}

class Figures {
  requests = 0
  rounds = 0
  topics = 0
  events = 0
  silences = 0
  echoes = 0
  workers = { heldUp: 0, running: 0, caughtUp: 0 }
  exceptions = { unique: 0, id: 0, restrict: 0 }
  statuses: Record<string, number> = {}
  tried: Record<string, number> = {}
  differences: object[] = []
  faults: string[] = []
  #foundLast: unknown[] = []

  get isBroken() {
    return this.differences.length + this.faults.length > 0
  }

  /** The findings of the last round, if any. */
  get found() {
    return this.#foundLast.length === 0 ? {} : { found: this.#foundLast }
  }

  get counts() {
    const { requests, differences, faults } = this
    return { requests, differences: differences.length, faults: faults.length }
  }

  get result() {
    const { requests, rounds, topics, events, silences, echoes, workers, exceptions, tried } = this
    const statuses = Object.fromEntries(Object.entries(this.statuses).sort())
    return {
      ...{ requests, rounds, topics, events, silences, echoes, workers, exceptions, statuses, tried },
      ...{ differences: this.differences.length, faults: this.faults.length },
      shown: [...this.differences, ...this.faults].slice(0, MAX_SHOWN),
    }
  }

  add({ pair, live, exceptions, callers, echoes, workers }: Round) {
    if (!pair) return
    this.rounds += 1
    this.requests += pair.requests
    this.topics += live?.topics ?? 0
    this.events += live?.events ?? 0
    this.silences += live?.silences ?? 0
    this.echoes += echoes
    for (const state of ["heldUp", "running", "caughtUp"] as const) {
      this.workers[state] += workers?.counts[state] ?? 0
    }
    const { unique = 0, id = 0, restrict = 0 } = exceptions?.counts ?? {}
    this.exceptions = {
      ...{ unique: this.exceptions.unique + unique, id: this.exceptions.id + id },
      restrict: this.exceptions.restrict + restrict,
    }
    for (const [name, count] of Object.entries(pair.tried)) this.tried[name] = (this.tried[name] ?? 0) + count
    for (const [name, count] of Object.entries(pair.statuses)) this.statuses[name] = (this.statuses[name] ?? 0) + count
    const differences = pair.differences.map((each) => ({ callers, atRequest: pair.requests, ...each }))
    this.differences.push(...differences)
    this.faults.push(...pair.faults)
    this.#foundLast = [...differences, ...pair.faults]
  }
}
