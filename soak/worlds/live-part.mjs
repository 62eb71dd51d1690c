// The live queries of a round: 60 topics in each world. They must end with equal results, and must send nothing when
// only hidden data changes.
import { Follower } from "./follower.mjs"
import { randomTopic, requestOf, shownBy } from "./topics.mjs"

/** @typedef {import("./callers.mjs").Caller} Caller */

const PATIENCE_MS = 60_000
const TRIES = 6

export class LivePart {
  /** @type {Follower[]} */
  #followers = []
  #beacon = 0
  topics = 0
  silences = 0

  /**
   * @param {{ pair: import("./pair.mjs").Pair, reads: import("./reads.mjs").Reads, callers: readonly Caller[] }} parts
   */
  constructor({ pair, reads, callers }) {
    this.pair = pair
    this.reads = reads
    this.callers = callers
  }

  /**
   * Opens the streams. Every caller subscribes to half of the topics: equal queries with different rights.
   *
   * @param {number} count of topics in each world
   */
  async open(count) {
    /** @type {Record<string, any>[]} */
    const common = []
    for (const [index, caller] of this.callers.entries()) {
      const share = Math.floor(count / this.callers.length) + (index < count % this.callers.length ? 1 : 0)
      const topics = common.slice(0, Math.floor(share / 2))
      while (topics.length < share) topics.push(await this.#answerable(caller))
      if (index === 0) common.push(...topics)
      for (const world of this.pair.worlds) this.#followers.push(new Follower({ world, caller, topics }))
      this.topics += share
    }
    for (const follower of this.#followers) await follower.open()
    await this.compare()
  }

  /** Checks that the last snapshot of each topic equals the answer of `find`, in both worlds. */
  async compare() {
    await this.#light()
    for (const follower of this.#followers.filter(({ world }) => world === this.pair.worlds[0])) {
      await this.#compareTopics(follower)
    }
    await this.#light()
  }

  /** Checks that no stream sends anything while only secrets are written. @param {() => Promise<void>} keepSecrets */
  async expectSilence(keepSecrets) {
    const before = this.#followers.map(({ events }) => events)
    await keepSecrets()
    await this.#light()
    await this.#light()
    this.silences += 1
    for (const [index, { events, caller }] of this.#followers.entries()) {
      if (events !== before[index])
        this.pair.faults.push(`live: a secret was heard of by ${caller}: ${this.#loud(index)}`)
    }
  }

  async close() {
    await Promise.all(this.#followers.map((follower) => follower.close()))
  }

  get events() {
    return this.#followers.reduce((sum, { events }) => sum + events, 0)
  }

  /** @param {number} index */
  #loud(index) {
    const topics = this.#followers[index]?.followed ?? []
    const [last] = [...topics].sort((left, right) => right.heardAt - left.heardAt)
    return JSON.stringify({ asked: last?.asked, before: last?.before, now: last?.data })
  }

  /** @param {Caller} caller */
  async #answerable(caller) {
    let topic = randomTopic(this.reads, caller)
    for (let tries = 1; tries < TRIES; tries++) {
      if (shownBy(topic, await this.pair.ask(requestOf(topic, caller)))) return topic
      topic = randomTopic(this.reads, caller)
    }
    return topic
  }

  /** Compares two streams of the same caller, with the same topics, one in each world. @param {Follower} follower */
  async #compareTopics(follower) {
    const twin = this.#followers.find((each) => each !== follower && each.caller === follower.caller)
    if (!twin) throw new Error("Every caller follows in both worlds.")
    for (const [id, topic] of follower.topics) {
      const other = twin.topics.get(id)
      if (!other || topic === follower.topics.get("beacon")) continue
      await this.#compareTopic({ follower, topic }, { follower: twin, topic: other })
    }
  }

  /** @typedef {{ follower: Follower, topic: import("./follower.mjs").Followed }} Heard */
  /** @param {Heard} here @param {Heard} there */
  async #compareTopic(here, there) {
    const { asked } = here.topic
    const found = await this.pair.ask(requestOf(asked, here.follower.caller))
    const shown = shownBy(asked, found)
    const isRight = (/** @type {Heard} */ { follower, topic }) =>
      shown === undefined
        ? topic.error !== undefined
        : topic.data !== undefined && sameJson(follower.world.recognized(topic.data), shown)
    for (const heard of [here, there]) {
      const { follower, topic } = heard
      if (await follower.until(() => isRight(heard), PATIENCE_MS)) continue
      const told = topic.data ?? topic.error
      this.pair.faults.push(
        `live: ${follower.caller} was sent ${told} of ${JSON.stringify(asked)} and finds ${found.text}`,
      )
    }
    if (here.topic.error !== there.topic.error) {
      this.pair.faults.push(`live: ${here.topic.error} and ${there.topic.error} to ${JSON.stringify(asked)}`)
    }
  }

  /** Waits until every stream has received the beacon, which is written after everything else. */
  async #light() {
    this.#beacon += 1
    const data = { count: this.#beacon }
    await this.pair.both(({ system }) => system.collections.beacons.updateById({ id: "beacon", data }))
    for (const follower of this.#followers) {
      const isLit = await follower.until(() => follower.beacon === this.#beacon, PATIENCE_MS)
      if (!isLit) this.pair.faults.push(`live: the stream of ${follower.caller} does not go on`)
    }
  }
}

/** @param {string} left @param {string} right */
function sameJson(left, right) {
  return left === right || JSON.stringify(JSON.parse(left)) === JSON.stringify(JSON.parse(right))
}
