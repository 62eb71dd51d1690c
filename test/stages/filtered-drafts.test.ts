import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const guest: Session = { user: { id: "guest" } }
const eva: Session = { user: { id: "eva" } }
const ann: Session = { user: { id: "ann", role: "editor" } }
type Call = { session: Session | null }

/** The usual rule: editors change everything, writers what is theirs, and without `drafts` it decides about drafts too. */
const mine = ({ session }: Call) =>
  session !== null && (session.user.role === "editor" || { owner: { eq: session.user.id } })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    owner: f.text(),
    sequelOf: f.relation("books").onDelete("setNull"),
    related: f.relation("books").manyToMany(),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    chapters: f.relation("chapters").hasMany({ via: "book" }),
    reviews: f.relation("reviews").hasMany({ via: "book" }),
  }))
  .searchable({ fields: ["title"] })
  .preview(({ record, stage }) => `/${stage}/${record["title"]}`)
  .options({ workflow: true, versions: true })
  .access({ read: true, create: true, update: mine, delete: mine })

const chapters = collection("chapters")
  .fields(({ f }) => ({ title: f.text(), owner: f.text(), book: f.relation("books").onDelete("cascade") }))
  .options({ workflow: true })
  .access({ read: true, create: true, update: mine, delete: mine })

const reviews = collection("reviews")
  .fields(({ f }) => ({
    text: f.text(),
    book: f.relation("books").onDelete("cascade"),
    secretBook: f.relation("books").onDelete("cascade").access({ read: false }),
  }))
  .access({ read: true, create: true, update: true })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), books: f.relation("books").manyToMany({ through: "tagging" }) }))
  .access({ read: true, create: true, update: true })

const front = global("front")
  .fields(({ f }) => ({ motto: f.text(), owner: f.text(), lead: f.relation("books").onDelete("setNull") }))
  .options({ workflow: true })
  .access({ read: true, update: mine })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [books, chapters, reviews, tags, front] })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session?: Session) => app.client(session).collections
const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]
const visitors = [undefined, guest] as const
let made = 0

/** Publishes a record of Eva's, and changes its draft. */
async function published(name: string, data: object = {}) {
  const word = `${name}${++made}`
  const { id } = await system(name).create({ title: `Shown ${word}`, owner: "eva", ...data })
  await system(name).transitionStage({ id, stage: "published" })
  await system(name).updateById({ id, data: { title: `Draft ${word}` } })
  return { id, shown: `Shown ${word}`, draft: `Draft ${word}` }
}

const draftOf = async (name: string, data: object = {}) =>
  system(name).create({ title: `Only draft ${name}${++made}`, owner: "eva", ...data })

const titleOf = (record: any) => record?.title ?? record

test("signing in neither hides nor changes what is public", async () => {
  const { id, shown } = await published("books")
  const hidden = await draftOf("books")
  const where = { id: { in: [id, hidden.id] } }

  for (const visitor of [...visitors, eva]) {
    const { books } = as(visitor)
    expect((await books.find({ where })).docs.map(titleOf)).toEqual([shown])
    expect((await books.find({ where, groupBy: "title" })).groups.map(({ key }: any) => key)).toEqual([shown])
    expect(await books.count({ where })).toBe(1)
    expect(titleOf(await books.findOne({ where: { id } }))).toBe(shown)
    expect((await app.fetch(`/books/${id}`, visitor && { session: visitor })).body.title).toBe(shown)
    const found = await app.client(visitor).search.search({ query: shown, collections: ["books"] })
    expect(found.docs.map(({ id: hit }: any) => hit)).toContain(id)
    expect((await books.find({ where, search: "Only draft" })).docs).toEqual([])
  }
  // The evaluated rule counts: for editors the same rule returns true.
  expect((await as(ann)["books"].find({ where })).docs).toHaveLength(2)
})

test("naming the stage reads the working copies that the rule allows, and no others", async () => {
  const { id, draft } = await published("books")
  const own = await draftOf("books")
  const other = await draftOf("books", { owner: "someone" })
  const where = { id: { in: [id, own.id, other.id] } }
  const options = { where, stage: "draft", orderBy: { title: "asc" } }
  const expected = [draft, own.title]

  expect((await as(eva)["books"].find(options)).docs.map(titleOf)).toEqual(expected)
  expect((await as(eva)["books"].find({ ...options, groupBy: "title" })).groups.map(({ key }: any) => key)).toEqual(
    expected,
  )
  expect(await as(eva)["books"].count({ where, stage: "draft" })).toBe(2)
  expect(await as(guest)["books"].count({ where, stage: "draft" })).toBe(0)
  expect(await as(eva)["books"].findOne({ where: { id: other.id }, stage: "draft" })).toBeNull()
  expect(titleOf(await as(eva)["books"].findOne({ where: { id }, stage: "draft" }))).toBe(draft)
  expect((await app.fetch(`/books/${id}?stage=draft`, { session: eva })).body.title).toBe(draft)
  const found = await app.client(eva).search.search({ query: own.title, collections: ["books"], stage: "draft" })
  expect(found.docs.map(({ id: hit }: any) => hit)).toContain(own.id)
  expect((await app.fetch("/books?stage=draft")).status).toBe(401)
})

test("through a relation the public copy is read, whoever asks", async () => {
  const { id, shown, draft } = await published("books")
  const tag = await system("tags").create({ name: "t" })
  await system("books").updateById({ id, data: { tags: { connect: [tag.id] } } })
  await system("books").transitionStage({ id, stage: "published" })
  const review = await system("reviews").create({ text: "r", book: id })
  const count = (session: Session | undefined, book: object) =>
    as(session)["reviews"].count({ where: { id: review.id, book } })

  await system("books").updateById({ id, data: { title: "Later" } })
  for (const visitor of [...visitors, eva]) {
    const read = await as(visitor)["reviews"].findOne({ where: { id: review.id }, with: { book: true } })
    expect(read.book.title).toBe(draft)
    const tagged = await as(visitor)["tags"].findOne({ where: { id: tag.id }, with: { books: { _count: true } } })
    expect([tagged.books.map(titleOf), tagged._count]).toEqual([[draft], { books: 1 }])
    expect([await count(visitor, { title: draft }), await count(visitor, { title: "Later" })]).toEqual([1, 0])
    const sorted = await as(visitor)["reviews"].find({ where: { id: review.id }, orderBy: { book: { title: "asc" } } })
    expect(sorted.docs).toHaveLength(1)
  }
  expect(shown).not.toBe(draft)
})

test("a relation names a stage of its own, and what follows it is read in that stage", async () => {
  const { id, shown, draft } = await published("books")
  const chapter = await published("chapters", { book: id })
  const review = await system("reviews").create({ text: "r", book: id })
  const one = { id: review.id }
  const read = (session: Session, book: unknown) => as(session)["reviews"].findOne({ where: one, with: { book } })

  expect((await read(eva, { stage: "draft" })).book.title).toBe(draft)
  expect((await read(eva, { stage: "published" })).book.title).toBe(shown)
  expect((await read(ann, true)).book.title).toBe(draft)
  expect((await read(ann, { stage: "published" })).book.title).toBe(shown)
  expect((await read(guest, { stage: "draft" })).book).toBeNull()
  const nested = (await read(eva, { stage: "draft", with: { chapters: true } })).book
  expect(nested.chapters.map(titleOf)).toEqual([chapter.draft])
  const apart = (await read(eva, { stage: "draft", with: { chapters: { stage: "published", _count: true } } })).book
  expect([titleOf(apart), apart.chapters.map(titleOf), apart._count]).toEqual([draft, [chapter.shown], { chapters: 1 }])
  // In a query string, too.
  const answer = await app.fetch(`/reviews/${review.id}?with[book][stage]=draft`, { session: eva })
  expect(answer.body.book.title).toBe(draft)
  // Two relations to one collection can name two stages.
  const twice = await as(eva)["chapters"].findOne({
    where: { id: chapter.id },
    with: { book: { stage: "draft", with: { chapters: { stage: "published", with: { book: true } } } } },
  })
  expect([titleOf(twice), titleOf(twice.book), titleOf(twice.book.chapters[0])]).toEqual([
    chapter.shown,
    draft,
    chapter.shown,
  ])
  expect(titleOf(twice.book.chapters[0].book)).toBe(shown)
})

test("a relation of a collection to itself names a stage of its own", async () => {
  const first = await published("books")
  const second = await published("books", { sequelOf: first.id, related: [first.id] })
  const where = { id: second.id }
  const read = async (options: object) => {
    const found = await as(eva)["books"].findOne({ where, ...options })
    return [found.title, titleOf(found.sequelOf), found.related.map(titleOf)]
  }
  const stage = (name: string) => ({ sequelOf: { stage: name }, related: { stage: name } })

  expect(await read({ with: { sequelOf: true, related: true } })).toEqual([second.shown, first.shown, [first.shown]])
  expect(await read({ with: stage("draft") })).toEqual([second.shown, first.draft, [first.draft]])
  expect(await read({ stage: "draft", with: stage("published") })).toEqual([second.draft, first.shown, [first.shown]])
  expect(await read({ stage: "draft", with: { sequelOf: true, related: true } })).toEqual([
    second.draft,
    first.draft,
    [first.draft],
  ])
})

test("a filter of a relation follows the stage of the records that it filters", async () => {
  const { id, shown, draft } = await published("books")
  const chapter = await published("chapters", { book: id })
  const where = (title: string) => ({ id: chapter.id, book: { title } })
  const count = (options: object, session = eva) => as(session)["chapters"].count(options)

  expect([await count({ where: where(shown) }), await count({ where: where(draft) })]).toEqual([1, 0])
  expect(await count({ where: where(draft), stage: "draft" })).toBe(1)
  expect(await count({ where: where(shown), stage: "draft" })).toBe(0)
  const withChapters = (session: Session, options: object, title: string) =>
    as(session)
      ["books"].findOne({ where: { id }, with: { chapters: { ...options, where: { book: { title } } } } })
      .then((found: any) => found.chapters.map(titleOf))
  expect(await withChapters(eva, { stage: "draft" }, draft)).toEqual([chapter.draft])
  expect(await withChapters(eva, { stage: "draft" }, shown)).toEqual([])
  expect(await withChapters(eva, {}, shown)).toEqual([chapter.shown])
})

test("a stage that a relation cannot name is refused with its path", async () => {
  const { id } = await published("books")
  const review = await system("reviews").create({ text: "r", book: id, secretBook: id })
  const refusal = async (path: string, session?: Session) => {
    const { status, body } = await app.fetch(path, session && { session })
    return [status, body.error?.fieldErrors?.[0]?.path ?? body.error?.message]
  }

  expect(await refusal(`/reviews/${review.id}?with[book][stage]=lively`, eva)).toEqual([400, "with.book.stage"])
  expect(await refusal(`/reviews/${review.id}?with[book][stage][]=draft`, eva)).toEqual([400, "with.book.stage"])
  expect(await refusal(`/books/${id}?with[reviews][stage]=draft`, eva)).toEqual([400, "with.reviews.stage"])
  expect(await refusal(`/reviews/${review.id}?with[book][stage]=draft`)).toEqual([
    401,
    'Sign in to read the stage "draft" of "with.book".',
  ])
  // A relation that is hidden is refused as one that does not exist, whichever stage is named.
  for (const name of ["secretBook", "nothing"]) {
    for (const stage of ["draft", "published", "lively"]) {
      const [status, path] = await refusal(`/reviews/${review.id}?with[${name}][stage]=${stage}`)
      expect([status, path]).toEqual([400, `with.${name}`])
    }
  }
})

test("a 404 names the stage to whoever could read the draft, and to nobody else", async () => {
  const { id } = await draftOf("books")
  const other = await draftOf("books", { owner: "someone" })
  const nowhere = crypto.randomUUID()
  const told = async (record: string, session?: Session) => {
    const { status, body } = await app.fetch(`/books/${record}`, session && { session })
    const { requestId: _, context, ...error } = body.error
    return { status, error, stage: context?.stage }
  }

  const hint = await told(id, eva)
  expect(hint).toMatchObject({ status: 404, stage: "draft" })
  expect(hint.error.message).toBe('This record is not in the public stage. Name the stage "draft" to read its draft.')
  const plain = await told(nowhere, eva)
  expect(plain.stage).toBeUndefined()
  expect(await told(other.id, eva)).toEqual(plain)
  // A public record that does not match a filter is not there either.
  const shown = await published("books")
  expect(await told(`${shown.id}?where[title]=other`, eva)).toEqual(plain)
  for (const visitor of visitors) expect(await told(id, visitor)).toEqual(await told(nowhere, visitor))
  // Deleted meanwhile: nothing is there to name a stage for.
  await as(eva)["books"].deleteById({ id })
  expect(await told(id, eva)).toEqual(plain)
})

test("writes answer the working copy, and rights are told of every record that the caller sees", async () => {
  const own = await draftOf("books")
  const { id, draft, shown } = await published("books")
  const access = async (record: string, session?: Session) => {
    const { status, body } = await app.fetch(`/books/${record}/access`, session && { session })
    return [status, body.operations?.update, body.operations?.drafts]
  }

  expect(await as(eva)["books"].updateById({ id, data: {} })).toMatchObject({ title: draft })
  expect((await as(eva)["books"].findVersions({ id }))[0].title).toBe(draft)
  expect(await as(eva)["books"].updateMany({ where: { title: draft }, data: {} })).toHaveLength(1)
  expect(await as(eva)["books"].updateMany({ where: { title: shown }, data: {} })).toHaveLength(0)
  expect([await access(id, eva), await access(own.id, eva)]).toEqual([
    [200, true, true],
    [200, true, true],
  ])
  expect([await access(id, guest), await access(own.id, guest)]).toEqual([
    [200, false, false],
    [404, undefined, undefined],
  ])
})

test("a preview shows the public copy, and the draft to whoever names the stage", async () => {
  const { id, shown, draft } = await published("books")
  const own = await draftOf("books")
  const preview = async (record: { id: string; stage?: string }, session?: Session) => {
    const init = { method: "POST", body: JSON.stringify({ resource: "books", ...record }) }
    const { status, body } = await app.fetch("/_kit/preview-url", { ...init, ...(session && { session }) })
    return body.url ?? [status, body.error.message]
  }
  const encoded = (path: string) => path.replaceAll(" ", "%20")

  for (const visitor of [...visitors, eva]) expect(await preview({ id }, visitor)).toBe(encoded(`/published/${shown}`))
  expect(await preview({ id, stage: "draft" }, eva)).toBe(encoded(`/draft/${draft}`))
  expect(await preview({ id, stage: "draft" }, guest)).toEqual([404, "There is no preview of such a record."])
  expect(await preview({ id: own.id }, eva)).toEqual([
    404,
    'This record is not in the public stage. Name the stage "draft" to read its draft.',
  ])
  expect(await preview({ id: own.id }, guest)).toEqual([404, "There is no preview of such a record."])
})

test("a global and what it relates to are read in the same way", async () => {
  const { id, shown, draft } = await published("books")
  const settings = (app.app.system.globals as Record<string, any>)["front"]
  await settings.update({ motto: "Shown", owner: "eva", lead: id })
  await settings.transitionStage({ stage: "published" })
  await settings.update({ motto: "Draft" })
  const read = async (session: Session | undefined, options: object = {}) => {
    const { motto, lead } = await app.client(session).globals["front"].get({ with: { lead: true }, ...options })
    return [motto, lead.title]
  }

  for (const visitor of [...visitors, eva]) expect(await read(visitor)).toEqual(["Shown", shown])
  expect(await read(eva, { stage: "draft" })).toEqual(["Draft", draft])
  expect(await read(eva, { with: { lead: { stage: "draft" } } })).toEqual(["Shown", draft])
  expect(await read(ann)).toEqual(["Draft", draft])
  // The answer of a write is the working copy. What it relates to follows the stage that the request names.
  const answered = async (options: object) => {
    const { motto, lead } = await app.client(eva).globals["front"].update({ motto: "Next" }, options)
    return [motto, lead.title]
  }
  expect(await answered({ with: { lead: true } })).toEqual(["Next", shown])
  expect(await answered({ with: { lead: true }, stage: "draft" })).toEqual(["Next", draft])
  expect(await answered({ with: { lead: { stage: "draft" } } })).toEqual(["Next", draft])
})

test("what is watched follows the stage that the call or a relation names", async () => {
  const { id, shown, draft } = await published("books")
  const review = await system("reviews").create({ text: "r", book: id })
  const client = app.client(eva)
  const { books, reviews } = client.collections
  const seen: Record<string, unknown[]> = { public: [], named: [], related: [], live: [] }
  const note = (name: string) => (given: any) => void seen[name]?.push(titleOf(given?.docs?.[0]?.book ?? given))
  const related = { where: { id: review.id }, with: { book: { stage: "draft" } } }
  books.record(id).watch({}, note("public"))
  books.record(id).watch({ stage: "draft" }, note("named"))
  reviews.watch(related, note("related"))
  reviews.live(related, note("live"))
  const last = () => Object.values(seen).map((titles) => titles.at(-1))
  const show = (titles: string[]) => vi.waitFor(() => expect(last()).toEqual(titles), { timeout: 60_000 })

  await show([shown, draft, draft, draft])
  await books.updateById({ id, data: { title: "Corrected" } })
  await show([shown, "Corrected", "Corrected", "Corrected"])
  await system("books").transitionStage({ id, stage: "published" })
  await show(["Corrected", "Corrected", "Corrected", "Corrected"])

  client.realtime.destroy()
  expect(seen["public"]).toEqual([shown, "Corrected"])
})
