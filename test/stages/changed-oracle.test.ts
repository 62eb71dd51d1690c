// @module-tag full-count

import { collection } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// In each round every kind of write occurs once, in a random order.
const ROUNDS = count({ short: 4, long: 60 })

const PUBLISHED = { stage: "published" } as const

const docs = collection("docs")
  .fields(({ f }) => ({
    title: f.text().localized(),
    body: f.richText().localized(),
    size: f.number().integer(),
    big: f.number().bigint(),
    price: f.number().decimal(8, 2),
    ratio: f.number(),
    day: f.date(),
    at: f.datetime(),
    hour: f.time(),
    kind: f.select(["a", "b"]),
    kinds: f.select(["a", "b", "c"]).multiple(),
    words: f.array(f.text()),
    data: f.json(),
    box: f.object({ width: f.number(), name: f.text() }),
    open: f.boolean().default(false),
    parts: f.blocks({ note: { text: f.text(), at: f.datetime() }, box: { inner: f.blocks({ rule: {} }) } }).localized(),
    home: f.relation("spots").onDelete("setNull"),
    near: f.relation("docs").onDelete("setNull"),
    spots: f.relation("spots").manyToMany({ through: "spotting" }),
    seeAlso: f.relation("docs").manyToMany(),
  }))
  .options({
    ...{ versions: true, softDelete: true, revision: true },
    workflow: { stages: { draft: {}, review: {}, published: {} } },
  })
  .access({})

const spots = collection("spots")
  .fields(({ f }) => ({ name: f.text(), docs: f.relation("docs").manyToMany({ through: "spotting" }) }))
  .access({})

const FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  title: [null, "", "a", "b"],
  body: [null, text("a"), text("b")],
  size: [null, 0, 1],
  big: [null, 1n, 2n],
  price: [null, "1.50", "2.00"],
  ratio: [null, 0, 0.1],
  day: [null, "2026-01-01"],
  at: [null, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z"],
  hour: [null, "10:00:00"],
  kind: [null, "a", "b"],
  kinds: [null, [], ["a"], ["a", "c"]],
  words: [null, [], ["x", "y"], ["y", "x"]],
  data: [null, {}, { a: 1, b: [null] }, { a: 1, b: [null, 2] }, 0, "0"],
  box: [null, { width: 1, name: null }, { width: 1, name: "n" }],
  open: [true, false],
  parts: [
    null,
    [],
    [{ type: "note", id: "a", text: "x" }],
    [{ type: "note", id: "a", text: "x", at: "2026-01-01T00:00:00.000Z" }],
    [{ type: "note", id: "b", text: "x" }],
    [
      { type: "box", id: "a", inner: [{ type: "rule", id: "c" }] },
      { type: "note", id: "b" },
    ],
    [
      { type: "note", id: "b" },
      { type: "box", id: "a", inner: [] },
    ],
  ],
}

function text(content: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: content }] }] }
}

test.each([seededRandom()])("the flag is what a comparison of both copies gives (seed $seed)", async (random) => {
  await using app = await testApp({
    ...{ resources: [docs, spots], config: { locales: { default: "en", all: ["en", "sk"] } } },
  })
  const writer = new Writer(app, random)
  for (let each = 0; each < 4; each++) await writer.create()
  for (let each = 0; each < 4; each++) await writer.createSpot()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, write] of shuffled(Object.entries(writer.writes), random)) {
      const answer = await write()
      await check(app, name, answer)
    }
  }
})

function shuffled<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  const rest = [...items]
  return items.map(() => rest.splice(random.below(rest.length), 1)[0] as Item)
}

// Reads both copies of each record, in full, and compares what they contain.
async function check({ app }: TestApp, write: string, answer: any): Promise<void> {
  const { docs } = app.system.collections as Record<string, any>
  const all = { includeDeleted: true, limit: 500, locale: "*", orderBy: { id: "asc" } }
  // The links of both copies lead to working copies, so that all of them are seen.
  const seeAlso = { stage: "draft", columns: { size: true }, limit: 50 }
  const links = { with: { spots: { columns: { name: true }, limit: 50 }, seeAlso } }
  const working = (await docs.find({ ...all, ...links })).docs
  const copies = (await docs.find({ ...all, ...links, ...PUBLISHED })).docs
  const copyOf = new Map(copies.map((copy: any) => [copy.id, copy]))
  const expected = working.map((record: any) => {
    const copy = copyOf.get(record.id)
    return [record.id, copy === undefined ? null : contentOf(record) !== contentOf(copy)]
  })
  const shown = working.map((record: any) => [record.id, record.changedSincePublished])

  expect([write, shown]).toEqual([write, expected])
  for (const copy of copies) expect(copy).not.toHaveProperty("changedSincePublished")
  const flags = new Map(expected)
  for (const record of [answer].flat()) {
    if (record?.changedSincePublished !== undefined)
      expect([write, record.changedSincePublished]).toEqual([write, flags.get(record.id)])
  }
  for (const flag of [true, false, null]) {
    const found = await docs.find({ ...all, columns: { id: true }, where: { changedSincePublished: flag } })
    const ids = expected.filter(([, each]: unknown[]) => each === flag).map(([id]: unknown[]) => id)
    expect(found.docs.map(({ id }: any) => id)).toEqual(ids)
  }
}

function contentOf({ spots, seeAlso, ...record }: any): string {
  const fields = [...Object.keys(FIELDS), "home", "near"].map((name) => [name, record[name]])
  const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort()
  return JSON.stringify([fields, ids(spots), ids(seeAlso)], (_name, value) => {
    if (typeof value === "bigint") return String(value)
    const isPlain = typeof value === "object" && value !== null && !Array.isArray(value)
    return isPlain
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value
  })
}

/** Writes at random: to few records, with few values, so that copies become equal again. */
class Writer {
  readonly #random: SeededRandom
  readonly #docs: any
  readonly #spots: any

  constructor({ app }: TestApp, random: SeededRandom) {
    const { docs, spots } = app.system.collections as Record<string, any>
    this.#docs = docs
    this.#spots = spots
    this.#random = random
  }

  readonly writes: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => this.create(),
    createPublished: () => this.#docs.create(this.#values(4), PUBLISHED),
    createSpot: () => this.createSpot(),
    update: () => this.#onDoc((id) => this.#docs.updateById({ id, data: this.#values(2) })),
    updateInSlovak: () => this.#onDoc((id) => this.#docs.updateById({ id, data: this.#values(9) }, { locale: "sk" })),
    updateMany: () => this.#docs.updateMany({ where: { size: this.#of([0, 1]) }, data: this.#values(1) }),
    updateBatch: () => this.#onDoc((id) => this.#docs.updateBatch({ updates: [{ id, data: this.#values(2) }] })),
    revert: () => this.#onDoc((id) => this.#revert(id, {})),
    revertCopy: () => this.#onCopy((id) => this.#revert(id, PUBLISHED)),
    updateCopy: () => this.#onCopy((id) => this.#docs.updateById({ id, data: this.#values(2) }, PUBLISHED)),
    updateCopies: () => this.#docs.updateMany({ where: { size: 1 }, data: this.#values(1) }, PUBLISHED),
    linkCopy: () => this.#onCopy((id) => this.#link(id, PUBLISHED)),
    link: () => this.#onDoc((id) => this.#link(id, {})),
    createLinked: () =>
      this.#onDoc((id) => this.#docs.updateById({ id, data: { spots: { create: [{ name: "new" }] } } })),
    linkFromSpot: () => this.#linkFromSpot(),
    deleteSpot: () => this.#onSpot((id) => this.#spots.deleteById({ id })),
    publish: () => this.#onDoc((id) => this.#docs.transitionStage({ id, stage: "published" })),
    publishAgain: () => this.#onCopy((id) => this.#docs.transitionStage({ id, stage: "published" })),
    review: () => this.#onDoc((id) => this.#docs.transitionStage({ id, stage: "review" })),
    withdraw: () => this.#onDoc((id) => this.#docs.transitionStage({ id, stage: "draft" })),
    leave: () => this.#onCopy((id) => this.#docs.deleteById({ id }, PUBLISHED)),
    leaveMany: () => this.#docs.deleteMany({ where: { size: 0 } }, PUBLISHED),
    delete: () => this.#onDoc((id) => this.#docs.deleteById({ id })),
    restore: () => this.#onDeleted((id) => this.#docs.restoreById({ id })),
    purge: () => this.#purge(),
  }

  create(): Promise<unknown> {
    return this.#docs.create(this.#values(6))
  }

  createSpot(): Promise<unknown> {
    return this.#spots.create({ name: this.#of(["a", "b"]) })
  }

  #of<Item>(items: readonly Item[]): Item {
    return items[this.#random.below(items.length)] as Item
  }

  #values(most: number): Record<string, unknown> {
    const names = Object.keys(FIELDS)
    const chosen = Array.from({ length: 1 + this.#random.below(most) }, () => this.#of(names))
    return Object.fromEntries(chosen.map((name) => [name, this.#of(FIELDS[name] ?? [])]))
  }

  #onDoc = (write: (id: string) => Promise<unknown>) => this.#onOne(this.#docs, {}, write)
  #onCopy = (write: (id: string) => Promise<unknown>) => this.#onOne(this.#docs, PUBLISHED, write)
  #onSpot = (write: (id: string) => Promise<unknown>) => this.#onOne(this.#spots, {}, write)
  #onDeleted = (write: (id: string) => Promise<unknown>) =>
    this.#onOne(this.#docs, { includeDeleted: true, where: { deletedAt: { isNotNull: true } } }, write)

  // Writes to a record, if there is one of the kind.
  async #onOne(records: any, options: object, write: (id: string) => Promise<unknown>): Promise<unknown> {
    const { docs } = await records.find({ limit: 500, orderBy: { id: "asc" }, ...options })
    return docs.length === 0 ? undefined : await write(this.#of<{ id: string }>(docs).id)
  }

  async #someIds(records: any): Promise<string[]> {
    const { docs } = await records.find({ limit: 500, orderBy: { id: "asc" } })
    const chosen = docs.filter(() => this.#random.below(2) === 0).map(({ id }: any) => id)
    // A read shows a limited number of links.
    return chosen.slice(-5)
  }

  async #revert(id: string, options: object): Promise<unknown> {
    const versions = await this.#docs.findVersions({ id, limit: 100, ...options })
    const { versionId } = this.#of<{ versionId: string }>(versions)
    try {
      return await this.#docs.revertToVersion({ id, versionId }, options)
    } catch (error) {
      // The version may refer to a record that was deleted since. Then nothing is written.
      expect(error).toMatchObject({ fieldErrors: [{ message: "There is no such record." }] })
      return undefined
    }
  }

  async #link(id: string, options: object): Promise<unknown> {
    const data = {
      home: this.#of([null, ...(await this.#someIds(this.#spots))]),
      near: this.#of([null, ...(await this.#someIds(this.#docs))]),
      spots: { set: await this.#someIds(this.#spots) },
      seeAlso: { set: await this.#someIds(this.#docs) },
    }
    return await this.#docs.updateById({ id, data: Object.fromEntries([this.#of(Object.entries(data))]) }, options)
  }

  async #linkFromSpot(): Promise<unknown> {
    const ids = await this.#someIds(this.#docs)
    return await this.#onSpot((id) => this.#spots.updateById({ id, data: { docs: { connect: ids } } }))
  }

  async #purge(): Promise<unknown> {
    return await this.#onDeleted((id) => this.#docs.purgeById({ id }))
  }
}
