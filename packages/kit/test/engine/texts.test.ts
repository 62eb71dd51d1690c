import { describe, expect, test } from "vitest"
import { nameInWords, singularOf, Texts } from "../../src/engine/introspect/texts.ts"

describe("a name in words", () => {
  test.each([
    ["title", "Title"],
    ["publishedAt", "Published at"],
    ["seoURL", "Seo URL"],
    ["URLOfPage", "URL of page"],
    ["in_review", "In review"],
    ["on-hold", "On hold"],
    ["line2Text", "Line2 text"],
    ["élan", "Élan"],
    ["x", "X"],
  ])("%s is %s", (name, words) => {
    expect(nameInWords(name)).toBe(words)
  })
})

describe("one of", () => {
  test.each([
    ["Posts", "Post"],
    ["Blog posts", "Blog post"],
    ["Categories", "Category"],
    ["Keys", "Key"],
    ["Boxes", "Box"],
    ["Addresses", "Address"],
    ["Sizes", "Size"],
    ["Statuses", "Status"],
    ["Movies", "Movie"],
    ["FAQs", "FAQ"],
    ["People", "Person"],
    ["News", "News"],
    ["Site news", "Site news"],
    ["Media", "Media"],
    ["Status", "Status"],
    ["SMS", "SMS"],
    ["Príspevky", "Príspevky"],
  ])("%s is %s", (label, singular) => {
    expect(singularOf(label)).toBe(singular)
  })
})

describe("a text", () => {
  const locales = { default: "en", all: ["en", "sk", "cs", "de"], fallback: { sk: ["cs"] } }
  const inLocale = (locale: string) => new Texts(locales, locale)

  test("is that of the locale, of its fallbacks, of the default locale, or the first that is given", () => {
    expect(inLocale("sk").find({ en: "Post", sk: "Príspevok" })).toBe("Príspevok")
    expect(inLocale("sk").find({ en: "Post", cs: "Příspěvek" })).toBe("Příspěvek")
    expect(inLocale("de").find({ sk: "Príspevok", en: "Post" })).toBe("Post")
    expect(inLocale("de").find({ sk: "Príspevok", cs: "Příspěvek" })).toBe("Príspevok")
    expect(inLocale("en").find("Post")).toBe("Post")
  })

  test("that is missing is null, and as a label the name in words", () => {
    expect(inLocale("en").find(undefined)).toBeNull()
    expect(inLocale("en").find({})).toBeNull()
    expect(inLocale("en").label(undefined, "publishedAt")).toBe("Published at")
    expect(inLocale("en").label("When", "publishedAt")).toBe("When")
  })

  test("is not found under the names that every object has", () => {
    expect(new Texts({ default: "en", all: ["en"] }, "constructor").find({ en: "Post" })).toBe("Post")
  })
})
