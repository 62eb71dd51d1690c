// @module-tag not-about-engine

import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { expect, test } from "vitest"
import {
  decodeNeighbours,
  type MisspelledWords,
  type Neighbours,
  selectNeighbours,
} from "../../packages/kit/src/sql/search/vocabulary/neighbours.ts"
import { naiveDistance } from "../support/oracles/edit-distance.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"

const texts = collection("texts")
  .fields(({ f }) => ({ title: f.text(), body: f.text().localized(), words: f.array(f.text()) }))
  .searchable({ fields: ["title", "body", "words"] })

// Without stems, so that the vocabulary has only the words of the texts.
const config = { locales: { default: "en", all: ["en", "sk"] }, search: { languages: { en: "simple" } } }

async function wordsOf(app: TestApp): Promise<readonly unknown[]> {
  return (await app.query("select distinct word from _kit_search_words order by word")).map(({ word }) => word)
}

async function findNeighbours(app: TestApp, given: MisspelledWords): Promise<Neighbours> {
  const statement = selectNeighbours(given)
  const rows = statement ? await app.query(statement.text, statement.values) : []
  return decodeNeighbours(
    given,
    rows.map((row) => Object.values(row)),
  )
}

test("the vocabulary has the words of every locale and list, folded, and no numbers or addresses", async () => {
  await using app = await testApp({ collections: [texts], config })
  const { texts: records } = app.system.collections as Record<string, any>

  const { id } = await records.create({ title: "Köln at 1900, x2go 3rd", body: "Apples", words: ["pears plums"] })
  await records.updateById({ id, data: { body: "jablká" } }, { locale: "sk" })
  await records.create({ title: "see https://example.com/a/b or me@example.com of well-known" })

  expect(await wordsOf(app)).toEqual(
    ["apples", "https", "jablka", "koln", "known", "pears", "plums", "see", "well", "x2go"].sort(),
  )
})

test("a word that is written again is known already", async () => {
  await using app = await testApp({ collections: [texts], config })
  const { texts: records } = app.system.collections as Record<string, any>
  const { id } = await records.create({ title: "apples" })

  await records.updateById({ id, data: { title: "apples pears" } })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => records.create({ title: n % 2 ? "plums figs" : "figs plums" })),
  )

  expect(await wordsOf(app)).toEqual(["apples", "figs", "pears", "plums"])
})

test.each([seededRandom()])("the words that are found are those one edit away (seed $seed)", async (random) => {
  await using app = await testApp({ collections: [texts], config })
  const { texts: records } = app.system.collections as Record<string, any>
  const known = [...new Set(Array.from({ length: 600 }, () => randomWord(random)))]
  await records.create({ title: known.join(" ") })
  const asked = [...Array.from({ length: 60 }, () => randomWord(random)), "ab%c", "abçd", "a\\b_", "𝒶bcd"]

  const { words } = await findNeighbours(app, { words: asked })

  for (const word of asked) {
    expect([word, words.get(word)]).toEqual([word, known.filter((other) => naiveDistance(word, other) <= 1).sort()])
  }
})

test.each([seededRandom()])("the beginnings that are found are those one edit away (seed $seed)", async (random) => {
  await using app = await testApp({ collections: [texts], config })
  const { texts: records } = app.system.collections as Record<string, any>
  const known = [...new Set(Array.from({ length: 600 }, () => randomWord(random)))]
  await records.create({ title: known.join(" ") })

  for (const unfinished of Array.from({ length: 40 }, () => `${randomWord(random)}ab`.slice(0, 4 + random.below(3)))) {
    const { beginnings } = await findNeighbours(app, { words: [], unfinished })
    expect([unfinished, beginnings]).toEqual([unfinished, naiveBeginnings(known, unfinished)])
  }
})

function randomWord(random: SeededRandom): string {
  return Array.from({ length: 3 + random.below(6) }, () => "abcd"[random.below(4)]).join("")
}

// The first two letters are right, so that the edit is behind them. A beginning that begins with another one adds nothing.
function naiveBeginnings(known: readonly string[], unfinished: string): readonly string[] {
  const { length } = unfinished
  const cut = known.flatMap((word) => [length - 1, length, length + 1].map((end) => word.slice(0, end)))
  const start = unfinished.slice(0, 2)
  const isNear = (text: string) => text.startsWith(start) && naiveDistance(text.slice(2), unfinished.slice(2)) <= 1
  const near = [...new Set(cut)].filter(isNear)
  return near.filter((text) => !near.some((other) => other !== text && text.startsWith(other))).sort()
}
