// @module-tag not-about-connections

import { collection } from "kit"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import {
  type Book,
  changed,
  HistoryModel,
  keptVersions,
  LOCALES,
  MAX_VERSIONS,
  STAGES,
} from "../support/oracles/history-model.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"

const STEPS = 130
const MAX_BOOKS = 6
const WORDS = ["a", "b", "c", "d"]
const TAGS = ["tag-1", "tag-2", "tag-3"]

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), books: f.relation("books").manyToMany({ through: "tagging" }) }))
  .options({ id: "client" })
  .access({ read: true, update: true })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    slug: f.text().localized().unique(),
    words: f.array(f.text()).localized(),
    price: f.number().decimal(8, 2),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
  }))
  .options({
    ...{ id: "client", softDelete: true, revision: true },
    ...{ workflow: { stages: STAGES }, versions: { max: MAX_VERSIONS } },
  })
  // A reader may link tags with books, from the tag, but may not update books.
  .access({ read: true, drafts: true })

const reader = { user: { id: "reader" } }

const config = { locales: { default: "en", all: [...LOCALES], fallback: { sk: ["cs"] } } }

interface Clock {
  in(duration: `${number}m`): Date
  advance(duration: `${number}m`): Promise<void>
}

interface Collections {
  readonly books: any
  /** The collection for a caller who may update books, and for one who may not. */
  readonly tags: { readonly system: any; readonly reader: any }
}

test.each([seededRandom()])(
  "stages and histories are what the model says after every write (seed $seed)",
  async (random) => {
    await using app = await testApp({ collections: [books, tags], config })
    const { collections } = app.system as { collections: Record<string, any> }
    for (const id of TAGS) await collections["tags"].create({ id })
    const tagsOf = { system: collections["tags"], reader: (app.as(reader).collections as Record<string, any>)["tags"] }
    const writer = new Writer(random, { books: collections["books"], tags: tagsOf }, app.clock)
    for (let step = 0; step < STEPS; step++) {
      await writer.step()
      await writer.look()
    }
  },
)

/** Makes random writes to the app and to the model, in every locale and stage. */
class Writer {
  readonly #model = new HistoryModel()
  readonly #random: SeededRandom
  readonly #books: any
  readonly #tags: Collections["tags"]
  readonly #clock: Clock
  #made = 0
  #minute = 0

  constructor(random: SeededRandom, { books, tags }: Collections, clock: Clock) {
    this.#random = random
    this.#books = books
    this.#tags = tags
    this.#clock = clock
  }

  async step(): Promise<void> {
    const book = this.#pick(this.#those(false))
    if (book === undefined) return this.#create()
    await this.#pick([
      ...[() => this.#create(), () => this.#update(book), () => this.#update(book), () => this.#update(book)],
      ...[() => this.#updateCopy(book), () => this.#updateCopy(book), () => this.#move(book), () => this.#move(book)],
      ...[() => this.#move(book), () => this.#moveLater(book), () => this.#wait(), () => this.#revert(book)],
      ...[() => this.#revert(book), () => this.#delete(book), () => this.#restore()],
      ...[() => this.#linkFromTag(book, "system"), () => this.#linkFromTag(book, "reader")],
    ])?.()
  }

  /** Compares every stage, and the history of one record. */
  async look(): Promise<void> {
    for (const stage of Object.keys(STAGES)) {
      const { docs } = await this.#books.find({ stage, locale: "*", with: { tags: true }, orderBy: { id: "asc" } })
      expect(docs.map(({ tags, ...doc }: any) => seen({ ...doc, tags: tags.map(({ id }: any) => id) }))).toEqual(
        this.#shown(stage),
      )
    }
    const book = this.#pick([...this.#model.books.values()])
    if (book === undefined) return
    const versions = await this.#books.findVersions({ id: book.id, includeDeleted: true }, { locale: "*" })
    expect(versions.map(seenVersion)).toEqual([...keptVersions(book)].reverse().map(({ tags, ...version }) => version))
  }

  #shown(stage: string): unknown[] {
    const there = this.#those(false).flatMap(({ id, content, revision, copies, stage: own }) => {
      const copy = stage === "draft" ? { ...content, revision } : copies.get(stage)
      return copy ? [{ id, ...copy, stage: stage === "draft" ? own : stage }] : []
    })
    return there.map(seen).sort((left, right) => (left.id < right.id ? -1 : 1))
  }

  async #create(): Promise<void> {
    if (this.#model.books.size >= MAX_BOOKS) return
    const [id, locale, stage] = [`book-${this.#made++}`, this.#locale(), this.#pick(Object.keys(STAGES)) ?? "draft"]
    const data = { ...this.#data(locale), title: this.#word() }
    const book = this.#model.create(id, data, locale)
    const isTaken = this.#model.isTaken(book.content.slug, id, "draft") || this.#model.clashes(book, stage)
    if (!(await this.#done(isTaken && "CONFLICT", () => this.#books.create({ id, ...data }, { locale, stage })))) return
    this.#model.books.set(id, book)
    this.#model.note(book, "create")
    if (stage !== "draft") this.#model.move(book, stage)
  }

  async #update(book: Book): Promise<void> {
    const locale = this.#locale()
    const data = this.#data(locale)
    const { id } = book
    const expectedRevision = book.revision + (this.#below(5) === 0 ? 1 : 0)
    const ways = [
      () => this.#books.updateById({ id, data, expectedRevision }, { locale }),
      () => this.#books.updateBatch({ updates: [{ id, data, expectedRevision }] }, { locale }),
    ]
    const isStale = expectedRevision !== book.revision
    const isTaken = "slug" in data && this.#model.isTaken({ [locale]: data["slug"] }, id, "draft")
    const isDone = await this.#done((isStale || isTaken) && "CONFLICT", this.#pick(ways))
    if (isDone) this.#model.write(book, changed(book.content, data, locale), "update")
  }

  async #linkFromTag(book: Book, writer: "system" | "reader"): Promise<void> {
    const tag = this.#pick(TAGS) ?? ""
    const isLinked = book.content.tags.includes(tag)
    const change = { [isLinked ? "disconnect" : "connect"]: [book.id] }
    await this.#tags[writer].updateById({ id: tag, data: { books: change } })
    const tags = isLinked ? book.content.tags.filter((each) => each !== tag) : [...book.content.tags, tag]
    if (writer === "system") this.#model.linkFromOtherEnd(book, tags)
    else this.#model.refreshLinks(book, tags)
  }

  async #updateCopy(book: Book): Promise<void> {
    const [locale, stage] = [this.#locale(), this.#pick(["review", "published"]) ?? "review"]
    const data = this.#data(locale)
    const copy = book.copies.get(stage)
    const isTaken = "slug" in data && this.#model.isTaken({ [locale]: data["slug"] }, book.id, stage)
    const refusal = copy === undefined ? "NOT_FOUND" : isTaken && "CONFLICT"
    const isDone = await this.#done(refusal, () => this.#books.updateById({ id: book.id, data }, { locale, stage }))
    if (isDone && copy) this.#model.writeCopy(book, stage, changed(copy, data, locale))
  }

  async #move(book: Book): Promise<void> {
    const stage = this.#pick(Object.keys(STAGES)) ?? "draft"
    const refusal = this.#model.canMove(book, stage)
      ? this.#model.clashes(book, stage) && "CONFLICT"
      : "VALIDATION_ERROR"
    if (!(await this.#done(refusal, () => this.#books.transitionStage({ id: book.id, stage })))) return
    book.waiting = undefined
    this.#model.move(book, stage)
  }

  async #moveLater(book: Book): Promise<void> {
    const [stage, minutes] = [this.#pick(Object.keys(STAGES)) ?? "draft", 1 + this.#below(3)]
    const scheduledAt = this.#clock.in(`${minutes}m`)
    const isWay = this.#model.canMove(book, stage)
    const move = () => this.#books.transitionStage({ id: book.id, stage, scheduledAt })
    if (await this.#done(!isWay && "VALIDATION_ERROR", move)) book.waiting = { stage, at: this.#minute + minutes }
  }

  async #wait(): Promise<void> {
    await this.#clock.advance("1m")
    this.#minute++
    for (const book of this.#model.books.values()) {
      const { stage, at } = book.waiting ?? {}
      if (stage === undefined || at !== this.#minute) continue
      book.waiting = undefined
      const isRefused = book.isDeleted || !this.#model.canMove(book, stage) || this.#model.clashes(book, stage)
      if (isRefused) this.#model.note(book, "refused")
      else this.#model.move(book, stage)
    }
  }

  async #revert(book: Book): Promise<void> {
    const version = this.#pick(book.versions)
    if (version === undefined) return
    const { title, slug, words, price, tags } = version
    const refusal = keptVersions(book).includes(version)
      ? this.#model.isTaken(slug, book.id, "draft") && "CONFLICT"
      : "NOT_FOUND"
    const target = { id: book.id, version: version.number }
    const isDone = await this.#done(refusal, () => this.#books.revertToVersion(target, { locale: this.#locale() }))
    if (isDone) this.#model.write(book, { title, slug, words, price, tags }, "revert")
  }

  async #delete(book: Book): Promise<void> {
    await this.#books.deleteById({ id: book.id })
    book.isDeleted = true
    this.#model.count(book, "delete")
  }

  async #restore(): Promise<void> {
    const book = this.#pick(this.#those(true))
    if (book === undefined) return
    const { id, content, copies } = book
    const isTaken =
      this.#model.isTaken(content.slug, id, "draft") ||
      [...copies].some(([stage, { slug }]) => this.#model.isTaken(slug, id, stage))
    if (!(await this.#done(isTaken && "CONFLICT", () => this.#books.restoreById({ id })))) return
    book.isDeleted = false
    this.#model.count(book, "restore")
  }

  // Either both do it, or the app refuses it for the same reason as the model.
  async #done(refusal: string | false, work: (() => Promise<unknown>) | undefined): Promise<boolean> {
    const code = await work?.().then(
      () => false,
      (error) => error.code ?? error,
    )
    expect(code).toBe(refusal)
    return refusal === false
  }

  #data(locale: string): Record<string, unknown> {
    const isEmptied = locale !== "en" && this.#below(4) === 0
    const data = {
      title: isEmptied ? null : this.#word(),
      slug: this.#below(3) === 0 ? null : `${this.#word()}${this.#below(6)}`,
      words: this.#below(4) === 0 ? null : WORDS.filter(() => this.#below(2)),
      price: this.#pick(["1.50", "2.00", null]),
      tags: TAGS.filter(() => this.#below(2)),
    }
    return Object.fromEntries(Object.entries(data).filter(() => this.#below(2)))
  }

  #those(isDeleted: boolean): Book[] {
    return [...this.#model.books.values()].filter((book) => book.isDeleted === isDeleted)
  }

  #locale = () => this.#pick(LOCALES) ?? "en"
  #word = () => this.#pick(WORDS) ?? "a"
  #below = (bound: number) => this.#random.below(bound)

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#random.below(items.length)]
  }
}

function seen({ id, title, slug, words, price, tags, stage, revision }: any) {
  return { id: String(id), title, slug, words, price, tags: [...tags].sort(), stage, revision }
}

function seenVersion({ title, slug, words, price, stage, revision, ...version }: any) {
  const { versionNumber: number, versionOperation: operation, versionStage } = version
  return { title, slug, words, price, number, operation, stage, versionStage, revision }
}
