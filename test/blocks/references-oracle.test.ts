// @module-tag full-count

import { collection } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ROUNDS = count({ short: 120, long: 3_000 })
const LOCALES = { default: "en", all: ["en", "sk"] } as const
const PICTURES = 8
/** The test ends when each of these has occurred. */
const EXPECTED = ["write ok", "delete ok", "delete CONFLICT", "publish ok", "revert ok", "erase ok"]
const everyone = { read: true, create: true, update: true, delete: true, drafts: true, transition: true } as const

const pictures = collection("pictures")
  .fields(({ f }) => ({ alt: f.text() }))
  .access(everyone)
const pages = collection("pages")
  .fields(({ f }) => ({
    body: f.blocks({
      kept: { picture: f.relation("pictures") },
      loose: { picture: f.relation("pictures").onDelete("setNull") },
      many: { pictures: f.array(f.relation("pictures").onDelete("setNull")) },
      inner: { left: f.blocks({ kept: { picture: f.relation("pictures") } }) },
    }),
    words: f.blocks({ loose: { picture: f.relation("pictures").onDelete("setNull") } }).localized(),
  }))
  .options({ versions: true, workflow: { stages: { draft: {}, shown: {} }, public: "shown" } })
  .access(everyone)

test.each([seededRandom()])(
  "references agree with the rows, and deletions with the references (seed $seed)",
  async (random) => {
    await using app = await testApp({ resources: [pictures, pages], config: { locales: LOCALES } })
    const world = new World(app, random)
    const seen = new Map<string, number>()

    for (let round = 0; round < ROUNDS || EXPECTED.some((outcome) => !seen.has(outcome)); round++) {
      const outcomes = await world.steps(1 + random.below(3))
      for (const outcome of outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      if (outcomes.length === 1) await world.expectAgreement()
    }
    await world.expectAgreement()
  },
)

type Item = Readonly<Record<string, unknown>>

class World {
  readonly #app: TestApp
  readonly #random: SeededRandom
  #isAlone = true
  #pages: string[] = []

  constructor(app: TestApp, random: SeededRandom) {
    this.#app = app
    this.#random = random
  }

  /** Makes random writes at the same time. Returns the kind and outcome of each. */
  steps(writers: number): Promise<readonly string[]> {
    this.#isAlone = writers === 1
    return Promise.all(Array.from({ length: writers }, () => this.#step()))
  }

  async #step(): Promise<string> {
    const steps = [this.#write, this.#write, this.#write, this.#delete, this.#publish, this.#erase, this.#revert]
    const step = steps[this.#random.below(steps.length)]
    try {
      return `${await step?.call(this)} ok`
    } catch (error) {
      // Other writers may have taken away what this one refers to. Everything else would be a bug.
      const { code, name } = error as { code?: string; name: string }
      expect(["CONFLICT", "VALIDATION_ERROR", "NOT_FOUND", "SERVICE_UNAVAILABLE"], String(error)).toContain(code)
      return `${step?.name.replace("#", "")} ${code ?? name}`
    }
  }

  async #write(): Promise<string> {
    const known = await this.#pictures()
    const options = this.#random.below(2) === 0 ? { locale: "sk" } : {}
    const data = { body: this.#items(known), words: this.#items(known).filter(({ type }) => type === "loose") }
    const id = this.#pick(this.#pages)
    if (id === undefined || this.#random.below(4) === 0) {
      this.#pages.push((await this.#of("pages").create(data, options)).id)
    } else if (this.#random.below(3) === 0) {
      await this.#of("pages").updateMany({ where: {}, data, all: true })
    } else await this.#of("pages").updateById({ id, data }, options)
    return "write"
  }

  async #delete(): Promise<string> {
    const id = this.#pick(await this.#pictures())
    if (id === undefined) return "nothing"
    const isKept = (await this.#rows()).some(({ json }) => keptIds(json).includes(id))
    const removed = await this.#of("pictures")
      .deleteById({ id })
      .then(() => true, rethrowUnlessConflict)
    if (removed) expect((await this.#rows()).some(({ json }) => idsIn(json).includes(id))).toBe(false)
    if (this.#isAlone) expect(removed).toBe(!isKept)
    if (!removed) throw Object.assign(new Error("refused"), { code: "CONFLICT" })
    return "delete"
  }

  async #publish(): Promise<string> {
    const id = this.#pick(this.#pages)
    const stage = this.#random.below(3) === 0 ? "draft" : "shown"
    if (id !== undefined) await this.#of("pages").transitionStage({ id, stage })
    return "publish"
  }

  async #erase(): Promise<string> {
    if (this.#pages.length < 4) return "nothing"
    const [id] = this.#pages.splice(this.#random.below(this.#pages.length), 1)
    if (id !== undefined) await this.#of("pages").deleteById({ id })
    return "erase"
  }

  async #revert(): Promise<string> {
    const id = this.#pick(this.#pages)
    if (id !== undefined) await this.#of("pages").revertToVersion({ id, version: 1 + this.#random.below(3) })
    return "revert"
  }

  /** Expects that the stored references are those that a walk through all rows finds, and that each leads to a record. */
  async expectAgreement(): Promise<void> {
    const rows = await this.#rows()
    const walked = rows.flatMap(({ table, id, field, json }) =>
      [...new Set(idsIn(json))].map((target) => [table, id, field, target].join(" ")),
    )
    const stored = await this.#app.database.query(
      `select distinct "table", record, field, target from "_kit_references"`,
    )
    expect(stored.map((row) => Object.values(row).join(" ")).sort()).toEqual(walked.sort())
    const known = new Set(await this.#pictures())
    expect(rows.flatMap(({ json }) => idsIn(json)).filter((id) => !known.has(id))).toEqual([])
  }

  async #pictures(): Promise<string[]> {
    const ids = (await this.#app.database.query("select id from pictures order by id")).map(({ id }) => String(id))
    for (let missing = ids.length; missing < PICTURES; missing++)
      ids.push((await this.#of("pictures").create({ alt: "a" })).id)
    return ids
  }

  #items(known: readonly string[]): Item[] {
    const picture = () => (this.#random.below(4) === 0 ? null : (this.#pick(known) ?? null))
    const listed = () => [picture(), picture()].filter((id) => id !== null)
    const kinds: (() => Item)[] = [
      () => ({ type: "kept", picture: picture() }),
      () => ({ type: "loose", picture: picture() }),
      () => ({ type: "loose", picture: picture() }),
      () => ({ type: "many", pictures: listed() }),
      () => ({ type: "inner", left: [{ type: "kept", picture: picture() }] }),
    ]
    return Array.from({ length: this.#random.below(3) }, () => this.#pick(kinds)?.() ?? {})
  }

  async #rows(): Promise<readonly StoredField[]> {
    const of = (table: string) =>
      ["body", "words"].map(
        (field) => `select '${table}' as "table", id, '${field}' as field, "${field}" as json from "${table}"`,
      )
    const rows = await this.#app.database.query([...of("pages"), ...of("pages.stage.shown")].join(" union all "))
    // The cast is safe: the statement selects these four columns.
    return rows as unknown as readonly StoredField[]
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[this.#random.below(values.length)]
  }

  #of(name: string) {
    const found = this.#app.client({ user: { id: "ed" } }).collections[name]
    if (!found) throw new Error(`There is no ${name}.`)
    return found
  }
}

interface StoredField {
  readonly table: string
  readonly id: string
  readonly field: string
  readonly json: unknown
}

function rethrowUnlessConflict(error: { readonly code?: string }): false {
  if (error.code === "CONFLICT") return false
  throw error
}

/** All ids of pictures in a value, by the names of the members that hold them. */
function idsIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(idsIn)
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([name, value]) => {
    if (name === "picture") return typeof value === "string" ? [value] : []
    return name === "pictures" ? (value as string[]) : idsIn(value)
  })
}

function keptIds(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(keptIds)
  if (typeof json !== "object" || json === null) return []
  const { type, picture, left } = json as { type?: unknown; picture?: unknown; left?: unknown }
  return type === "kept" && typeof picture === "string" ? [picture] : keptIds(left)
}
