// Random values of records: the first records, those that callers write, and the hidden ones.
import type { Chance } from "../live/random.ts"
import { randomBlocks } from "./blocks.ts"
import { GENRES, MOODS } from "./model.ts"

export type Data = Record<string, any>

export const WORDS = ["alpha", "beta", "gamma", "delta", "Alphabet", "žltý"]
/** Words that only hidden values have. Some are similar to words of others. */
export const SECRET_WORDS = ["quartz", "deltas", "alphqa"]

/** Words that hidden values have in one world or in both, and that callers write sometimes. */
const RARE_WORDS = ["basalt", "gneiss", "granite", "feldspar", "olivine", "dolomite", "obsidian", "travertine"]

const REMOVED = 6

/** The ids that exist; reads and writes use these. */
export class House {
  /** The first books, which only their owners delete. */
  books: { id: string; owner: string; isOpen: boolean }[] = []
  tasks: { id: string; owner: string; reach: string }[] = []
  /** Every id that a caller may try, by collection. */
  ids: Record<string, string[]> = {
    books: [],
    tasks: [],
    authors: [],
    tags: [],
    editions: [],
    media: [],
    shelves: [],
    boxes: [],
    teams: [],
  }
  /** The ids of owned records, by collection and owner. */
  owned: Record<string, Record<string, string[]>> = { books: {}, tasks: {}, editions: {}, media: {} }
  /** Ids of records that no caller can see, and unknown ids. */
  hidden: Record<string, string[]> = {
    books: ["nothing"],
    tasks: ["~nothing~"],
    authors: ["nothing"],
    tags: ["nothing"],
    media: ["~nothing~"],
  }
  /** The ids that callers have deleted, by collection. */
  removed: Record<string, string[]> = {}
  fileKeys: string[] = []
  codes: string[] = []
  /** Unique values that only hidden tasks have. */
  hiddenCodes: string[] = []
  #count = 0

  readonly chance: Chance

  constructor(chance: Chance) {
    this.chance = chance
  }

  fresh(prefix: string) {
    this.#count += 1
    return `${prefix}-${this.#count}`
  }

  add(name: string, id: string, owner?: string) {
    this.ids[name]?.push(id)
    const owners = this.owned[name]
    if (owners && owner) owners[owner] = [...(owners[owner] ?? []), id]
  }

  remove(name: string, id: string) {
    this.removed[name] = [...(this.removed[name] ?? []), id].slice(-REMOVED)
  }

  /** As `ownId`, mostly the id of a record that was deleted recently. */
  removedId(name: string, caller: string) {
    const removed = this.removed[name] ?? []
    return removed.length > 0 && this.chance.is(70) ? this.chance.of(removed) : this.ownId(name, caller)
  }

  /** Returns an id of this collection: mostly an existing one, sometimes a hidden or an unknown one. */
  id(name: string) {
    const { chance } = this
    const hidden = this.hidden[name] ?? []
    return chance.of(hidden.length > 0 && chance.is(15) ? hidden : (this.ids[name] ?? [])) ?? "nothing"
  }

  /** As `id`, mostly of a record that the caller owns. */
  ownId(name: string, caller: string) {
    const own = this.owned[name]?.[caller] ?? []
    return own.length > 0 && this.chance.is(65) ? this.chance.of(own) : this.id(name)
  }

  someIds(name: string, percent: number): string[] {
    const all = [...(this.ids[name] ?? []), ...(this.hidden[name] ?? [])]
    const some = Array.from({ length: 4 }, () => this.chance.of(all)).filter(() => this.chance.is(percent))
    return [...new Set(some)]
  }

  /** Returns a word for a text. */
  word() {
    return this.chance.of(this.chance.is(80) ? WORDS : RARE_WORDS)
  }

  blocks() {
    const ids = (name: string) => this.plain(name)
    return randomBlocks({ chance: this.chance, word: () => this.word(), fresh: (prefix) => this.fresh(prefix), ids })
  }

  /** Returns the fields of a book that its owner writes. */
  book(): Data {
    const { chance: c } = this
    const values = {
      ...{ slug: c.is(30) ? this.fresh("slug") : null, genre: c.of([...GENRES, null]) },
      ...{ moods: MOODS.filter(() => c.is(50)), keywords: WORDS.filter(() => c.is(40)), sold: c.of([null, 0, 1, 2]) },
      ...{ price: c.of([null, "1.50", "2.00", "7.25"]), day: c.of([null, "2026-05-04", "1999-12-31"]) },
      ...{ facts: c.of([null, { a: 1 }, { a: 2, b: [1] }, [1]]), size: c.of([null, { width: 2, unit: "cm" }]) },
      blurb: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: this.word() }] }] },
      ...{ remark: this.word(), diary: this.word(), author: c.of([...this.plain("authors"), null]) },
      ...{ sequel: c.of([...this.plain("books"), null]), patron: c.of([...this.plain("authors"), null]) },
      ...{ tags: this.plain("tags").filter(() => c.is(40)), friends: this.plain("books").filter(() => c.is(25)) },
      ...{ cover: c.of([...this.plain("media"), null]), body: this.blocks() },
      ...{ annex: this.blocks(), memo: this.blocks() },
    }
    return { title: this.word(), ...c.some(values, 60) }
  }

  task(): Data {
    const { chance: c } = this
    const values = {
      ...{
        code: c.is(40) ? this.fresh("code") : null,
        body: c.of([this.word(), this.word(), null]),
        rank: 1 + c.below(4),
      },
      ...{ remark: this.word(), author: c.of([...this.plain("authors"), null]) },
      ...{ parent: c.of([...this.plain("tasks"), null]), keeper: c.of([...this.plain("tasks"), null]) },
      ...{ watchers: this.plain("tasks").filter(() => c.is(25)), tags: this.plain("tags").filter(() => c.is(30)) },
      ...{ book: c.of([...this.plain("books"), null]), file: c.of([...this.plain("media"), null]) },
    }
    return { name: this.word(), ...c.some(values, 60) }
  }

  /** Returns the ids of the first records, which every caller may name. */
  plain(name: string): string[] {
    return (this.ids[name] ?? []).slice(0, 8)
  }
}
