// Random reads: every option, alone and combined, with names that the caller may and may not know.

import { ASKED, type Kind } from "./asked-fields.ts"
import { randomItemFilter } from "./blocks.ts"
import type { Caller } from "./callers.ts"
import { type House, WORDS } from "./content.ts"
import { descriptionPath, rightsQuestion } from "./descriptions.ts"
import { GENRES, LOCALES, MOODS } from "./model.ts"
import type { Request } from "./world.ts"

type Options = Record<string, any>

const OPERATORS: Record<Kind, readonly string[]> = {
  text: ["eq", "ne", "in", "notIn", "contains", "startsWith", "like", "isNull"],
  number: ["eq", "ne", "gt", "lte", "notIn", "between", "isNull"],
  flag: ["eq", "ne", "isNull"],
  genre: ["eq", "ne", "in", "notIn", "isNotNull"],
  moods: ["contains", "containsAny", "isEmpty", "length"],
  list: ["contains", "containsAny", "isEmpty", "length"],
  json: ["hasKey", "contains", "isNull"],
  date: ["gt", "lte", "isNull"],
  blocks: ["some", "some", "none", "every", "isEmpty", "isNotEmpty", "length", "isNull"],
  id: ["eq", "ne", "in", "notIn"],
  none: ["eq"],
}

// Most callers get for these names the answer for an unknown name; a few requests use them anyway.
const KNOWN_TO: Record<string, readonly string[]> = {
  somebody: ["diary", "musing", "memo", "patron", "keeper", "allies", "kept", "sponsored"],
  editor: ["cost", "margin", "plan", "verdict", "wage", "ghost", "guests", "memberships"],
}
const KNOWN_TO_SOME = [...(KNOWN_TO["somebody"] ?? []), ...(KNOWN_TO["editor"] ?? [])]
const NEVER_KNOWN = ["note", "titles", "titel", "isSealed", "secrets", "vault"]
/** The kinds of fields that no list can be sorted by. */
export const UNSORTABLE: readonly Kind[] = ["moods", "list", "json", "blocks", "none"]
const BOLD_PERCENT = 4

// So many records that their total can be estimated.
const PILES = ["stones", "gravel", "pebbles"]
export const LISTED: readonly string[] = [
  ...["books", "books", "books", "books", "tasks", "tasks", "tasks", "tasks", "authors", "authors", "tags", "tags"],
  ...["editions", "teams", "media", "shelves", "boxes", "memberships"],
  ...PILES,
]
const DEPTH = 3

export class Reads {
  readonly house: House
  readonly chance
  caller: Caller

  constructor(house: House) {
    this.house = house
    this.chance = house.chance
    this.caller = "nobody"
  }

  next(caller: Caller): Request {
    const { chance } = this
    this.caller = caller
    const kind = chance.below(100)
    const headers = { ...(chance.is(8) && { "x-extendedjson": "1" }), ...(chance.is(8) && { "accept-language": "sk" }) }
    if (kind < 42) return { caller, headers, ...this.#query(chance.of(LISTED)) }
    if (kind < 47) return { caller, headers, path: descriptionPath(this.house) }
    if (kind < 50) return { caller, headers, path: "/_kit/access", body: rightsQuestion(this.house) }
    if (kind < 60) return { caller, headers, path: `/${this.#listPath(chance.of(LISTED))}` }
    if (kind < 72) return { caller, headers, path: this.#onePath() }
    if (kind < 80) return { caller, headers, path: this.#countPath() }
    if (kind < 88) return { caller, headers, path: this.#historyPath() }
    if (kind < 94) return { caller, headers, path: this.#globalPath() }
    if (kind < 97) return { caller, ...this.#file() }
    return { caller, ...this.#odd() }
  }

  /** Returns the options of a read. Of those that ask what has changed, most name the stage in which that is known. */
  options(name: string): Options {
    const isEstimated = PILES.includes(name) && this.chance.is(60)
    const options = isEstimated ? this.#estimated(name) : this.#anyOptions(name)
    const asksForChanges = JSON.stringify(options).includes("changedSincePublished")
    return asksForChanges && this.chance.is(75) ? { ...options, stage: "draft" } : options
  }

  #estimated(name: string): Options {
    const { chance } = this
    return {
      total: "estimate",
      ...(chance.is(50) && { where: this.#compared(name) }),
      ...(chance.is(50) && { orderBy: this.#orders(name) }),
      ...(chance.is(50) && { limit: 1 + chance.below(3) }),
    }
  }

  #anyOptions(name: string): Options {
    const { chance } = this
    const maybe = (percent: number, option: string, make: () => unknown) =>
      chance.is(percent) ? { [option]: make() } : {}
    return {
      ...maybe(55, "where", () => this.#where(name, 2)),
      ...maybe(50, "with", () => this.#with(name, DEPTH)),
      ...maybe(50, "orderBy", () => this.#orders(name)),
      ...maybe(25, "search", () => chance.of(WORDS).slice(0, 3)),
      ...maybe(45, "locale", () => chance.of([...LOCALES, "*"])),
      ...maybe(25, "localeFallback", () => false),
      ...maybe(15, "stage", () => this.#stage()),
      ...maybe(this.caller === "nobody" ? 2 : 15, "includeDeleted", () => true),
      ...maybe(30, "limit", () => 1 + chance.below(5)),
      ...(chance.is(10) ? { page: 1 + chance.below(2) } : maybe(25, "offset", () => chance.below(4))),
      ...maybe(20, "total", () => chance.of<unknown>([false, "estimate", { max: 1 + chance.below(20) }])),
      ...maybe(20, "groupBy", () => this.#group(name)),
      ...maybe(20, "columns", () => this.#columns(name)),
    }
  }

  #query(name: string) {
    return { path: `/${name}/query`, body: this.options(name) }
  }

  #listPath(name: string) {
    return `${name}?${queryString(this.options(name))}`
  }

  #onePath() {
    const { chance } = this
    const name = chance.of(["books", "books", "tasks", "tasks", "authors", "tags", "media"])
    const all = this.options(name)
    const { with: related, columns, locale, localeFallback, stage, includeDeleted } = all
    const given = { with: related, columns, locale, localeFallback, stage, includeDeleted }
    return `/${name}/${this.house.id(name)}?${queryString(given)}`
  }

  #countPath() {
    const name = this.chance.of(LISTED)
    const { where, search, locale, stage, includeDeleted } = this.options(name)
    const max = this.chance.is(30) ? 1 + this.chance.below(20) : undefined
    return `/${name}/count?${queryString({ where, search, locale, stage, includeDeleted, max })}`
  }

  #historyPath() {
    const { chance } = this
    const name = chance.of(["books", "books", "tasks", "tasks", "authors", "tags"])
    const path = `/${name}/${this.house.id(name)}`
    const { locale, localeFallback, limit, offset, includeDeleted } = this.options(name)
    if (chance.is(25)) return `${path}/transition`
    return `${path}/versions?${queryString({ locale, localeFallback, limit, offset, includeDeleted })}`
  }

  #globalPath() {
    const { chance } = this
    const [name, relation] = chance.of([
      ["home", "lead"],
      ["home", "pick"],
      ["settings", "task"],
    ])
    const { locale, stage, limit } = this.options("tags")
    if (chance.is(30)) return `/globals/${name}/versions?${queryString({ locale, limit })}`
    if (chance.is(15)) return `/globals/${name}/transition`
    const related = chance.is(60) ? { with: { [String(relation)]: true } } : {}
    return `/globals/${name}?${queryString({ ...related, locale, stage })}`
  }

  #file(): Omit<Request, "caller"> {
    const { chance, house } = this
    const path = `/media/files/${chance.of([...house.fileKeys, "2027/01/nothing.txt"])}`
    return chance.of([
      { path },
      { path, method: "HEAD" },
      { path, headers: { range: "bytes=0-2" } },
      { path: `/media/${house.id("media")}/sign`, method: "POST" },
    ])
  }

  /** Returns requests with wrong methods and names. */
  #odd(): Omit<Request, "caller"> {
    const { chance, house } = this
    return chance.of([
      { path: `/books/${house.id("books")}`, method: "OPTIONS" },
      { path: `/books/${house.id("books")}`, method: "PUT" },
      { path: `/tasks/${house.id("tasks")}`, method: "HEAD" },
      ...["/book", "/vaul", "/vaultt", "/taggs/1", "/globals/hom", "/globals/vault", "/authors/author-1/version"].map(
        (path) => ({ path }),
      ),
    ])
  }

  #where(name: string, depth: number): Options {
    const kind = this.chance.below(10)
    const part = () => this.#where(name, depth - 1)
    if (kind === 0) return { [this.chance.of(["AND", "OR"])]: [part(), part()] }
    if (kind === 1) return { NOT: part() }
    return kind < 6 && depth > 0 ? this.#related(name, depth) : this.#compared(name)
  }

  #related(name: string, depth: number): Options {
    const { one, many } = this.#of(name)
    const relations = this.#named([...Object.keys(one), ...Object.keys(many)])
    if (relations.length === 0) return this.#compared(name)
    const relation = this.chance.of(relations)
    const target = one[relation] ?? many[relation] ?? name
    const operator = relation in one ? this.chance.of(["is", "isNot"]) : this.chance.of(["some", "none", "every"])
    if (relation in one && this.chance.is(20))
      return { [relation]: { [this.chance.of(["isNull", "isNotNull"])]: true } }
    if (relation in one && this.chance.is(15)) return { [relation]: { in: this.house.someIds(target, 70) } }
    return { [relation]: { [operator]: this.chance.is(25) ? {} : this.#where(target, depth - 1) } }
  }

  #compared(name: string): Options {
    const field = this.#rareField(name) ?? this.field(name, ["none"])
    const kind = this.#of(name).fields[field] ?? "text"
    const operator = this.chance.of(OPERATORS[kind])
    return { [field]: { [operator]: this.#operand({ name, kind, operator }) } }
  }

  /** Returns sometimes a field of a kind that only few fields have. */
  #rareField(name: string) {
    const { chance } = this
    if (name === "books" && chance.is(20)) return chance.of(this.#named(["body", "body", "annex", "memo", "plan"]))
    return ["books", "tags"].includes(name) && chance.is(8) ? "changedSincePublished" : undefined
  }

  #operand({ name, kind, operator }: { name: string; kind: Kind; operator: string }): unknown {
    if (operator.startsWith("is")) return this.chance.is(50)
    if (operator === "length") return this.chance.below(3)
    if (operator === "hasKey") return this.chance.of(["a", "b", "width"])
    if (kind === "blocks") return randomItemFilter(this.#words())
    if (kind === "json") return this.chance.of([{ a: 1 }, { unit: "cm" }])
    const value = () => this.#value(name, kind)
    if (operator === "like") return `%${String(value()).slice(0, 2)}%`
    return ["in", "notIn", "containsAny", "between"].includes(operator) ? [value(), value()].sort() : value()
  }

  #words() {
    const { chance, house } = this
    const ids = (name: string) => [house.id(name)]
    return { chance, word: () => house.word(), fresh: (prefix: string) => house.fresh(prefix), ids }
  }

  #value(name: string, kind: Kind) {
    const { chance } = this
    if (kind === "number") return chance.below(6)
    if (kind === "flag") return chance.is(50)
    if (kind === "date") return chance.of(["2000-01-01", "2026-05-04"])
    if (kind === "genre") return chance.of(GENRES)
    if (kind === "moods") return chance.of(MOODS)
    return kind === "id" ? this.house.id(name) : chance.of([...WORDS, "bob", "eva", "zoe", "published"])
  }

  #with(name: string, depth: number): Options {
    const { one, many } = this.#of(name)
    const targets = { ...one, ...many }
    const relations = this.#named(Object.keys(targets)).filter(() => this.chance.is(depth === DEPTH ? 30 : 20))
    const related = relations.map((relation) => {
      const target = targets[relation] ?? name
      return [relation, this.#hydrated(target, { depth, isMany: relation in many })]
    })
    const inBlocks = name === "books" && this.chance.is(25) ? [this.chance.of(["body", "annex", "memo", "plan"])] : []
    return Object.fromEntries([...related, ...inBlocks.map((field) => [field, this.#parts(depth)])])
  }

  #parts(depth: number): Options {
    const [book, authors] = ["books", "authors"].map((name) => this.#hydrated(name, { depth, isMany: false }))
    return this.chance.of([{ figure: { book } }, { prose: { authors } }, { figure: { book }, prose: { authors } }])
  }

  #hydrated(target: string, { depth, isMany }: { depth: number; isMany: boolean }) {
    const { chance } = this
    if (chance.is(35)) return true
    return {
      ...(depth > 1 && chance.is(60) && { with: this.#with(target, depth - 1) }),
      ...(chance.is(30) && { where: this.#where(target, 1) }),
      ...(chance.is(15) && { columns: this.#columns(target) }),
      ...(isMany && chance.is(60) && { _count: true }),
      ...(isMany && chance.is(50) && { orderBy: this.#order(target) }),
      ...(isMany && chance.is(40) && { limit: chance.below(4) }),
      ...(isMany && chance.is(20) && { offset: chance.below(2) }),
    }
  }

  #columns(name: string) {
    const isShown = this.chance.is(60)
    return { [this.field(name)]: isShown, [this.field(name)]: isShown, [this.field(name)]: isShown }
  }

  #orders(name: string) {
    return this.chance.is(25) ? [this.#order(name), this.#order(name)] : this.#order(name)
  }

  #order(name: string): Options {
    const direction = this.chance.of(["asc", "desc"])
    const { one } = this.#of(name)
    const related = this.#named(Object.keys(one)).map((each) => [each, one[each]])
    const [relation, target] = this.chance.of([["", name], ["", name], ...related])
    const by = { [this.field(String(target), UNSORTABLE)]: direction }
    return relation ? { [relation]: by } : by
  }

  #group(name: string) {
    const { chance } = this
    const related = this.#named(Object.keys(this.#of(name).one))
    const field = chance.is(20) ? chance.of([...related, "id"]) : this.field(name, UNSORTABLE)
    return chance.of([field, { field, docs: chance.below(3), order: chance.of(["asc", "desc"]) }])
  }

  #stage() {
    const isBold = this.caller !== "nobody" || this.chance.is(20)
    return this.chance.of(isBold ? ["published", "published", "review", "draft"] : ["published"])
  }

  /** Returns a field of the collection that is of none of these kinds, mostly one that the caller may know. */
  field(name: string, unfit: readonly Kind[] = []) {
    const { fields } = this.#of(name)
    const isBold = this.chance.is(BOLD_PERCENT)
    const fit = Object.keys(fields).filter((field) => isBold || !unfit.includes(fields[field] ?? "none"))
    return this.chance.of(this.#named(fit))
  }

  /** Returns mostly names that the caller may know. */
  #named(names: readonly string[]) {
    if (this.chance.is(BOLD_PERCENT)) return names
    const some = this.caller === "nobody" ? [] : (KNOWN_TO["somebody"] ?? [])
    const mine = this.caller === "ed" ? [...some, ...(KNOWN_TO["editor"] ?? [])] : some
    const isKnown = (name: string) => !KNOWN_TO_SOME.includes(name) || mine.includes(name)
    return names.filter((name) => !NEVER_KNOWN.includes(name) && isKnown(name))
  }

  #of(name: string) {
    const asked = ASKED[name]
    if (asked === undefined) throw new Error(`Nobody asks for "${name}".`)
    return asked
  }
}

/** Returns the options as a query string. A cursor that is null is an empty value there. */
export function queryString(options: Options): string {
  return Object.entries(options)
    .flatMap(([name, value]) => parameters(name, value))
    .join("&")
}

function parameters(path: string, value: unknown): string[] {
  if (value === null && ["after", "before"].includes(path)) return [`${path}=`]
  if (value === undefined || value === null) return []
  if (typeof value !== "object") return [`${path}=${encodeURIComponent(String(value))}`]
  return Object.entries(value).flatMap(([name, each]) => parameters(`${path}[${name}]`, each))
}
