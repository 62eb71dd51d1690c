// Random walks through a list, or through the versions of a record, by cursors: forward, backward and over ranges, while
// hidden data changes.

import type { Caller } from "./callers.ts"
import type { Pair } from "./pair.ts"
import { LISTED, queryString, type Reads } from "./reads.ts"
import type { Answer, Request } from "./world.ts"

type Options = Record<string, any>

const MOST_STEPS = 4
const HISTORIES_PERCENT = 25
const WITH_VERSIONS = ["books", "books", "tasks", "authors", "tags"]
// The ids of other collections are made by the server, and so differ between the worlds. These have the same cursors.
const WITH_OWN_IDS = [
  "books",
  "authors",
  "tags",
  "editions",
  "teams",
  "shelves",
  "boxes",
  "stones",
  "gravel",
  "pebbles",
]

/** A list, and how one caller reads it. */
interface List {
  readonly caller: Caller
  readonly name: string
  readonly options: Options
}

interface CursorPage {
  readonly startCursor: string | null
  readonly endCursor: string | null
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
}

export class Walks {
  readonly pair
  readonly reads
  readonly keepSecret
  readonly chance
  /** The last range that was walked. */
  #last: { list: List; start: string; end: string } | undefined

  constructor({ pair, reads, keepSecret }: { pair: Pair; reads: Reads; keepSecret: () => Promise<void> }) {
    this.pair = pair
    this.reads = reads
    this.keepSecret = keepSecret
    this.chance = pair.chance
  }

  /** Reads some pages of a list, then mostly the range between two of their cursors. */
  async walk(caller: Caller): Promise<void> {
    const { chance } = this
    if (chance.is(HISTORIES_PERCENT)) return this.#walkVersions(caller)
    const list = this.#list(caller)
    const pages = chance.is(60) ? await this.#forward(list) : await this.#backward(list)
    const [start, end] = [pages[0]?.startCursor, pages.at(-1)?.endCursor]
    if (this.pair.isApart || typeof start !== "string" || typeof end !== "string") return
    if (chance.is(60)) await this.#page(list, { after: start, before: end })
    if (chance.is(15)) await this.#page(list, { after: end, before: start })
    if (chance.is(15)) await this.#page({ ...list, options: this.#otherFilter(list) }, { after: start, before: end })
    if (this.#last && chance.is(15)) await this.#misuse(list, this.#last.start)
    this.#last = { list, start, end }
  }

  /** Reads some pages of the versions of a record. */
  async #walkVersions(caller: Caller): Promise<void> {
    const { chance, reads } = this
    reads.caller = caller
    const name = chance.of(WITH_VERSIONS)
    const path = `/${name}/${reads.house.id(name)}/versions`
    const { locale, localeFallback, includeDeleted, stage } = reads.options(name)
    const options = { locale, localeFallback, includeDeleted, stage, limit: 1 + chance.below(2) }
    const isForward = chance.is(60)
    let cursor: string | null = null
    for (let step = 0; step < MOST_STEPS; step++) {
      const range: Options = isForward ? { after: cursor } : { before: cursor }
      const answer = await this.pair.ask({ caller, path: `${path}?${queryString({ ...options, ...range })}` })
      if (answer.status !== 200) return
      const page = pageIn(answer)
      if (!(isForward ? page.hasNextPage : page.hasPrevPage)) return
      cursor = isForward ? page.endCursor : page.startCursor
      if (chance.is(40)) await this.keepSecret()
    }
  }

  /** Returns the options of a read that pages by cursors, for a live query; undefined if the first page is refused. */
  async range(caller: Caller): Promise<{ name: string; options: Options } | undefined> {
    const { chance } = this
    const { name, options } = this.#list(caller)
    if (chance.is(30)) return { name, options: { ...options, ...chance.of([{ after: null }, { before: null }]) } }
    const page = await this.#page({ caller, name, options }, { after: null })
    if (typeof page?.startCursor !== "string") return undefined
    const { startCursor: after, endCursor: before } = page
    const cursors = chance.of([{ after, before }, { after: before }, { before }, { after, before: null }])
    return { name, options: { ...options, ...cursors } }
  }

  #list(caller: Caller): List {
    const { chance, reads } = this
    reads.caller = caller
    const name = chance.of(LISTED)
    const { page: _page, offset: _offset, groupBy: _groupBy, ...options } = reads.options(name)
    const limit = chance.is(70) ? { limit: 1 + chance.below(4) } : {}
    return { caller, name, options: { ...options, ...limit, ...this.#virtualOrder(name) } }
  }

  /** Returns sometimes an order by values of which the SQL fails in hidden tasks. */
  #virtualOrder(name: string): Options {
    const { chance } = this
    return name === "tasks" && chance.is(30) ? { orderBy: { share: chance.of(["asc", "desc"]) } } : {}
  }

  async #forward(list: List) {
    const pages = [await this.#page(list, { after: null })]
    for (let last = pages[0]; last?.hasNextPage && pages.length < MOST_STEPS; last = pages.at(-1)) {
      if (this.chance.is(40)) await this.keepSecret()
      pages.push(await this.#page(list, { after: last.endCursor }))
    }
    return pages.filter((page) => page !== undefined)
  }

  async #backward(list: List) {
    const pages = [await this.#page(list, { before: null })]
    for (let first = pages[0]; first?.hasPrevPage && pages.length < MOST_STEPS; first = pages[0]) {
      if (this.chance.is(40)) await this.keepSecret()
      pages.unshift(await this.#page(list, { before: first.startCursor }))
    }
    return pages.filter((page) => page !== undefined)
  }

  /** Returns the list with another filter, under which its cursors stay valid. */
  #otherFilter({ name, options }: List): Options {
    const { where } = this.reads.options(name)
    return { ...options, where }
  }

  /** Uses a cursor of another list, another caller, or one that was cut. */
  async #misuse(list: List, cursor: string) {
    await this.#page(list, this.chance.of([{ after: cursor }, { before: cursor }, { after: `${cursor}x` }]))
  }

  /** Reads one page in both worlds. Resolves to undefined if it is refused. */
  async #page(list: List, cursors: Options): Promise<CursorPage | undefined> {
    const answer = await this.pair.ask(this.#request(list, { ...list.options, ...cursors }))
    if (answer.status !== 200) return undefined
    const page = pageIn(answer)
    if (WITH_OWN_IDS.includes(list.name)) this.#expectSame(list, page)
    return page
  }

  #request({ caller, name }: List, options: Options): Request {
    const { chance } = this
    const headers = { ...(chance.is(8) && { "x-extendedjson": "1" }), ...(chance.is(8) && { "accept-language": "sk" }) }
    if (chance.is(25)) return { caller, headers, path: `/${name}?${queryString(options)}` }
    return { caller, headers, path: `/${name}/query`, body: options }
  }

  /** Cursors of records that are equal in both worlds are equal: they have no value that the caller may not see. */
  #expectSame(list: List, { startCursor, endCursor }: CursorPage) {
    for (const cursor of [startCursor, endCursor]) {
      const [left, right] = this.pair.worlds.map((world) => world.resolve(cursor))
      if (left !== right) this.pair.faults.push(`cursors: ${left} and ${right} of ${JSON.stringify(list)}`)
    }
  }
}

function pageIn({ text }: Answer): CursorPage {
  const body = JSON.parse(text)
  return "json" in body ? body.json : body
}
