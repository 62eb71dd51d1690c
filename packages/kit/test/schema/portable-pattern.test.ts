import { describe, expect, test } from "vitest"
import { seededRandom } from "../../../../test/support/seeded-random.ts"
import { beforeLowercase, beforeTrim, portablePattern } from "../../src/schema/json-schema/portable-pattern.ts"

// Characters of one UTF-16 unit, which a pattern reads in the same way with and without the flag `u`.
const CHARACTERS = [..."abckKsSzZ019-_@.,/()[]{} \t\n\u2028\u00a0\u00e9\u00c9\u017f\u212a\u0130\u0131\u0307\u00df"]

// The compiler does not know the flag yet.
const V_FLAG = "v"

const PATTERNS = [
  /^[a-c]+$/i,
  /k/i,
  /^[^k\s]{1,3}$/i,
  /[\w-]s?\W/i,
  /[-a][^-k]/i,
  /^(?<one>a|b)+?c{1,2}$/,
  // biome-ignore lint/complexity/noUselessEscapeInRegex: authors write such escapes.
  /\@|\_|\-\,|[\@\_]/,
  // biome-ignore lint/complexity/noUselessEscapeInRegex: authors write such escapes.
  /^[\_\-a-c\@]+\@}?]?[^\s\d]\-$/i,
  /^a.c$/s,
  /^k$/m,
  /^.a$/ms,
  /(?=k)K?./i,
  /(?<!a)b\b/,
  /\d+\.\d*/u,
  /^\p{Lu}+$/u,
]

describe("a pattern without its flags", () => {
  test.each(PATTERNS)("%s matches the same texts", (pattern) => {
    const portable = new RegExp(portablePattern(pattern) ?? "never", "u")

    expect(differences((text) => pattern.test(text) === portable.test(text))).toEqual([])
  })

  test.each([new RegExp("a", V_FLAG), /\u00e9/i, /[\u00e0-\u00ff]/i, /(a)\1/i, /k/iu, /\x41/i, /a{,2}{/])(
    "%s has none",
    (pattern) => {
      expect(portablePattern(pattern)).toBeUndefined()
    },
  )
})

describe("a pattern for the text before it was changed", () => {
  const slugs = ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "^k$", "^[K-Zk]$", "^(?:\\w|[\\s,])*$", "^A?s$"]

  test.each(slugs)("%s matches the texts whose lower case it matched", (source) => {
    const before = new RegExp(beforeLowercase(source) ?? "never", "u")
    const pattern = new RegExp(source, "u")

    expect(differences((text) => pattern.test(text.toLowerCase()) === before.test(text))).toEqual([])
  })

  test.each([...slugs, "^$", "^\\s?$", "^[^a]*$"])(
    "%s matches the texts that it matched without white space at the ends",
    (source) => {
      const before = new RegExp(beforeTrim(source) ?? "never", "u")
      const pattern = new RegExp(source, "u")

      expect(differences((text) => pattern.test(text.trim()) === before.test(text))).toEqual([])
    },
  )

  test.each(["[a-z]", "^a|b$", "^(?!a)b$", "^[^a]$", "^.$", "^\\bk$", "^\u00e9$"])("%s has none", (source) => {
    expect(beforeLowercase(source)).toBeUndefined()
  })

  test.each(["[a-z]", "^a|b$", "^(?!a)b$", "^\\bk$"])("%s has none without white space", (source) => {
    expect(beforeTrim(source)).toBeUndefined()
  })
})

// Returns the seed and the texts, of 2,000, for which the two patterns differ.
function differences(isSame: (text: string) => boolean): string[] {
  const random = seededRandom()
  const texts = Array.from({ length: 2000 }, () =>
    Array.from({ length: random.below(5) }, () => CHARACTERS[random.below(CHARACTERS.length)]).join(""),
  )
  const wrong = texts.filter((text) => !isSame(text))
  return wrong.length === 0 ? [] : [`seed ${random.seed}`, ...wrong.slice(0, 5)]
}
