// @module-tag full-count
// @module-tag not-about-shortcuts

import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { needsMore } from "../support/needs-more.ts"
import {
  Chooser,
  describeCase,
  describeChange,
  firstState,
  simplerCases,
  type VouchingCase,
} from "../support/oracles/vouching-cases.ts"
import { PolicyTwin } from "../support/oracles/vouching-policies.ts"
import { READINGS, type Reading, replay } from "../support/oracles/vouching-replay.ts"
import { describeState, type State } from "../support/oracles/vouching-state.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type GeneratedRulesWorld, generatedRulesWorld } from "../support/worlds/generated-rules-world.ts"

const CASES = count({ short: 100, long: 2_000 })
// One in four hundred is usual. They come together, so that a few cases may happen to have many.
const MOST_LEFT_OPEN = count({ short: 25, long: 100 })
/** The number of requests that are sent before other records replace the present ones. */
const CASES_PER_STATE = 12
/** The reading under which a row can be its own witness. */
const WITHOUT: Reading = {
  asksBefore: false,
  statements: "one",
  linkIsUpdate: false,
  linkIsAskedFirst: false,
  linkIsAskedAgain: false,
}
const REFUSED = "refused"

let world: GeneratedRulesWorld
let twin: PolicyTwin

beforeAll(async () => {
  world = await generatedRulesWorld()
  twin = await PolicyTwin.open(world.url)
})
afterAll(async () => {
  await twin[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test("P15: no write is allowed because of itself, by generated rules and requests", async () => {
  const random = seededRandom()
  const choose = new Chooser(random)
  const seen = { allowed: 0, refused: 0, ownWitness: 0, leftOpen: 0, byPolicies: 0 }

  const hasAll = () => seen.allowed > CASES / 5 && seen.ownWitness > CASES / 50 && seen.byPolicies > CASES / 5

  let state = firstState(choose)
  for (let number = 0; needsMore(number, { cases: CASES, isComplete: hasAll() }); number++) {
    if (number % CASES_PER_STATE === 0) {
      state = firstState(choose)
      await world.load(state)
    }
    const given = await nextCase(choose, state)
    const judged = await judge(given)
    const result = await send(given)
    if (differs(result, judged)) {
      expect.fail(`KIT_SEED=${random.seed}, request ${number}\n${await describeDifference(given)}`)
    }
    seen[result.outcome === REFUSED ? "refused" : "allowed"]++
    if (judged.outcomes.size > 1) seen.leftOpen++
    else if (judged.outcomes.has(REFUSED) && replay(given, WITHOUT)) seen.ownWitness++
    if (judged.byPolicies !== undefined) seen.byPolicies++
    state = result.state
  }

  const note = JSON.stringify({ seed: random.seed, ...seen })
  console.log(note)
  expect(hasAll(), note).toBe(true)
  expect(seen.leftOpen, note).toBeLessThan(MOST_LEFT_OPEN)
})

async function nextCase(choose: Chooser, state: State): Promise<VouchingCase> {
  const id = choose.chance(10) ? choose.memberOf(state) : undefined
  const request = id === undefined ? choose.request(state) : choose.return(state, id, await world.versions(id))
  return { state, rules: choose.rules(state, request), request, onGeneralPath: choose.chance(50) }
}

interface Judged {
  /** The states that a request may leave, as texts. More than one if the specification leaves it open. */
  readonly outcomes: ReadonlySet<string>
  readonly byPolicies: boolean | undefined
}

async function judge(given: VouchingCase): Promise<Judged> {
  const states = READINGS.map((reading) => replay(given, reading))
  const outcomes = new Set(states.map((state) => (state ? describeState(state) : REFUSED)))
  return { outcomes, byPolicies: outcomes.size > 1 ? undefined : await twin.allows(given) }
}

interface Result {
  readonly outcome: string
  readonly state: State
}

async function send(given: VouchingCase): Promise<Result> {
  const { status, message } = await world.send(given)
  const state = await world.read()
  const after = describeState(state)
  if (status < 300) return { outcome: after, state }
  const isUnchanged = after === describeState(given.state)
  return { outcome: status === 403 && isUnchanged ? REFUSED : `${status} ${message}\n${after}`, state }
}

function differs({ outcome }: Result, { outcomes, byPolicies }: Judged): boolean {
  return !outcomes.has(outcome) || (byPolicies !== undefined && byPolicies !== (outcome !== REFUSED))
}

/** Leaves out what does not matter for the difference, and describes the rest. */
async function describeDifference(found: VouchingCase): Promise<string> {
  let smallest = found
  for (const simpler of simplerCases(found)) {
    const tried = simpler(smallest)
    await world.load(tried.state)
    const result = await send(tried)
    if (!/^\d/.test(result.outcome) && differs(result, await judge(tried))) smallest = tried
  }
  await world.load(smallest.state)
  const { outcomes, byPolicies } = await judge(smallest)
  const { outcome } = await send(smallest)
  const policies = byPolicies === undefined ? "" : `\n\nby policies: ${byPolicies ? "allowed" : REFUSED}`
  const change = (text: string) => describeChange(smallest, text)
  return `${describeCase(smallest)}\n\nexpected:\n${[...outcomes].map(change).join("\nor\n")}\n\nfound:\n${change(outcome)}${policies}`
}
