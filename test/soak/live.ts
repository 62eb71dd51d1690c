import { present } from "../support/present.ts"
import { type Caller, findTopic, shows } from "./live/find-topic.ts"
import {
  Chance,
  FIRST_OF,
  firstRecord,
  openTopic,
  otherShape,
  PLAIN_TOPICS,
  randomTopic,
  randomWrite,
} from "./live/random.ts"
import { aggregated } from "./live/random-aggregates.ts"
import { endOf, rangeOf } from "./live/random-ranges.ts"
import { watched } from "./live/random-reads.ts"
import { stampsIn, type Watched, Watcher } from "./live/watcher.ts"
import type { Write, write } from "./live/write.ts"
import { signUp } from "./sign-up.ts"

interface Instance {
  readonly url: string
  readonly kill: () => Promise<void>
}

interface LiveOptions {
  /** Another instance on the same, empty database. */
  readonly start: () => Promise<Instance>
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
  readonly topics: number
  readonly batches: number
  /** In each batch. */
  readonly transactions: number
  /** In how many batches an instance is killed and replaced. */
  readonly strikes: number
  /** After this a topic that is not what it should be never will. */
  readonly patienceMs: number
}

const WRITES = 5
const FIRST_RECORDS = 12
const PROMISED_MS = 2_000
const PEOPLE = ["ann", "bob", "eva", "jan"]
const READ_AT_ONCE = 4
const FIRST_ROLES = ["admin", "editor"]
const READABLE = ["users", "teams", "memberships", "projects", "tasks", "tags", "sections", "articles", "notes"]
/** All reads that show a user what the user may read. */
const READS: readonly Record<string, any>[] = [
  ...READABLE.map((resource) => ({ resource })),
  { resource: "projects", read: { includeDeleted: true } },
  { resource: "articles", read: { includeDeleted: true } },
  ...["draft", "published"].flatMap((stage) => [
    { resource: "articles", read: { stage } },
    { resource: "articles", read: { stage, includeDeleted: true } },
  ]),
]
const READ_BY_ALL = { resourceType: "collection", resource: "tags" }
// The shares of a user's own topics that have options which only watched reads have, are aggregates, and have cursors.
const WATCHED_PERCENT = 60
const AGGREGATES_PERCENT = 20
const RANGES_PERCENT = 25
// The shares of the topics of all users.
const OPEN_AGGREGATES_PERCENT = 20
const OPEN_ENDS_PERCENT = 15

/**
 * After each batch of writes, the last snapshot of each topic equals the answer of `find` to the same user, on any
 * instance, across lost streams and killed instances. And no user ever receives data that they could not read.
 */
export async function soakLive(options: LiveOptions): Promise<ReturnType<Experiment["figures"]>> {
  const experiment = new Experiment(options)
  try {
    await experiment.begin()
    for (let batch = 1; batch <= options.batches; batch++) await experiment.batch(batch)
    return experiment.figures()
  } finally {
    await experiment.end()
  }
}

class Experiment {
  instances: Instance[] = []
  watchers: Watcher[] = []
  /** The cookies of all who watch; one has none. */
  cookies: (string | undefined)[] = [undefined]
  /** The stamps that somebody could read at some moment. */
  readable: Map<string | undefined, Set<string>> = new Map()
  faults: string[] = []
  lags: number[] = []
  counts = { writes: 0, refusedWrites: 0, lostWrites: 0, compared: 0, refusedTopics: 0, late: 0, kills: 0, leaks: 0 }
  refusals: Record<string, number> = {}

  readonly options: LiveOptions
  readonly chance

  constructor(options: LiveOptions) {
    this.options = options
    this.chance = new Chance(options.below)
  }

  async begin() {
    this.instances = [await this.options.start(), await this.options.start()]
    for (const name of PEOPLE) this.cookies.push(await signUp(this.#instance(0).url, name))
    for (const of of FIRST_OF) {
      const stamp = () => this.chance.stamp("first")
      await this.#write(Array.from({ length: FIRST_RECORDS }, () => firstRecord(this.chance, of, stamp())))
    }
    for (const [pick, role] of FIRST_ROLES.entries()) {
      await this.#write([{ kind: "update", of: "users", pick, data: { role } }])
    }
    await this.#watch()
    await this.#compareAll("the beginning")
  }

  /**
   * Subscribes every user to half of the topics with different rights, in pairs of topics that differ only in the
   * requested fields.
   */
  async #watch() {
    const ids = await this.#ids()
    const half = Math.ceil(this.options.topics / this.cookies.length / 2)
    const open = Array.from({ length: Math.ceil((half - PLAIN_TOPICS.length) / 2) }, () => openTopic(this.chance))
    const common = [...PLAIN_TOPICS, ...open.flatMap((topic) => this.#openPair(topic))]
    for (const [index, cookie] of this.cookies.entries()) {
      // A short run has an aggregate and a page by cursors, too, whatever the other topics are.
      const own = [aggregated(this.chance, READ_BY_ALL), endOf(this.chance, READ_BY_ALL)]
      while (own.length < half) own.push(await this.#ownTopic(cookie, ids))
      // Uses two streams on different instances.
      for (const [part, topics] of [common, own].entries()) {
        const url = () => this.#instance(index + part).url
        this.watchers.push(new Watcher({ cookie, isExtended: index % 2 === part, url, topics }))
      }
    }
  }

  #openPair(topic: Record<string, any>) {
    const { chance } = this
    const isCollection = topic["resourceType"] === "collection"
    if (isCollection && chance.is(OPEN_AGGREGATES_PERCENT))
      return [aggregated(chance, topic), aggregated(chance, topic)]
    const other = otherShape(chance, topic)
    return isCollection && chance.is(OPEN_ENDS_PERCENT) ? [endOf(chance, topic), endOf(chance, other)] : [topic, other]
  }

  #ownTopic(cookie: string | undefined, ids: Map<string, string[]>) {
    const { chance } = this
    const topic = randomTopic(chance)
    if (chance.is(AGGREGATES_PERCENT)) return aggregated(chance, topic)
    const known = ids.get(String(topic["resource"])) ?? []
    const read = chance.is(WATCHED_PERCENT) ? watched(chance, topic, known) : topic
    return chance.is(RANGES_PERCENT) ? rangeOf(chance, read, (page) => this.#find({ cookie }, page)) : read
  }

  async batch(number: number) {
    const manner = (["fast", "single", "watched"] as const)[number % 3] ?? "fast"
    const label = `${manner}${number}`
    if (manner === "single") await this.#writeOneByOne(label, () => this.#compareAll(label))
    else if (manner === "watched") await this.#writeWatched(label)
    else await this.#writeFast(label, this.counts.kills < (number * this.options.strikes) / this.options.batches)
    if (this.chance.is(50)) this.chance.of(this.watchers).reconnect()
    await this.#compareAll(label)
    if (manner === "watched") this.#lookForLeaks(label)
    for (const watcher of this.watchers) {
      if ([...watcher.topics.values()].some(({ error }) => error)) watcher.reconnect()
    }
  }

  figures() {
    const sorted = [...this.lags].sort((left, right) => left - right)
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
    const sum = (of: (watcher: Watcher) => number) => this.watchers.map(of).reduce((all, one) => all + one, 0)
    const faults = [...this.faults, ...this.watchers.flatMap((watcher) => watcher.faults)]
    return {
      ...this.counts,
      topics: sum(({ topics }) => topics.size),
      snapshots: sum(({ snapshots }) => snapshots),
      ranges: sum(({ ranges }) => ranges),
      aggregates: sum(({ aggregates }) => aggregates),
      confirmed: sum(({ confirmed }) => confirmed),
      connections: sum(({ connections }) => connections),
      lagMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
      refusals: this.refusals,
      divergences: faults.length,
      faults: faults.slice(0, 5),
    }
  }

  async end() {
    await Promise.all(this.watchers.map((watcher) => watcher.close()))
    await Promise.all(this.instances.map((instance) => instance.kill()))
  }

  #instance(place: number): Instance {
    return present(this.instances[place % this.instances.length])
  }

  async #write(writes: Write[]) {
    const url = `${this.#instance(this.chance.below(2)).url}/write`
    const headers = { "content-type": "application/json" }
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ writes }) })
    if (!response.ok) throw new Error(`A transaction failed: ${await response.text()}`)
    const { done, refused }: Awaited<ReturnType<typeof write>> = JSON.parse(await response.text())
    this.counts.writes += done
    this.counts.refusedWrites += refused.length
    for (const reason of refused) this.refusals[reason] = (this.refusals[reason] ?? 0) + 1
  }

  /** Checks after each write, so that the next write cannot hide its effect. */
  async #writeOneByOne(label: string, look: () => Promise<void>) {
    for (let count = 0; count < this.options.transactions; count++) {
      await this.#write([randomWrite(this.chance, label)])
      await look()
    }
  }

  /** Runs transactions one after the other: only then is it known which user could read what. */
  async #writeWatched(label: string) {
    for (const { stamps } of this.watchers) stamps.clear()
    for (const cookie of this.cookies) this.readable.set(cookie, new Set())
    await this.#noteReadable()
    for (const writes of this.#transactions(label)) {
      await this.#write(writes)
      await this.#noteReadable()
    }
  }

  /** Runs all transactions concurrently, and may kill an instance meanwhile. */
  async #writeFast(label: string, isStruck: boolean) {
    const writing = this.#transactions(label).map((writes) =>
      this.#write(writes).catch(() => {
        this.counts.lostWrites += 1
      }),
    )
    if (isStruck) await this.#strike()
    await Promise.all(writing)
  }

  #transactions(label: string) {
    return Array.from({ length: this.options.transactions }, () =>
      Array.from({ length: WRITES }, () => randomWrite(this.chance, label)),
    )
  }

  async #strike() {
    const place = this.chance.below(2)
    await this.#instance(place).kill()
    this.counts.kills += 1
    this.instances[place] = await this.options.start()
  }

  /** Returns the ids of the records that some user may read, by collection. */
  async #ids() {
    const ids: Map<string, string[]> = new Map(READABLE.map((resource) => [resource, []]))
    for (const cookie of this.cookies) {
      for (const resource of READABLE) {
        const { fresh } = await this.#find({ cookie }, { resourceType: "collection", resource, limit: 1_000 })
        for (const { id } of fresh?.docs ?? []) ids.get(resource)?.push(id)
      }
    }
    return ids
  }

  async #noteReadable() {
    for (const cookie of this.cookies) {
      const known = present(this.readable.get(cookie))
      await inTurns(READS, async (read) => {
        const { text } = await this.#find({ cookie }, { resourceType: "collection", ...read, limit: 1_000 })
        for (const stamp of stampsIn(text)) known.add(stamp)
      })
      const { text } = await this.#find({ cookie }, { resourceType: "global", resource: "settings" })
      for (const stamp of stampsIn(text)) known.add(stamp)
    }
  }

  #find(caller: Caller, topic: Record<string, any>) {
    return findTopic(this.#instance(0).url, caller, topic)
  }

  async #compareAll(label: string) {
    const writtenAt = performance.now()
    const all = this.watchers.flatMap((watcher) => [...watcher.topics.values()].map((topic) => ({ watcher, topic })))
    await inTurns(all, (each) => this.#compare(each, { label, writtenAt }))
  }

  async #compare(
    { watcher, topic }: { watcher: Watcher; topic: Watched },
    { label, writtenAt }: { label: string; writtenAt: number },
  ) {
    const { status, text, fresh, hash } = await this.#find(watcher, topic.asked)
    const isRefused = status !== 200
    const isRight = () => topic.error !== undefined || (!isRefused && shows(topic, { fresh, hash }))
    this.counts.compared += 1
    if (isRefused) this.counts.refusedTopics += 1
    if (status >= 500) this.faults.push(`find failed: ${text} ${JSON.stringify(topic.asked)}`)
    if (!(await until(watcher, isRight, this.options.patienceMs))) {
      const told = JSON.stringify(topic.data)
      this.faults.push(
        `after ${label}, ${watcher.cookie ? "somebody" : "anybody"} was told ${told} of ${JSON.stringify(topic.asked)} and finds ${text}`,
      )
    }
    const lag = Math.max(0, topic.toldAt - writtenAt)
    this.lags.push(lag)
    if (lag > PROMISED_MS) this.counts.late += 1
  }

  #lookForLeaks(label: string) {
    for (const { cookie, stamps } of this.watchers) {
      const known = this.readable.get(cookie)
      const leaked = [...stamps].filter((stamp) => !known?.has(stamp))
      this.counts.leaks += leaked.length
      for (const stamp of leaked) this.faults.push(`after ${label}: ${stamp} was told to who could never read it`)
    }
  }
}

async function inTurns<T>(all: readonly T[], work: (each: T) => Promise<void>) {
  const waiting = [...all]
  const one = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await work(each)
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, one))
}

function until(watcher: Watcher, isRight: () => boolean, patienceMs: number): Promise<boolean> {
  if (isRight()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const finish = (outcome: boolean) => {
      clearTimeout(timer)
      watcher.off("told", look)
      resolve(outcome)
    }
    const look = () => isRight() && finish(true)
    const timer = setTimeout(() => finish(false), patienceMs)
    watcher.on("told", look)
  })
}
