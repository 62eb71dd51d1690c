import type { Session } from "kit"
import { expect, test } from "vitest"
import { bob, GENRES, LOCALES, locales, publishingHouse } from "./support/publishing-house.ts"
import { RandomQueries, WORDS } from "./support/random-queries.ts"
import { seededRandom } from "./support/seeded-random.ts"
import { type TestApp, testApp } from "./support/test-app.ts"

const BOOKS = 8
const SECRETS = 40
const QUERIES = 300
const WRITES = 200
const START = new Date("2027-01-01T00:00:00Z")
const LATER = "2028-01-01T00:00:00Z"

type System = { collections: Record<string, any>; globals: Record<string, any> }
type Data = Record<string, unknown>
type Question = { path: string; session: Session | null; method?: string; body?: Data }

const AUTHORS = ["author-1", "author-2", "author-3"]
const TAGS = ["tag-1", "tag-2", "tag-3"]
// Books that only one of the worlds has, and one that neither has.
const HIDDEN_IDS = ["only-1", "only-2", "gone-1", "gone-2", "nothing"]

/**
 * Two worlds that are the same to a caller, and differ in all that is hidden from them: drafts, stages that are not public,
 * versions, deleted records, and fields that they may not read. Whatever the caller asks, both give the same answer.
 */
test.each([seededRandom()])("nothing that is hidden changes any answer (seed $seed)", async (random) => {
  const options = { resources: publishingHouse, config: { locales }, now: () => START }
  await using left = await testApp(options)
  await using right = await testApp(options)
  const house = new House(random, [left, right])
  await house.build()
  for (let count = 0; count < SECRETS; count++) await house.keepSecret(count)

  let answered = 0
  for (let count = 0; count < QUERIES; count++) {
    const question = house.question()
    const [here, there] = await Promise.all([left, right].map((world) => ask(world, question)))
    expect(here, JSON.stringify(question)).toBe(there)
    if (here?.startsWith("200")) answered++
  }
  // The others name what the caller may not.
  expect(answered).toBeGreaterThan(QUERIES / 5)
})

/** As above, of writes: what is refused and accepted tells nothing either, and neither does what can be read afterwards. */
test.each([seededRandom()])("nothing that is hidden changes the answer to a write (seed $seed)", async (random) => {
  const options = { resources: publishingHouse, config: { locales }, now: () => START }
  await using left = await testApp(options)
  await using right = await testApp(options)
  const house = new House(random, [left, right])
  await house.build()
  for (let count = 0; count < SECRETS; count++) await house.keepSecret(count)

  const statuses = new Set<string>()
  for (let count = 0; count < WRITES; count++) {
    const change = house.change()
    const [here = "", there] = await Promise.all([left, right].map((world) => ask(world, change)))
    expect(here, JSON.stringify(change)).toBe(there)
    statuses.add(here.slice(0, 3))
    const question = house.question()
    const [before, after] = await Promise.all([left, right].map((world) => ask(world, question)))
    expect(before, `${JSON.stringify(change)}, then ${JSON.stringify(question)}`).toBe(after)
  }
  expect([...statuses].sort()).toEqual(["200", "400", "403", "404", "409"])
})

async function ask(world: TestApp, { path, session, body, method = body ? "POST" : "GET" }: Question): Promise<string> {
  const init = { method, ...(session && { session }), ...(body && { body: JSON.stringify(body) }) }
  return told(await world.fetch(path, init))
}

function told({ status, body, headers }: Awaited<ReturnType<TestApp["fetch"]>>): string {
  const text = `${status} ${JSON.stringify({ body, revision: headers.get("x-revision") }, null, 1)}`
  return text.replace(/"(requestId|versionId)": "[^"]*"/g, "")
}

class House {
  readonly #queries: RandomQueries
  readonly #worlds: readonly System[]
  readonly #books: string[] = []
  /** Those whose drafts bob does not see. */
  readonly #others: string[] = []

  constructor(random: ReturnType<typeof seededRandom>, worlds: readonly TestApp[]) {
    this.#queries = new RandomQueries(random, [...AUTHORS, ...HIDDEN_IDS, "book-0", "book-1", "book-2"])
    this.#worlds = worlds.map(({ app }) => app.system as System)
  }

  async build(): Promise<void> {
    for (const id of AUTHORS) await this.#inBoth("authors", (authors) => authors.create({ id, name: `name of ${id}` }))
    for (const id of TAGS) {
      await this.#inBoth("tags", (tags) => tags.create({ id, name: id }, { stage: "published" }))
      await this.#inBoth("tags", (tags) => tags.updateById({ id, data: { name: `sk ${id}` } }, { locale: "sk" }))
      await this.#inBoth("tags", (tags) => tags.transitionStage({ id, stage: "published" }))
    }
    for (let count = 0; count < BOOKS; count++) await this.#addBook(count)
    for (const { globals } of this.#worlds) {
      await globals["home"].update({ motto: "motto", lead: this.#books[0] })
      await globals["home"].transitionStage({ stage: "published" })
    }
    await this.#fillHiddenFields()
  }

  // Each of the two has a book that stays.
  async #addBook(count: number): Promise<void> {
    const { below, pick } = this.#chance
    const [id, owner] = [`book-${count}`, count % 2 === 0 ? "bob" : "eva"]
    const data = { ...this.#content(), title: pick(WORDS), owner, isOpen: below(2) === 0 }
    const translation = { ...this.#content(), isOpen: below(2) === 0 }
    const [isShown, isDeleted] = [below(4) > 0, count > 1 && below(5) === 0]
    await this.#inBoth("books", (books) => books.create({ id, ...data }))
    await this.#inBoth("editions", (editions) => editions.create({ id: `of-${id}`, pages: 1, book: id }))
    await this.#inBoth("books", async (books) => {
      await books.updateById({ id, data: translation }, { locale: "sk" })
      if (isShown) await books.transitionStage({ id, stage: "published" })
      if (isDeleted) await books.deleteById({ id })
    })
    if (!isDeleted) this.#books.push(id)
    if (!isDeleted && owner !== "bob") this.#others.push(id)
  }

  // As many writes in both worlds, of other values.
  async #fillHiddenFields(): Promise<void> {
    const { below, pick } = this.#chance
    for (const { collections } of this.#worlds) {
      const { authors, books } = collections
      for (const id of AUTHORS) await authors.updateById({ id, data: { email: pick(WORDS) } })
      const shown = await books.find({ stage: "published", columns: { id: true } })
      for (const { id } of shown.docs) {
        const data = { note: pick(WORDS), cost: below(9), ghost: pick(AUTHORS) }
        await books.updateById({ id, data }, { stage: "published" })
      }
    }
  }

  /** Writes something into the second world that nobody but an editor sees. */
  async keepSecret(count: number): Promise<void> {
    const { pick } = this.#chance
    const { collections, globals } = this.#worlds[1] as System
    const { books, authors, tags } = collections
    const [id, data, locale] = [pick(this.#others), this.#content(), pick(LOCALES)]
    const made = { ...data, id: `only-${count}`, title: pick(WORDS), owner: "eva" }
    const ways = [
      () => books.updateById({ id, data }, { locale }),
      () => books.updateById({ id, data }, { locale }),
      () => books.transitionStage({ id, stage: "review" }),
      () => books.transitionStage({ id, stage: "published", scheduledAt: LATER }),
      () => books.create(made, { locale }),
      () => books.create({ ...made, id: `gone-${count}` }, { stage: "published" }),
      () => authors.create({ id: `gone-${count}`, name: pick(WORDS) }),
      () => tags.create({ id: `only-${count}`, name: `only ${count}`, books: [id] }),
      () => tags.updateById({ id: pick(TAGS), data: { name: `secret ${count}` } }),
      () =>
        globals["home"].update({ motto: pick(WORDS), plan: pick(WORDS), budget: pick(WORDS), lead: id }, { locale }),
      () => globals["home"].transitionStage({ stage: "review" }),
    ]
    const { id: written } = await pick(ways)()
    if (String(written).startsWith("gone-")) await Promise.all([books, authors].map((each) => removed(each, written)))
  }

  /** A write of what bob may write, through whose relations he reaches for what he may not. */
  change(): Question {
    return this.#chance.below(4) === 0 ? this.#changeOfBook() : this.#changeOfRelated()
  }

  #changeOfBook(): Question {
    const { pick } = this.#chance
    const id = pick([...this.#books, ...this.#others, ...HIDDEN_IDS])
    const move = { stage: pick(["draft", "review", "published"]) }
    const data = pick([
      { title: pick(WORDS) },
      { author: pick(AUTHORS) },
      { sequel: pick([...this.#books, ...HIDDEN_IDS]) },
    ])
    const ways: readonly Omit<Question, "session">[] = [
      ...[
        { method: "PATCH", path: `/books/${id}`, body: data },
        { method: "DELETE", path: `/books/${pick(this.#others)}` },
      ],
      { method: "PATCH", path: `/books/${pick(this.#others)}?expectedRevision=99`, body: data },
      { method: "POST", path: `/books/${id}/transition`, body: move },
      ...[
        { method: "GET", path: `/books/${id}/transition` },
        { method: "DELETE", path: `/books/${id}/transition` },
      ],
    ]
    return { ...pick(ways), session: bob }
  }

  #changeOfRelated(): Question {
    const { below, pick } = this.#chance
    const ways: readonly (readonly [string, string])[] = [
      ...AUTHORS.map((id) => [`/authors/${id}`, pick(["books", "ghosted"])] as const),
      ...TAGS.map((id) => [`/tags/${id}`, "books"] as const),
      [`/books/${pick([...this.#books, ...HIDDEN_IDS])}`, pick(["prequels", "friends"])],
    ]
    const [path, relation] = pick(ways)
    const ids = [...this.#books, ...this.#others, ...HIDDEN_IDS].filter(() => below(6) === 0)
    const data = pick([{}, { title: pick(WORDS) }, { title: 5 }, { cost: 5 }, { author: "nobody" }])
    const operations = [
      ...[{ connect: ids }, { disconnect: ids }, { set: ids }, { set: [] }],
      ...[{ delete: ids }, { update: ids.map((id) => ({ id, data })) }, { update: ids.map((id) => ({ id, data })) }],
    ]
    const body = { [relation]: pick(operations) }
    const stale = path.startsWith("/tags") && below(4) === 0 ? "?expectedRevision=99" : ""
    return { path: `${path}${stale}`, session: bob, method: "PATCH", body }
  }

  question(): Question {
    const { below, pick } = this.#chance
    const session = pick([null, bob])
    if (below(4) > 0) {
      const name = pick(["books", "books", "books", "authors", "tags", "editions"])
      return { path: `/${name}/query`, session, body: this.#queries.options(name) }
    }
    const [id, locale] = [pick([...this.#books, ...HIDDEN_IDS]), pick([...LOCALES, "*"])]
    const paths = [
      ...[
        `/books/${id}?locale=${locale}`,
        `/books/${id}?includeDeleted=true`,
        `/books/${id}/versions?locale=${locale}`,
      ],
      `/books/${id}?locale=${locale}&stage=published&with[tags][_count]=true&with[friends]=true&with[sequel]=true`,
      ...["/globals/home?with[lead]=true", "/globals/home?stage=review", "/globals/home/versions"],
      ...["/books/count?search=alp", "/books/count?where[tags][some][name][contains]=only", "/authors/count"],
      `/authors/${pick(AUTHORS)}?with[books][_count]=true&with[ghosted][_count]=true`,
    ]
    return { path: pick(paths), session }
  }

  #content(): Data {
    const { below, pick } = this.#chance
    const values = {
      ...{ title: pick(WORDS), slug: null, genre: pick([...GENRES, null]), keywords: WORDS.filter(() => below(2)) },
      ...{ sold: pick([null, 0, 1, 2]), note: pick(WORDS), remark: pick(WORDS), cost: below(5) },
      blurb: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: pick(WORDS) }] }] },
      ...{ author: pick([...AUTHORS, null]), ghost: pick(AUTHORS), tags: TAGS.filter(() => below(2)) },
      ...{ sequel: pick([...this.#books, null]), friends: this.#books.filter(() => below(2)) },
    }
    return Object.fromEntries(Object.entries(values).filter(() => below(3) > 0))
  }

  get #chance() {
    return {
      below: (bound: number) => this.#queries.below(bound),
      pick: <Item>(items: readonly Item[]) => this.#queries.pick(items),
    }
  }

  async #inBoth(name: string, work: (operations: any) => Promise<unknown>): Promise<void> {
    for (const { collections } of this.#worlds) await work(collections[name])
  }
}

async function removed(operations: any, id: unknown): Promise<void> {
  if ((await operations.findOne({ where: { id } })) !== null) await operations.deleteById({ id })
}
