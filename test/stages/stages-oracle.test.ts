// @module-tag full-count

import { collection, type Session } from "kit"
import { expect, test } from "vitest"
import { count } from "../support/count.ts"
import { type Alpha, type Beta, type Reader, type Seen, StagesModel } from "../support/oracles/stages-model.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const STEPS = count({ short: 110, long: 290 })
const STEPS_BETWEEN_LOOKS = 11

const PUBLISHED = { stage: "published" } as const
const half: Session = { user: { id: "half", role: "half" } }
const hasRole =
  (...roles: string[]) =>
  ({ session }: { session: Session | null }) =>
    roles.includes(session?.user.role ?? "")

let heard = 0
const alphas = collection("alphas")
  .fields(({ f }) => ({
    title: f.text().localized(),
    size: f.number().integer().index(),
    code: f.text().unique(),
    main: f.relation("betas").onDelete("setNull"),
    betas: f.relation("betas").manyToMany({ through: "pairs" }),
  }))
  .options({ workflow: true, softDelete: true, revision: true, versions: true })
  .access({ read: true, drafts: hasRole("half") })
  .hooks({ afterChange: () => void heard++, beforeTransition: () => void heard++ })

const betas = collection("betas")
  .fields(({ f }) => ({
    name: f.text(),
    alphas: f.relation("alphas").manyToMany({ through: "pairs" }),
    mains: f.relation("alphas").hasMany({ via: "main" }),
  }))
  .options({ workflow: true, timestamps: false, id: "client" })
  .access({ read: true, drafts: false })

const READERS: readonly { reader: Reader; session?: Session; isSystem?: boolean; options?: object }[] = [
  { reader: { alphas: "published", betas: "published" } },
  { reader: { alphas: "draft", betas: "published" }, session: half },
  { reader: { alphas: "draft", betas: "draft" }, isSystem: true },
  { reader: { alphas: "published", betas: "published" }, isSystem: true, options: { stage: "published" } },
]

const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort()

test.each([seededRandom()])(
  "every reader sees what the model says, whatever was written (seed $seed)",
  async (random) => {
    await using app = await testApp({
      resources: [alphas, betas],
      config: { locales: { default: "en", all: ["en", "sk"] } },
    })
    const model = new StagesModel()
    const write = new Writer(app, model, () => random.below(1000) / 1000)
    for (let step = 1; step <= STEPS; step++) {
      await write.step()
      if (step % STEPS_BETWEEN_LOOKS === 0) for (const each of READERS) await look(app, model.seenBy(each.reader), each)
    }
    await checkHistories(app, model)
    expect(heard).toBeGreaterThan(0)
  },
)

async function look(app: TestApp, seen: Seen, { session, isSystem, options = {} }: (typeof READERS)[number]) {
  const api = (isSystem ? app.app.system : app.client(session)) as { collections: Record<string, any> }
  const { alphas, betas } = api.collections
  const all = { limit: 60, ...options }
  const withAll = { with: { main: true, betas: true } }

  const page = await alphas.find({ ...all, ...withAll, locale: "*", orderBy: [{ size: "asc" }, { id: "asc" }] })
  const found = page.docs.map(({ id, title, size, code, main, stage, betas, changedSincePublished: changed }: any) => ({
    ...{ id, title, size, code, main: main?.id ?? null, stage, betas: ids(betas), changed },
  }))
  const ordered = [...seen.alphas].sort((left, right) => left.size - right.size || (left.id < right.id ? -1 : 1))
  expect(found).toEqual(ordered)
  expect(page.totalDocs).toBe(ordered.length)

  const others = await betas.find({
    ...all,
    with: { alphas: { _count: true }, mains: { with: { betas: { limit: 30 } } } },
  })
  const byId = new Map(seen.alphas.map((alpha) => [alpha.id, alpha]))
  for (const beta of seen.betas) {
    const record = others.docs.find(({ id }: any) => id === beta.id)
    expect(record).toMatchObject({ name: beta.name, _count: { alphas: beta.alphas.length } })
    expect(record.changedSincePublished).toBe(beta.changed)
    expect(ids(record.alphas)).toEqual(beta.alphas)
    expect(ids(record.mains)).toEqual(beta.mains)
    for (const main of record.mains) expect(ids(main.betas)).toEqual(byId.get(main.id)?.betas)
  }
  expect(others.docs).toHaveLength(seen.betas.length)

  const name = seen.betas[0]?.name ?? "none"
  const named = new Set(seen.betas.filter((beta) => beta.name === name).map(({ id }) => id))
  const count = (where: object) => alphas.count({ where, ...options })
  const expected = (matches: (alpha: Seen["alphas"][number]) => boolean) => seen.alphas.filter(matches).length
  expect(await count({ size: { gte: 5 } })).toBe(expected(({ size }) => size >= 5))
  expect(await count({ main: { name } })).toBe(expected(({ main }) => main !== null && named.has(main)))
  expect(await count({ betas: { some: { name } } })).toBe(expected(({ betas }) => betas.some((id) => named.has(id))))
  expect(await count({ betas: { none: {} } })).toBe(expected(({ betas }) => betas.length === 0))
  expect(await betas.count({ where: { mains: { some: { size: { lt: 5 } } } }, ...options })).toBe(
    seen.betas.filter(({ mains }) => mains.some((id) => (byId.get(id)?.size ?? 9) < 5)).length,
  )
}

// Checks that versions are numbered without gaps, and that the newest versions equal the record and its copy.
async function checkHistories({ app }: TestApp, model: StagesModel): Promise<void> {
  const { alphas } = app.system.collections as Record<string, any>
  for (const alpha of model.alphas.values()) {
    const versions = await alphas.findVersions({ id: alpha.id, includeDeleted: true, limit: 200, locale: "*" })
    expect(versions.map((each: any) => each.versionNumber)).toEqual(
      versions.map((_each: any, at: number) => versions.length - at),
    )
    const shown = versions.find(
      (each: any) => each.versionStage === "published" || each.versionOperation === "transition",
    )
    const { title, size, code } = alpha.copy ?? {}
    if (alpha.copy) expect(shown).toMatchObject({ title, size, code })
    const worked = versions.find((each: any) => each.versionStage === null)
    expect(worked).toMatchObject({ title: alpha.title, size: alpha.size, code: alpha.code, main: alpha.main })
  }
}

/** Makes random writes, to the app and to the model alike. */
class Writer {
  readonly #model: StagesModel
  readonly #random: () => number
  readonly #alphas: any
  readonly #betas: any
  #made = 0

  constructor({ app }: TestApp, model: StagesModel, random: () => number) {
    const { alphas, betas } = app.system.collections as Record<string, any>
    this.#alphas = alphas
    this.#betas = betas
    this.#model = model
    this.#random = random
  }

  async step(): Promise<void> {
    // Most steps do nothing without one.
    if (this.#model.alphas.size === 0) return this.#createAlpha()
    const steps = [
      ...[() => this.#createAlpha(), () => this.#createBeta(), () => this.#changeAlpha(), () => this.#changeBeta()],
      ...[() => this.#linkAlpha(), () => this.#linkBeta(), () => this.#publishAlpha(), () => this.#publishBeta()],
      ...[() => this.#publishAlpha(), () => this.#publishBeta(), () => this.#withdraw(), () => this.#leave()],
      ...[() => this.#changeCopy(), () => this.#linkCopy(), () => this.#changeBetaCopy(), () => this.#createShown()],
      ...[() => this.#changeCopies(), () => this.#linkCopies(), () => this.#deleteCopy(), () => this.#deleteCopies()],
    ]
    await this.#pick(steps)?.()
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }

  #word = () => `w${Math.floor(this.#random() * 6)}`
  #alpha = (isDeleted = false): Alpha | undefined =>
    this.#pick([...this.#model.alphas.values()].filter((alpha) => alpha.isDeleted === isDeleted))
  #beta = (): Beta | undefined => this.#pick([...this.#model.betas.values()])

  // Either both do it, or the app refuses it for the same reason as the model.
  async #unless(isRefused: boolean, work: () => Promise<unknown>): Promise<boolean> {
    if (!isRefused) await work()
    else await expect(work()).rejects.toMatchObject({ code: "CONFLICT" })
    return !isRefused
  }

  async #createAlpha(): Promise<void> {
    const values = { size: Math.floor(this.#random() * 10), code: this.#random() < 0.5 ? null : this.#word() }
    const main = this.#beta()?.id ?? null
    const en = this.#word()
    await this.#unless(this.#model.isTaken(values.code, "", "draft"), async () => {
      const { id } = await this.#alphas.create({ ...values, main, title: en })
      const title = { en }
      this.#model.alphas.set(id, {
        ...{ id, ...values, main, title, isDeleted: false, stage: "draft", copy: undefined },
      })
    })
  }

  async #createBeta(): Promise<void> {
    const id = `beta-${this.#made++}`
    const name = this.#word()
    await this.#betas.create({ id, name })
    this.#model.betas.set(id, { id, name, stage: "draft", copy: undefined })
  }

  async #changeAlpha(): Promise<void> {
    const alpha = this.#alpha()
    if (!alpha) return
    const change = { size: Math.floor(this.#random() * 10), code: this.#random() < 0.3 ? null : this.#word() }
    const main = this.#random() < 0.5 ? null : (this.#beta()?.id ?? null)
    const locale = this.#random() < 0.5 ? "en" : "sk"
    const title = this.#word()
    const isDone = await this.#unless(this.#model.isTaken(change.code, alpha.id, "draft"), () =>
      this.#alphas.updateById({ id: alpha.id, data: { ...change, main, title } }, { locale }),
    )
    if (isDone) Object.assign(alpha, { ...change, main, title: { ...alpha.title, [locale]: title } })
  }

  async #changeBeta(): Promise<void> {
    const beta = this.#beta()
    if (!beta) return
    beta.name = this.#word()
    await this.#betas.updateMany({ where: { id: beta.id }, data: { name: beta.name } })
  }

  async #linkAlpha(): Promise<void> {
    const [alpha, beta] = [this.#alpha(), this.#beta()]
    if (!alpha || !beta) return
    const link = `${alpha.id} ${beta.id}`
    const operation = this.#model.links.has(link) ? "disconnect" : "connect"
    await this.#alphas.updateById({ id: alpha.id, data: { betas: { [operation]: [beta.id] } } })
    if (operation === "connect") this.#model.links.add(link)
    else this.#model.links.delete(link)
  }

  async #linkBeta(): Promise<void> {
    const beta = this.#beta()
    if (!beta) return
    const chosen = [...this.#model.alphas.values()].filter(({ isDeleted }) => !isDeleted && this.#random() < 0.4)
    const hidden = [...this.#model.alphas.values()].filter(({ isDeleted }) => isDeleted).map(({ id }) => id)
    // A write that leaves out a deleted record would be refused.
    if (hidden.some((id) => this.#model.links.has(`${id} ${beta.id}`))) return
    await this.#betas.updateById({ id: beta.id, data: { alphas: { set: ids(chosen) } } })
    for (const link of [...this.#model.links]) if (link.endsWith(` ${beta.id}`)) this.#model.links.delete(link)
    for (const { id } of chosen) this.#model.links.add(`${id} ${beta.id}`)
  }

  async #publishAlpha(): Promise<void> {
    const alpha = this.#alpha()
    if (!alpha) return
    const isDone = await this.#unless(this.#model.isTaken(alpha.code, alpha.id, "published"), () =>
      this.#alphas.transitionStage({ id: alpha.id, stage: "published" }),
    )
    if (isDone) this.#model.publishAlpha(alpha)
  }

  async #publishBeta(): Promise<void> {
    const beta = this.#beta()
    if (!beta) return
    await this.#betas.transitionStage({ id: beta.id, stage: "published" })
    this.#model.publishBeta(beta)
  }

  // A record that is not in the stage has no copy to change.
  async #copyOf<Found extends Alpha | Beta>(record: Found | undefined): Promise<Found | undefined> {
    if (record === undefined || record.copy !== undefined) return record
    const records = "name" in record ? this.#betas : this.#alphas
    await expect(records.updateById({ id: record.id, data: {} }, PUBLISHED)).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
    return undefined
  }

  async #changeCopy(): Promise<void> {
    const alpha = await this.#copyOf(this.#alpha())
    if (!alpha?.copy) return
    const change = { size: Math.floor(this.#random() * 10), code: this.#random() < 0.3 ? null : this.#word() }
    const main = this.#random() < 0.5 ? null : (this.#beta()?.id ?? null)
    const locale = this.#random() < 0.5 ? "en" : "sk"
    const title = this.#word()
    const isDone = await this.#unless(this.#model.isTaken(change.code, alpha.id, "published"), () =>
      this.#updateCopy(alpha.id, { ...change, main, title }, { locale, ...PUBLISHED }),
    )
    if (isDone) Object.assign(alpha.copy, { ...change, main, title: { ...alpha.copy.title, [locale]: title } })
  }

  // One record can be updated by each of the three operations, with the same result.
  #updateCopy(id: string, data: object, options: object): Promise<unknown> {
    const ways = [
      () => this.#alphas.updateById({ id, data }, options),
      () => this.#alphas.updateBatch({ updates: [{ id, data }] }, options),
      () => this.#alphas.updateMany({ where: { id }, data }, options),
    ]
    return this.#pick(ways)?.()
  }

  #shownAlphas = (isChosen: (copy: NonNullable<Alpha["copy"]>) => boolean) =>
    [...this.#model.alphas.values()].filter(({ copy, isDeleted }) => !isDeleted && copy && isChosen(copy))

  // The filter is about the copies, and not about the working records.
  async #changeCopies(): Promise<void> {
    const [below, size, title] = [Math.floor(this.#random() * 10), Math.floor(this.#random() * 10), this.#word()]
    const chosen = this.#shownAlphas((copy) => copy.size < below)
    const written = await this.#alphas.updateMany({ where: { size: { lt: below } }, data: { size, title } }, PUBLISHED)
    expect(ids(written)).toEqual(ids(chosen))
    for (const { copy } of chosen) Object.assign(copy ?? {}, { size, title: { ...copy?.title, en: title } })
  }

  // Each copy gets its own size, and a link that it did not have.
  async #linkCopies(): Promise<void> {
    const beta = this.#beta()
    const chosen = this.#shownAlphas(() => this.#random() < 0.3)
    if (!beta) return
    const updates = chosen.map(({ id }, at) => ({ id, data: { size: at % 10, betas: { connect: [beta.id] } } }))
    const written = await this.#alphas.updateBatch({ updates }, PUBLISHED)
    expect(written.map(({ size }: any) => size)).toEqual(updates.map(({ data }) => data.size))
    for (const [at, { copy }] of chosen.entries()) {
      Object.assign(copy ?? {}, { size: at % 10 })
      copy?.links.add(beta.id)
    }
  }

  // Without its copy, a record still names the stage of its last transition.
  async #deleteCopy(): Promise<void> {
    const record = this.#random() < 0.5 ? await this.#copyOf(this.#alpha()) : await this.#copyOf(this.#beta())
    if (!record) return
    const records = "name" in record ? this.#betas : this.#alphas
    expect(await records.deleteById({ id: record.id }, PUBLISHED)).toMatchObject({ data: { id: record.id } })
    record.copy = undefined
  }

  async #deleteCopies(): Promise<void> {
    const size = Math.floor(this.#random() * 10)
    const chosen = this.#shownAlphas((copy) => copy.size === size)
    const answer = await this.#alphas.deleteMany({ where: { size } }, PUBLISHED)
    expect(answer).toEqual({ success: true, count: chosen.length })
    for (const alpha of chosen) alpha.copy = undefined
  }

  async #linkCopy(): Promise<void> {
    const alpha = await this.#copyOf(this.#alpha())
    const beta = this.#beta()
    if (!alpha?.copy || !beta) return
    const { links } = alpha.copy
    const operation = links.has(beta.id) ? "disconnect" : "connect"
    await this.#alphas.updateById({ id: alpha.id, data: { betas: { [operation]: [beta.id] } } }, PUBLISHED)
    if (operation === "connect") links.add(beta.id)
    else links.delete(beta.id)
  }

  async #changeBetaCopy(): Promise<void> {
    const beta = await this.#copyOf(this.#beta())
    if (!beta?.copy) return
    const chosen = [...this.#model.alphas.values()].filter(({ isDeleted }) => !isDeleted && this.#random() < 0.4)
    const hidden = [...this.#model.alphas.values()].filter(({ isDeleted }) => isDeleted).map(({ id }) => id)
    const name = this.#word()
    // A write that leaves out a deleted record would be refused.
    const isKept = hidden.some((id) => beta.copy?.links.has(id))
    const data = { name, ...(isKept ? {} : { alphas: { set: ids(chosen) } }) }
    await this.#betas.updateById({ id: beta.id, data }, PUBLISHED)
    beta.copy = { name, links: isKept ? beta.copy.links : new Set(ids(chosen)) }
  }

  async #createShown(): Promise<void> {
    const [code, title, beta] = [this.#word(), this.#word(), this.#beta()]
    const isTaken = this.#model.isTaken(code, "", "draft") || this.#model.isTaken(code, "", "published")
    await this.#unless(isTaken, async () => {
      const data = { size: 5, code, title, main: beta?.id ?? null, betas: { connect: beta ? [beta.id] : [] } }
      const { id } = await this.#alphas.create(data, PUBLISHED)
      const content = { size: 5, code, title: { en: title }, main: data.main }
      const alpha = { ...{ id, ...content, isDeleted: false, stage: "published", copy: undefined } }
      this.#model.alphas.set(id, alpha)
      if (beta) this.#model.links.add(`${id} ${beta.id}`)
      this.#model.publishAlpha(alpha)
    })
  }

  async #withdraw(): Promise<void> {
    const record = this.#random() < 0.5 ? this.#alpha() : this.#beta()
    if (!record) return
    const records = "name" in record ? this.#betas : this.#alphas
    await records.transitionStage({ id: record.id, stage: "draft" })
    record.copy = undefined
    record.stage = "draft"
  }

  async #leave(): Promise<void> {
    const ways = [() => this.#deleteBeta(), () => this.#deleteAlpha(), () => this.#restore(), () => this.#purge()]
    await this.#pick(ways)?.()
  }

  async #deleteBeta(): Promise<void> {
    const beta = this.#beta()
    if (!beta) return
    await this.#betas.deleteById({ id: beta.id })
    this.#model.removeBeta(beta.id)
  }

  async #deleteAlpha(): Promise<void> {
    const alpha = this.#alpha()
    if (!alpha) return
    if (this.#random() < 0.5) await this.#alphas.deleteById({ id: alpha.id })
    else await this.#alphas.deleteMany({ where: { id: alpha.id } })
    alpha.isDeleted = true
  }

  async #restore(): Promise<void> {
    const alpha = this.#alpha(true)
    if (!alpha) return
    const isTaken =
      this.#model.isTaken(alpha.code, alpha.id, "draft") ||
      this.#model.isTaken(alpha.copy?.code ?? null, alpha.id, "published")
    const isDone = await this.#unless(isTaken, () => this.#alphas.restoreById({ id: alpha.id }))
    if (isDone) alpha.isDeleted = false
  }

  async #purge(): Promise<void> {
    const alpha = this.#alpha(true)
    if (!alpha) return
    await this.#alphas.purgeById({ id: alpha.id })
    this.#model.removeAlpha(alpha.id)
  }
}
