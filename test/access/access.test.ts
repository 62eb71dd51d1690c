import { collection, global, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const alice: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", role: "writer" } }
const bob: Session = { user: { id: "01890000-0000-7000-8000-00000000000b", role: "writer" } }

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(200).required(), owner: f.text(60).required() }))
  .access({
    read: ({ session }) => session && { owner: session.user.id },
    create: ({ session }) => session && { owner: session.user.id },
    update: ({ session }) => session && { owner: session.user.id },
    delete: ({ session }) => session && { owner: session.user.id },
  })

describe("operations", () => {
  test("an operation without a rule is denied to everyone, and the system may do it", async () => {
    await using app = await testApp({ resources: [collection("things").fields(({ f }) => ({ name: f.text() }))] })

    const anonymous = await app.fetch("/things")
    const signedIn = await app.fetch("/things", { session: alice })
    const created = await app.app.system.collections["things"]?.create({ name: "one" })

    expect(anonymous).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } })
    expect(signedIn).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } })
    expect(created).toMatchObject({ name: "one" })
  })

  test.each([
    ["undefined", () => undefined],
    ["0", () => 0 as const],
    [
      "a throw",
      () => {
        throw new Error("broken rule")
      },
    ],
    ["a rejected promise", () => Promise.reject(new Error("broken rule"))],
    ["a filter with an unknown field", () => ({ nmae: "x" })],
    ["a list", () => [] as never],
    ["the text true", () => "true" as never],
  ])("a rule that gives %s denies", async (_name, rule) => {
    const things = collection("things")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ read: rule, create: rule })
    await using app = await testApp({ resources: [things] })

    const read = await app.fetch("/things", { session: alice })
    const write = await app.fetch("/things", { session: alice, method: "POST", body: JSON.stringify({ name: "x" }) })

    expect([read.status, write.status]).toEqual([403, 403])
    expect(await app.database.query("select * from things")).toEqual([])
  })

  test("a rule that reads the collection it protects is denied and logged instead of running forever", async () => {
    const loop = collection("loop")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ read: async ({ collections }) => (await collections["loop"]?.count()) === 0 })
    await using app = await testApp({ resources: [loop] })

    const answer = await app.fetch("/loop", { session: alice })

    expect(answer.status).toBe(403)
    expect(app.logged.map(({ message }) => message)).toContain('The read rule of "loop" failed; access is denied.')
  })
})

test("a global's rule may read the collection of the same name", async () => {
  const people = collection("prefs")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: () => true })
  const shared = global("prefs")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: async ({ collections }) => (await collections["prefs"]?.count()) === 0 })
  await using app = await testApp({ resources: [people, shared] })

  const answer = await app.fetch("/globals/prefs", { session: alice })

  expect(answer.status).toBe(200)
})

describe("rows", () => {
  test("a caller sees, changes and deletes only the rows of the rule", async () => {
    await using app = await testApp({ resources: [notes] })
    const mine = await app.client(alice).collections.notes.create({ text: "mine", owner: alice.user.id })
    const other = app.client(bob).collections.notes

    const seen = await other.find()
    const byId = await app.fetch(`/notes/${mine.id}`, { session: bob })
    const changed = await app.fetch(`/notes/${mine.id}`, { session: bob, method: "PATCH", body: '{"text":"taken"}' })
    const deleted = await app.fetch(`/notes/${mine.id}`, { session: bob, method: "DELETE" })

    expect(seen.docs).toEqual([])
    expect([byId.status, changed.status, deleted.status]).toEqual([404, 404, 404])
    expect(await app.database.query("select text from notes")).toEqual([{ text: "mine" }])
  })

  test("the rule is checked again on the written row, and a refused write leaves no trace", async () => {
    await using app = await testApp({ resources: [notes] })
    const mine = await app.client(alice).collections.notes.create({ text: "mine", owner: alice.user.id })

    const given = await app.fetch(`/notes/${mine.id}`, {
      session: alice,
      method: "PATCH",
      body: JSON.stringify({ owner: bob.user.id }),
    })
    const foreign = await app.fetch("/notes", {
      session: alice,
      method: "POST",
      body: JSON.stringify({ text: "x", owner: bob.user.id }),
    })

    expect([given.status, foreign.status]).toEqual([403, 403])
    expect([given, foreign].map(({ body }) => body.error.message)).toEqual([
      "You may not leave a record in this state.",
      "You may not create such a record.",
    ])
    expect(await app.database.query("select owner from notes")).toEqual([{ owner: alice.user.id }])
  })

  test("a row that may be read but not written is refused, not hidden", async () => {
    const open = notes.access({ read: true, update: ({ session }) => session && { owner: session.user.id } })
    await using app = await testApp({ resources: [open] })
    const row = await app.app.system.collections["notes"]?.create({ text: "mine", owner: alice.user.id })

    const changed = await app.fetch(`/notes/${row?.["id"]}`, { session: bob, method: "PATCH", body: '{"text":"x"}' })

    expect(changed).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } })
  })

  test("who may write but not read gets the id and nothing else", async () => {
    const dropBox = notes.access({ create: true })
    await using app = await testApp({ resources: [dropBox] })

    const created = await app.fetch("/notes", { method: "POST", body: JSON.stringify({ text: "tip", owner: "x" }) })

    expect(created.status).toBe(201)
    expect(Object.keys(created.body)).toEqual(["id"])
  })
})

describe("fields", () => {
  const papers = collection("papers")
    .fields(({ f }) => ({
      title: f.text().required(),
      price: f.number().access({ read: isEditor, update: isEditor }),
      code: f.text().readOnly(),
      secret: f.text().hidden(),
    }))
    .access({ read: true, create: true, update: true, delete: true })
  const editor: Session = { user: { id: "e", role: "editor" } }

  function isEditor({ session }: { session: Session | null }) {
    return session?.user.role === "editor"
  }

  test("a field that the caller may not read is absent from every answer", async () => {
    await using app = await testApp({ resources: [papers] })
    const row = await app.app.system.collections["papers"]?.create({ title: "a", price: 5, code: "c", secret: "s" })

    const anonymous = await app.fetch(`/papers/${row?.["id"]}`)
    const asEditor = await app.fetch(`/papers/${row?.["id"]}`, { session: editor })
    const deleted = await app.fetch(`/papers/${row?.["id"]}`, { method: "DELETE" })

    expect(Object.keys(anonymous.body)).toEqual(["id", "title", "code", "createdAt", "updatedAt"])
    expect(asEditor.body.price).toBe(5)
    expect(Object.keys(deleted.body.data)).toEqual(["id", "title", "code", "createdAt", "updatedAt"])
  })

  test("a field that the caller may not write is refused with its path", async () => {
    await using app = await testApp({ resources: [papers] })
    const row = await app.app.system.collections["papers"]?.create({ title: "a", price: 5 })

    const price = await app.fetch(`/papers/${row?.["id"]}`, { method: "PATCH", body: '{"title":"b","price":1}' })
    const code = await app.fetch(`/papers/${row?.["id"]}`, { method: "PATCH", body: '{"code":"x"}' })
    const secret = await app.fetch(`/papers/${row?.["id"]}`, { method: "PATCH", body: '{"secret":"x"}' })

    expect(price).toMatchObject({ status: 403, body: { error: { fieldErrors: [{ path: "price" }] } } })
    expect(code).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "code" }] } } })
    expect(secret.body.error.fieldErrors[0].message).toContain('There is no field "secret"')
    expect(await app.database.query("select title, price from papers")).toEqual([{ title: "a", price: 5 }])
  })
})
