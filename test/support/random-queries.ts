import { GENRES, LOCALES } from "./publishing-house.ts"
import type { SeededRandom } from "./seeded-random.ts"

export const WORDS = ["alpha", "beta", "gamma", "delta"] as const

type Kind = "text" | "number" | "flag" | "genre" | "list" | "id"
type Options = Record<string, unknown>

interface Asked {
  readonly fields: Readonly<Record<string, Kind>>
  /** Where each relation leads. */
  readonly one: Readonly<Record<string, string>>
  readonly many: Readonly<Record<string, string>>
}

// Fields that some callers may not name are among them.
const ASKED: Readonly<Record<string, Asked>> = {
  books: {
    fields: {
      ...{ title: "text", slug: "text", note: "text", remark: "text", owner: "text", genre: "genre", keywords: "list" },
      ...{ sold: "number", cost: "number", revision: "number", isOpen: "flag", id: "id", stage: "text" },
    },
    one: { author: "authors", ghost: "authors", sequel: "books" },
    many: { prequels: "books", editions: "editions", tags: "tags", friends: "books" },
  },
  authors: {
    fields: { name: "text", email: "text", id: "id", revision: "number" },
    one: {},
    many: { books: "books", ghosted: "books" },
  },
  tags: { fields: { name: "text", id: "id", stage: "text" }, one: {}, many: { books: "books" } },
  editions: { fields: { pages: "number", id: "id" }, one: { book: "books" }, many: {} },
}

const OPERATORS: Readonly<Record<Kind, readonly string[]>> = {
  text: ["eq", "ne", "in", "notIn", "contains", "startsWith", "isNull"],
  number: ["eq", "ne", "gt", "lte", "notIn", "isNull"],
  flag: ["eq", "ne", "isNull"],
  genre: ["eq", "ne", "in", "notIn", "isNotNull"],
  list: ["contains", "containsAny", "isEmpty", "length"],
  id: ["eq", "ne", "in", "notIn"],
}

/** Reads at random of the publishing house: every option, alone and with the others. */
export class RandomQueries {
  readonly #random: SeededRandom
  readonly #ids: readonly string[]

  constructor(random: SeededRandom, ids: readonly string[]) {
    this.#random = random
    this.#ids = ids
  }

  below(bound: number): number {
    return this.#random.below(bound)
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#random.below(items.length)]
    if (item === undefined) throw new Error("There is nothing to pick from.")
    return item
  }

  options(name: string): Options {
    const maybe = (oneIn: number, option: string, make: () => unknown) =>
      this.below(oneIn) === 0 ? { [option]: make() } : {}
    return {
      ...maybe(2, "where", () => this.where(name, 2)),
      ...maybe(2, "with", () => this.#with(name, 2)),
      ...maybe(2, "orderBy", () => this.#order(name)),
      ...maybe(3, "search", () => this.pick(WORDS).slice(0, 3)),
      ...maybe(2, "locale", () => this.pick([...LOCALES, "*"])),
      ...maybe(4, "localeFallback", () => false),
      ...maybe(8, "stage", () => this.pick(["published", "published", "review", "draft"])),
      ...maybe(12, "includeDeleted", () => true),
      ...maybe(4, "limit", () => 1 + this.below(4)),
      ...maybe(4, "offset", () => this.below(3)),
      ...maybe(6, "total", () => false),
      ...maybe(4, "groupBy", () => this.#group(name)),
      ...maybe(5, "columns", () => ({ [this.#field(name)]: true, [this.#field(name)]: true })),
    }
  }

  where(name: string, depth: number): Options {
    const kind = this.below(10)
    if (kind === 0) return { [this.pick(["AND", "OR"])]: [this.where(name, depth - 1), this.where(name, depth - 1)] }
    if (kind === 1) return { NOT: this.where(name, depth - 1) }
    return kind < 6 && depth > 0 ? this.#related(name, depth) : this.#compared(name)
  }

  #related(name: string, depth: number): Options {
    const { one, many } = this.#of(name)
    const relation = this.pick([...Object.keys(one), ...Object.keys(many)])
    const operator = relation in one ? this.pick(["is", "isNot"]) : this.pick(["some", "none", "every"])
    const target = one[relation] ?? many[relation] ?? name
    return { [relation]: { [operator]: this.below(4) === 0 ? {} : this.where(target, depth - 1) } }
  }

  #compared(name: string): Options {
    const field = this.#field(name)
    const kind = this.#of(name).fields[field] ?? "text"
    const operator = this.pick(OPERATORS[kind])
    return { [field]: { [operator]: this.#operand(kind, operator) } }
  }

  #operand(kind: Kind, operator: string): unknown {
    if (operator.startsWith("is")) return this.below(2) === 0
    if (operator === "length") return this.below(3)
    const isList = ["in", "notIn", "containsAny"].includes(operator)
    return isList ? [this.#value(kind), this.#value(kind)] : this.#value(kind)
  }

  #value(kind: Kind): unknown {
    if (kind === "number") return this.below(5)
    if (kind === "flag") return this.below(2) === 0
    return this.pick<string>(kind === "genre" ? GENRES : kind === "id" ? this.#ids : WORDS)
  }

  #with(name: string, depth: number): Options {
    const { one, many } = this.#of(name)
    const relations = Object.entries({ ...one, ...many }).filter(() => this.below(3) === 0)
    return Object.fromEntries(
      relations.map(([relation, target]) => [relation, this.#withOne(target, { depth, isMany: relation in many })]),
    )
  }

  #withOne(target: string, { depth, isMany }: { readonly depth: number; readonly isMany: boolean }): unknown {
    if (this.below(2) === 0) return true
    return {
      ...(depth > 0 && { with: this.#with(target, depth - 1) }),
      ...(this.below(3) === 0 && { where: this.where(target, 1) }),
      ...(isMany && { _count: true, orderBy: { id: "asc" } }),
      ...(isMany && this.below(3) === 0 && { limit: 1 + this.below(3) }),
    }
  }

  #order(name: string): Options {
    const direction = this.pick(["asc", "desc"])
    const [relation, target] = this.pick([["", name], ...Object.entries(this.#of(name).one)])
    const by = { [this.#field(target ?? name)]: direction }
    return relation ? { [relation]: by } : by
  }

  #group(name: string): unknown {
    const field = this.#field(name)
    return this.pick([field, { field, docs: this.below(3), order: this.pick(["asc", "desc"]) }])
  }

  #field(name: string): string {
    return this.pick(Object.keys(this.#of(name).fields))
  }

  #of(name: string): Asked {
    const asked = ASKED[name]
    if (asked === undefined) throw new Error(`Nobody asks for "${name}".`)
    return asked
  }
}
