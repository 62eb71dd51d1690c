// @module-tag full-count

import { collection } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WALKS = count({ short: 40, long: 2_000 })
const LEAST_THINGS = 8
const MOST_THINGS = 24

const open = { read: true, create: true, update: true, delete: true } as const

const owners = collection("owners")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access(open)

const things = collection("things")
  .fields(({ f }) => ({
    whole: f.number().integer(),
    part: f.number(),
    text: f.text(),
    label: f.text().localized(),
    owner: f.relation("owners").onDelete("setNull"),
    note: f.number().integer(),
  }))
  .options({ id: "client" })
  .access(open)

const VALUES: Record<string, readonly unknown[]> = {
  whole: [null, -1, 0, 1],
  part: [null, -0.5, 0.1, 0.30000000000000004],
  text: [null, "", "a", "B", "ä", "z'\"\\"],
  label: [null, "one", "two"],
  owner: [null, "ann", "bob", "cy"],
}
const OWNER_NAMES = [null, "", "Ann", "bob"]
const SORTED = [...Object.keys(VALUES), "id", "createdAt", "owner.name"]

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
  readonly orderBy: readonly object[]
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
    const whole = await this.#read({ orderBy: walk.orderBy, limit: 1000 })
    this.#unchanged = new Set(this.#ids)
    const found = await this.#readAll(walk)
    const about = JSON.stringify({ number, walk })
    for (const id of this.#unchanged) expect([id, timesIn(found, id)], about).toEqual([id, 1])
    if (walk.isAtRest) expect(found, about).toEqual(whole.docs.map(({ id }) => id))
  }

  #chooseWalk(): Walk {
    const names = [SORTED, SORTED, SORTED].slice(this.#random.below(3)).map((choices) => this.#one(choices))
    return {
      orderBy: [...new Set(names)].map((name) => orderOf(name, this.#one(["asc", "desc"]))),
      limit: 1 + this.#random.below(5),
      isBackward: this.#random.below(2) === 0,
      isAtRest: this.#random.below(3) === 0,
    }
  }

  /** Returns the ids of all pages, in the order of the list, and writes between the pages. */
  async #readAll({ orderBy, limit, isBackward, isAtRest }: Walk): Promise<readonly string[]> {
    const found: string[] = []
    let cursor: string | null = null
    for (;;) {
      const page: Page = await this.#read({ orderBy, limit, [isBackward ? "before" : "after"]: cursor })
      const ids = page.docs.map(({ id }) => id)
      if (isBackward) found.unshift(...ids)
      else found.push(...ids)
      if (!(isBackward ? page.hasPrevPage : page.hasNextPage)) return found
      cursor = isBackward ? page.startCursor : page.endCursor
      for (let writes = isAtRest ? 0 : this.#random.below(4); writes > 0; writes--) await this.#write()
    }
  }

  async #read(options: object): Promise<Page> {
    const body = JSON.stringify({ ...options, total: false, columns: { id: true } })
    const answer = await this.#app.fetch("/things/query", { method: "POST", body })
    expect(answer.status, JSON.stringify([options, answer.body])).toBe(200)
    return answer.body
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

  async #update(id: string, data: Record<string, unknown>): Promise<void> {
    await this.#collection("things").updateById({ id, data })
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

function timesIn(found: readonly string[], id: string): number {
  return found.filter((other) => other === id).length
}
