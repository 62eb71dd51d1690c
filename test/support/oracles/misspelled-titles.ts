import { collection } from "kit"
import { expect } from "vitest"
import { generatedTexts, pick, randomFrom, vocabulary, withTypo } from "../../../bench/search/generated-text.mjs"
import { type TestApp, testApp } from "../worlds/test-app.ts"

export interface MisspelledTitles {
  /** The number of different words in all records. */
  readonly words: number
  readonly records: number
  /** The number of titles that are searched. */
  readonly cases: number
  readonly seed: number
}

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea().required() }))
  .searchable({ fields: ["body"], title: "title" })
  .access({ read: true })

const BODY_WORDS = 40
const PLACES = 3
const PARALLEL_SEARCHES = 6

/**
 * Stores records of generated words and searches for some of them by their title, with one mistake in one of its words.
 * Returns the searches whose record is not among the first three.
 */
export async function missedTitles({ words, records, cases, seed }: MisspelledTitles): Promise<readonly string[]> {
  await using app = await testApp({ resources: [notes] })
  const wordsInTurn = Math.ceil(words / records)
  const texts = [
    ...generatedTexts({ count: records, words: vocabulary(words), bodyWords: BODY_WORDS, wordsInTurn, seed }),
  ]
  await store(app, texts)
  const [known] = await app.database.query("select count(*)::int as words from _kit_search_words")
  expect(known?.["words"]).toBeGreaterThanOrEqual(words)
  const random = randomFrom(seed)
  const searches = Array.from({ length: cases }, () => {
    const { title } = pick(texts, random)
    return { title, query: withTypo(title, random) ?? title }
  })
  const missed: string[] = []
  const work = async () => {
    for (let search = searches.pop(); search; search = searches.pop()) {
      if (!(await titlesFor(app, search.query)).includes(search.title)) missed.push(`${search.query} (${search.title})`)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_SEARCHES }, work))
  return missed
}

async function titlesFor(app: TestApp, query: string): Promise<readonly string[]> {
  const { body } = await app.fetch("/search", { method: "POST", body: JSON.stringify({ query, limit: PLACES }) })
  return body.docs.map((doc: { readonly title: string }) => doc.title)
}

async function store(app: TestApp, texts: readonly { readonly title: string; readonly body: string }[]): Promise<void> {
  await app.database.query(
    `insert into notes (id, title, body, "createdAt", "updatedAt")
      select gen_random_uuid(), title, body, now(), now() from unnest($1::text[], $2::text[]) as note (title, body)`,
    [texts.map(({ title }) => title), texts.map(({ body }) => body)],
  )
}
