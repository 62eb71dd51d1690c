// @module-tag not-about-engine

import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const open = { read: true, create: true, update: true, delete: true } as const

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(),
    first: f.textarea(),
    second: f.textarea(),
    third: f.textarea(),
    fourth: f.textarea(),
    text: f.richText(),
    words: f.array(f.text()),
  }))
  .title("title")
  .searchable({ fields: ["first", "second", "third", "fourth", "text", "words"] })
  .access(open)

let world: TestApp
beforeAll(async () => {
  world = await testApp({ resources: [books], config: { limits: { bodyBytes: 20_000_000 } } })
})
afterAll(() => world[Symbol.asyncDispose]())

const write = (data: object) => world.client().collections["books"]?.create(data)

const vectorBytes = async (id: string) => {
  const rows = await world.database.query(`select length(_search::text)::int as bytes from books where id = '${id}'`)
  return Number(rows[0]?.["bytes"])
}

const finds = async (word: string) => {
  const rows = await world.database.query(
    `select id::text from books where _search @@ plainto_tsquery('_kit_english', '${word}')`,
  )
  return rows.map((row) => row["id"])
}

/** Different words, none of which begins like another. */
const different = (count: number, prefix = "w") => Array.from({ length: count }, (_, place) => `${prefix}${place}x`)

const LETTERS = "abcdefghijklmnopqrstuvwxyz"

test("a text of 100,000 different words is stored, and found by its first words", async () => {
  const { id } = await write({ title: "large", first: different(100_000).join(" ") })

  expect(await finds("w17x")).toEqual([id])
})

test("six long fields with different words fit into one index", async () => {
  const long = (prefix: string) => different(60_000, prefix).join(" ")
  const text = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: long("e") }] }] }

  const { id } = await write({
    ...{ title: long("t"), first: long("a"), second: long("b"), third: long("c"), fourth: long("d") },
    ...{ text, words: different(9_000, "f") },
  })

  expect(await vectorBytes(id)).toBeLessThan(3_000_000)
  for (const prefix of "tabcdef") expect(await finds(`${prefix}17x`)).toEqual([id])
})

test("the words of a field do not depend on the length of the others", async () => {
  const first = different(40_000, "own").join(" ")
  const alone = await write({ first })
  const beside = await write({
    first,
    second: different(60_000, "o").join(" "),
    third: different(60_000, "p").join(" "),
  })

  const rows = await world.database.query(
    `select array(select lexeme from unnest(_search) where lexeme like 'own%') as words from books
      where id in ('${alone.id}', '${beside.id}')`,
  )

  expect(rows[0]?.["words"]).toEqual(rows[1]?.["words"])
})

test.each([
  ["one word of 1,000,000 letters", "a".repeat(1_000_000)],
  ["words of more than 2 KB", Array.from(LETTERS, (letter) => letter.repeat(3_000)).join(" ")],
  ["letters of four bytes", "𠀀𠀁𠀂 ".repeat(100_000)],
  [
    "different letters of four bytes",
    Array.from({ length: 40_000 }, (_, place) => String.fromCodePoint(0x20000 + place)).join(" "),
  ],
  [
    "different words of letters of three bytes",
    Array.from({ length: 60_000 }, (_, place) =>
      String.fromCodePoint(0x4e00 + (place % 20_000), 0x4e00 + Math.floor(place / 20_000)),
    ).join(" "),
  ],
  ["letters that become longer without accents", "㎒㏂ŉßİ ".repeat(30_000)],
  ["one word with 100,000 hyphens", "ab-".repeat(100_000)],
  ["different words with hyphens", different(20_000).join("-")],
  ["a host with 50,000 parts", "a.".repeat(50_000)],
  ["a version with 50,000 numbers", "1.".repeat(50_000)],
  [
    "addresses",
    Array.from({ length: 5_000 }, (_, place) => `https://host${place}.example.com/path/${place}?q=${place}`).join(" "),
  ],
  ["one long address", `https://example.com/${"path/".repeat(20_000)}`],
  ["mail addresses", Array.from({ length: 5_000 }, (_, place) => `user${place}@example.com`).join(" ")],
  ["at signs", "@".repeat(100_000)],
  ["a word with at signs", "a@".repeat(50_000)],
  ["slashes", "/a".repeat(50_000)],
  ["opened elements", "<a ".repeat(30_000)],
  ["entities", "&amp".repeat(25_000)],
  ["numbers with signs", "-1+2e".repeat(20_000)],
  ["underscores", "a_".repeat(50_000)],
  ["at signs and digits", "@1a".repeat(33_000)],
  ["dots and slashes", "./".repeat(50_000)],
  ["tildes and slashes", "~/".repeat(50_000)],
  ["quotes and backslashes", `'"\\`.repeat(30_000)],
  [
    "control characters",
    Array.from({ length: 31 }, (_, place) => String.fromCharCode(place + 1))
      .join("word")
      .repeat(100),
  ],
  ["characters without a meaning", "\u{10FFFF}\uFFFE\u200B\u202E\u0300 ".repeat(10_000)],
  ["white space", " \n\t\u00A0".repeat(25_000)],
  ["nothing", ""],
])("a write succeeds with %s", { timeout: 60_000 }, async (_name, text) => {
  const { id } = await write({ title: text.slice(0, 300), first: text, second: text, words: [text, ""] })

  expect(await vectorBytes(id)).toBeGreaterThanOrEqual(0)
})

test("a record without any text has an empty index", async () => {
  const { id } = await write({})

  expect(await vectorBytes(id)).toBe(0)
})
