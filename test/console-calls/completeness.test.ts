// @module-tag not-about-engine

// The marks of the languages in a list, read as the console does.
import { collection } from "kit"
import type { CollectionSchema } from "kit/client"
import { expect, test } from "vitest"
import { readCompleteness } from "../../packages/console/src/screens/list/locales/completeness.ts"
import { localizedFields } from "../../packages/console/src/screens/list/locales/locales-column.ts"
import { testApp } from "../support/worlds/test-app.ts"

const LOCALES = ["en", "sk"]
const body = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
})

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    lead: f.text().localized(),
    body: f.richText().localized(),
    order: f.number(),
  }))
  .title("title")
  // A page with a secret title in one language is hidden in that language.
  .access({ read: () => ({ title: { ne: "secret" } }), create: true, update: true })

test("a language is complete if it has every text that there is in any language", async () => {
  await using app = await testApp({ resources: [pages], config: { locales: { default: "en", all: LOCALES } } })
  const handle = app.client().collections["pages"]
  const add = async (en: object, sk: object | null) => {
    const { id } = await handle.create(en, { locale: "en" })
    if (sk) await handle.updateById({ id, data: sk }, { locale: "sk" })
    return String(id)
  }
  const ids = [
    await add({ title: "Only English" }, null),
    await add({ title: "Both" }, { title: "Oba" }),
    await add({ title: "No Slovak body", body: body("Text") }, { title: "Bez textu" }),
    await add({ title: "No English body" }, { title: "Bez anglického", body: body("Text") }),
    await add({ title: "Empty", lead: "Lead" }, { title: "Prázdne", lead: "" }),
    await add({ title: "Hidden in Slovak" }, { title: "secret" }),
  ]
  const schema: CollectionSchema = await handle.schema()

  const found = await readCompleteness(
    {
      fields: localizedFields(schema),
      locales: LOCALES,
      find: async (options) => (await handle.find(options)).docs,
    },
    ids,
  )

  expect(ids.map((id) => found.get(id) && [...(found.get(id) ?? [])])).toEqual([
    ["en"],
    ["en", "sk"],
    ["en"],
    ["sk"],
    ["en"],
    // The rules do not hold in every language, so that nothing is said.
    undefined,
  ])
})
