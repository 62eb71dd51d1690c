// The two worlds. They get the same requests and the same changes, or one of them gets a secret change.

import { randomUUID } from "node:crypto"
import type { Chance } from "../live/random.ts"
import { type Answer, methodOf, type Request, type World } from "./world.ts"

/** `before` are the last writes */
type Difference = { request: Request; left: Answer; right: Answer; before: string[] }

/** The texts by which a valid request is counted: each feature hides data in a way of its own. */
const FEATURES: Record<string, RegExp> = {
  blockFilters: /(body|annex|memo|plan)("|\]|%22):?[[{"%7B]*(some|none|every)/,
  writtenBlocks: /^(POST|PATCH).*"(body|annex|memo)":\[\{"type"/,
  changes: /changedSincePublished/,
  moves: /"move":/,
  rights: /\/_kit\/access/,
  cursors: /[?&"](after|before)("?[:=])"?~cursor/,
  versionCursors: /\/versions\?.*(after|before)=~cursor/,
  aggregates: /\/_kit\/aggregate\//,
  groupedAggregates: /\/_kit\/aggregate\/.*groupBy/,
  mostCounted: /[?&"](max"?[:=]|total"?[:=]\{"max|total\[max\])/,
}

/** The texts by which an answer is counted. */
const ANSWERED: Record<string, RegExp> = {
  estimates: /"totalIs":"estimate"/,
  innerPages: /"hasPrevPage":true,"hasNextPage":true.*"startCursor":"/,
}

const STEP_MS = 1_000
const KEPT_WRITES = 50

export class Pair {
  differences: Difference[] = []
  /** Sentences about what must not happen in either world. */
  faults: string[] = []
  statuses: Record<string, number> = {}
  /** The number of valid requests by feature. */
  tried: Record<string, number> = Object.fromEntries(
    [...Object.keys(FEATURES), ...Object.keys(ANSWERED)].map((name) => [name, 0]),
  )
  requests = 0
  #writes: string[] = []
  #secrets = 0
  #made = 0

  readonly worlds
  readonly chance
  readonly clock

  constructor({ worlds, chance, clock }: { worlds: readonly World[]; chance: Chance; clock: { ms: number } }) {
    this.worlds = worlds
    this.chance = chance
    this.clock = clock
  }

  /** True if the worlds differ where they must not, so that further comparisons are useless. */
  get isApart() {
    return this.differences.length + this.faults.length > 0
  }

  /** Sends the request to both, and requires equal answers. Resolves to the answer. */
  async ask(request: Request): Promise<Answer> {
    const answers = await this.askEach(request)
    const [left, right] = answers
    if (toldBy(left) !== toldBy(right)) this.differences.push({ request, left, right, before: this.#writes })
    return left
  }

  /** Sends the request to both, and returns both answers. */
  async askEach(request: Request): Promise<[Answer, Answer]> {
    this.requests += 1
    this.clock.ms += STEP_MS
    const [left, right] = await Promise.all(this.worlds.map((world) => world.ask(request, `r${this.requests}`)))
    if (!left || !right) throw new Error("There are two worlds.")
    this.#note(request, left)
    const name = `${request.path === "/search" ? "SEARCH" : methodOf(request)} ${left.status}`
    this.statuses[name] = (this.statuses[name] ?? 0) + 1
    if (left.status < 300) this.#countFeatures(request, left)
    for (const { status, text } of [left, right]) {
      if (status >= 500) this.faults.push(`${status} ${text} to ${JSON.stringify(request)}`)
    }
    return [left, right]
  }

  #countFeatures(request: Request, answer: Answer) {
    const text = `${methodOf(request)} ${request.path} ${JSON.stringify(request.body)}`
    this.#countMatches(FEATURES, text)
    this.#countMatches(ANSWERED, answer.text)
  }

  #countMatches(patterns: Record<string, RegExp>, text: string) {
    for (const [name, pattern] of Object.entries(patterns)) {
      if (pattern.test(text)) this.tried[name] = (this.tried[name] ?? 0) + 1
    }
  }

  #note(request: Request, { status }: Answer) {
    const isRead = methodOf(request) === "GET" || /\/(query|search|access)$|^\/_kit\/aggregate\//.test(request.path)
    if (isRead || status >= 300) return
    this.#writes = [...this.#writes, `${status} to ${JSON.stringify(request)}`].slice(-KEPT_WRITES)
  }

  /** Sends the request to both; the answers may differ. See `World.askAlone`. */
  askAlone(request: Request) {
    this.requests += 1
    this.clock.ms += STEP_MS
    return Promise.all(this.worlds.map((world) => world.askAlone(request)))
  }

  /** Does the same in both. The work makes its random choices before it awaits anything. */
  async both(work: (world: World) => Promise<unknown>) {
    this.clock.ms += STEP_MS
    await Promise.all(this.worlds.map(work))
  }

  /** Creates a record in both, with an id that the server generates. */
  async bothCreate(create: (world: World) => Promise<{ id: string }>) {
    this.#made += 1
    const token = `~m${this.#made}~`
    await this.both(async (world) => world.learn(token, (await create(world)).id))
    return token
  }

  /** Does the work in one of the worlds. */
  async only(work: (world: World) => Promise<unknown>) {
    this.clock.ms += STEP_MS
    await work(this.chance.of(this.worlds))
  }

  /** Creates a record in one world; in the other its id does not exist. */
  async onlyCreate(create: (world: World) => Promise<{ id: string }>) {
    this.#secrets += 1
    const token = `~s${this.#secrets}~`
    for (const world of this.worlds) world.learn(token, randomUUID())
    await this.only(async (world) => world.learn(token, (await create(world)).id))
    return token
  }
}

export function toldBy({ status, headers, text }: Answer) {
  return `${status} ${JSON.stringify(headers)} ${text}`
}
