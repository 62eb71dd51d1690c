import { findTopic, shows } from "./live/find-topic.mjs"
import {
  Chance,
  FIRST_OF,
  firstRecord,
  openTopic,
  otherShape,
  PLAIN_TOPICS,
  randomTopic,
  randomWrite,
} from "./live/random.mjs"
import { watched } from "./live/random-reads.mjs"
import { stampsIn, Watcher } from "./live/watcher.mjs"

/**
 * @typedef {object} Instance
 * @property {string} url
 * @property {() => Promise<void>} kill
 *
 * @typedef {object} LiveOptions
 * @property {() => Promise<Instance>} start   another instance on the same, empty database
 * @property {(bound: number) => number} below  seeded: a whole number from 0 up to the bound
 * @property {number} topics
 * @property {number} batches
 * @property {number} transactions  in each batch
 * @property {number} strikes      in how many batches an instance is killed and replaced
 * @property {number} patienceMs   after this a topic that is not what it should be never will
 */

const WRITES = 5
const FIRST_RECORDS = 12
const PROMISED_MS = 2_000
const PEOPLE = ["ann", "bob", "eva", "jan"]
const READ_AT_ONCE = 4
const FIRST_ROLES = ["admin", "editor"]
const READABLE = ["users", "teams", "memberships", "projects", "tasks", "tags", "sections", "articles", "notes"]
/** All reads that show a user what the user may read. @type {readonly Record<string, any>[]} */
const READS = [
  ...READABLE.map((resource) => ({ resource })),
  { resource: "projects", read: { includeDeleted: true } },
  { resource: "articles", read: { includeDeleted: true } },
  ...["draft", "published"].flatMap((stage) => [
    { resource: "articles", read: { stage } },
    { resource: "articles", read: { stage, includeDeleted: true } },
  ]),
]
// The share of a user's own topics that have options which only watched reads have.
const WATCHED_PERCENT = 60

/**
 * After each batch of writes, the last snapshot of each topic equals the answer of `find` to the same user, on any
 * instance, across lost streams and killed instances. And no user ever receives data that they could not read.
 *
 * @param {LiveOptions} options
 */
export async function soakLive(options) {
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
  /** @type {Instance[]} */
  instances = []
  /** @type {Watcher[]} */
  watchers = []
  /** @type {(string | undefined)[]} the cookies of all who watch; one has none */
  cookies = [undefined]
  /** @type {Map<string | undefined, Set<string>>} the stamps that somebody could read at some moment */
  readable = new Map()
  /** @type {string[]} */
  faults = []
  /** @type {number[]} */
  lags = []
  counts = { writes: 0, refusedWrites: 0, lostWrites: 0, compared: 0, refusedTopics: 0, late: 0, kills: 0, leaks: 0 }
  /** @type {Record<string, number>} */
  refusals = {}

  /** @param {LiveOptions} options */
  constructor(options) {
    this.options = options
    this.chance = new Chance(options.below)
  }

  async begin() {
    this.instances = [await this.options.start(), await this.options.start()]
    for (const name of PEOPLE) this.cookies.push(await this.#signUp(name))
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
    const common = [...PLAIN_TOPICS, ...open.flatMap((topic) => [topic, otherShape(this.chance, topic)])]
    const own = () => {
      const topic = randomTopic(this.chance)
      const known = ids.get(String(topic["resource"])) ?? []
      return this.chance.is(WATCHED_PERCENT) ? watched(this.chance, topic, known) : topic
    }
    for (const [index, cookie] of this.cookies.entries()) {
      // Uses two streams on different instances.
      for (const [part, topics] of [common, Array.from({ length: half }, own)].entries()) {
        const url = () => this.#instance(index + part).url
        this.watchers.push(new Watcher({ cookie, isExtended: index % 2 === part, url, topics }))
      }
    }
  }

  /** @param {number} number */
  async batch(number) {
    const manner = /** @type {const} */ (["fast", "single", "watched"])[number % 3] ?? "fast"
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
    const at = (/** @type {number} */ share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
    const sum = (/** @type {(watcher: Watcher) => number} */ of) =>
      this.watchers.map(of).reduce((all, one) => all + one, 0)
    const faults = [...this.faults, ...this.watchers.flatMap((watcher) => watcher.faults)]
    return {
      ...this.counts,
      topics: sum(({ topics }) => topics.size),
      snapshots: sum(({ snapshots }) => snapshots),
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

  /** @param {number} place @returns {Instance} */
  #instance(place) {
    return /** @type {Instance} */ (this.instances[place % this.instances.length])
  }

  /** @param {string} name */
  async #signUp(name) {
    const body = { name, email: `${name}@example.com`, password: "correct horse" }
    const headers = { "content-type": "application/json", origin: new URL(this.#instance(0).url).origin }
    const url = `${this.#instance(0).url}/auth/sign-up/email`
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`Nobody could sign up: ${await response.text()}`)
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";", 1)[0])
      .join("; ")
  }

  /** @param {import("./live/write.mjs").Write[]} writes */
  async #write(writes) {
    const url = `${this.#instance(this.chance.below(2)).url}/write`
    const headers = { "content-type": "application/json" }
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ writes }) })
    if (!response.ok) throw new Error(`A transaction failed: ${await response.text()}`)
    const { done, refused } = await response.json()
    this.counts.writes += done
    this.counts.refusedWrites += refused.length
    for (const reason of refused) this.refusals[reason] = (this.refusals[reason] ?? 0) + 1
  }

  /**
   * Checks after each write, so that the next write cannot hide its effect.
   *
   * @param {string} label
   * @param {() => Promise<void>} look
   */
  async #writeOneByOne(label, look) {
    for (let count = 0; count < this.options.transactions; count++) {
      await this.#write([randomWrite(this.chance, label)])
      await look()
    }
  }

  /** Runs transactions one after the other: only then is it known which user could read what. @param {string} label */
  async #writeWatched(label) {
    for (const { stamps } of this.watchers) stamps.clear()
    for (const cookie of this.cookies) this.readable.set(cookie, new Set())
    await this.#noteReadable()
    for (const writes of this.#transactions(label)) {
      await this.#write(writes)
      await this.#noteReadable()
    }
  }

  /**
   * Runs all transactions concurrently, and may kill an instance meanwhile.
   *
   * @param {string} label
   * @param {boolean} isStruck
   */
  async #writeFast(label, isStruck) {
    const writing = this.#transactions(label).map((writes) =>
      this.#write(writes).catch(() => {
        this.counts.lostWrites += 1
      }),
    )
    if (isStruck) await this.#strike()
    await Promise.all(writing)
  }

  /** @param {string} label */
  #transactions(label) {
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
    /** @type {Map<string, string[]>} */
    const ids = new Map(READABLE.map((resource) => [resource, []]))
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
      const known = /** @type {Set<string>} */ (this.readable.get(cookie))
      await inTurns(READS, async (read) => {
        const { text } = await this.#find({ cookie }, { resourceType: "collection", ...read, limit: 1_000 })
        for (const stamp of stampsIn(text)) known.add(stamp)
      })
      const { text } = await this.#find({ cookie }, { resourceType: "global", resource: "settings" })
      for (const stamp of stampsIn(text)) known.add(stamp)
    }
  }

  /** @param {import("./live/find-topic.mjs").Caller} caller @param {Record<string, any>} topic */
  #find(caller, topic) {
    return findTopic(this.#instance(0).url, caller, topic)
  }

  /** @param {string} label */
  async #compareAll(label) {
    const writtenAt = performance.now()
    const all = this.watchers.flatMap((watcher) => [...watcher.topics.values()].map((topic) => ({ watcher, topic })))
    await inTurns(all, (each) => this.#compare(each, { label, writtenAt }))
  }

  /** @param {{ watcher: Watcher, topic: import("./live/watcher.mjs").Watched }} watched @param {{ label: string, writtenAt: number }} batch */
  async #compare({ watcher, topic }, { label, writtenAt }) {
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

  /** @param {string} label */
  #lookForLeaks(label) {
    for (const { cookie, stamps } of this.watchers) {
      const known = this.readable.get(cookie)
      const leaked = [...stamps].filter((stamp) => !known?.has(stamp))
      this.counts.leaks += leaked.length
      for (const stamp of leaked) this.faults.push(`after ${label}: ${stamp} was told to who could never read it`)
    }
  }
}

/** @template T @param {readonly T[]} all @param {(each: T) => Promise<void>} work */
async function inTurns(all, work) {
  const waiting = [...all]
  const one = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) await work(each)
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, one))
}

/** @param {Watcher} watcher @param {() => boolean} isRight @param {number} patienceMs @returns {Promise<boolean>} */
function until(watcher, isRight, patienceMs) {
  if (isRight()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const finish = (/** @type {boolean} */ outcome) => {
      clearTimeout(timer)
      watcher.off("told", look)
      resolve(outcome)
    }
    const look = () => isRight() && finish(true)
    const timer = setTimeout(() => finish(false), patienceMs)
    watcher.on("told", look)
  })
}
