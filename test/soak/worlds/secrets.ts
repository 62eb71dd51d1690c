// The differences between the worlds: records and values that none of the callers of a round can see.
import { randomBlocks } from "./blocks.ts"
import { type Caller, MEMBERS, OWNERS } from "./callers.ts"
import { type Data, type House, SECRET_WORDS } from "./content.ts"
import { reachOf } from "./first-records.ts"
import { LOCALES } from "./model.ts"
import type { Pair } from "./pair.ts"
import type { World } from "./world.ts"

type Scene = { pair: Pair; house: House; callers: readonly Caller[] }

const FAR = "2090-01-01T00:00:00.000Z"

export class Secrets {
  /** Sealed books that one world has. */
  #sealed: { id: string; world: World }[] = []
  /** Tasks that nobody sees, in both worlds. */
  #veiled: string[] = []
  #count = 0

  readonly pair
  readonly house
  readonly callers
  readonly chance
  readonly hasEditor
  readonly strangers

  constructor({ pair, house, callers }: Scene) {
    this.pair = pair
    this.house = house
    this.callers = callers
    this.chance = pair.chance
    this.hasEditor = callers.includes("ed")
    /** The owners whose own records none of the callers can see. */
    this.strangers = OWNERS.filter((owner) => !callers.some((caller) => caller === owner))
  }

  /** Gives the hidden fields of visible records a different value in each world, with the same number of writes. */
  async fillHiddenFields() {
    await this.#addVeiled()
    for (const book of this.house.books) await this.#fillBook(book)
    for (const task of this.house.tasks) await this.#fillTask(task)
    for (const id of this.house.ids["authors"] ?? []) {
      await this.#eachUpdate("authors", id, (world) => ({
        [world.names.hidden]: this.#word(),
        ...(!this.hasEditor && { wage: this.chance.below(9) }),
      }))
    }
    await this.pair.both(({ names, system: { globals } }) =>
      globals.settings.update({
        ...{ [names.hidden]: this.#word(), remark: this.#word() },
        ...(!this.hasEditor && { budget: this.chance.below(9) }),
      }),
    )
    await this.pair.both(({ names, system: { globals } }) => {
      const hidden = { [names.hidden]: this.#word(), ...(!this.hasEditor && { budget: this.#word() }) }
      return globals.home.update(hidden, { stage: "published" })
    })
  }

  /** Writes to one world in a way that changes neither an answer nor a live query of any caller. */
  async keep() {
    this.#count += 1
    const ways = this.hasEditor ? this.#waysFromAll() : [...this.#waysFromAll(), ...this.#waysFromMembers()]
    await this.chance.of(ways)()
  }

  /** Writes that are hidden from every caller. */
  #waysFromAll(): (() => Promise<unknown>)[] {
    const { pair, house, chance } = this
    return [
      () => this.#createSealedBook(),
      () => this.#createSealedBook(),
      () => this.#changeSealedBook(),
      () => this.#createTask({ isSealed: true, ...reachOf("public"), owner: chance.of(OWNERS) }),
      () => this.#createTask({ isSealed: true, ...reachOf("team-1"), owner: chance.of(OWNERS) }),
      () => this.#changeVeiled(),
      () =>
        pair.only((world) => {
          const data = { text: this.#word(), author: chance.of(house.plain("authors")) }
          const told = { ...data, book: chance.of(house.books).id, task: chance.of(house.tasks).id }
          return world.system.collections[world.names.vault].create(world.resolve(told)).catch(ifGone)
        }),
    ]
  }

  /** Writes that are hidden from every caller who is not an editor. */
  #waysFromMembers(): (() => Promise<unknown>)[] {
    const { pair, chance, house } = this
    const book = chance.of(house.books.filter(({ owner }) => this.strangers.includes(owner)))
    const inBooks = (work: (books: any, world: World) => Promise<unknown>) => () =>
      pair.only((world) => work(world.system.collections.books, world).catch(ifGone))
    const locale = chance.of(LOCALES)
    return [
      ...[1, 2, 3].map(() =>
        inBooks((books, world) =>
          books.updateById({ id: book?.id, data: world.resolve(this.#hiddenBook()) }, { locale }),
        ),
      ),
      inBooks((books) => books.transitionStage({ id: book?.id, stage: "review" })),
      inBooks((books) => books.transitionStage({ id: book?.id, stage: "published", scheduledAt: FAR })),
      () => this.#createDraft(),
      () => this.#createDraft(),
      () => this.#createDeleted(),
      () => this.#createDeletedTask(),
      () => this.#createTask({ owner: this.#stranger(), ...reachOf("private") }),
      () => this.#createTask({ owner: this.#stranger(), ...reachOf(this.#strangeTeam()) }),
      () => this.#changeTask(),
      () => this.#changeTag(),
      () => this.#createTag(),
      () => this.#uploadFile(),
      () => pair.onlyCreate(({ system }) => system.collections.memberships.create({ person: "zoe", team: "team-1" })),
      () =>
        pair.only(({ system }) =>
          system.globals.home.update({ motto: this.#word(), budget: this.#word(), lead: book?.id ?? null }, { locale }),
        ),
      () => pair.only(({ system }) => system.globals.home.transitionStage({ stage: "review" })),
    ]
  }

  /** Both worlds have these records, and others may refer to them; their contents differ. */
  async #addVeiled() {
    const { pair, house, chance } = this
    for (let count = 0; count < 3; count++) {
      const data = () => ({ ...this.#hiddenTask(), owner: "zoe", isSealed: true, isPublic: true })
      const id = await pair.bothCreate((world) => world.system.collections.tasks.create(world.resolve(data())))
      this.#veiled.push(id)
      house.hidden["tasks"]?.push(id)
    }
    await pair.only((world) => world.system.collections.tasks.deleteById(world.resolve({ id: this.#veiled[0] })))
    for (const { id } of house.tasks.filter(() => chance.is(30))) {
      const parent = this.#veiled[1]
      await pair.both((world) => world.system.collections.tasks.updateById(world.resolve({ id, data: { parent } })))
    }
  }

  async #fillBook({ id, owner, isOpen }: { id: string; owner: string; isOpen: boolean }) {
    const { chance, house } = this
    const hidden = (world: World) => ({
      [world.names.hidden]: this.#word(),
      [world.names.vault]: chance.of([null, [{ type: world.names.hidden, text: this.#word() }]]),
      ...(!isOpen && { remark: this.#word(), annex: this.#blocks() }),
      ...(!this.hasEditor && {
        ...{ cost: chance.below(9), plan: this.#blocks() },
        ghost: chance.of(house.plain("authors")),
      }),
      ...(this.strangers.includes(owner) && {
        ...{ diary: this.#word(), memo: this.#blocks() },
        patron: chance.of(house.plain("authors")),
      }),
    })
    const working = new Map(this.pair.worlds.map((world) => [world, hidden(world)]))
    await this.#eachUpdate("books", id, (world) => working.get(world) ?? {})
    // The public copy has the same hidden values in some worlds: whether it differs from the working copy is hidden, too.
    await this.pair.both((world) => {
      const data = chance.is(50) ? working.get(world) : hidden(world)
      return world.system.collections.books.updateById({ id, data }, { stage: "published" }).catch(ifGone)
    })
  }

  async #fillTask({ id, owner }: { id: string; owner: string }) {
    const { chance } = this
    await this.#eachUpdate("tasks", id, (world) => ({
      [world.names.hidden]: this.#word(),
      watchers: { connect: this.#veiled.slice(1).filter(() => chance.is(50)) },
      ...(!this.hasEditor && { wage: chance.below(9), guests: this.#someTasks() }),
      ...(this.strangers.includes(owner) && {
        ...{ remark: this.#word(), allies: this.#someTasks() },
        keeper: chance.of([null, ...this.#someTasks()]),
      }),
    }))
  }

  async #eachUpdate(name: string, id: string, data: (world: World) => Data) {
    await this.pair.both((world) => world.system.collections[name].updateById(world.resolve({ id, data: data(world) })))
  }

  async #createSealedBook() {
    const data = { ...this.#hiddenBook(), id: this.#id("books"), owner: this.chance.of(OWNERS), isSealed: true }
    await this.pair.only(async (world) => {
      await world.system.collections.books.create(world.resolve(data), { stage: "published" }).catch(ifGone)
      this.#sealed.push({ id: data.id, world })
    })
  }

  async #changeSealedBook() {
    const sealed = this.chance.of(this.#sealed)
    if (!sealed) return
    const { books } = sealed.world.system.collections
    const { id } = sealed
    const ways = [
      () => books.updateById({ id, data: sealed.world.resolve(this.#hiddenBook()) }),
      () => books.updateById({ id, data: sealed.world.resolve(this.#hiddenBook()) }, { stage: "published" }),
      () => books.transitionStage({ id, stage: "published" }),
      () => books.deleteById({ id }),
      () => books.restoreById({ id }),
    ]
    await this.chance.of(ways)().catch(ifGone)
  }

  async #changeVeiled() {
    const [, ...all] = this.#veiled
    const change = { id: this.chance.of(all), data: { ...this.#hiddenTask() } }
    await this.pair.only((world) => world.system.collections.tasks.updateById(world.resolve(change)).catch(ifGone))
  }

  async #createDraft() {
    const data = { ...this.#hiddenBook(), id: this.#id("books"), owner: this.#stranger(), cost: this.chance.below(9) }
    const options = { locale: this.chance.of(LOCALES) }
    await this.pair.only((world) => world.system.collections.books.create(world.resolve(data), options).catch(ifGone))
  }

  /** Creates a book and deletes it immediately, and an author too if no caller may restore one. */
  async #createDeleted() {
    const id = this.#id("books")
    const author = this.callers.every((caller) => caller === "nobody") ? this.#id("authors") : undefined
    const data = { ...this.#hiddenBook(), id, owner: this.#stranger(), ...(author && { author }) }
    await this.pair.only((world) =>
      world.system
        .transaction(async ({ collections: { books, authors } }: any) => {
          if (author) await authors.create({ id: author, name: this.#word() })
          await books.create(world.resolve(data), { stage: "published" })
          await books.deleteById({ id })
          if (author) await authors.deleteById({ id: author })
        })
        .catch(ifGone),
    )
  }

  /** Every caller could read it if it were not deleted; only its owner can see deleted tasks. */
  async #createDeletedTask() {
    const data = { ...this.#hiddenTask(), code: this.#code(), owner: this.#stranger(), ...reachOf("public") }
    const token = await this.pair.onlyCreate((world) =>
      world.system
        .transaction(async ({ collections: { tasks } }: any) => {
          const made = await tasks.create(world.resolve(data))
          await tasks.deleteById({ id: made.id })
          return made
        })
        .catch(ifGone),
    )
    this.house.hidden["tasks"]?.push(token)
  }

  async #createTask(reach: Data) {
    const data = { ...this.#hiddenTask(), code: this.#code(), ...reach }
    const token = await this.pair.onlyCreate(async (world) => {
      const made = await world.system.collections.tasks.create(world.resolve(data)).catch(ifGone)
      // The SQL of a virtual field fails for this row, for system code too.
      await world.query("update tasks set rank = 0 where id = $1", [made.id])
      return made
    })
    this.house.hidden["tasks"]?.push(token)
  }

  /** Changes one of the first tasks that none of the callers can see. */
  async #changeTask() {
    const unseen = this.house.tasks.filter((task) => !this.callers.some((caller) => canSee(caller, task)))
    const { id } = this.chance.of(unseen) ?? {}
    if (id === undefined) return
    const { parent: _parent, ...data } = this.#hiddenTask()
    const ways = [
      (tasks: any) => tasks.updateById,
      (tasks: any) => tasks.updateById,
      (tasks: any) => tasks.deleteById,
      (tasks: any) => tasks.restoreById,
    ]
    const way = this.chance.of(ways)
    await this.pair.only((world) => {
      const { tasks } = world.system.collections
      return way(tasks)(world.resolve(way(tasks) === tasks.updateById ? { id, data } : { id })).catch(ifGone)
    })
  }

  async #changeTag() {
    const change = {
      id: this.chance.of(this.house.plain("tags")),
      data: { name: this.house.fresh("secret tag"), weight: 5 },
    }
    await this.pair.only(({ system }) => system.collections.tags.updateById(change).catch(ifGone))
  }

  async #createTag() {
    const data = { id: this.#id("tags"), name: this.house.fresh("secret tag"), books: this.#strangeBooks() }
    await this.pair.only((world) => world.system.collections.tags.create(world.resolve(data)).catch(ifGone))
  }

  /** Returns books whose versions no caller can see. */
  #strangeBooks() {
    return this.house.books.filter(({ owner }) => this.strangers.includes(owner)).map(({ id }) => id)
  }

  async #uploadFile() {
    const fields = { caption: this.#word(), owner: this.#stranger(), isShown: "false" }
    const file = { text: this.#word(), name: "secret.txt", fields }
    const token = await this.pair.onlyCreate(async (world) => {
      const { text } = await world.askAlone({ path: "/media/upload", caller: "ed", file })
      return JSON.parse(text)
    })
    this.house.hidden["media"]?.push(token)
  }

  #hiddenBook(): Data {
    const { tags, ...data } = this.house.book()
    // A link creates a version of the tag, and editors see the versions of tags.
    return { ...data, slug: this.house.fresh("secret-slug"), ...(!this.hasEditor && tags && { tags }) }
  }

  #hiddenTask(): Data {
    const { tags, ...data } = this.house.task()
    return { ...data, ...(!this.hasEditor && tags && { tags }) }
  }

  /** Returns tasks that a hidden field may refer to. */
  #someTasks() {
    return [...this.#veiled.slice(1), ...this.house.tasks.map(({ id }) => id)].filter(() => this.chance.is(30))
  }

  #id(name: string) {
    const id = this.house.fresh("only")
    this.house.hidden[name]?.push(id)
    return id
  }

  #code() {
    const code = this.house.fresh("secret code")
    this.house.hiddenCodes.push(code)
    return code
  }

  #word() {
    return this.chance.is(75) ? this.house.word() : this.chance.of(SECRET_WORDS)
  }

  /** Returns a list of blocks with words that only hidden values have. */
  #blocks() {
    const { chance, house } = this
    const ids = (name: string) => house.plain(name)
    return randomBlocks({ chance, word: () => this.#word(), fresh: (prefix) => house.fresh(prefix), ids })
  }

  #stranger() {
    return this.chance.of(this.strangers)
  }

  #strangeTeam() {
    const teams = Object.entries(MEMBERS).filter(([, people]) => !this.callers.some((each) => people.includes(each)))
    return this.chance.of(teams)?.[0] ?? "private"
  }
}

function canSee(caller: Caller, { owner, reach }: { owner: string; reach: string }) {
  return caller === "ed" || reach === "public" || owner === caller || (MEMBERS[reach] ?? []).includes(caller)
}

/** Callers may have removed the record that a secret would change. */
function ifGone(error: { code?: string }): any {
  if (!["NOT_FOUND", "VALIDATION_ERROR", "CONFLICT"].includes(error.code ?? "")) throw error
  return { id: crypto.randomUUID() }
}
