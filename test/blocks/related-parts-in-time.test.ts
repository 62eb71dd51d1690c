import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const editor: Session = { user: { id: "ann", role: "editor" } }
const LONG = { timeout: 60_000 }

const pictures = collection("pictures")
  .fields(({ f }) => ({
    name: f.text().required(),
    caption: f.text().localized(),
    notes: f.blocks({ note: { at: f.datetime() } }),
  }))
  .options({ softDelete: true })
  .access({ ...everyone, read: async ({ collections }) => (await collections["switches"]?.count()) === 0 || SHOWN })

const SHOWN = { name: { ne: "private" } }
const switches = collection("switches")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const drafts = collection("drafts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .options({ workflow: true })
  .access({ ...everyone, drafts: ({ session }) => session?.user.role === "editor" })

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.blocks({ hero: { image: f.relation("pictures"), draft: f.relation("drafts") } }),
    local: f.blocks({ hero: { image: f.relation("pictures") } }).localized(),
    card: f.object({ image: f.relation("pictures") }).localized(),
  }))
  .options({ workflow: true, versions: true })
  .access({ ...everyone, drafts: ({ session }) => session?.user.role === "editor" })

let app: TestApp
beforeAll(async () => {
  const locales = { default: "en", all: ["en", "sk"] }
  app = await testApp({ resources: [pictures, switches, drafts, pages], config: { locales } })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session?: Session) => app.client(session).collections
const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]

async function publishedPage(body: object): Promise<string> {
  const { id } = await system("pages").create(body)
  await system("pages").transitionStage({ id, stage: "published" })
  return id
}

test("a live query follows the related records, and the rights to them", async () => {
  const { id: image } = await as(editor)["pictures"].create({ name: "first" })
  const { id } = await system("pages").create({ title: "live", body: [{ type: "hero", image }] })
  const seen: unknown[] = []
  const options = { where: { id }, with: { body: { hero: { image: true } } } }
  const last = (name: unknown) => vi.waitFor(() => expect(seen.at(-1)).toBe(name), LONG)
  await system("switches").create({ name: "on" })

  const stop = as(editor)["pages"].live(options, (page: any) => seen.push(page.docs[0]?.body[0].image?.name ?? null))
  await last("first")
  await as(editor)["pictures"].updateById({ id: image, data: { name: "second" } })
  await last("second")
  await as(editor)["pictures"].updateById({ id: image, data: { name: "private" } })
  await last(null)
  await system("switches").deleteMany({ all: true })
  await last("private")
  await as(editor)["pictures"].updateById({ id: image, data: { name: "third" } })
  await last("third")
  stop()
})

test("dates inside of related records stay dates in the client", async () => {
  const at = new Date(1_000)
  const { id: image } = await as(editor)["pictures"].create({ name: "dated", notes: [{ type: "note", at }] })
  const { id } = await system("pages").create({ card: { image } })

  const { card } = await as(editor)["pages"].findOne({ where: { id }, with: { card: { image: true } } })

  expect(card.image.notes[0].at).toEqual(at)
  expect(card.image.createdAt).toBeInstanceOf(Date)
})

test("related records are read in the stage of the read, or in the one that the relation names", async () => {
  const { id: draft } = await system("drafts").create({ title: "shown" })
  await system("drafts").transitionStage({ id: draft, stage: "published" })
  await system("drafts").updateById({ id: draft, data: { title: "changed" } })
  const { id: unpublished } = await system("drafts").create({ title: "unpublished" })
  const hero = (id: string) => ({ type: "hero", draft: id })
  const id = await publishedPage({ body: [hero(draft), hero(unpublished)] })
  const read = async (session: Session | undefined, options: object, related: unknown = true) => {
    const page = await as(session)["pages"].findOne({
      where: { id },
      with: { body: { hero: { draft: related } } },
      ...options,
    })
    return page.body.map(({ draft: shown }: any) => shown?.title ?? null)
  }

  expect(await read(undefined, {})).toEqual(["shown", null])
  expect(await read(editor, {})).toEqual(["changed", "unpublished"])
  expect(await read(editor, { stage: "published" })).toEqual(["shown", null])
  expect(await read(editor, {}, { stage: "published" })).toEqual(["shown", null])
  expect(await read(editor, { stage: "published" }, { stage: "draft" })).toEqual(["changed", "unpublished"])
  const refused = await app.fetch(`/pages/${id}?with[body][hero][draft][stage]=draft`)
  expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining("with.body.hero.draft")])
})

test("a localized field hydrates in the locale of the read, by its fallback, and in all of them", async () => {
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => as(editor)["pictures"].create({ name, caption: name })),
  )
  await as(editor)["pictures"].updateById({ id: one.id, data: { caption: "jeden" } }, { locale: "sk" })
  const { id } = await system("pages").create({ local: [{ type: "hero", image: one.id }], card: { image: two.id } })
  await system("pages").updateById({ id, data: { local: [{ type: "hero", image: two.id }] } }, { locale: "sk" })
  const columns = { caption: true }
  const related = { local: { hero: { image: { columns } } }, card: { image: { columns } } }
  const read = async (locale: string) => {
    const { local, card } = await as(editor)["pages"].findOne({ where: { id }, locale, with: related })
    return { local, card }
  }
  const hero = (image: object) => [{ type: "hero", id: expect.any(String), image }]
  const [first, second] = [
    { id: one.id, caption: "one" },
    { id: two.id, caption: "two" },
  ]

  expect(await read("en")).toEqual({ local: hero(first), card: { image: second } })
  expect(await read("sk")).toEqual({ local: hero(second), card: { image: second } })
  const [inEach, other] = [{ en: "one", sk: "jeden" }, { en: "two" }].map((caption, index) => ({
    ...{ id: [one.id, two.id][index], caption },
  }))
  expect(await read("*")).toEqual({
    local: { en: hero(inEach ?? {}), sk: hero(other ?? {}) },
    card: { en: { image: other } },
  })
})
