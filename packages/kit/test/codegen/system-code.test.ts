import { expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import { global } from "../../src/schema/builders/global.ts"
import { appFolder } from "./app-folder.ts"
import { generateFor } from "./newspaper.ts"
import { newspaperFiles } from "./newspaper-files.ts"

const SYSTEM = `import { type App, type HandlerContext, job, route, seed, type SystemContext } from "kit"
import { z } from "zod"

export const tidy = job({
  name: "tidy",
  schema: z.object({ id: z.uuid() }),
  handler: async ({ payload, collections, transaction }) => {
    const found = await collections.articles.findOne({ where: { secret: { contains: "x" } }, orderBy: { secret: "asc" } })
    const secret: string | null = found?.secret ?? null
    const notes: string | null | undefined = found?.notes
    await collections.articles.updateById({ id: payload.id, data: { views: 5n, secret } })
    await transaction(async (inner) => inner.collections.articles.updateMany({ where: { secret }, data: { views: 6n } }))
    const { docs } = await collections.articles.find({ columns: { secret: true } })
    const page = await collections.articles.find({ groupBy: "secret", locale: "*" })
    return [docs[0]?.secret, page.groups[0]?.docs[0]?.secret, notes]
  },
})

export const publish = route().handler(async (context) => {
  // @ts-expect-error read-only to callers
  await context.collections.articles.updateById({ id: "", data: { views: 5n } })
  // @ts-expect-error hidden from callers
  await context.collections.articles.find({ where: { secret: "x" } })
  const { collections } = context.asSystem()
  await collections.articles.updateById({ id: "", data: { views: 5n } })
  // @ts-expect-error kept by the server
  await collections.articles.updateById({ id: "", data: { createdAt: new Date() } })
  // @ts-expect-error made by the server
  await collections.articles.updateById({ id: "", data: { letters: 5 } })
  return (await context.asUser("")).collections
})

export const first = seed(async ({ collections, transaction }) => {
  await collections.articles.create({ title: "a", author: "", views: 5n, secret: "x" })
  await transaction(({ collections: inner }) => inner.articles.create({ title: "a", author: "", secret: "x" }))
})

export const inProcess = ({ system }: App) => system.collections.articles.count({ where: { secret: "x" } })

// What acts as a caller may act as the system too.
const count = ({ collections }: HandlerContext) => collections.articles.count({ where: { title: "a" } })
const title = async (articles: HandlerContext["collections"]["articles"]) => (await articles.findOne())?.title
export const helped = (context: SystemContext) => [count(context), title(context.collections.articles)]
`

test("system code knows hidden fields and writes read-only ones, and stands in for a caller", async () => {
  await using app = await appFolder(await newspaperFiles({ "src/system.ts": SYSTEM }))

  expect(await app.complaints("--checkers", "1")).toEqual([])
})

test("only what has such fields is written twice, under names that nothing else has", () => {
  const declared = [
    collection("notes").fields(({ f }) => ({ text: f.text(), secret: f.text().hidden() })),
    collection("systemNotes").fields(({ f }) => ({ text: f.text() })),
    global("site").fields(({ f }) => ({ name: f.text().readOnly() })),
  ]

  const text = generateFor(declared.map(({ definition }) => definition)).get("index.ts") ?? ""
  const interfaces = [...text.matchAll(/export (?:interface|type) (\w+)/g)].map(([, name]) => name)

  expect(new Set(interfaces).size).toBe(interfaces.length)
  expect(interfaces).toEqual(expect.arrayContaining(["SystemNotes_2Record", "SystemNotesRecord", "SystemSiteUpdate"]))
  expect(text).toContain("AppSystemCollections extends AppCollections {\n  notes: SystemNotes_2Operations\n}")
  expect(text).toContain("AppSystemGlobals extends AppGlobals {\n  site: TypedGlobal<SystemSiteTypes>\n}")
})
