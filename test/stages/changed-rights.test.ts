import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob", role: "writer" } }
const eve: Session = { user: { id: "eve" } }
type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const PUBLISHED = { stage: "published" } as const

// Editors see all drafts, writers their own, and everybody else none.
const guides = collection("guides")
  .fields(({ f }) => ({
    title: f.text(),
    owner: f.text(),
    tags: f.relation("tags").manyToMany(),
    // Writers may write the pin, and not read it.
    pin: f.text().access({ read: isEditor }),
    // Writers may read it in their own records.
    note: f.text().access({ read: ({ session }: Call) => isEditor({ session }) || { owner: session?.user.id ?? "" } }),
    secretTags: f.relation("tags").manyToMany().access({ read: isEditor }),
    ownTags: f
      .relation("tags")
      .manyToMany()
      .access({ read: ({ session }: Call) => isEditor({ session }) || { owner: session?.user.id ?? "" } }),
    inner: f.text().hidden(),
  }))
  .searchable({ fields: ["title"] })
  .options({ workflow: true, revision: true })
  .access({
    read: true,
    create: true,
    update: ({ session }: Call) => session !== null,
    drafts: ({ session }: Call) =>
      isEditor({ session }) || (session?.user.role === "writer" && { owner: { in: [session.user.id, "nobody"] } }),
  })

// The same answer for every caller, without a function: hidden fields do not count, nor those that nobody may read.
const plans = collection("plans")
  .fields(({ f }) => ({
    title: f.text(),
    inner: f.text().hidden(),
    never: f.text().access({ read: false }),
    neverTags: f.relation("tags").manyToMany().access({ read: false }),
  }))
  .options({ workflow: true })
  .access({ read: true, create: true, update: true, drafts: true })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, create: true })

const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text(), guide: f.relation("guides").onDelete("cascade") }))
  .access({ read: true, create: true })

let app: TestApp
let tag: string

beforeAll(async () => {
  app = await testApp({ resources: [guides, plans, tags, letters] })
  tag = (await system("tags").create({ name: "t" })).id
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session?: Session) => app.client(session).collections
const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]

/** A published record that has been changed in these fields since. */
async function changedIn(data: object, { name = "guides", owner = "bob" } = {}): Promise<string> {
  const given = name === "guides" ? { title: "One", owner } : { title: "One" }
  const { id } = await system(name).create(given)
  await system(name).transitionStage({ id, stage: "published" })
  await system(name).updateById({ id, data })
  return id
}

describe("a caller who may read no drafts", () => {
  test.each([
    ["a visitor", undefined],
    ["a user", eve],
  ])("learns nothing from any part of a read: %s", async (_name, session) => {
    const id = await changedIn({ title: "Two" })
    const letter = await system("letters").create({ text: "x", guide: id })
    const { guides, letters } = as(session)
    const where = { changedSincePublished: true }

    expect(await guides.findOne({ where: { id } })).not.toHaveProperty("changedSincePublished")
    expect((await guides.find({ ...PUBLISHED, where: { id } })).docs[0]).not.toHaveProperty("changedSincePublished")
    const shown = await letters.findOne({ where: { id: letter.id }, with: { guide: true } })
    expect(shown.guide).toMatchObject({ id, title: "One" })
    expect(shown.guide).not.toHaveProperty("changedSincePublished")
    for (const refused of [
      () => guides.find({ where }),
      () => guides.count({ where }),
      () => guides.count({ where: { OR: [{ NOT: where }] } }),
      () => guides.find({ orderBy: where }),
      () => guides.find({ orderBy: { changedSincePublished: "asc" } }),
      () => guides.find({ columns: where }),
      () => guides.find({ groupBy: "changedSincePublished" }),
      () => letters.find({ where: { guide: { is: where } } }),
      () => letters.find({ orderBy: { guide: { changedSincePublished: "asc" } } }),
      () => letters.find({ with: { guide: { where } } }),
      () => app.client(session).search.search({ query: "One", collections: ["guides"], where: { guides: where } }),
      () => guides.aggregate({ count: true, where }),
      () => guides.aggregate({ count: true, groupBy: "changedSincePublished" }),
      () => letters.aggregate({ count: true, where: { guide: { is: where } } }),
      () => guides.find({ after: null, orderBy: { changedSincePublished: "asc" } }),
    ])
      await expect(refused()).rejects.toMatchObject({ status: 400 })
    const error = await guides.find({ where }).catch((thrown: unknown) => thrown)
    const other = await guides.find({ where: { nothingLikeIt: true } }).catch((thrown: unknown) => thrown)
    expect(error.code).toBe(other.code)
    const named = (thrown: any, name: string) => thrown.fieldErrors[0].message.replace(name, "…")
    expect(named(error, "changedSincePublished")).toBe(named(other, "nothingLikeIt"))
  })

  test("gets only the id from a write, and finds nothing in a description of the collection", async () => {
    const id = await changedIn({ title: "Two" })

    expect(await as(eve)["guides"].updateById({ id, data: { title: "Three" } })).toEqual({ id })
    await expect(as(eve)["guides"].updateMany({ where: { changedSincePublished: true }, data: {} })).resolves.toEqual(
      [],
    )
    expect((await as(eve)["guides"].schema()).fields).not.toHaveProperty("changedSincePublished")
    expect((await as(eve)["guides"].meta()).fields.map(({ name }: any) => name)).not.toContain("changedSincePublished")
    const access = await app.fetch(`/guides/${id}/access`, { session: eve })
    expect(access.body.fields).not.toHaveProperty("changedSincePublished")
  })
})

describe("a caller whose rule about drafts is a filter", () => {
  test("reads the answer for those drafts, and only with the stage", async () => {
    const [own, other] = [await changedIn({ title: "Two" }), await changedIn({ title: "Two" }, { owner: "ann" })]
    const drafts = { stage: "draft", where: { id: { in: [own, other] } } }

    const found = await as(bob)["guides"].find(drafts)

    expect(found.docs).toMatchObject([{ id: own, changedSincePublished: true }])
    const changed = { ...drafts.where, changedSincePublished: true }
    expect(await as(bob)["guides"].count({ ...drafts, where: changed })).toBe(1)
    await expect(as(bob)["guides"].count({ where: changed })).rejects.toMatchObject({ status: 400 })
    const shown = (await as(bob)["guides"].find({ where: { id: own } })).docs[0]
    expect(shown).toMatchObject({ title: "One" })
    expect(shown).not.toHaveProperty("changedSincePublished")
    const written = await as(bob)["guides"].updateById({ id: own, data: { title: "One" } })
    expect(written.changedSincePublished).toBe(false)
    expect(await as(bob)["guides"].updateById({ id: other, data: { title: "One" } })).toEqual({ id: other })
    const access = async (id: string) =>
      (await app.fetch(`/guides/${id}/access`, { session: bob })).body.fields.changedSincePublished
    expect([await access(own), await access(other)]).toEqual([
      { read: true, update: false },
      { read: false, update: false },
    ])
    expect((await as(bob)["guides"].schema()).fields.changedSincePublished).toMatchObject({
      ...{ type: "boolean", label: "Changed since published", readOnly: true, sortable: true, groupable: true },
      access: { read: "filtered", create: false, update: false },
    })
  })
})

describe("fields that are hidden from the caller", () => {
  const flag = async (session: Session, id: string) =>
    (await as(session)["guides"].findOne({ stage: "draft", where: { id } })).changedSincePublished
  const counted = (session: Session, id: string) =>
    as(session)["guides"].count({ stage: "draft", where: { id, changedSincePublished: true } })

  test.each([
    ["a field with a rule", () => ({ pin: "1234" })],
    ["a relation with a rule", () => ({ secretTags: [tag] })],
  ])("do not count for them, and count for others: %s", async (_name, data) => {
    const id = await changedIn(data())

    expect([await flag(bob, id), await flag(ann, id)]).toEqual([false, true])
    expect([await counted(bob, id), await counted(ann, id)]).toEqual([0, 1])
  })

  test.each([
    ["a field", () => ({ note: "n" })],
    ["a relation", () => ({ ownTags: [tag] })],
  ])("count in the rows in which the rule shows them: %s", async (_name, data) => {
    const own = await changedIn(data())
    const other = await changedIn(data(), { owner: "nobody" })
    const where = { id: { in: [own, other] } }

    expect([await flag(bob, own), await flag(bob, other), await flag(ann, other)]).toEqual([true, false, true])
    expect([await counted(bob, own), await counted(bob, other)]).toEqual([1, 0])
    const columns = { changedSincePublished: true }
    const page = await as(bob)["guides"].find({
      ...{ stage: "draft", where, columns, orderBy: { changedSincePublished: "desc" } },
    })
    expect(page.docs).toEqual([
      { id: own, changedSincePublished: true },
      { id: other, changedSincePublished: false },
    ])
  })

  test("cannot be guessed by writing values until nothing has changed", async () => {
    const { id } = await system("guides").create({ title: "One", owner: "bob", pin: "1234" })
    await system("guides").transitionStage({ id, stage: "published" })

    const answers = []
    for (const pin of ["0000", "1234", "9999"]) {
      const answer = await as(bob)["guides"].updateById({ id, data: { pin } })
      answers.push(answer.changedSincePublished)
    }

    expect(answers).toEqual([false, false, false])
    expect(await flag(ann, id)).toBe(true)
  })

  test("count for system code alone if nobody may read them", async () => {
    const fields = [{ inner: "i" }, { never: "n" }, { neverTags: [tag] }]
    for (const data of fields) {
      const id = await changedIn(data, { name: "plans" })

      expect(await as()["plans"].findOne({ where: { id } })).toMatchObject({ changedSincePublished: false })
      expect(await system("plans").findOne({ where: { id } })).toMatchObject({ changedSincePublished: true })
      const written = await as()["plans"].updateById({ id, data: { title: "One" } })
      expect(written.changedSincePublished).toBe(false)
    }
  })

  test("do not count in a live list", async () => {
    const id = await changedIn({ pin: "1" })
    const first = await new Promise<any>((resolve) => {
      const stop = as(bob)["guides"].watch({ stage: "draft", where: { id } }, (page: any) => {
        stop()
        resolve(page)
      })
    })

    expect(first.docs).toMatchObject([{ id, changedSincePublished: false }])
  })
})
