import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const alice: Session = { user: { id: "alice", role: "writer" } }
const bob: Session = { user: { id: "bob", role: "writer" } }

type Asking = { session: Session | null }

const ofOwner = ({ session }: Asking) => session && { owner: session.user.id }
const everyone = { read: true, create: true, update: true, delete: true } as const

const hookCalls: string[] = []

const envelopes = collection("envelopes")
  .fields(({ f }) => ({ note: f.text().access({ read: () => ({ note: "open" }) }) }))
  .access({ read: true })

const letters = collection("letters")
  .fields(({ f }) => ({
    note: f.text().access({
      read: async ({ collections }) => (await collections["envelopes"]?.count({ where: { note: "open" } })) === 1,
    }),
  }))
  .access({ read: true })

const papers = collection("papers")
  .fields(({ f }) => ({
    title: f.text().required(),
    owner: f.text(),
    note: f.text().access({ read: ofOwner, create: ofOwner, update: ofOwner }),
    price: f.number().access({ update: () => ({ title: { ne: "sold" } }) }),
    code: f.text().unique().access({ read: ofOwner }),
    size: f.computed(({ row }) => ("note" in row ? "known" : "unknown")),
    editor: f.relation("people").access({ read: ofOwner }),
    pages: f.relation("pages").hasMany({ via: "paper" }).access({ read: ofOwner, update: ofOwner }),
  }))
  .title("note")
  .access(everyone)

const pages = collection("pages")
  .fields(({ f }) => ({
    text: f.text().access({ create: () => ({ text: { ne: "bad" } }) }),
    paper: f.relation("papers"),
  }))
  .access(everyone)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), edited: f.relation("papers").hasMany({ via: "editor" }) }))
  .access(everyone)

const hooked = collection("hooked")
  .fields(({ f }) => ({ owner: f.text(), note: f.text().access({ read: ofOwner, update: ofOwner }) }))
  .options({ softDelete: true })
  .access(everyone)
  .hooks({
    beforeChange: ({ operation }) => void hookCalls.push(operation),
    afterRead: ({ row }) => ({ ...row, keys: Object.keys(row).length, hasNote: "note" in row }),
  })

const broken = collection("broken")
  .fields(({ f }) => ({
    name: f.text(),
    note: f.text().access({ read: () => ({ nmae: "x" }), update: () => ({ name: {} }) }),
  }))
  .access(everyone)

const settings = global("settings")
  .fields(({ f }) => ({ mode: f.text(), token: f.text().access({ read: isOpen, update: isOpen }) }))
  .access({ read: true, update: true })

function isOpen() {
  return { mode: "open" }
}

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [papers, pages, people, hooked, broken, settings] })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.database.query("truncate papers, pages, people, hooked, broken")
  hookCalls.length = 0
})

const as = (session?: Session) => app.client(session).collections
const system = (name: string) =>
  app.app.system.collections[name] as NonNullable<(typeof app.app.system.collections)[string]>
const stored = (table: string) => app.database.query(`select * from ${table} order by id`)

async function refusal(
  work: Promise<unknown>,
): Promise<{ status: number; code: string; field: unknown; paths: unknown }> {
  const error = await work.then(
    () => undefined,
    (reason: any) => reason,
  )
  return {
    status: error?.status,
    code: error?.code,
    field: error?.context?.field,
    paths: error?.fieldErrors?.map(({ path }: { path: string }) => path),
  }
}

const REFUSED = { status: 403, code: "FORBIDDEN" }

describe("a field that a rule shows in some rows", () => {
  test("is absent from the others, in lists, single records and what is computed; a null of a shown row is there", async () => {
    const { id } = await system("papers").create({ title: "a", owner: "alice", note: "mine" })
    await system("papers").create({ title: "b", owner: "bob", note: "his" })
    await system("papers").create({ title: "c", owner: "alice" })

    const { docs } = await as(alice).papers.find({ orderBy: { title: "asc" }, columns: { note: true, size: true } })
    const asBob = await as(bob).papers.findOne({ where: { id } })

    expect(docs.map(({ note, size }: any) => [note, size])).toEqual([
      ["mine", "known"],
      [undefined, "unknown"],
      [null, "known"],
    ])
    expect(Object.keys(docs[1])).not.toContain("note")
    expect(Object.keys(asBob)).toEqual(["id", "title", "owner", "price", "createdAt", "updatedAt", "size"])
    expect(await as().papers.count({ where: { owner: "alice" } })).toBe(2)
  })

  test("is not told by the list of the records that point here, least of all to those who see it in none", async () => {
    const editor = (await system("people").create({ name: "Eva" }))["id"]
    await system("papers").create({ title: "a", owner: "alice", editor })
    await system("papers").create({ title: "b", owner: "bob", editor })
    const edited = async (session?: Session) => {
      const { people } = as(session)
      const [found] = (await people.find({ with: { edited: { _count: true } } })).docs
      const counts = [{ some: {} }, { some: { title: "b" } }, { none: {} }].map((edited) =>
        people.count({ where: { edited } }),
      )
      return { titles: found.edited.map(({ title }: any) => title), ...found._count, counts: await Promise.all(counts) }
    }

    expect(await edited(alice)).toEqual({ titles: ["a"], edited: 1, counts: [1, 0, 0] })
    expect(await edited()).toEqual({ titles: [], edited: 0, counts: [0, 0, 1] })
  })

  test("cannot be found out by filters, order, groups, search, count or a connectOrCreate", async () => {
    await system("papers").create({ title: "a", owner: "bob", note: "secret", code: "s-1" })
    const asked = as(alice).papers

    const found = [
      await asked.count({ where: { note: { startsWith: "s" } } }),
      await asked.count({ where: { NOT: { note: "x" } } }),
      await asked.count({ where: { note: null } }),
      await asked.count({ search: "secret" }),
      await asked.count({ where: { code: "s-1" } }),
    ]
    const { groups } = await asked.find({ groupBy: "note" })
    const other = { connectOrCreate: { where: { code: "s-1" }, create: { title: "other" } } }
    const joined = await as(alice).pages.create({ paper: other })

    expect(found).toEqual([0, 1, 1, 0, 0])
    expect(groups.map(({ key, count }: any) => [key, count])).toEqual([["__empty", 1]])
    expect(await stored("papers")).toMatchObject([{ title: "a" }, { title: "other", id: joined.paper }])
  })

  test("is absent as a relation too, to one record and to many, with its count", async () => {
    const editor = await system("people").create({ name: "Eva" })
    const paper = { owner: "bob", editor: editor["id"], pages: { create: [{ text: "one" }] } }
    await system("papers").create({ title: "a", ...paper })
    await system("papers").create({ title: "b", ...paper, owner: "alice" })

    const { docs } = await as(alice).papers.find({
      with: { editor: true, pages: { _count: true } },
      columns: { title: true },
      orderBy: { title: "asc" },
    })
    const byEditor = await as(alice).papers.find({ where: { editor: { is: { name: "Eva" } } } })
    const withoutPages = await as(alice).papers.find({ where: { pages: { none: {} } } })

    expect(docs[0]).toEqual({ id: docs[0].id, title: "a", _count: {} })
    expect(docs[1]).toMatchObject({ editor: { name: "Eva" }, pages: [{ text: "one" }], _count: { pages: 1 } })
    expect(byEditor.docs.map(({ title }: any) => title)).toEqual(["b"])
    expect(withoutPages.docs.map(({ title }: any) => title)).toEqual(["a"])
  })

  test("is absent from the answers of writes and from the data of a delete", async () => {
    const { id } = await system("papers").create({ title: "a", owner: "bob", note: "his" })

    const created = await as(alice).papers.create({ title: "b", owner: "carol" })
    const changed = await as(alice).papers.updateById({ id, data: { title: "c" } })
    const many = await as(alice).papers.updateMany({ where: { id }, data: { title: "d" } })
    const mine = await as(bob).papers.updateById({ id, data: { title: "e" } })
    const deleted = await as(alice).papers.deleteById({ id })

    for (const record of [created, changed, many[0], deleted.data]) expect(Object.keys(record)).not.toContain("note")
    expect(mine.note).toBe("his")
  })

  test("is not shown to the hooks of a read that may not show it", async () => {
    const { id } = await system("hooked").create({ owner: "bob", note: "his" })

    const read = await as(alice).hooked.find()
    const deleted = await as(alice).hooked.deleteById({ id })

    expect([read.docs[0].hasNote, deleted.data.hasNote]).toEqual([false, false])
    expect((await as(bob).hooked.find({ includeDeleted: true })).docs[0].hasNote).toBe(true)
  })

  test("may be one of a global", async () => {
    await app.app.system.globals["settings"]?.update({ mode: "closed", token: "t" })
    const closed = await app.client().globals["settings"].get()
    await app.app.system.globals["settings"]?.update({ mode: "open" })
    const open = await app.client().globals["settings"].get()

    expect(closed).not.toHaveProperty("token")
    expect(open.token).toBe("t")
  })

  test("may depend on another collection, whose field of the same name has a rule too", async () => {
    await using two = await testApp({ resources: [letters, envelopes] })
    await two.app.system.collections["envelopes"]?.create({ note: "open" })
    await two.app.system.collections["letters"]?.create({ note: "read me" })

    const { docs } = await two.client().collections["letters"].find()

    expect(docs[0].note).toBe("read me")
    expect(two.logged).toEqual([])
  })

  test("is denied in every row, and the log says so, where the rule names what does not exist", async () => {
    const { id } = await system("broken").create({ name: "a", note: "x" })

    const { docs } = await as(alice).broken.find()
    const named = await refusal(as(alice).broken.find({ where: { note: "x" } }))
    const written = await refusal(as(alice).broken.updateById({ id, data: { note: "y" } }))

    expect(Object.keys(docs[0])).not.toContain("note")
    expect([named.status, written]).toEqual([400, { ...REFUSED, field: "note", paths: ["note"] }])
    expect(app.logged.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The read rule of the field "note" of "broken" failed; access is denied.',
        'The update rule of the field "note" of "broken" failed; access is denied.',
      ]),
    )
  })
})

describe("a field that a rule lets callers write in some rows", () => {
  test("is judged on the new row by a create", async () => {
    const refused = await refusal(as(alice).papers.create({ title: "a", owner: "bob", note: "x" }))
    const without = await as(alice).papers.create({ title: "b", owner: "bob" })
    const mine = await as(alice).papers.create({ title: "c", owner: "alice", note: "x" })

    expect(refused).toEqual({ ...REFUSED, field: "note", paths: ["note"] })
    expect([without.title, mine.note]).toEqual(["b", "x"])
    expect(await stored("papers")).toHaveLength(2)
  })

  test("is judged on the row before an update and on the one it leaves, and only where it is given", async () => {
    const { id } = await system("papers").create({ title: "a", owner: "bob", note: "his", price: 1 })
    const change = (data: object, session = alice) => as(session).papers.updateById({ id, data })

    const taken = await refusal(change({ note: "mine", owner: "alice" }))
    const given = await refusal(change({ note: "mine", owner: "alice" }, bob))
    const sold = await refusal(change({ title: "sold", price: 2 }))
    const untouched = await change({ title: "b" })
    const own = await change({ note: "new", price: 3 }, bob)

    for (const refused of [taken, given]) expect(refused).toEqual({ ...REFUSED, field: "note", paths: ["note"] })
    expect(sold).toEqual({ ...REFUSED, field: "price", paths: ["price"] })
    expect([untouched.title, own.note, own.price]).toEqual(["b", "new", 3])
  })

  test("refuses a write before its hooks run", async () => {
    const { id } = await system("hooked").create({ owner: "bob", note: "his" })
    hookCalls.length = 0

    const one = await refusal(as(alice).hooked.updateById({ id, data: { note: "x" } }))
    const batch = await refusal(as(alice).hooked.updateBatch({ updates: [{ id, data: { note: "x" } }] }))
    const many = await as(alice).hooked.updateMany({ where: { id }, data: { note: "x" } })

    expect(one).toEqual({ ...REFUSED, field: "note", paths: ["note"] })
    expect(batch).toEqual({ ...REFUSED, field: "note", paths: ["updates.0.data.note"] })
    expect([many, hookCalls]).toEqual([[], []])
    expect(await stored("hooked")).toMatchObject([{ note: "his" }])
  })

  test("holds for related records and for relations, and nothing of the whole write stays", async () => {
    const { id } = await system("papers").create({ title: "a", owner: "bob", pages: { create: [{ text: "one" }] } })
    const page = (text: string) => ({ create: [{ text }] })

    const nested = await refusal(as(bob).papers.updateById({ id, data: { title: "b", pages: page("bad") } }))
    const foreign = await refusal(as(alice).papers.updateById({ id, data: { title: "b", pages: page("two") } }))
    const created = await refusal(as(alice).papers.create({ title: "c", pages: page("bad") }))
    await as(bob).papers.updateById({ id, data: { pages: page("two") } })

    expect(nested).toEqual({ ...REFUSED, field: "text", paths: ["pages.create.0.text"] })
    expect(foreign).toEqual({ ...REFUSED, field: "pages", paths: ["pages"] })
    expect(created).toEqual({ ...REFUSED, field: "text", paths: ["pages.create.0.text"] })
    expect((await stored("papers")).map(({ title }) => title)).toEqual(["a"])
    expect((await stored("pages")).map(({ text }) => text)).toEqual(["one", "two"])
  })

  test("leaves rows out of an updateMany, which fails as a whole if a row would be left in a state that is refused", async () => {
    await system("papers").create({ title: "a", owner: "bob", note: "his" })
    await system("papers").create({ title: "b", owner: "alice", note: "mine" })

    const changed = await as(alice).papers.updateMany({ all: true, data: { note: "new" } })
    const refused = await refusal(as(alice).papers.updateMany({ all: true, data: { note: "x", owner: "bob" } }))
    const sold = await refusal(as(alice).papers.updateMany({ all: true, data: { title: "sold", price: 9 } }))

    expect(changed.map(({ title }: any) => title)).toEqual(["b"])
    expect(refused).toEqual({ ...REFUSED, field: "note", paths: ["note"] })
    expect(sold).toEqual({ ...REFUSED, field: "price", paths: ["price"] })
    expect(await stored("papers")).toMatchObject([
      { title: "a", note: "his", price: null },
      { title: "b", note: "new", price: null },
    ])
  })

  test("refuses a whole batch, with the place of the field", async () => {
    const first = await system("papers").create({ title: "a", owner: "alice", note: "mine" })
    const second = await system("papers").create({ title: "b", owner: "bob", note: "his" })
    const batch = (data: object) => [
      { id: first["id"], data: { note: "new" } },
      { id: second["id"], data },
    ]

    const before = await refusal(as(alice).papers.updateBatch({ updates: batch({ note: "new" }) }))
    const after = await refusal(as(alice).papers.updateBatch({ updates: batch({ title: "sold", price: 1 }) }))
    const done = await as(alice).papers.updateBatch({ updates: batch({ title: "c" }) })

    expect(before).toEqual({ ...REFUSED, field: "note", paths: ["updates.1.data.note"] })
    expect(after).toEqual({ ...REFUSED, field: "price", paths: ["updates.1.data.price"] })
    expect(done.map(({ title, note }: any) => [title, note])).toEqual([
      ["a", "new"],
      ["c", undefined],
    ])
  })

  test("is judged in a global on the row before and after, and on the first one alone", async () => {
    await app.database.query("truncate global_settings")
    const update = (data: object) => app.client().globals["settings"].update(data)

    const first = await refusal(update({ mode: "closed", token: "t" }))
    await update({ mode: "open", token: "t" })
    const closing = await refusal(update({ mode: "closed", token: "u" }))
    await update({ mode: "closed" })
    const closed = await refusal(update({ mode: "open", token: "u" }))

    for (const refused of [first, closing, closed])
      expect(refused).toEqual({ ...REFUSED, field: "token", paths: ["token"] })
    expect(await stored("global_settings")).toMatchObject([{ mode: "closed", token: "t" }])
  })
})
