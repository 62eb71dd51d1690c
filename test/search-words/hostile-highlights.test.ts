// @module-tag full-count
// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, test } from "vitest"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { expectQuick } from "./quick-search.ts"

// A search by anybody, however it is made and whatever text there is, is answered soon.

const MAX_MS = 500
const LONG = 100_000

const texts = collection("texts")
  .fields(({ f }) => ({ title: f.text(), body: f.textarea(), notes: f.textarea(), tags: f.array(f.text()) }))
  .title("title")
  .searchable({ fields: ["body", "notes", "tags"], facets: ["tags"] })
  .access({ read: true })

const WORDS = Array.from({ length: 40 }, (_, place) => `word${place}x`)
const SENTENCE = "seven old rivers flow through the quiet city of bridges and stones"

/** Texts that repeat themselves. */
const REPEATED = [
  "alpha ",
  "alpha beta ",
  "a ",
  `${SENTENCE}. `,
  `${WORDS.join(" ")} `,
  `${WORDS.slice(0, 8).join(" ")} alpha `,
  "well-known a-b-c-d-e ",
  "žltý kôň Ångström ",
  "全文検索 ",
  "alphabet alphabets alphabetical alpha ",
  "x1 22 3.14 v1.2.3 ",
  "\u0002alpha\u0003 <mark>beta</mark> 'quote' ",
]

let app: TestApp

beforeAll(async () => {
  // On a busy machine a search may take long, and is measured all the same.
  app = await testApp({ resources: [texts], config: { limits: { searchMs: 600_000, statementMs: 600_000 } } })
  const bodies = REPEATED.flatMap((text) => [repeated(text), repeated(text), `${repeated(text).slice(0, 5_000)} omega`])
  const ordinary = Array.from({ length: 300 }, (_, n) => `${SENTENCE} ${WORDS[n % WORDS.length]} beta`)
  await app.database.query(
    `insert into texts (id, title, body, notes, tags, "createdAt", "updatedAt")
      select gen_random_uuid(), left(body, 150), body, left(reverse(body), 20000), array['alpha', 'beta'], now(), now()
      from unnest($1::text[]) body`,
    [[...bodies, ...ordinary]],
  )
})

afterAll(() => app[Symbol.asyncDispose]())

function repeated(text: string): string {
  return text.repeat(Math.ceil(LONG / text.length)).slice(0, LONG)
}

const expectSoon = (body: object) => expectQuick(app, body, MAX_MS)

test.each([
  ["a long phrase over text that repeats it", `"${"alpha beta ".repeat(43)}"`],
  ["a phrase of one word", `"${"alpha ".repeat(80)}"`],
  ["a sentence as a phrase", `"${SENTENCE} ${SENTENCE} ${SENTENCE}"`],
  ["two long phrases", `"${WORDS.slice(0, 16).join(" ")}" "${WORDS.slice(16, 32).join(" ")}"`],
  ["many different words", WORDS.slice(0, 32).join(" ")],
  ["the same words again and again", "alpha beta ".repeat(40)],
  ["the beginnings of many words", "al"],
  ["one letter", "a"],
  ["many hyphens", "a-b-c-d-e-".repeat(45)],
  ["alternatives", WORDS.slice(0, 16).join(" OR ")],
  ["many misspelled words", WORDS.map((word) => `${word}q`).join(" ")],
])("%s", async (_name, query) => {
  await expectSoon({ query, highlights: true, limit: 100, facets: [{ field: "tags" }] })
  await expectSoon({ query, limit: 100 })
})

test.each([seededRandom()])("hostile searches with highlights (seed $seed)", async (random) => {
  for (let done = 0; done < count({ short: 10, long: 500 }); done++) {
    const query = hostileQuery(random)
    await expectSoon({ query, highlights: true, limit: 1 + random.below(100), offset: random.below(3) * 5 })
  }
})

function hostileQuery(random: SeededRandom): string {
  // The cast is safe: no list is empty.
  const of = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value
  const word = () =>
    of([...WORDS, ...SENTENCE.split(" "), "alpha", "beta", "a", "alphabet", "žltý", "ångström", "全文"])
  const many = (count: number, make: () => string) => Array.from({ length: 1 + random.below(count) }, make)
  const misspelled = () => {
    const [text, at] = [word(), random.below(4)]
    return text.slice(0, at) + of(["", "q", "é"]) + text.slice(at + 1)
  }
  const phrase = () => `"${many(32, word).join(" ")}"`
  const parts = [
    phrase,
    () => `"${of(REPEATED).repeat(40).slice(0, 480)}"`,
    () => `${word()} `.repeat(60),
    () => `-${word()}`,
    () => `-${phrase()}`,
    () => many(16, word).join(" OR "),
    () => many(8, misspelled).join(" "),
    () => word().slice(0, 1 + random.below(3)),
    () => many(40, () => of([":*", "&", "|", "!", "<->", "(", ")", "'", "\\", "*", "-", '"'])).join(" "),
    () => many(32, word).join(" "),
    () => `${word()}-`.repeat(1 + random.below(40)),
  ]
  return many(4, () => of(parts)())
    .join(" ")
    .slice(0, 500)
    .toWellFormed()
}
