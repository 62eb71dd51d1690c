import { expect, test } from "vitest"
import { appFolder } from "./app-folder.ts"
import { newspaperFiles } from "./newspaper-files.ts"

// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
const PRESENTATION = `import { collection, global } from "kit"

export const articles = collection("articles")
  .label({ en: "Articles", sk: "Články" }, "Article")
  .description({ "pt-BR": "O que publicamos." })
  .icon("newspaper")
  .group("Content")
  .list({
    columns: ["title", "author", "teams", "stage", "shout", "createdAt"],
    orderBy: { publishedAt: "desc" },
    filters: ["status", "author", "teams", "letters"],
    views: [
      { label: "Done", where: { status: "done", author: { name: "Ana" } }, orderBy: { title: "asc" }, columns: ["title"] },
      { label: { en: "Mine" }, where: { OR: [{ title: "x" }, { words: { gt: 5 } }] } },
    ],
  })
  .form(({ tab, section, side }) => [
    tab({ en: "Text", sk: "Text" }, ["title", "body", section("More", ["lead", "meta"])]),
    side(["status", section("People", ["author"])]),
    "teams",
  ])
  .preview(({ record, locale, stage }) => {
    const place: "en" | "sk" | "cs" | "de" | "pt-BR" = locale
    const shown: "draft" | "published" | null = stage
    const at: Date | null = record.publishedAt
    return shown && at ? \`https://example.com/\${place}/\${record.id}/\${record.title.length}\` : null
  })

export const teams = collection("teams").preview(({ stage }) => {
  const none: null = stage
  return none
})

export const settings = global("settings")
  .label("Settings")
  .form(() => ["siteName"])
  .preview(async ({ record, stage }) => {
    const shown: "plan" | "live" | null = stage
    return shown === null ? null : record.siteName
  })

export const fields = collection("articles").fields(({ f }) => ({
  title: f.text().label({ en: "Title" }).placeholder({ sk: "Nadpis" }).description("What it is about.").width("half"),
  status: f.select(["idea", "writing", { value: "done", label: { en: "Done" }, color: "green" }]),
  link: f.url().visible({ status: "done" }).required(),
  body: f.textarea().visible({ status: { in: ["idea", "done"] }, featured: true }),
  words: f.number().visible({ OR: [{ title: "x" }, { link: null }] }).integer(),
}))

export function refused() {
  // @ts-expect-error no such locale
  collection("articles").label({ en: "Articles", hu: "Cikkek" })
  // @ts-expect-error no such locale, of a field
  collection("teams").fields(({ f }) => ({ name: f.text().label({ hu: "Név" }) }))
  // @ts-expect-error no such locale, of an option
  collection("teams").fields(({ f }) => ({ name: f.select([{ value: "a", label: { hu: "A" } }]) }))
  // @ts-expect-error no such locale, of a view
  collection("articles").list({ views: [{ label: { hu: "Kész" } }] })
  // @ts-expect-error no such locale, of a tab
  collection("articles").form(({ tab }) => [tab({ hu: "Szöveg" }, ["title"])])
  // @ts-expect-error no such locale, of a stage
  collection("articles").options({ workflow: { stages: { draft: { label: { hu: "Vázlat" } }, published: {} } } })
  // @ts-expect-error no such field
  collection("articles").list({ columns: ["titel"] })
  // @ts-expect-error nobody could see it
  collection("articles").list({ columns: ["secret"] })
  // @ts-expect-error a field of another collection
  collection("articles").list({ columns: ["name"] })
  // @ts-expect-error no such member
  collection("articles").list({ colums: ["title"] })
  // @ts-expect-error computed values cannot be sorted by
  collection("articles").list({ orderBy: { shout: "asc" } })
  // @ts-expect-error no such direction
  collection("articles").list({ orderBy: { title: "up" } })
  // @ts-expect-error computed values cannot be filtered by
  collection("articles").list({ filters: ["shout"] })
  // @ts-expect-error a view has a label
  collection("articles").list({ views: [{ where: { title: "x" } }] })
  // @ts-expect-error no such option
  collection("articles").list({ views: [{ label: "Done", where: { status: "don" } }] })
  // @ts-expect-error no such field in a form
  collection("articles").form(() => ["titel"])
  // @ts-expect-error no such field on a tab
  collection("articles").form(({ tab }) => [tab("Text", ["titel"])])
  // @ts-expect-error a tab has a label
  collection("articles").form(({ tab }) => [tab(["title"])])
  // @ts-expect-error a global has no list
  global("settings").list({ columns: ["siteName"] })
  // @ts-expect-error no such field in a record
  collection("articles").preview(({ record }) => record.titel)
  // @ts-expect-error an address is text
  collection("articles").preview(() => 7)
  // @ts-expect-error no such field in a filter
  collection("articles").fields(({ f }) => ({ body: f.text().visible({ titel: "x" }) }))
  // @ts-expect-error no such field in a filter, beside one that there is
  collection("articles").fields(({ f }) => ({ body: f.text().visible({ title: "x", titel: "x" }).required() }))
  // @ts-expect-error no such option in a filter
  collection("articles").fields(({ f }) => ({ body: f.text().visible({ status: "don" }) }))
  // @ts-expect-error a field of another collection in a filter
  collection("teams").fields(({ f }) => ({ name: f.text().visible({ title: "x" }) }))
  // @ts-expect-error no such width
  collection("teams").fields(({ f }) => ({ name: f.text().width("quarter") }))
  // @ts-expect-error no such colour
  collection("teams").fields(({ f }) => ({ name: f.select([{ value: "a", color: "#f00" }]) }))
  // @ts-expect-error no such colour of a stage
  collection("teams").options({ workflow: { stages: { draft: { color: "crimson" }, published: {} } } })
}
`

test("after generating, the compiler checks the names in lists, forms and filters, and the locales of texts", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/presentation.ts": PRESENTATION }))

  expect(await app.complaints()).toEqual([])
})

const LOOSE = `import { collection, global } from "kit"

export const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().label({ en: "Title", hu: "Cím" }),
    kind: f.select([{ value: "video", color: "red" }, "text"]).default("video"),
    film: f.url().visible({ kind: "video" }),
  }))
  .list({ columns: ["title"], orderBy: { title: "asc" }, filters: ["kind"], views: [{ label: "A", where: { kind: "text" } }] })
  .form(({ tab }) => [tab("Text", ["title", "film"])])
  .preview(({ record, locale, stage }) => \`/\${locale}/\${stage}/\${record.title}\`)
  .title("title")

export const site = global("site")
  .fields(({ f }) => ({ name: f.text() }))
  .form(({ section }) => [section("All", ["name"])])
  .preview(() => null)
`

test("before generating, every name compiles", async () => {
  await using app = await appFolder(new Map([["src/posts.ts", LOOSE]]))

  expect(await app.complaints()).toEqual([])
})
