// @module-tag full-count
// @module-tag not-about-connections

import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"

const WRITES = count({ short: 120, long: 10_000 })
const WORDS = ["apple", "pear", "plum", "fig", "quince", "Äpfel", "café", "well-known", "  ", "x", ""]
const LOCALES = ["en", "de", "sk"]
const ALL = { read: true, create: true, update: true, delete: true, drafts: true }

interface Related {
  readonly author: { readonly name: string | null; readonly boss: { readonly name: string | null } | null } | null
  readonly tags: readonly { readonly name: string | null }[]
  readonly notes: readonly { readonly text: string | null }[]
  readonly parent: { readonly title: string | null } | null
}

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().localized(),
    boss: f.relation("people").onDelete("setNull"),
  }))
  .options({ softDelete: true })
  .access(ALL)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), articles: f.relation("articles").manyToMany({ through: "tagging" }) }))
  .options({ workflow: true })
  .access(ALL)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), about: f.relation("articles").onDelete("cascade") }))
  .access(ALL)

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().localized(),
    words: f.array(f.text()),
    author: f.relation("people").onDelete("setNull"),
    parent: f.relation("articles").onDelete("setNull"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    notes: f.relation("notes").hasMany({ via: "about" }),
  }))
  .options({ softDelete: true, workflow: true, versions: true })
  .title("title")
  .searchable({
    fields: ["words"],
    with: {
      author: { with: { boss: true } },
      parent: true,
      tags: { orderBy: { name: "asc", id: "asc" } },
      notes: { where: { text: { ne: "fig" } }, orderBy: { text: "asc", id: "asc" } },
    },
    content: (record: Related) =>
      [
        record.author?.name,
        record.author?.boss?.name,
        record.parent?.title,
        ...record.tags.map(({ name }) => name),
        ...record.notes.map(({ text }) => text),
      ].join(" "),
  })
  .access(ALL)

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text(), kind: f.select(["apple", "pear"]) }))
  .options({ versions: true })
  .searchable({ fields: ["title", "kind"] })
  .access(ALL)

const NAMES = ["people", "tags", "notes", "articles", "pages"]
const config = { locales: { default: "en", all: LOCALES, fallback: { sk: ["de"] } } }

test.each([seededRandom()])(
  "after any writes the index is what a rebuild makes of the records (seed $seed)",
  async (random) => {
    await using app = await testApp({ collections: [people, tags, notes, articles, pages], config })
    const world = new RandomWrites(app, random)

    while (world.succeeded < WRITES) await world.write()
    await app.jobs.settle()
    const before = await readIndex(app)
    const found = await searchAll(app)
    for (const name of ["articles", "pages"]) await app.app.searchIndexes.rebuild(name)
    await app.jobs.settle()

    expect(await app.query("select * from _kit_search_queue")).toEqual([])
    expect(await readIndex(app)).toEqual(before)
    expect(await searchAll(app)).toEqual(found)
    expect(app.logs.filter(({ level }) => level === "error")).toEqual([])
  },
)

/** Makes random writes of all kinds, of which some are refused. */
class RandomWrites {
  succeeded = 0
  readonly #app: TestApp
  readonly #random: SeededRandom
  /** The record that the last write was about. */
  #last = { name: "", id: "" }
  readonly #ids = new Map<string, string[]>(NAMES.map((name) => [name, []]))

  constructor(app: TestApp, random: SeededRandom) {
    this.#app = app
    this.#random = random
  }

  async write(): Promise<void> {
    try {
      await this.#step()
      this.succeeded++
    } catch (error) {
      const isRefused = error instanceof Error && "code" in error && error.code !== "INTERNAL_SERVER_ERROR"
      if (!isRefused) throw error
      this.#forgetSome()
    }
  }

  // Most refused writes name a record that is gone. A soft-deleted one may still be restored, so that it is kept for a while.
  #forgetSome(): void {
    const ids = this.#ids.get(this.#last.name) ?? []
    const at = ids.indexOf(this.#last.id)
    if (at !== -1 && this.#random.below(4) === 0) ids.splice(at, 1)
  }

  #step(): Promise<unknown> {
    const name = this.#pick(NAMES)
    const id = this.#id(name)
    this.#last = { name, id: id ?? "" }
    const records = (this.#app.system.collections as Record<string, any>)[name]
    const locale = { locale: this.#pick(LOCALES) }
    const data = this.#data(name)
    if (id === undefined || this.#random.below(5) === 0) return this.#create(name)
    const steps: readonly (() => Promise<unknown>)[] = [
      () => records.updateById({ id, data }, locale),
      () => records.updateById({ id, data }, locale),
      () => records.updateById({ id, data: this.#links(name) }),
      () => records.updateById({ id, data: this.#links(name) }),
      () => records.updateById({ id, data }, { stage: "published" }),
      () => records.updateById({ id, data }, { dryRun: true }),
      () => records.updateMany({ where: { id: { in: this.#some(name) } }, data }, locale),
      () => records.updateBatch({ updates: this.#some(name).map((each) => ({ id: each, data: this.#data(name) })) }),
      () => records.deleteMany({ where: { id: { in: this.#some(name).slice(0, 2) } } }),
      () => records.deleteById({ id }),
      () => records.restoreById({ id }),
      () => records.purgeById({ id }),
      () => records.transitionStage({ id, stage: this.#pick(["published", "draft"]) }),
      () => records.transitionStage({ id, stage: "published" }),
      () => records.revertToVersion({ id, version: 1 + this.#random.below(4) }),
      () => this.#sql(),
      () => this.#rolledBack(name),
    ]
    return this.#pick(steps)()
  }

  async #create(name: string): Promise<void> {
    const records = (this.#app.system.collections as Record<string, any>)[name]
    const { id } = await records.create({ ...this.#data(name), ...this.#links(name) })
    this.#ids.get(name)?.push(id)
  }

  // A write inside of a transaction that fails leaves nothing.
  async #rolledBack(name: string): Promise<void> {
    const transaction = this.#app.system.transaction((api) => {
      const records = (api.collections as Record<string, any>)[name]
      return records.create(this.#data(name)).then(() => {
        throw new RangeError("rolled back")
      })
    })
    await transaction.catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error
    })
  }

  #sql(): Promise<unknown> {
    const text = this.#text()
    const statements: readonly (readonly [string, readonly unknown[]])[] = [
      ["update people set name = jsonb_build_object('en', $1::text)", [text]],
      ["update articles set words = array[$1] where id = $2", [text, this.#id("articles")]],
      ["update articles set author = $1", [this.#id("people")]],
      [`update "articles.stage.published" set author = $1`, [this.#id("people")]],
      ["delete from notes where id = $1", [this.#id("notes")]],
      ["update notes set about = $1, text = $2 where id = $3", [this.#id("articles"), text, this.#id("notes")]],
      ["update tags set name = $1", [text]],
      ["update pages set title = $1 where id = $2", [text, this.#id("pages")]],
    ]
    const [sql, values] = this.#pick(statements)
    return this.#app.query(
      sql,
      values.map((value) => value ?? null),
    )
  }

  #data(name: string): Record<string, unknown> {
    const text = this.#text()
    switch (name) {
      case "people":
        return { name: text, boss: this.#id("people") ?? null }
      case "tags":
        return { name: text }
      case "notes":
        return { text, about: this.#id("articles") ?? null }
      case "pages":
        return { title: text, kind: this.#pick(["apple", "pear", null]) }
      default:
        return {
          title: text,
          words: [this.#text()],
          author: this.#id("people") ?? null,
          parent: this.#id("articles") ?? null,
        }
    }
  }

  #links(name: string): Record<string, unknown> {
    const target = { articles: "tags", tags: "articles" }[name]
    if (target === undefined) return this.#data(name)
    const ids = this.#some(target)
    return { [target]: this.#pick([ids, { connect: ids }, { disconnect: ids }]) }
  }

  #some(name: string): readonly string[] {
    const ids = this.#ids.get(name) ?? []
    return [...new Set(Array.from({ length: this.#random.below(4) }, () => this.#pick(ids)))].filter(Boolean)
  }

  #id(name: string): string | undefined {
    return this.#pick(this.#ids.get(name) ?? [])
  }

  #text(): string {
    return Array.from({ length: this.#random.below(4) }, () => this.#pick(WORDS)).join(" ")
  }

  #pick<Value>(values: readonly Value[]): Value {
    // The cast is safe: callers that pass an empty list expect undefined.
    return values[this.#random.below(values.length)] as Value
  }
}

const TABLES = ["articles", "articles.stage.published", "pages"]

function readIndex(app: TestApp): Promise<unknown> {
  const read = async (table: string) => {
    const columns = await app.query(
      "select column_name as name from information_schema.columns where table_name = $1 and starts_with(column_name, '_search') order by 1",
      [table],
    )
    const list = columns.map(({ name }) => `"${name}"::text as "${name}"`).join(", ")
    return [table, await app.query(`select id, ${list} from "${table}" order by id`)]
  }
  return Promise.all(TABLES.map(read))
}

async function searchAll(app: TestApp): Promise<readonly unknown[]> {
  const asked = WORDS.flatMap((query) => [
    { query, limit: 100 },
    { query, collections: ["articles"], stage: "published", limit: 100 },
  ])
  const answers = []
  for (const body of asked) {
    const answer = await app.fetch("/search", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    })
    expect(answer.status).toBe(200)
    answers.push([body, await answer.json()])
  }
  return answers
}
