import {
  type Candidate,
  copyOf,
  type Filter,
  holds,
  isObject,
  linkedIds,
  live,
  type Name,
  type Row,
  relationsOf,
  type State,
  setLinks,
  type Where,
} from "./vouching-state.ts"

/** The rules of each collection, and those of its field `note`. */
export type Rules = Readonly<Record<Name, Readonly<Record<"create" | "update" | "noteCreate" | "noteUpdate", Filter>>>>

export type Data = Readonly<Record<string, unknown>>
export type Request =
  | { readonly kind: "create"; readonly name: Name; readonly data: Data }
  | { readonly kind: "update"; readonly name: Name; readonly id: string; readonly data: Data }
  | { readonly kind: "updateMany"; readonly name: Name; readonly ids: readonly string[]; readonly data: Data }
  | { readonly kind: "updateBatch"; readonly name: Name; readonly updates: readonly { id: string; data: Data }[] }
  | { readonly kind: "restore"; readonly name: Name; readonly id: string }
  /** Brings back the values of an earlier version. */
  | {
      readonly kind: "revert"
      readonly name: Name
      readonly id: string
      readonly version: number
      readonly values: Data
    }

interface Given {
  readonly state: State
  readonly rules: Rules
  readonly request: Request
}

/**
 * A reading of the points that the specification leaves open. A write may be allowed or refused if two readings differ
 * on it. All readings agree on the rule itself.
 */
export interface Reading {
  /** False leaves out what is tested, also for links: a row may then be its own witness. */
  readonly asksBefore: boolean
  /** The statements that write the records of a list or a batch, and the time at which their rights are asked. */
  readonly statements: "one" | "each" | "each after all rights"
  /** True if a link counts as a whole update of the record at its other end, not only as one that needs the right. */
  readonly linkIsUpdate: boolean
  /** True if the right to link is asked before the row is written rather than after it. */
  readonly linkIsAskedFirst: boolean
  /** True if a `connect` of a record that is linked already needs the right too. */
  readonly linkIsAskedAgain: boolean
}

const BOTH = [true, false]
const STATEMENTS = ["one", "each", "each after all rights"] as const
export const READINGS: readonly Reading[] = STATEMENTS.flatMap((statements) =>
  BOTH.flatMap((linkIsUpdate) =>
    BOTH.flatMap((linkIsAskedFirst) =>
      BOTH.map((linkIsAskedAgain) => ({
        asksBefore: true,
        statements,
        linkIsUpdate,
        linkIsAskedFirst,
        linkIsAskedAgain,
      })),
    ),
  ),
)

class Refused extends Error {}

/** Replays a request as single writes, one after the other. Returns the state after it, or undefined if it is refused. */
export function replay({ state, rules, request }: Given, reading: Reading): State | undefined {
  const writer = new Writer(copyOf(state), rules, reading)
  try {
    writer.run(request)
    return writer.state
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

interface Write {
  readonly kind: "create" | "update" | "restore"
  readonly name: Name
  readonly id: string
  readonly data: Data
}

class Writer {
  readonly state: State
  readonly #rules: Rules
  readonly #reading: Reading

  constructor(state: State, rules: Rules, reading: Reading) {
    this.state = state
    this.#rules = rules
    this.#reading = reading
  }

  run(request: Request): void {
    const writes = this.#writesOf(request)
    if (request.kind === "updateBatch") this.#writeList(writes)
    else if (request.kind === "updateMany") this.#write(writes.filter((write) => this.#mayBeWritten(write)))
    else this.#write(writes)
  }

  /** A write of many leaves out what a filter does not allow; a rule that allows nothing refuses it. */
  #mayBeWritten(write: Write): boolean {
    if (this.#askedRules(write).includes(false)) throw new Refused()
    return this.#isAllowed(write, this.#stored(write))
  }

  #writesOf(request: Request): Write[] {
    const { name } = request
    const update = (id: string, data: Data): Write => ({ kind: "update", name, id, data })
    if (request.kind === "create") return [creation(name, request.data)]
    if (request.kind === "update") return [update(request.id, request.data)]
    if (request.kind === "updateMany") return request.ids.map((id) => update(id, request.data))
    if (request.kind === "updateBatch") return request.updates.map(({ id, data }) => update(id, data))
    if (request.kind === "restore") return [{ kind: "restore", name, id: request.id, data: {} }]
    const current = this.state.rows[name].get(request.id)
    const changed = Object.entries(request.values).filter(([key, value]) => current?.[key] !== value)
    return [update(request.id, Object.fromEntries(changed))]
  }

  #writeList(writes: readonly Write[]): void {
    const { statements } = this.#reading
    const groups = statements === "one" ? [writes] : writes.map((write) => [write])
    if (statements !== "each") this.#askStored(writes)
    for (const group of groups) {
      if (statements === "each") this.#askStored(group)
      this.#writeRows(group)
    }
  }

  #write(writes: readonly Write[]): void {
    this.#askStored(writes)
    this.#writeRows(writes)
  }

  #askStored(writes: readonly Write[]): void {
    for (const write of writes) if (write.kind !== "create") this.#ask(write, this.#stored(write))
  }

  /** Writes rows by one statement: each step is taken for all of them before the next. */
  #writeRows(writes: readonly Write[]): void {
    const first = this.#reading.linkIsAskedFirst ? copyOf(this.state) : undefined
    const candidates = writes.map((write) => this.#candidate(write))
    if (this.#reading.asksBefore) {
      for (const [index, write] of writes.entries()) this.#ask(write, candidates[index] as Candidate)
    }
    for (const { name, row } of candidates) this.state.rows[name].set(row.id, row)
    for (const [index, write] of writes.entries()) this.#writeRelated(write, candidates[index] as Candidate, first)
    for (const write of writes) this.#ask(write, this.#stored(write))
  }

  #stored({ name, id }: Write): Candidate {
    const row = this.state.rows[name].get(id)
    if (!row) throw new Error(`The model has no ${name} ${id}.`)
    return { name, row }
  }

  #ask(write: Write, candidate: Candidate): void {
    if (!this.#isAllowed(write, candidate)) throw new Refused()
  }

  #isAllowed(write: Write, candidate: Candidate): boolean {
    return this.#askedRules(write).every((rule) => holds(this.state, candidate, rule))
  }

  #askedRules({ kind, name, data }: Write): Filter[] {
    const { create, update, noteCreate, noteUpdate } = this.#rules[name]
    const rules = kind === "create" ? [create, noteCreate] : [update, noteUpdate]
    return "note" in data ? rules : rules.slice(0, 1)
  }

  /** The row as it will be, with its own links. Targets that are created with it are written here, before it. */
  #candidate({ kind, name, id, data }: Write): Candidate {
    const { one, many, links } = relationsOf(name)
    const before = this.state.rows[name].get(id)
    const empty = { id, code: null, owner: null, level: null, note: null }
    const row: Record<string, unknown> = before ? { ...before } : { ...empty, ...nulls(Object.keys(one)) }
    for (const [key, value] of Object.entries(data)) {
      const target = one[key]
      if (target) row[key] = this.#target(target, value)
      else if (!(key in many) && !(key in links)) row[key] = value
    }
    if (kind === "restore") delete row["isDeleted"]
    const [field] = Object.keys(links).filter((key) => key in data)
    const own = field ? this.#linksAfter({ name, id, given: data[field] }) : undefined
    // The id is that of the row.
    return { name, row: row as Row, links: own }
  }

  #target(name: Name, value: unknown): unknown {
    if (!isObject(value)) return value
    if ("create" in value) return this.#create(name, value["create"] as Data)
    const { where, create } = value["connectOrCreate"] as { where: Where; create: Data }
    return this.#byCode(name, where)?.id ?? this.#create(name, create)
  }

  #create(name: Name, data: Data): string {
    const write = creation(name, data)
    this.#write([write])
    return write.id
  }

  #byCode(name: Name, where: Where): Row | undefined {
    return [...this.state.rows[name].values()].find(({ code, isDeleted }) => code === where["code"] && !isDeleted)
  }

  #linksAfter({ name, id, given }: { name: Name; id: string; given: unknown }): ReadonlySet<string> {
    const before = linkedIds(this.state, name, id)
    if (Array.isArray(given)) return new Set(given)
    const { set, disconnect = [], connect = [] } = given as Record<string, string[] | undefined>
    const kept = (set ?? before).filter((each) => !disconnect.includes(each))
    return new Set([...kept, ...connect])
  }

  #writeRelated({ name, id, data }: Write, { links }: Candidate, first: State | undefined): void {
    if (links) this.#link({ name, id, data }, links, first)
    for (const [key, [target, via]] of Object.entries(relationsOf(name).many)) {
      const given = data[key]
      if (isObject(given)) this.#writeChildren({ id, target, via, given })
    }
  }

  #link({ name, id, data }: Omit<Write, "kind">, ids: ReadonlySet<string>, first: State | undefined): void {
    const before = new Set(linkedIds(this.state, name, id))
    const [[ownField, other] = ["", name]] = Object.entries(relationsOf(name).links)
    const given = data[ownField]
    const connected =
      this.#reading.linkIsAskedAgain && isObject(given) ? (given["connect"] as string[] | undefined) : []
    const differing = [...before, ...ids].filter((each) => before.has(each) !== ids.has(each))
    const asked = new Set([...differing, ...(connected ?? [])])
    const otherField = Object.keys(relationsOf(other).links)[0] ?? ownField
    const isFollowed =
      this.#reading.asksBefore && Object.values(this.#rules[other]).some((rule) => follows(rule, otherField))
    const { update } = this.#rules[other]
    const askOn = (state: State, links?: (id: string) => ReadonlySet<string>) => {
      for (const each of isFollowed ? asked : []) {
        const row = live(state, other, each)
        if (row && !holds(state, { name: other, row, links: links?.(each) }, update)) throw new Refused()
      }
    }
    askOn(first ?? this.state)
    const linksOf = (each: string) => {
      const others = linkedIds(this.state, other, each).filter((own) => own !== id)
      return new Set(ids.has(each) ? [...others, id] : others)
    }
    if (this.#reading.linkIsUpdate) askOn(this.state, linksOf)
    setLinks(this.state, name, { id, ids })
    if (this.#reading.linkIsUpdate) askOn(this.state)
  }

  #writeChildren({ id, target, via, given }: { id: string; target: Name; via: string; given: Where }): void {
    const list = (key: string) => [given[key] ?? []].flat() as any[]
    const related = [...this.state.rows[target].values()].filter((row) => !row.isDeleted && row[via] === id)
    const ids = new Set(related.map((row) => row.id))
    const point = (each: string, to: string | null): Write => ({
      kind: "update",
      name: target,
      id: each,
      data: { [via]: to },
    })
    if (given["set"]) {
      const wanted = new Set(list("set"))
      this.#writeList([...ids].filter((each) => !wanted.has(each)).map((each) => point(each, null)))
      this.#writeList([...wanted].filter((each) => !ids.has(each)).map((each) => point(each, id)))
    }
    this.#writeList(list("disconnect").map((each) => point(each, null)))
    this.#writeList(list("update").map((each) => ({ kind: "update", name: target, id: each.id, data: each.data })))
    this.#writeList(list("connect").map((each) => point(each, id)))
    this.#writeList(list("create").map((data) => creation(target, { ...data, [via]: id })))
    for (const { where, create } of list("connectOrCreate")) {
      const found = this.#byCode(target, where)
      if (!found) this.#write([creation(target, { ...create, [via]: id })])
      else if (found[via] !== id) this.#write([point(found.id, id)])
    }
  }
}

function creation(name: Name, { id, ...data }: Data): Write {
  return { kind: "create", name, id: String(id), data }
}

function nulls(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** True if the filter leads through the field. No other relation of these collections has its name. */
function follows(filter: unknown, field: string): boolean {
  if (Array.isArray(filter)) return filter.some((each) => follows(each, field))
  return isObject(filter) && Object.entries(filter).some(([key, part]) => key === field || follows(part, field))
}
