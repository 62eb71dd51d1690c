import { ApiError, collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const isOwner = ({ session }: Call) => isEditor({ session }) || (session !== null && { owner: session.user.id })

// Everyone writes shelves, owners write their books, and only editors see drafts.
const shelves = collection("shelves")
  .fields(({ f }) => ({
    name: f.text(),
    books: f.relation("books").hasMany({ via: "shelf" }),
    covert: f.relation("books").hasMany({ via: "ruled" }),
    marked: f.relation("books").manyToMany({ through: "marks" }),
  }))
  .access({ read: true, update: ({ session }) => session !== null })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text(50).required(),
    owner: f.text(),
    shelf: f.relation("shelves"),
    ruled: f.relation("shelves").access({ read: isEditor }),
    shelves: f.relation("shelves").manyToMany({ through: "marks" }),
  }))
  .options({ workflow: true })
  .hooks({
    beforeChange: ({ data }) => {
      if (data["title"] === "clash") throw new ApiError("CONFLICT", { message: "The hook says no." })
      if (data["title"] === "forbid") throw new ApiError("FORBIDDEN", { message: "The hook forbids." })
      return data
    },
  })
  .access({ read: true, create: true, update: isOwner, delete: isOwner, transition: isOwner, drafts: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [shelves, books] })
})
afterAll(() => app[Symbol.asyncDispose]())

const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]

interface World {
  readonly owner?: string
  /** The published copy of the book is on the shelf, and its draft is. */
  readonly isShown: boolean
  readonly isLinked: boolean
}

/** Creates a shelf, and a published book that may be on it. */
async function shelfAndBook(relation: string, { owner = "eva", isShown, isLinked }: World) {
  const shelf = await system("shelves").create({ name: "S" })
  const book = await system("books").create({ title: "B", owner })
  const link = (isThere: boolean) =>
    system("shelves").updateById({ id: shelf.id, data: { [relation]: isThere ? [book.id] : [] } })
  await link(isShown)
  await system("books").transitionStage({ id: book.id, stage: "published" })
  await link(isLinked)
  return { shelf: shelf.id as string, book: book.id as string }
}

type Operation = (book: string) => unknown

async function answerIn(relation: string, world: World, operation: Operation): Promise<string> {
  const { shelf, book } = await shelfAndBook(relation, world)
  const body = JSON.stringify({ [relation]: operation(book) })
  const answer = await app.fetch(`/shelves/${shelf}`, { method: "PATCH", body, session: bob })
  const text = `${answer.status} ${JSON.stringify(answer.body)}`
  return text
    .replace(/"(requestId|updatedAt|createdAt)":"[^"]*"/g, "")
    .replaceAll(shelf, "S")
    .replaceAll(book, "B")
}

const update = (data: object) => (id: string) => ({ update: [{ id, data }] })
const OPERATIONS: Readonly<Record<string, Operation>> = {
  update: update({ title: "New" }),
  "update with nothing": update({}),
  "update with what is wrong": update({ title: 5, nothing: 1 }),
  "update of a link to nothing": update({ shelf: crypto.randomUUID() }),
  delete: (id) => ({ delete: [id] }),
  disconnect: (id) => ({ disconnect: [id] }),
  connect: (id) => ({ connect: [id] }),
  set: (id) => ({ set: [id] }),
  "set nothing": () => ({ set: [] }),
}
// The writes that need no right on the book itself.
const LINKS = ["disconnect", "connect", "set", "set nothing"]

describe("a draft that the caller may neither see nor write does not tell what it is related to", () => {
  const cases = ["books", "covert", "marked"].flatMap((relation) =>
    Object.keys(OPERATIONS).flatMap((name) => [true, false].map((isShown) => ({ relation, name, isShown }))),
  )

  test.each(cases)("$relation: $name, shown: $isShown", async ({ relation, name, isShown }) => {
    const operation = OPERATIONS[name] as Operation

    const linked = await answerIn(relation, { isShown, isLinked: true }, operation)
    const apart = await answerIn(relation, { isShown, isLinked: false }, operation)

    expect(linked).toBe(apart)
    const isSeen = isShown && relation === "books"
    const isAllowed = relation === "marked" ? LINKS.includes(name) : name === "set nothing" && !isSeen
    expect(linked.slice(0, 3)).toBe(isAllowed ? "200" : "403")
  })

  test("neither does a draft that was never shown", async () => {
    const shelf = await system("shelves").create({ name: "S" })
    const draft = await system("books").create({ title: "D", owner: "eva", shelf: shelf.id, shelves: [shelf.id] })
    const patch = (body: object) =>
      app.fetch(`/shelves/${shelf.id}`, { method: "PATCH", body: JSON.stringify(body), session: bob })

    const answers = await Promise.all([patch({ books: [] }), patch({ marked: [] })])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const kept = await system("shelves").findOne({ where: { id: shelf.id }, with: { books: true, marked: true } })
    expect(kept).toMatchObject({ books: [{ id: draft.id }], marked: [{ id: draft.id }] })
  })
})

describe("whoever may write a record writes it through its relations, seen or not", () => {
  const world = { owner: "bob", isShown: false, isLinked: true }

  test.each(["books", "marked", "covert"])("%s", async (relation) => {
    const answer = (name: string, isLinked = true) =>
      answerIn(relation, { ...world, isLinked }, OPERATIONS[name] as Operation)
    const statuses = async (isLinked: boolean) => {
      const answers = []
      for (const name of Object.keys(OPERATIONS)) answers.push([name, (await answer(name, isLinked)).slice(0, 3)])
      return Object.fromEntries(answers)
    }
    const same = { disconnect: "200", connect: "200", set: "200", "set nothing": "200" }
    const wrong = { "update with what is wrong": "400", "update of a link to nothing": "400" }

    // A field that a rule hides cannot be used as a path, even by callers who may write the record.
    const through = relation === "covert" ? "400" : "200"
    expect(await statuses(true)).toEqual({
      ...{ update: through, "update with nothing": through, delete: through },
      ...{ ...wrong, ...same },
    })
    expect(await statuses(false)).toEqual({
      ...{ update: "400", "update with nothing": "400", delete: "400" },
      ...{ ...wrong, ...same },
    })
  })

  test("what is set is what is related afterwards", async () => {
    const { shelf, book } = await shelfAndBook("books", world)
    const patch = (body: object) =>
      app.fetch(`/shelves/${shelf}`, { method: "PATCH", body: JSON.stringify(body), session: bob })
    const shelfOf = async () => (await system("books").findOne({ where: { id: book } })).shelf

    await patch({ books: [] })
    const without = await shelfOf()
    await patch({ books: [book] })

    expect([without, await shelfOf()]).toEqual([null, shelf])
  })

  test.each([
    ["clash", 409, "The hook says no."],
    ["forbid", 403, "The hook forbids."],
  ])("the refusal of a hook is its own: %s", async (title, status, message) => {
    for (const relation of ["books", "marked"]) {
      const { shelf, book } = await shelfAndBook(relation, world)
      const body = JSON.stringify({ [relation]: update({ title })(book) })
      const answer = await app.fetch(`/shelves/${shelf}`, { method: "PATCH", body, session: bob })
      expect(answer).toMatchObject({ status, body: { error: { message } } })
    }
  })
})

test("whoever sees drafts is told which records are related, as ever", async () => {
  const { shelf, book } = await shelfAndBook("books", { isShown: true, isLinked: false })
  const patch = (operation: object) =>
    app.fetch(`/shelves/${shelf}`, { method: "PATCH", body: JSON.stringify({ books: operation }), session: ann })

  expect((await patch({ disconnect: [book] })).status).toBe(400)
  expect((await patch({ update: [{ id: book, data: {} }] })).status).toBe(400)
  expect((await patch({ connect: [book] })).status).toBe(200)
  expect((await patch({ update: [{ id: book, data: {} }] })).status).toBe(200)
})
