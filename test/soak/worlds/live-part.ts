// The live queries of a round: 60 topics in each world. They must end with equal results, and must send nothing when
// only hidden data changes.

import type { Caller } from "./callers.ts"
import { type Followed, Follower } from "./follower.ts"
import type { Pair } from "./pair.ts"
import type { Reads } from "./reads.ts"
import { randomTopic, requestOf, shownBy, topicOf } from "./topics.ts"
import type { Walks } from "./walks.ts"

const PATIENCE_MS = 60_000
const TRIES = 6
const RANGES_PERCENT = 20

type Heard = { follower: Follower; topic: Followed }

export class LivePart {
  #followers: Follower[] = []
  #beacon = 0
  topics = 0
  silences = 0

  readonly pair
  readonly reads
  readonly walks
  readonly callers

  constructor({ pair, reads, walks, callers }: { pair: Pair; reads: Reads; walks: Walks; callers: readonly Caller[] }) {
    this.pair = pair
    this.reads = reads
    this.walks = walks
    this.callers = callers
  }

  /** Opens the streams. Every caller subscribes to half of the topics: equal queries with different rights. */
  async open(count: number) {
    const common: Record<string, any>[] = []
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

  /** Checks that no stream sends anything while only secrets are written. */
  async expectSilence(keepSecrets: () => Promise<void>) {
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

  #loud(index: number) {
    const topics = this.#followers[index]?.followed ?? []
    const [last] = [...topics].sort((left, right) => right.heardAt - left.heardAt)
    return JSON.stringify({ asked: last?.asked, before: last?.before, now: last?.data })
  }

  async #answerable(caller: Caller) {
    let topic = await this.#topic(caller)
    for (let tries = 1; tries < TRIES; tries++) {
      if (shownBy(topic, await this.pair.ask(requestOf(topic, caller)))) return topic
      topic = await this.#topic(caller)
    }
    return topic
  }

  async #topic(caller: Caller) {
    const range = this.pair.chance.is(RANGES_PERCENT) ? await this.walks.range(caller) : undefined
    return range ? topicOf(range.name, range.options) : randomTopic(this.reads, caller)
  }

  /** Compares two streams of the same caller, with the same topics, one in each world. */
  async #compareTopics(follower: Follower) {
    const twin = this.#followers.find((each) => each !== follower && each.caller === follower.caller)
    if (!twin) throw new Error("Every caller follows in both worlds.")
    for (const [id, topic] of follower.topics) {
      const other = twin.topics.get(id)
      if (!other || topic === follower.topics.get("beacon")) continue
      await this.#compareTopic({ follower, topic }, { follower: twin, topic: other })
    }
  }

  async #compareTopic(here: Heard, there: Heard) {
    const { asked } = here.topic
    const found = await this.pair.ask(requestOf(asked, here.follower.caller))
    const shown = shownBy(asked, found)
    const isRight = ({ follower, topic }: Heard) =>
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

function sameJson(left: string, right: string) {
  return left === right || JSON.stringify(JSON.parse(left)) === JSON.stringify(JSON.parse(right))
}
