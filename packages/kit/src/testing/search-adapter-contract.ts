import { deepEqual } from "node:assert/strict"
import type { AdapterQuery, SearchAdapter, SearchDocument, SearchDocumentKey } from "../ports/search-adapter.ts"

/** Something that every search adapter does. */
export interface SearchBehaviour {
  readonly name: string
  /** Rejects if the adapter does something else. Replaces the documents of the collections `kit_books` and `kit_people`. */
  run(adapter: SearchAdapter): Promise<void>
}

const BOOKS = "kit_books"
const PEOPLE = "kit_people"
const FIRST = "01890000-0000-7000-8000-000000000001"
const SECOND = "01890000-0000-7000-8000-000000000002"
const THIRD = "01890000-0000-7000-8000-000000000003"
const HOSTILE = [
  '"',
  "'",
  "\\",
  "-",
  "OR",
  "AND NOT",
  "*:*",
  "title:(",
  "' or 1=1 --",
  "a:* & !b | <->",
  '{"match_all":{}}',
  "\u{1F389}",
  "\u202E\u0301",
  "x".repeat(500),
]

/**
 * The behaviour that an adapter for another search engine needs, as a list for any test runner:
 *
 * for (const { name, run } of searchAdapterContract) test(name, () => run(adapter))
 */
export const searchAdapterContract: readonly SearchBehaviour[] = [
  behaviour("finds documents by their words, in upper and lower case", async (engine) => {
    await engine.index(book(FIRST, "Seven Rivers"), book(SECOND, "A quiet lake"))
    await engine.expect("rivers", [FIRST])
    await engine.expect("QUIET", [SECOND])
    await engine.expect("volcano", [])
  }),
  behaviour("replaces a document with the same key", async (engine) => {
    await engine.index(book(FIRST, "rivers"))
    await engine.index(book(FIRST, "lakes"))
    await engine.expect("rivers", [])
    await engine.expect("lakes", [FIRST])
  }),
  behaviour("replaces all texts of a document, also those that are missing now", async (engine) => {
    await engine.index({ ...keyOf(FIRST), texts: { title: "rivers", body: "volcano" } })
    await engine.index({ ...keyOf(FIRST), texts: { title: "rivers" } })
    await engine.expect("volcano", [], { fields: ["title", "body"] })
  }),
  behaviour("accepts a document without texts", async (engine) => {
    await engine.index({ ...keyOf(FIRST), texts: {} })
    await engine.expect("rivers", [])
  }),
  behaviour("removes documents", async (engine) => {
    await engine.index(book(FIRST, "rivers"), book(SECOND, "rivers"))
    await engine.remove(keyOf(FIRST))
    await engine.expect("rivers", [SECOND])
  }),
  behaviour("ignores the removal of documents that do not exist", async (engine) => {
    await engine.index(book(FIRST, "rivers"))
    await engine.remove(keyOf(SECOND), keyOf(THIRD))
    await engine.remove(keyOf(SECOND))
    await engine.expect("rivers", [FIRST])
  }),
  behaviour("keeps locales apart", async (engine) => {
    await engine.index(book(FIRST, "rivers"), { ...book(FIRST, "reka"), locale: "sk" })
    await engine.expect("reka", [])
    await engine.expect("reka", [FIRST], { locale: "sk" })
    await engine.remove({ ...keyOf(FIRST), locale: "sk" })
    await engine.expect("reka", [], { locale: "sk" })
    await engine.expect("rivers", [FIRST])
  }),
  behaviour("keeps stages and the working copy apart", async (engine) => {
    await engine.index(book(FIRST, "rivers"), { ...book(FIRST, "lakes"), stage: "published" })
    await engine.expect("lakes", [])
    await engine.expect("rivers", [], { stage: "published" })
    await engine.expect("lakes", [FIRST], { stage: "published" })
    await engine.remove(keyOf(FIRST))
    await engine.expect("lakes", [FIRST], { stage: "published" })
  }),
  behaviour("keeps equal ids in two collections apart", async (engine) => {
    await engine.index(book(FIRST, "rivers"), { ...book(FIRST, "Ada"), collection: PEOPLE })
    await engine.expect("Ada", [])
    await engine.expect("Ada", [FIRST], { collection: PEOPLE })
    await engine.remove(keyOf(FIRST))
    await engine.expect("Ada", [FIRST], { collection: PEOPLE })
  }),
  behaviour("searches only the named fields", async (engine) => {
    await engine.index({ ...keyOf(FIRST), texts: { title: "rivers", body: "volcano", _content: "Ada" } })
    await engine.expect("volcano", [])
    await engine.expect("volcano", [FIRST], { fields: ["title", "body"] })
    await engine.expect("Ada", [], { fields: ["title", "body"] })
    await engine.expect("Ada", [FIRST], { fields: ["_content"] })
  }),
  behaviour("returns at most as many documents as the limit, the best first", async (engine) => {
    await engine.index(...[FIRST, SECOND, THIRD].map((id) => book(id, "rivers")))
    const hits = await engine.hits("rivers", { limit: 2 })
    deepEqual(hits.length, 2, "The limit is 2.")
    const all = await engine.hits("rivers", {})
    const scores = all.map(({ score }) => score)
    deepEqual(
      scores,
      [...scores].sort((left, right) => right - left),
      "The scores have to fall.",
    )
  }),
  behaviour("returns more than a page of documents if the limit allows it", async (engine) => {
    const ids = Array.from({ length: 250 }, (_, place) => `01890000-0000-7000-8000-${String(place).padStart(12, "0")}`)
    await engine.index(...ids.map((id) => book(id, "rivers")))
    await engine.expect("rivers", ids)
  }),
  behaviour("clears one collection, in all its locales and stages", async (engine) => {
    await engine.index(book(FIRST, "rivers"), { ...book(FIRST, "rivers"), locale: "sk" })
    await engine.index({ ...book(FIRST, "rivers"), stage: "published" }, { ...book(FIRST, "Ada"), collection: PEOPLE })
    await engine.clear(BOOKS)
    await engine.expect("rivers", [])
    await engine.expect("rivers", [], { locale: "sk" })
    await engine.expect("rivers", [], { stage: "published" })
    await engine.expect("Ada", [FIRST], { collection: PEOPLE })
  }),
  behaviour("answers every query, whatever its text", async (engine) => {
    await engine.index(book(FIRST, "rivers"))
    for (const text of HOSTILE) await engine.hits(text, {})
    await engine.expect("rivers", [FIRST])
  }),
]

function behaviour(name: string, check: (engine: EmptyEngine) => Promise<void>): SearchBehaviour {
  return {
    name,
    run: async (adapter) => {
      const engine = new EmptyEngine(adapter)
      await engine.clear(BOOKS)
      await engine.clear(PEOPLE)
      await check(engine)
      await engine.clear(BOOKS)
      await engine.clear(PEOPLE)
    },
  }
}

/** An engine without documents in the collections of the contract. */
class EmptyEngine {
  readonly #adapter: SearchAdapter
  readonly #signal = new AbortController().signal

  constructor(adapter: SearchAdapter) {
    this.#adapter = adapter
  }

  index(...documents: readonly SearchDocument[]) {
    return this.#adapter.index(documents, this.#signal)
  }

  remove(...keys: readonly SearchDocumentKey[]) {
    return this.#adapter.remove(keys, this.#signal)
  }

  clear(collection: string) {
    return this.#adapter.clear(collection, this.#signal)
  }

  hits(text: string, options: Partial<AdapterQuery>) {
    const query = { collection: BOOKS, locale: "en", stage: undefined, fields: ["title"], limit: 10_000, ...options }
    return this.#adapter.search({ text, ...query }, this.#signal)
  }

  /** Checks that a query finds exactly the documents with these ids. */
  async expect(text: string, ids: readonly string[], options: Partial<AdapterQuery> = {}) {
    const found = (await this.hits(text, options)).map(({ id }) => id)
    deepEqual(found.sort(), [...ids].sort(), `The query "${text}" has found other documents than it should.`)
  }
}

function keyOf(id: string): SearchDocumentKey {
  return { collection: BOOKS, id, locale: "en", stage: undefined }
}

function book(id: string, title: string): SearchDocument {
  return { ...keyOf(id), texts: { title } }
}
