import type { SeededRandom } from "../seeded-random.ts"
import type { Data, Request, Rules } from "./vouching-replay.ts"
import {
  copyOf,
  describeState,
  type Filter,
  linkedIds,
  NAMES,
  type Name,
  type Row,
  relationsOf,
  type State,
  setLinks,
  type Where,
} from "./vouching-state.ts"

// Most values are those that most rules ask for, so that a row is often what its own rule looks for.
const USERS = ["me", "me", "you"]
const LEVELS = ["a", "a", "b"]
const HOPS = 3

/** One request, the rules under which it is sent, and what was there before. */
export interface VouchingCase {
  readonly state: State
  readonly rules: Rules
  readonly request: Request
  readonly onGeneralPath: boolean
}

/** Chooses states, rules and requests; the same random numbers give the same ones. */
export class Chooser {
  readonly #random: SeededRandom
  #made = 0

  constructor(random: SeededRandom) {
    this.#random = random
  }

  one<T>(list: readonly T[]): T {
    // Every list that is passed has an item.
    return list[this.#random.below(list.length)] as T
  }

  chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  some<T>(list: readonly T[], most: number): T[] {
    const left = [...list]
    const count = Math.min(left.length, 1 + this.#random.below(most))
    return Array.from({ length: count }, () => left.splice(this.#random.below(left.length), 1)[0] as T)
  }

  newId(name: Name): string {
    return `${name.slice(0, 2)}${this.#made++}`
  }

  /** Rules for a request; in a third of the cases, its row is what its own rule looks for. */
  rules(state: State, request: Request): Rules {
    const { name } = request
    const rules = this.#anyRules()
    const back = witnessWays(name)
    if (back.length === 0 || !this.chance(35)) return rules
    const { owner, level } = valuesAfter(state, request)
    const [first, second] = this.one(back)
    const filter = { [first.key]: { [first.isOne ? "is" : "some"]: { [second.key]: { some: { owner, level } } } } }
    return { ...rules, [name]: { ...rules[name], create: filter, update: filter } }
  }

  #anyRules(): Rules {
    const rulesOf = (name: Name) => ({
      create: this.#rule(name),
      update: this.#rule(name),
      noteCreate: this.#rule(name),
      noteUpdate: this.#rule(name),
    })
    // One entry for each name.
    return Object.fromEntries(NAMES.map((name) => [name, rulesOf(name)])) as Rules
  }

  #rule(name: Name): Filter {
    if (this.chance(40)) return !this.chance(5)
    const filter = this.chance(60) ? this.#backFilter(name) : this.#filter(name, HOPS)
    return this.chance(25) ? { OR: [filter, this.#comparison()] } : filter
  }

  #comparison(): Where {
    const key = this.one(["owner", "level"])
    const value = this.one(key === "owner" ? USERS : LEVELS)
    return this.chance(80) ? { [key]: value } : { [key]: { ne: value } }
  }

  /** A filter of two hops whose second one leads back to the collection, where the collection has such a way. */
  #backFilter(name: Name): Where {
    const ways = hopsOf(name).flatMap((out) =>
      hopsOf(out.target).flatMap((back) => (back.target === name ? [[out, back]] : [])),
    )
    const vouching = hopsOf(name).filter(({ target }) => name !== target)
    const [first, second] = this.chance(70) || vouching.length === 0 ? (this.one(ways) as Hop[]) : []
    if (!first || !second) return this.#hop(this.one(vouching), HOPS - 1)
    const witness = this.chance(40) ? this.#comparison() : { AND: [this.#comparison(), this.#comparison()] }
    return { [first.key]: { [this.#operator(first)]: { [second.key]: { [this.#operator(second)]: witness } } } }
  }

  #filter(name: Name, hops: number): Where {
    if (hops <= 0) return this.#comparison()
    if (this.chance(15)) return { NOT: this.#filter(name, hops - 1) }
    if (this.chance(20)) return { [this.one(["AND", "OR"])]: [this.#filter(name, hops - 1), this.#comparison()] }
    return this.chance(20) ? this.#comparison() : this.#hop(this.one(hopsOf(name)), hops - 1)
  }

  #hop(hop: Hop, hops: number): Where {
    if (hop.isOne && this.chance(10)) return { [hop.key]: null }
    return { [hop.key]: { [this.#operator(hop)]: this.#filter(hop.target, hops) } }
  }

  #operator({ isOne }: Hop): string {
    const [usual, ...others] = isOne ? ["is", "isNot"] : ["some", "none", "every"]
    return this.chance(85) ? String(usual) : this.one(others)
  }

  /** The values of a new record, without related ones. */
  values(name: Name, state: State): Data {
    const id = this.newId(name)
    const targets = Object.entries(relationsOf(name).one).map(([key, target]) => [key, this.#liveId(state, target)])
    return { id, code: `code ${id}`, ...this.#own(), ...Object.fromEntries(targets) }
  }

  #own(): Data {
    return { owner: this.one(USERS), level: this.one(LEVELS), ...(this.chance(15) && { note: this.one(LEVELS) }) }
  }

  #liveId(state: State, name: Name): string | null {
    const ids = liveRows(state, name).map(({ id }) => id)
    return ids.length === 0 || this.chance(15) ? null : this.one(ids)
  }

  request(state: State): Request {
    const name = this.one(NAMES)
    const rows = liveRows(state, name)
    const kind = this.one(["create", "create", "update", "update", "updateMany", "updateBatch"])
    if (kind === "create" || rows.length === 0) return { kind: "create", name, data: this.#creation(state, name, 2) }
    if (kind === "update") {
      const { id } = this.one(rows)
      return { kind, name, id, data: this.#patch(state, { name, id }) }
    }
    const ids = this.some(rows, 3).map(({ id }) => id)
    if (kind === "updateMany") return { kind, name, ids: ids.sort(), data: this.#plainPatch(state, name) }
    return { kind: "updateBatch", name, updates: ids.sort().map((id) => ({ id, data: this.#plainPatch(state, name) })) }
  }

  memberOf(state: State): string | undefined {
    return [...state.rows.members.keys()][this.#random.below(state.rows.members.size)]
  }

  /** Brings a member back: from its deletion, or to an earlier version. */
  return(state: State, id: string, versions: readonly { version: number; values: Data }[]): Request {
    if (state.rows.members.get(id)?.isDeleted) return { kind: "restore", name: "members", id }
    return { kind: "revert", name: "members", id, ...this.one(versions) }
  }

  /** A new record, in half of the cases with records around it. */
  #creation(state: State, name: Name, depth: number): Data {
    const { one, many, links } = relationsOf(name)
    const data: Record<string, unknown> = { ...this.values(name, state) }
    if (depth === 0) return data
    for (const [key, target] of Object.entries(one)) {
      if (this.chance(15)) data[key] = this.#newTarget(state, target, depth)
    }
    for (const [key, target] of Object.entries(links)) {
      if (this.chance(60)) data[key] = this.#newLinks(state, target)
    }
    const [list] = this.chance(50) ? this.some(Object.entries(many), 1) : []
    if (list) data[list[0]] = this.#newChildren(state, list[1], { depth, parent: String(data["id"]) })
    return data
  }

  #newTarget(state: State, target: Name, depth: number): Data {
    const { code, ...create } = this.#creation(state, target, depth - 1)
    if (this.chance(60)) return { create: { ...create, code } }
    const found = liveRows(state, target)
    const where = { code: found.length > 0 && this.chance(50) ? this.one(found)["code"] : code }
    return { connectOrCreate: { where, create: { ...create, code: where.code } } }
  }

  #newLinks(state: State, target: Name): unknown {
    const ids = liveRows(state, target).map(({ id }) => id)
    const chosen = ids.length > 0 ? this.some(ids, 2) : []
    return this.chance(50) ? { connect: chosen } : chosen
  }

  #newChildren(
    state: State,
    [target, via]: readonly [Name, string],
    { depth, parent }: { depth: number; parent: string },
  ): Data {
    const others = liveRows(state, target).filter((row) => row[via] !== parent && row.id !== parent)
    const child = () => {
      const { [via]: _parent, ...data } = this.#creation(state, target, depth - 1)
      return data
    }
    const kind = this.one(["create", "create", "connect", "both", "connectOrCreate"])
    if (kind === "connectOrCreate") {
      const { code, ...create } = child()
      const where = { code: others.length > 0 && this.chance(50) ? this.one(others)["code"] : code }
      return { connectOrCreate: { where, create: { ...create, code: where.code } } }
    }
    const connect = others.length > 0 && kind !== "create" ? { connect: this.some(others, 2).map(({ id }) => id) } : {}
    if (kind === "connect" && "connect" in connect) return connect
    return { ...connect, create: this.chance(30) ? [child(), child()] : child() }
  }

  #plainPatch(state: State, name: Name): Data {
    const own = Object.fromEntries(this.some(Object.entries(this.#own()), 2))
    const moved = this.chance(60) ? this.#movedTo(state, name) : {}
    return Object.keys(moved).length > 0 && this.chance(50) ? moved : { ...own, ...moved }
  }

  #movedTo(state: State, name: Name): Data {
    const [chosen] = this.some(Object.entries(relationsOf(name).one), 1)
    return chosen ? { [chosen[0]]: this.#liveId(state, chosen[1]) } : {}
  }

  #patch(state: State, { name, id }: { name: Name; id: string }): Data {
    const { many, links, one } = relationsOf(name)
    const data: Record<string, unknown> = { ...this.#plainPatch(state, name) }
    for (const [key, target] of Object.entries(one)) {
      if (this.chance(10)) data[key] = this.#newTarget(state, target, 1)
    }
    for (const [key, target] of Object.entries(links)) {
      if (this.chance(60)) data[key] = this.#changedLinks(state, target, linkedIds(state, name, id))
    }
    const [list] = this.chance(50) ? this.some(Object.entries(many), 1) : []
    if (list) data[list[0]] = this.#changedChildren(state, list[1], id)
    return data
  }

  #changedLinks(state: State, target: Name, linked: readonly string[]): unknown {
    if (linked.length > 0 && this.chance(40)) return { disconnect: this.some(linked, 1) }
    return this.chance(30) ? { set: [] } : this.#newLinks(state, target)
  }

  #changedChildren(state: State, list: readonly [Name, string], parent: string): Data {
    const [target, via] = list
    const related = liveRows(state, target).filter((row) => row[via] === parent)
    const kind = this.one(["set", "disconnect", "update", "new", "new"])
    if (kind === "new" || related.length === 0) return this.#newChildren(state, list, { depth: 1, parent })
    const ids = this.some(related, 2).map(({ id }) => id)
    if (kind === "disconnect") return { disconnect: ids }
    if (kind === "update") return { update: ids.map((id) => ({ id, data: this.#plainPatch(state, target) })) }
    const others = liveRows(state, target).filter(({ id }) => id !== parent)
    return { set: others.length > 0 ? this.some(others, 3).map(({ id }) => id) : [] }
  }
}

/** The ways that lead from a row to those that share its target, the row itself among them. */
function witnessWays(name: Name): (readonly [Hop, Hop])[] {
  return hopsOf(name).flatMap((out) =>
    hopsOf(out.target)
      .filter((back) => back.target === name && !back.isOne)
      .filter((back) => !out.isOne || relationsOf(out.target).many[back.key]?.[1] === out.key)
      .map((back) => [out, back] as const),
  )
}

/** The values of the row, or of the first of several rows, as the request leaves them. */
function valuesAfter(state: State, request: Request): Data {
  if (request.kind === "create") return request.data
  if (request.kind === "revert") return request.values
  const stored = (id: string | undefined) => state.rows[request.name].get(String(id))
  if (request.kind === "restore") return { ...stored(request.id) }
  if (request.kind === "update") return { ...stored(request.id), ...request.data }
  if (request.kind === "updateMany") return { ...stored(request.ids[0]), ...request.data }
  const [first] = request.updates
  return { ...stored(first?.id), ...first?.data }
}

interface Hop {
  readonly key: string
  readonly target: Name
  readonly isOne: boolean
}

function hopsOf(name: Name): Hop[] {
  const { one, many, links } = relationsOf(name)
  return [
    ...Object.entries(one).map(([key, target]) => ({ key, target, isOne: true })),
    ...Object.entries(many).map(([key, [target]]) => ({ key, target, isOne: false })),
    ...Object.entries(links).map(([key, target]) => ({ key, target, isOne: false })),
  ]
}

export function liveRows({ rows }: State, name: Name): Row[] {
  return [...rows[name].values()].filter(({ isDeleted }) => !isDeleted)
}

const ROWS: Record<Name, number> = { orgs: 3, members: 5, invites: 2, projects: 2, teams: 2 }

export function firstState(choose: Chooser): State {
  const rows = { orgs: new Map(), members: new Map(), invites: new Map(), projects: new Map(), teams: new Map() }
  const state: State = { rows, links: new Set() }
  for (const name of NAMES) {
    for (let number = 0; number < ROWS[name]; number++) {
      const values: Data = { note: null, ...choose.values(name, state) }
      const isDeleted = name === "members" && number === 0
      state.rows[name].set(String(values["id"]), { ...values, ...(isDeleted && { isDeleted }) } as unknown as Row)
    }
  }
  for (const { id } of liveRows(state, "projects")) {
    const teams = liveRows(state, "teams").filter(() => choose.chance(40))
    setLinks(state, "projects", { id, ids: new Set(teams.map((team) => team.id)) })
  }
  return state
}

/** Steps that each make a case simpler: a rule that allows, a record less. */
export function simplerCases({ state, rules }: VouchingCase): ((given: VouchingCase) => VouchingCase)[] {
  const withoutRules = NAMES.flatMap((name) =>
    Object.keys(rules[name]).map((key) => (given: VouchingCase) => ({
      ...given,
      rules: { ...given.rules, [name]: { ...given.rules[name], [key]: true } },
    })),
  )
  const withoutRows = NAMES.flatMap((name) =>
    [...state.rows[name].keys()].map((id) => (given: VouchingCase) => ({ ...given, state: withoutRow(given, id) })),
  )
  return [...withoutRules, ...withoutRows]
}

/** Takes a record away, unless another one or the request names it. */
function withoutRow({ state, request }: VouchingCase, id: string): State {
  const named = JSON.stringify([request, [...state.links], NAMES.map((name) => [...state.rows[name].values()])])
  // Once as its own id, once in its code.
  if (named.split(id).length > 3) return state
  const copy = copyOf(state)
  for (const name of NAMES) copy.rows[name].delete(id)
  return copy
}

/** Describes the records and links that a request has changed, one line for each. */
export function describeChange({ state }: VouchingCase, after: string): string {
  if (after === "refused") return after
  const [before, now] = [describeState(state).split("\n"), after.split("\n")]
  const gone = before.filter((line) => !now.includes(line)).map((line) => `- ${line}`)
  return [...gone, ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)].join("\n")
}

export function describeCase({ state, rules, request, onGeneralPath }: VouchingCase): string {
  const lines = NAMES.flatMap((name) =>
    Object.entries(rules[name])
      .filter(([, rule]) => rule !== true)
      .map(([key, rule]) => `${name}.${key} ${JSON.stringify(rule)}`),
  )
  const path = onGeneralPath ? "on the general path" : "with shortcuts"
  return `${describeState(state)}\n\n${lines.join("\n")}\n\n${path}: ${JSON.stringify(request)}`
}
