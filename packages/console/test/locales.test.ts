import { expect, test } from "vitest"
import { contentLocales } from "../src/kit/locales/content-locales.ts"

test("the default language comes first, with a name and a short mark", () => {
  expect(contentLocales({ default: "sk", all: ["en", "sk"] }, "en")).toEqual([
    { locale: "sk", name: "Slovak", mark: "SK" },
    { locale: "en", name: "English", mark: "EN" },
  ])
})

test("two variants of a language have marks that tell them apart", () => {
  const marks = contentLocales({ default: "en", all: ["en", "pt-BR", "pt-PT"] }, "en").map(({ mark }) => mark)

  expect(marks).toEqual(["EN", "PT-BR", "PT-PT"])
})

test("names are in the language of the reader, and begin with a capital letter", () => {
  const names = contentLocales({ default: "en", all: ["en", "sk"] }, "sk").map(({ name }) => name)

  expect(names).toEqual(["Angličtina", "Slovenčina"])
})
