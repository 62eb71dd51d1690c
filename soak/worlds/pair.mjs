// The two worlds, which are asked the same and changed alike, or one of them in secret.
import { randomUUID } from "node:crypto"
import { methodOf } from "./world.mjs"

/** @typedef {import("./world.mjs").World} World */
/** @typedef {import("./world.mjs").Request} Request */
/** @typedef {import("./world.mjs").Answer} Answer */
/** @typedef {{ request: Request, left: Answer, right: Answer, before: string[] }} Difference  `before` are the last writes */

const STEP_MS = 1_000
const KEPT_WRITES = 50

export class Pair {
  /** @type {Difference[]} */
  differences = []
  /** @type {string[]} what must not happen in either world, in words */
  faults = []
  /** @type {Record<string, number>} */
  statuses = {}
  requests = 0
  /** @type {string[]} */
  #writes = []
  #secrets = 0
  #made = 0

  /** @param {{ worlds: readonly World[], chance: import("../live/random.mjs").Chance, clock: { ms: number } }} parts */
  constructor({ worlds, chance, clock }) {
    this.worlds = worlds
    this.chance = chance
    this.clock = clock
  }

  /** Whether what follows is worth nothing, since the worlds differ where they must not. */
  get isApart() {
    return this.differences.length + this.faults.length > 0
  }

  /** Both answer, and alike. Resolves to the answer. @param {Request} request @returns {Promise<Answer>} */
  async ask(request) {
    const answers = await this.askEach(request)
    const [left, right] = answers
    if (toldBy(left) !== toldBy(right)) this.differences.push({ request, left, right, before: this.#writes })
    return left
  }

  /** Both answer, whatever that is. @param {Request} request @returns {Promise<[Answer, Answer]>} */
  async askEach(request) {
    this.requests += 1
    this.clock.ms += STEP_MS
    const [left, right] = await Promise.all(this.worlds.map((world) => world.ask(request, `r${this.requests}`)))
    if (!left || !right) throw new Error("There are two worlds.")
    this.#note(request, left)
    const name = `${methodOf(request)} ${left.status}`
    this.statuses[name] = (this.statuses[name] ?? 0) + 1
    for (const { status, text } of [left, right]) {
      if (status >= 500) this.faults.push(`${status} ${text} to ${JSON.stringify(request)}`)
    }
    return [left, right]
  }

  /** @param {Request} request @param {Answer} answer */
  #note(request, { status }) {
    const isRead = methodOf(request) === "GET" || request.path.endsWith("/query")
    if (isRead || status >= 300) return
    this.#writes = [...this.#writes, `${status} to ${JSON.stringify(request)}`].slice(-KEPT_WRITES)
  }

  /** Both answer, and may differ; see `World.askAlone`. @param {Request} request */
  askAlone(request) {
    this.requests += 1
    this.clock.ms += STEP_MS
    return Promise.all(this.worlds.map((world) => world.askAlone(request)))
  }

  /** The same in both. What is left to chance is chosen before anything is awaited. @param {(world: World) => Promise<unknown>} work */
  async both(work) {
    this.clock.ms += STEP_MS
    await Promise.all(this.worlds.map(work))
  }

  /** A record that both get, whose id the server makes. @param {(world: World) => Promise<{ id: string }>} create */
  async bothCreate(create) {
    this.#made += 1
    const token = `~m${this.#made}~`
    await this.both(async (world) => world.learn(token, (await create(world)).id))
    return token
  }

  /** In one of them. @param {(world: World) => Promise<unknown>} work */
  async only(work) {
    this.clock.ms += STEP_MS
    await work(this.chance.of(this.worlds))
  }

  /** A record that one of them gets; in the other its id names nothing. @param {(world: World) => Promise<{ id: string }>} create */
  async onlyCreate(create) {
    this.#secrets += 1
    const token = `~s${this.#secrets}~`
    for (const world of this.worlds) world.learn(token, randomUUID())
    await this.only(async (world) => world.learn(token, (await create(world)).id))
    return token
  }
}

/** @param {Answer} answer */
export function toldBy({ status, headers, text }) {
  return `${status} ${JSON.stringify(headers)} ${text}`
}
