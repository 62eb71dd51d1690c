import { describe, expect, test } from "vitest"
import { directionOf } from "../src/form/direction.ts"
import type { FormLanguage } from "../src/form/form-language.ts"
import { type FieldValues, FormStore } from "../src/form/form-store.ts"
import { filledLocales } from "../src/screens/record/languages/filled-locales.ts"
import { saveForm } from "../src/screens/record/saving/save-form.ts"

const localized = new Set(["title", "lead"])
const inLanguage = (locale: string): FormLanguage => ({ locale, isDefault: locale === "en", localized })
const english = { id: "1", revision: 1, title: "Lake", lead: "Deep.", kind: "news" }
const slovak = { ...english, title: "Jazero", lead: null }

describe("A form in two languages", () => {
  test("keeps what was typed in each of them, and has the other fields in both", () => {
    const en = new FormStore(english, inLanguage("en"))
    en.write(["title"], "Sea")
    en.write(["kind"], "report")

    const sk = en.inLocale(inLanguage("sk"), slovak)
    sk.write(["lead"], "Hlboké.")

    expect(sk.values()).toMatchObject({ title: "Jazero", lead: "Hlboké.", kind: "report" })
    expect(en.inLocale(inLanguage("en"), english).values()).toMatchObject({
      title: "Sea",
      lead: "Deep.",
      kind: "report",
    })
    expect(sk.editCount()).toBe(3)
    expect(sk.editedLocales().map(({ locale }) => locale)).toEqual(["en", "sk"])
  })

  test("has a late value of a localized field in the language in which its editor was opened", () => {
    const en = new FormStore(english, inLanguage("en"))
    const sk = en.inLocale(inLanguage("sk"), slovak)

    en.write(["lead"], "Written by an upload that took its time.")

    expect(sk.read(["lead"])).toBe(null)
    expect(sk.editCount()).toBe(1)
  })

  test("knows newer values of the other fields in both", () => {
    const en = new FormStore(english, inLanguage("en"))
    const sk = en.inLocale(inLanguage("sk"), slovak)

    sk.follow({ ...slovak, kind: "report", revision: 2 })

    expect(en.baseline).toMatchObject({ kind: "report", revision: 2, title: "Lake" })
  })

  test("drops the edits of all languages", () => {
    const en = new FormStore(english, inLanguage("en"))
    const sk = en.inLocale(inLanguage("sk"), slovak)
    en.write(["title"], "Sea")
    sk.write(["title"], "More")

    sk.discard()

    expect([en.editCount(), en.read(["title"]), sk.read(["title"])]).toEqual([0, "Lake", "Jazero"])
  })
})

/** A record in two languages that keeps what is written to it. */
function storedIn(texts: Record<string, Record<string, unknown>>) {
  const record: Record<string, unknown> = { id: "1", revision: 1, kind: "news" }
  const writes: unknown[] = []
  const shown = (locale: string) => ({ id: "1", ...record, title: null, lead: null, ...texts[locale] })
  const operations = {
    write(
      data: FieldValues,
      { locale = "", ...settings }: { locale?: string; id?: string; expectedRevision?: number } = {},
    ) {
      writes.push([locale, data, settings])
      for (const [field, value] of Object.entries(data)) {
        if (localized.has(field)) texts[locale] = { ...texts[locale], [field]: value }
        else record[field] = value
      }
      record["revision"] = Number(record["revision"]) + 1
      return Promise.resolve(shown(locale))
    },
    reread: (locale = "") => Promise.resolve(shown(locale)),
  }
  return { operations, writes, texts, shown }
}

describe("A save in two languages", () => {
  test("writes each of them once, the other fields with the one that is shown", async () => {
    const { operations, writes, shown } = storedIn({ en: { title: "Lake" }, sk: { title: "Jazero" } })
    const en = new FormStore(shown("en"), inLanguage("en"))
    en.write(["title"], "Sea")
    const sk = en.inLocale(inLanguage("sk"), shown("sk"))
    sk.write(["title"], "More")
    sk.write(["kind"], "report")

    const outcome = await saveForm({ store: sk, operations, isNew: false })

    expect(outcome.kind).toBe("saved")
    expect(writes).toEqual([
      ["sk", { kind: "report", title: "More" }, { expectedRevision: 1 }],
      ["en", { title: "Sea" }, { expectedRevision: 2 }],
    ])
    expect(sk.editCount()).toBe(0)
  })

  test("stops before a text of the other language that somebody has changed meanwhile", async () => {
    const { operations, texts, shown } = storedIn({ en: { title: "Lake" }, sk: { title: "Jazero" } })
    const en = new FormStore(shown("en"), inLanguage("en"))
    en.write(["title"], "Sea")
    const sk = en.inLocale(inLanguage("sk"), shown("sk"))
    texts["en"] = { title: "Ocean" }

    const outcome = await saveForm({ store: sk, operations, isNew: false })

    expect(outcome).toMatchObject({ kind: "overtaken", store: en })
    expect(texts["en"]).toEqual({ title: "Ocean" })
    expect(en.read(["title"])).toBe("Sea")
  })

  test("creates a new record in the default language, and then writes the other one", async () => {
    const { operations, writes, shown } = storedIn({})
    const empty = { ...shown("en"), id: null }
    const en = new FormStore(empty, inLanguage("en"))
    en.write(["title"], "Sea")
    const sk = en.inLocale(inLanguage("sk"), empty)
    sk.write(["title"], "More")

    const outcome = await saveForm({ store: sk, operations, isNew: true })

    expect(outcome.kind).toBe("saved")
    expect(writes).toEqual([
      ["en", { title: "Sea" }, {}],
      ["sk", { title: "More" }, { expectedRevision: 2, id: "1" }],
    ])
  })
})

test("a language is complete if it has each text that another one has, with what is typed", () => {
  const texts = { title: { en: "Lake", sk: "Jazero" }, lead: { en: "Deep." }, body: null }
  const en = new FormStore(english, inLanguage("en"))
  expect(filledLocales({ texts, store: en, locales: ["en", "sk"] })).toEqual(["en"])

  const sk = en.inLocale(inLanguage("sk"), slovak)
  sk.write(["lead"], "Hlboké.")

  expect(filledLocales({ texts, store: en, locales: ["en", "sk"] })).toEqual(["en", "sk"])
})

test.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["he-IL", "rtl"],
  ["ckb", "rtl"],
  ["az-Latn", "ltr"],
])("%s is written %s", (locale, direction) => {
  expect(directionOf(locale)).toBe(direction)
})
