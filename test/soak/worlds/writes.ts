// Random writes: to records that the caller may write, and through their relations to records that they may not.

import type { Caller } from "./callers.ts"
import { type House, WORDS } from "./content.ts"
import { LOCALES } from "./model.ts"
import type { Answer, Request } from "./world.ts"

type Data = Record<string, any>

/** The target collection of each relation. */
const TO_MANY: Record<string, Record<string, string>> = {
  books: { editions: "editions", prequels: "books", tags: "tags", friends: "books" },
  tasks: { children: "tasks", kept: "tasks", watchers: "tasks", allies: "tasks", guests: "tasks", tags: "tags" },
  authors: { books: "books", ghosted: "books", sponsored: "books", tasks: "tasks", secrets: "nothing" },
  tags: { books: "books", tasks: "tasks" },
  shelves: { boxes: "boxes" },
}
const TO_ONE: Record<string, Record<string, string>> = {
  books: { author: "authors", ghost: "authors", patron: "authors", sequel: "books", cover: "media" },
  tasks: { author: "authors", parent: "tasks", keeper: "tasks", book: "books", team: "teams", file: "media" },
  authors: { portrait: "media" },
  editions: { book: "books" },
  boxes: { shelf: "shelves" },
}
const WRITTEN = [
  ...["books", "books", "books", "books", "tasks", "tasks", "tasks", "tasks", "authors", "authors", "authors"],
  ...["tags", "tags", "tags", "editions", "shelves", "boxes", "media"],
]
const ORDERED: Record<string, readonly string[]> = { books: ["friends"], tasks: ["watchers", "allies", "tags"] }
// Fields that a field rule hides from some callers.
const HIDDEN_FROM_SOME = ["kept", "allies", "guests", "ghosted", "sponsored"]
const SCHEDULED = "2080-01-01T00:00:00.000Z"

/** The other end of a relation, and who writes it. */
interface Place {
  readonly target: string
  readonly caller: Caller
  readonly isOrdered: boolean
}

export class Writes {
  readonly house: House
  readonly chance

  constructor(house: House) {
    this.house = house
    this.chance = house.chance
  }

  next(caller: Caller): Request {
    const name = this.chance.of(WRITTEN)
    const kind = this.chance.below(108)
    if (kind < 14) return this.#create(name, caller)
    if (kind < 36) return this.#update(name, caller)
    if (kind < 50) return this.#relate(name, caller)
    if (kind < 62) return this.#bulk(name, caller)
    if (kind < 70) return this.#remove(name, caller)
    if (kind < 82) return this.#move(caller)
    if (kind < 88) return this.#revert(caller)
    if (kind < 96) return this.#global(caller)
    return kind < 100 ? this.#upload(caller) : this.#reorder(caller)
  }

  /** Gives a created record a name, so that later requests can use it. */
  learn({ path, caller, method }: Request, { status, text }: Answer) {
    const [, name = "", place = ""] = /^\/(\w+)\/?([^?/]*)(?=\?|$)/.exec(path) ?? []
    if (status === 200 && method === "DELETE" && place) this.house.remove(name, place)
    if (status !== 201) return
    const { id, key, code } = JSON.parse(text)
    if (id) this.house.add(name, id, caller)
    if (key) this.house.fileKeys.push(key)
    if (code && name === "authors") this.house.codes.push(code)
  }

  #create(name: string, caller: Caller): Request {
    const stage = name === "books" && this.chance.is(40) ? [`stage=${this.chance.of(["published", "review"])}`] : []
    const related = this.chance.is(25) ? this.#relations(name, caller) : {}
    const body = { ...this.#record(name, caller), ...related, ...this.#mistake() }
    return { caller, path: `/${name}${queryOf([...this.#locale(), ...stage])}`, body }
  }

  #update(name: string, caller: Caller): Request {
    const { chance, house } = this
    const id = house.ownId(name, caller)
    const stage = name === "books" && chance.is(15) ? [`stage=${chance.of(["published", "review"])}`] : []
    const path = `/${name}/${id}${queryOf([...this.#locale(), ...stage, ...this.#revision(name === "tags" ? 40 : 16)])}`
    const headers = chance.is(4) ? { "if-match": `"${chance.below(5)}"` } : {}
    return { caller, method: "PATCH", path, headers, body: { ...this.#changes(name, caller), ...this.#mistake() } }
  }

  /** Moves records that the caller can see, most of them, in an order of a record that the caller may write. */
  #reorder(caller: Caller): Request {
    const { chance, house } = this
    const name = chance.of(["books", "tasks"])
    const relation = chance.of(ORDERED[name] ?? [])
    const target = TO_MANY[name]?.[relation] ?? name
    const own = chance.is(60) ? (house.owned[name]?.[caller] ?? []) : house.plain(target)
    const body = { [relation]: this.#inOrder(target === name && own.length > 0 ? own : house.plain(target), target) }
    return { caller, method: "PATCH", path: `/${name}/${house.ownId(name, caller)}`, body }
  }

  #relate(name: string, caller: Caller): Request {
    const id = this.house.ownId(name, caller)
    const path = `/${name}/${id}${queryOf(this.#revision())}`
    return { caller, method: "PATCH", path, body: this.#relations(name, caller) }
  }

  #bulk(name: string, caller: Caller): Request {
    const { chance, house } = this
    const where = chance.of([
      { id: { in: [house.ownId(name, caller), house.ownId(name, caller), house.id(name)] } },
      { owner: chance.of(["bob", "eva", "zoe"]), createdAt: { gt: "2000-01-01" } },
      { [chance.of(["title", "name", "remark", "diary", "note", "cost"])]: { contains: chance.of(WORDS).slice(0, 2) } },
      { [chance.of(["prequels", "children", "tags", "friends"])]: { some: {} } },
      {},
    ])
    const kind = chance.below(10)
    if (kind < 4)
      return { caller, method: "PATCH", path: `/${name}`, body: { where, data: this.#changes(name, caller) } }
    if (kind < 8) {
      const updates = Array.from({ length: 1 + chance.below(3) }, () => ({
        ...{ id: house.ownId(name, caller), data: this.#changes(name, caller) },
        ...(chance.is(15) && { expectedRevision: 1 + chance.below(8) }),
      }))
      return { caller, path: `/${name}/update-batch`, body: { updates } }
    }
    // Deletes only a few records at a time; otherwise none would soon be left.
    const few = { id: { in: [house.ownId(name, caller), chance.of(house.hidden[name] ?? ["nothing"])] } }
    return { caller, path: `/${name}/delete-many`, body: { where: chance.is(70) ? few : { ...few, ...where } } }
  }

  #remove(name: string, caller: Caller): Request {
    const { chance } = this
    const query = queryOf(this.#revision())
    const kind = chance.below(10)
    if (kind < 5) return { caller, method: "DELETE", path: `/${name}/${this.house.ownId(name, caller)}${query}` }
    const id = this.house.removedId(name, caller)
    return { caller, method: "POST", path: `/${name}/${id}/${kind < 8 ? "restore" : "purge"}${query}` }
  }

  #move(caller: Caller): Request {
    const { chance } = this
    const name = chance.of(["books", "books", "books", "tags", "tasks"])
    const path = `/${name}/${this.house.ownId(name, caller)}/transition${queryOf(this.#revision())}`
    if (chance.is(15)) return { caller, method: "DELETE", path }
    const when = chance.is(25) ? { scheduledAt: SCHEDULED } : {}
    return { caller, path, body: { stage: chance.of(["published", "published", "draft", "review", "gone"]), ...when } }
  }

  #revert(caller: Caller): Request {
    const name = this.chance.of(["books", "tasks", "authors", "tags"])
    const path = `/${name}/${this.house.ownId(name, caller)}/revert${queryOf(this.#revision())}`
    return { caller, path, body: this.chance.is(95) ? { version: 1 + this.chance.below(6) } : {} }
  }

  #global(caller: Caller): Request {
    const { chance, house } = this
    const [lead, task] = [house.id("books"), house.id("tasks")]
    const home = chance.of([{ motto: chance.of(WORDS) }, { lead }, { pick: task }])
    const settings = chance.of([
      { name: chance.of(WORDS) },
      { task },
      { remark: "mine" },
      { budget: 4 },
      { isOpen: true },
    ])
    const query = queryOf([...this.#locale(), ...this.#revision()])
    return chance.of([
      { caller, method: "PATCH", path: `/globals/home${query}`, body: home },
      { caller, method: "PATCH", path: `/globals/settings${query}`, body: settings },
      { caller, method: "PATCH", path: `/globals/settings${query}`, body: settings },
      { caller, path: "/globals/home/transition", body: { stage: chance.of(["published", "review", "draft"]) } },
      { caller, path: "/globals/home/transition", method: "DELETE" },
      { caller, path: `/globals/${chance.of(["home", "settings"])}/revert`, body: { version: 1 + chance.below(6) } },
    ])
  }

  #upload(caller: Caller): Request {
    const fields = { caption: this.chance.of(WORDS), owner: this.chance.of([caller, caller, "zoe"]), isShown: "true" }
    return { caller, path: "/media/upload", file: { text: this.chance.of(WORDS), name: "mine.txt", fields } }
  }

  /** Returns the input for a new record. */
  #record(name: string, caller: Caller): Data {
    const { chance, house } = this
    const owner = chance.is(92) ? caller : "zoe"
    if (name === "books") {
      const figure = [{ type: "figure", book: house.id("books") }]
      const named = chance.is(15) && { [chance.of(["body", "annex", "memo"])]: figure }
      return { ...house.book(), ...named, id: house.fresh("new"), owner, isOpen: chance.is(50) }
    }
    if (name === "tasks") {
      const team = chance.of([null, "team-1", "team-2"])
      return { ...house.task(), owner, isPublic: chance.is(40), team }
    }
    if (name === "authors") return { id: house.fresh("new"), name: chance.of(WORDS), code: house.fresh("code") }
    if (name === "tags") return { id: house.fresh("new"), name: house.fresh("tag"), isListed: chance.is(50) }
    if (name === "editions") return { id: house.fresh("new"), pages: chance.below(9), owner }
    if (name === "shelves") return { id: house.fresh("new"), room: chance.of(WORDS) }
    if (name === "boxes") return { id: house.fresh("new"), label: chance.of(WORDS) }
    return { caption: chance.of(WORDS) }
  }

  #changes(name: string, caller: Caller): Data {
    const { chance } = this
    const { id: _id, owner: _owner, isOpen: _isOpen, slug: _slug, code: _code, ...data } = this.#record(name, caller)
    const some = chance.some(data, 40)
    return chance.is(30) ? { ...some, ...this.#relations(name, caller) } : some
  }

  #mistake(): Data {
    if (this.chance.is(88)) return {}
    return this.chance.of([
      ...[{ title: 5 }, { titel: "x" }, { cost: 5 }, { wage: 5 }, { isOpen: true }, { owner: "zoe" }, { rank: "many" }],
      ...[
        { author: "nobody" },
        { parent: "nobody" },
        { ghost: "author-1" },
        { revision: 3 },
        { label: "x" },
        { size: 4 },
        { note: "x" },
        { titles: "x" },
        { isSealed: true },
        { changedSincePublished: true },
        { body: [{ type: "quote", text: 5 }] },
        { body: [{ type: "vault" }] },
        { memo: [{ type: "box", inner: [{ type: "figure" }] }] },
        { plan: [{ type: "rule" }] },
        { vault: [] },
      ],
    ])
  }

  #relations(name: string, caller: Caller): Data {
    const { chance } = this
    const all = Object.entries(TO_MANY[name] ?? {})
    const hidden = all.filter(([relation]) => HIDDEN_FROM_SOME.includes(relation))
    const many = hidden.length > 0 && chance.is(40) ? hidden : all
    const one = Object.entries(TO_ONE[name] ?? {})
    const [relation, target] = chance.of([...many, ...many, ...one]) ?? []
    if (relation === undefined || target === undefined) return {}
    const place = { target, caller, isOrdered: (ORDERED[name] ?? []).includes(relation) }
    return { [relation]: many.some(([each]) => each === relation) ? this.#toMany(place) : this.#toOne(place) }
  }

  #toOne({ target, caller }: Place) {
    const { chance, house } = this
    const id = house.id(target)
    return chance.of([
      ...[id, id, { connect: { id } }, { disconnect: true }, null],
      { create: this.#record(target, caller) },
      this.#connectOrCreate({ target, caller }),
    ])
  }

  #toMany({ target, caller, isOrdered }: Place): Data | string[] {
    const { chance, house } = this
    const ids = chance.is(50) ? [house.id(target)] : house.someIds(target, 50)
    const own = [house.ownId(target, caller), ...house.someIds(target, 15)]
    const data = chance.is(70) ? this.#plainChange(target) : {}
    const update = [...new Set(own)].map((id) => ({ id, data: { ...data, ...this.#mistake() } }))
    const operations = [
      ...[{ connect: ids }, { connect: own }, { disconnect: ids }, { disconnect: own }, { set: ids }, { set: own }],
      ...[{ set: [] }, { delete: own.slice(0, 1) }, { delete: house.someIds(target, 20) }, { update }, { update }],
      { create: [this.#record(target, caller)] },
      this.#connectOrCreate({ target, caller }),
    ]
    // Without an order, a move is refused.
    if (chance.is(isOrdered ? 45 : 3)) return this.#inOrder(own, target)
    if (chance.is(15)) return ids
    return chance.is(20) ? { ...chance.of(operations), ...chance.of(operations) } : chance.of(operations)
  }

  /** Moves a related record, or one that the same write relates. */
  #inOrder(own: readonly string[], target: string): Data {
    const { chance, house } = this
    const [moved, neighbour] = [chance.of(own), chance.of([...own, house.id(target)])]
    const where = chance.of([{ before: neighbour }, { after: neighbour }, { to: "start" }, { to: "end" }])
    const isRelated = "to" in where ? [moved] : [moved, neighbour]
    return { ...(chance.is(65) && { connect: isRelated }), move: { id: moved, ...where } }
  }

  #connectOrCreate({ target, caller }: { target: string; caller: Caller }) {
    const { chance, house } = this
    const create = this.#record(target, caller)
    if (target === "tags")
      return { connectOrCreate: { where: { name: chance.of(["tag-1", "tag-2", "none"]) }, create } }
    if (target === "books") return { connectOrCreate: { where: { slug: "slug-none" }, create } }
    return { connectOrCreate: { where: { code: chance.of([...house.codes, house.fresh("code")]) }, create } }
  }

  #plainChange(name: string): Data {
    const word = this.chance.of(WORDS)
    if (name === "books") return { title: word }
    if (name === "editions") return { pages: 7 }
    return name === "boxes" ? { label: word } : { name: name === "tags" ? this.house.fresh("tag") : word }
  }

  #locale() {
    return this.chance.is(25) ? [`locale=${this.chance.of(LOCALES)}`] : []
  }

  #revision(percent = 16) {
    return this.chance.is(percent) ? [`expectedRevision=${this.chance.of([1, 2, 3, 4, 5, 6, 7, 8, 99, "x"])}`] : []
  }
}

function queryOf(parameters: string[]) {
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`
}
