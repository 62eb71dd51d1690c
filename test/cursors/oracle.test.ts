// @module-tag full-count

import { collection, type Session } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WALKS = count({ short: 40, long: 2_000 })
const LEAST_THINGS = 8
const MOST_THINGS = 24

const open = { create: true, update: true, delete: true } as const
const READER: Session = { user: { id: "reader" } }

type Call = { session: Session | null }
const isAnyone = ({ session }: Call) => session === null

// Anonymous callers read everything, the reader does not: records, records at the other end of a relation, and values.
const owners = collection("owners")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access({ ...open, read: (call) => isAnyone(call) || { id: { ne: "cy" } } })

const things = collection("things")
  .fields(({ f }) => ({
    whole: f.number().integer(),
    part: f.number(),
    text: f.text(),
    label: f.text().localized(),
    owner: f.relation("owners").onDelete("setNull"),
    kind: f.select(["hidden", "shown"]),
    mood: f.text().access({ read: (call) => isAnyone(call) || { kind: { isNull: true } } }),
    note: f.number().integer(),
  }))
  .options({ id: "client" })
  .access({
    ...open,
    read: (call) => isAnyone(call) || { OR: [{ kind: { ne: "hidden" } }, { owner: { is: { name: "Ann" } } }] },
  })

const VALUES: Record<string, readonly unknown[]> = {
  whole: [null, -1, 0, 1],
  part: [null, -0.5, 0.1, 0.30000000000000004],
  text: [null, "", "a", "B", "ä", "z'\"\\"],
  label: [null, "one", "two"],
  owner: [null, "ann", "bob", "cy"],
  kind: [null, null, "hidden", "shown"],
  mood: [null, "dark", "light"],
}
const OWNER_NAMES = [null, "", "Ann", "bob"]
const SORTED = [...Object.keys(VALUES), "id", "createdAt", "owner.name"]
const FILTERS = [undefined, undefined, { text: { ne: "a" } }, { owner: { isNot: { name: "bob" } } }]

test.each([seededRandom()])(
  "a walk by cursors has every record that stays once, whatever is written meanwhile (seed $seed)",
  async (random) => {
    await using app = await testApp({
      resources: [owners, things],
      config: { locales: { default: "en", all: ["en", "sk"] } },
    })
    const world = new World(app, random)
    await world.fill()
    for (let walk = 0; walk < WALKS; walk++) await world.walk(walk)
  },
  count({ short: 300_000, long: 3_600_000 }),
)

interface Walk {
  /** The options of the list: its order, filter and locale. */
  readonly list: object
  readonly session: Session | undefined
  readonly limit: number
  readonly isBackward: boolean
  /** True if nothing is written during the walk. */
  readonly isAtRest: boolean
}

interface Page {
  readonly docs: readonly { readonly id: string }[]
  readonly startCursor: string | null
  readonly endCursor: string | null
  readonly hasPrevPage: boolean
  readonly hasNextPage: boolean
}

/** Things that are read and written, with the ids of those that nothing has changed since a walk began. */
class World {
  readonly #app: TestApp
  readonly #random: SeededRandom
  readonly #ids: string[] = []
  #unchanged = new Set<string>()
  #made = 0

  constructor(app: TestApp, random: SeededRandom) {
    this.#app = app
    this.#random = random
  }

  async fill(): Promise<void> {
    for (const id of ["ann", "bob", "cy"]) await this.#collection("owners").create({ id, name: this.#one(OWNER_NAMES) })
    while (this.#ids.length < LEAST_THINGS) await this.#create()
  }

  async walk(number: number): Promise<void> {
    const walk = this.#chooseWalk()
    const whole = await this.#read(walk, { limit: 1000 })
    // Records that the caller may not read are not among them.
    this.#unchanged = new Set(idsIn([whole]))
    const pages = await this.#readAll(walk)
    const about = JSON.stringify({ number, walk })
    this.#expectOnce(idsIn(pages), about)
    if (walk.isAtRest) expectParts(pages, whole, about)
    await this.#checkRange(walk, pages, about)
  }

  #chooseWalk(): Walk {
    const names = [SORTED, SORTED, SORTED].slice(this.#random.below(3)).map((choices) => this.#one(choices))
    const list = {
      orderBy: [...new Set(names)].map((name) => orderOf(name, this.#one(["asc", "desc"]))),
      where: FILTERS[this.#random.below(FILTERS.length)],
      locale: this.#one(["en", "sk"]),
      localeFallback: this.#one([true, false]),
    }
    return {
      list,
      session: this.#random.below(2) === 0 ? READER : undefined,
      limit: 1 + this.#random.below(5),
      isBackward: this.#random.below(2) === 0,
      isAtRest: this.#random.below(3) === 0,
    }
  }

  /** Returns all pages, in the order of the list, and writes between them. */
  async #readAll(walk: Walk): Promise<readonly Page[]> {
    const { limit, isBackward } = walk
    const pages: Page[] = []
    let cursor: string | null = null
    for (;;) {
      const page = await this.#read(walk, { limit, [isBackward ? "before" : "after"]: cursor })
      if (isBackward) pages.unshift(page)
      else pages.push(page)
      if (!(isBackward ? page.hasPrevPage : page.hasNextPage)) return pages
      cursor = isBackward ? page.startCursor : page.endCursor
      await this.#writeSome(walk)
    }
  }

  /** Reads what lies between the cursors of two pages, as a whole and its first records, and nothing the other way round. */
  async #checkRange(walk: Walk, pages: readonly Page[], about: string): Promise<void> {
    const first = this.#random.below(pages.length)
    const last = first + this.#random.below(pages.length - first)
    const inside = pages.slice(first, last + 1)
    const [after, before] = [inside[0]?.startCursor, inside.at(-1)?.endCursor]
    if (after === null || before === null) return
    await this.#writeSome(walk)
    const whole = await this.#read(walk, { after, before, limit: 1000 })
    const expected = idsIn(inside).filter((id) => this.#unchanged.has(id))
    expect(
      idsIn([whole])
        .filter((id) => this.#unchanged.has(id))
        .sort(),
      about,
    ).toEqual(expected.sort())
    const part = await this.#read(walk, { after, before, limit: walk.limit })
    expect(idsIn([part]), about).toEqual(idsIn([whole]).slice(0, walk.limit))
    expect(part.hasNextPage, about).toBe(whole.docs.length > walk.limit)
    const nothing = await this.#read(walk, { after: before, before: after, limit: 1000 })
    expect(nothing.docs, about).toEqual([])
  }

  #expectOnce(found: readonly string[], about: string): void {
    for (const id of this.#unchanged) expect([id, timesIn(found, id)], about).toEqual([id, 1])
  }

  async #read({ list, session }: Walk, options: object): Promise<Page> {
    const body = JSON.stringify({ ...list, ...options, total: false, columns: { id: true } })
    const answer = await this.#app.fetch("/things/query", { method: "POST", body, ...(session && { session }) })
    expect(answer.status, JSON.stringify([list, options, answer.body])).toBe(200)
    return answer.body
  }

  async #writeSome({ isAtRest }: Walk): Promise<void> {
    for (let writes = isAtRest ? 0 : this.#random.below(4); writes > 0; writes--) await this.#write()
  }

  #write(): Promise<void> {
    const kind = this.#random.below(10)
    if (this.#ids.length < LEAST_THINGS || (kind < 4 && this.#ids.length < MOST_THINGS)) return this.#create()
    if (kind < 6) return this.#delete()
    if (kind === 6) return this.#renameOwner()
    const id = this.#one(this.#ids)
    // A note is in no order, so that the record stays where it is.
    if (kind === 7) return this.#update(id, { note: this.#random.below(100) })
    this.#unchanged.delete(id)
    if (kind === 8) return this.#update(id, { label: this.#one([null, "jeden", "dva"]) }, { locale: "sk" })
    return this.#update(id, this.#values())
  }

  async #create(): Promise<void> {
    const id = `${this.#one(["a", "B", "ä", "_"])}${this.#made++}`
    await this.#collection("things").create({ id, ...this.#values() })
    this.#ids.push(id)
  }

  async #delete(): Promise<void> {
    const [id = ""] = this.#ids.splice(this.#random.below(this.#ids.length), 1)
    this.#unchanged.delete(id)
    await this.#collection("things").deleteById({ id })
  }

  async #renameOwner(): Promise<void> {
    const id = String(this.#one(["ann", "bob", "cy"]))
    const { docs } = await this.#collection("things").find({ where: { owner: id }, limit: 1000 })
    for (const thing of docs) this.#unchanged.delete(String(thing["id"]))
    await this.#collection("owners").updateById({ id, data: { name: this.#one(OWNER_NAMES) } })
  }

  async #update(id: string, data: Record<string, unknown>, options: object = {}): Promise<void> {
    await this.#collection("things").updateById({ id, data }, options)
  }

  #values(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, this.#one(values)]))
  }

  #one<Value>(values: readonly Value[]): Value {
    const value = values[this.#random.below(values.length)]
    if (value === undefined) throw new Error("There is nothing to choose from.")
    return value
  }

  #collection(name: string) {
    const found = this.#app.app.system.collections[name]
    if (found === undefined) throw new Error(`There is no collection ${name}.`)
    return found
  }
}

function orderOf(name: string, direction: string): object {
  return name === "owner.name" ? { owner: { name: direction } } : { [name]: direction }
}

/** Expects the pages to be parts of the whole list, each with what lies on its two sides. */
function expectParts(pages: readonly Page[], whole: Page, about: string): void {
  const [ids, all] = [idsIn(pages), idsIn([whole])]
  expect(ids, about).toEqual(all)
  for (const { docs, hasPrevPage, hasNextPage } of pages) {
    const [first, last] = [all.indexOf(docs[0]?.id ?? ""), all.indexOf(docs.at(-1)?.id ?? "")]
    if (docs.length > 0) expect([hasPrevPage, hasNextPage], about).toEqual([first > 0, last < all.length - 1])
  }
}

function idsIn(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ docs }) => docs.map(({ id }) => id))
}

function timesIn(found: readonly string[], id: string): number {
  return found.filter((other) => other === id).length
}
