// Random searches: odd queries, filters, facets and highlights, with names that the caller may and may not know.

import type { Caller } from "./callers.ts"
import { SECRET_WORDS } from "./content.ts"
import { LOCALES } from "./model.ts"
import type { Reads } from "./reads.ts"
import type { Request } from "./world.ts"

type Options = Record<string, any>

const SEARCHED = ["books", "tasks", "authors", "tags"]
const UNSEARCHED = ["editions", "vault", "vaults", "nothing", "book"]
const FACETS = [
  ...["genre", "moods", "keywords", "sold", "price", "day", "owner", "isOpen", "remark", "diary", "author", "patron"],
  ...["rank", "isPublic", "team", "weight", "code", "remark", "genre", "owner"],
]
// Few callers may count by these, and nobody by the last ones.
const BOLD_FACETS = ["cost", "wage", "musing", "note", "titles", "isSealed", "title", "gener"]
const RANGES: Record<string, readonly Options[]> = {
  sold: [{ to: 1 }, { from: 1 }],
  price: [{ from: "1.50", to: "7" }, { to: 2 }],
  day: [{ from: "2000-01-01" }, { to: "2000-01-01" }],
  rank: [{ from: 1, to: 3 }, { from: 3 }],
  wage: [{ from: 4 }],
  cost: [{ from: 4 }],
}
const ODD = [
  "",
  " ",
  '"',
  "-",
  "- -",
  "OR",
  "a OR",
  "(alpha & )",
  "'; --",
  ":*",
  "alpha:*",
  "%",
  "\\",
  "\u{1F600}",
  "beta<>",
]

export class Searches {
  readonly reads: Reads
  readonly chance

  constructor(reads: Reads) {
    this.reads = reads
    this.chance = reads.chance
  }

  next(caller: Caller): Request {
    const { chance, reads } = this
    reads.caller = caller
    const headers = { ...(chance.is(8) && { "x-extendedjson": "1" }), ...(chance.is(8) && { "accept-language": "sk" }) }
    return { caller, headers, path: "/search", body: this.#options() }
  }

  /** Returns a search for a word that a caller has just written, misspelled; undefined if the text has no such word. */
  echo(caller: Caller, written: string) {
    const words = written.match(/\p{L}{5,}/gu) ?? []
    const word = this.chance.of(words)
    if (word === undefined) return undefined
    const query = `${this.#misspelled(word)}${this.chance.of(["", " "])}`
    return {
      caller,
      path: "/search",
      body: { query, highlights: true, facets: [{ field: "genre" }, { field: "rank" }] },
    }
  }

  #options(): Options {
    const { chance, reads } = this
    const names = SEARCHED.filter(() => chance.is(40))
    const others = chance.is(6) ? [chance.of(UNSEARCHED)] : []
    const isNamed = names.length + others.length > 0 && chance.is(80)
    const { where, locale, localeFallback, stage, limit, offset } = reads.options(names[0] ?? "books")
    return {
      query: this.#query(),
      ...(isNamed && { collections: [...names, ...others] }),
      ...(chance.is(3) && { mode: chance.of(["semantic", "hybrid", "lexical", "none"]) }),
      ...(where && chance.is(60) && { where: { [names[0] ?? "books"]: where } }),
      ...(chance.is(3) && { where: { [chance.of(UNSEARCHED)]: {} } }),
      ...(chance.is(50) && { highlights: true }),
      ...(chance.is(50) && { facets: this.#facets() }),
      ...(LOCALES.includes(locale) && { locale }),
      ...(localeFallback === false && { localeFallback }),
      ...(stage && chance.is(60) && { stage }),
      ...(limit && { limit }),
      ...(offset && { offset }),
    }
  }

  #query() {
    const { chance } = this
    const word = () => (chance.is(80) ? this.reads.house.word() : chance.of(SECRET_WORDS))
    const kind = chance.below(100)
    if (kind < 25) return word()
    if (kind < 40) return word().slice(0, 1 + chance.below(4))
    if (kind < 50) return `${word()} ${word()}`
    if (kind < 60) return this.#misspelled(word())
    if (kind < 66) return `"${word()} ${word()}"`
    if (kind < 74) return `${word()} -${word()}`
    if (kind < 80) return `${word()} OR ${word()}`
    if (kind < 85) return `${word()} nowhere ${word()}`
    return kind < 92 ? "" : chance.of(ODD)
  }

  #misspelled(word: string) {
    const at = this.chance.below(word.length)
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    return this.chance.of([before + after, `${before}q${after}`, `${before}q${word.slice(at)}`])
  }

  #facets() {
    const { chance } = this
    const some = Array.from({ length: 1 + chance.below(3) }, () => chance.of(chance.is(95) ? FACETS : BOLD_FACETS))
    return [...new Set(some)].map((field) => {
      const ranges = RANGES[field]
      if (ranges && chance.is(50)) return { field, ranges }
      return {
        field,
        ...(chance.is(30) && { sortBy: chance.of(["count", "value"]) }),
        ...(chance.is(30) && { limit: 1 + chance.below(3) }),
      }
    })
  }
}
