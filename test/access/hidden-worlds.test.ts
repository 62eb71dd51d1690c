// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// The findings of the two-worlds oracle, each reduced to a minimal case.

const ed: Session = { user: { id: "ed", role: "editor" } }
type Call = { session: Session | null }
const isOwner = ({ session }: Call) => session !== null && { owner: session.user.id }

// Every signed-in user writes tasks; only their owners see the fields `kept` and `allies`.
const tasks = collection("tasks")
  .fields(({ f }) => ({
    name: f.text(),
    owner: f.text(),
    keeper: f.relation("tasks").onDelete("setNull").access({ read: isOwner }),
    kept: f.relation("tasks").hasMany({ via: "keeper" }),
    keptNotes: f.relation("notesKept").hasMany({ via: "keeper" }),
    allies: f.relation("tasks").manyToMany().access({ read: isOwner }),
    hosts: f.relation("rooms").manyToMany({ through: "visits" }).access({ read: isOwner }),
    guests: f
      .relation("tasks")
      .manyToMany()
      .access({ read: ({ session }) => session?.user.id === "zoe" }),
  }))
  .options({ id: "client", revision: true, versions: true })
  .access({ read: true, update: ({ session }) => session !== null, delete: ({ session }) => session !== null })

const notesKept = collection("notesKept")
  .fields(({ f }) => ({
    owner: f.text(),
    keeper: f.relation("tasks").onDelete("setNull").access({ read: isOwner }),
  }))
  .options({ id: "client", revision: true, versions: true, workflow: true })
  .access({ read: true, update: ({ session }) => session !== null })

const rooms = collection("rooms")
  .fields(({ f }) => ({
    owner: f.text(),
    visitors: f.relation("tasks").manyToMany({ through: "visits" }).access({ read: isOwner }),
  }))
  .options({ id: "client", revision: true, versions: true })
  .access({ read: true, update: ({ session }) => session !== null, delete: ({ session }) => session !== null })

describe("a relation that a field rule hides is not told by writing through it", () => {
  let now = new Date("2027-01-01")
  let app: TestApp
  beforeAll(async () => {
    app = await testApp({ resources: [tasks, notesKept, rooms], now: () => now })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const operations = {
    update: { update: [{ id: "other", data: { name: "new" } }] },
    "update with nothing": { update: [{ id: "other", data: {} }] },
    delete: { delete: ["other"] },
    disconnect: { disconnect: ["other"] },
    connect: { connect: ["other"] },
    set: { set: ["other"] },
    "set nothing": { set: [] },
  }
  const cases = ["kept", "allies", "guests", "hosts"].flatMap((relation) =>
    Object.entries(operations).map(([name, operation]) => ({ relation, name, operation })),
  )

  test.each(cases)("$relation: $name", async ({ relation, operation }) => {
    const request = { method: "PATCH", path: "/tasks/one", body: { [relation]: operation } }
    expect(await toldBy(request, { relation, from: "one" })).toEqual(await toldBy(request, { relation, from: "third" }))
  })

  test.each(["kept", "keptNotes", "allies", "guests", "hosts"])(
    "%s: the record at one end is deleted",
    async (relation) => {
      const request = { method: "DELETE", path: "/tasks/one" }
      expect(await toldBy(request, { relation, from: "one" })).toEqual(
        await toldBy(request, { relation, from: "third" }),
      )
    },
  )

  // Returns the answer, and what the caller sees afterwards of the records that may be related.
  async function toldBy(
    { path, body, ...init }: Sent,
    { relation, from }: { relation: string; from: "one" | "third" },
  ) {
    now = new Date("2027-01-01")
    await empty(app)
    const system: Record<string, any> = app.app.system.collections
    for (const id of ["one", "other", "third"]) await system["tasks"].create({ id, owner: "zoe" })
    for (const name of ["notesKept", "rooms"]) await system[name].create({ id: "other", owner: "zoe" })
    for (const id of ["one", "third"]) {
      await system["tasks"].updateById({ id, data: { [relation]: id === from ? ["other"] : [] } })
    }
    await system["notesKept"].transitionStage({ id: "other", stage: "published" })
    now = new Date("2027-01-02")

    const answers = [await app.fetch(path, { ...init, ...(body && { body: JSON.stringify(body) }), session: ed })]
    for (const record of ["tasks/one", "tasks/other", "tasks/third", "notesKept/other", "rooms/other"]) {
      answers.push(await app.fetch(`/${record}`, { session: ed }))
      answers.push(await app.fetch(`/${record}/versions`, { session: ed }))
      answers.push(await app.fetch(`/${record}/versions?stage=published`, { session: ed }))
    }
    return answers.map(({ status, body: told }) => `${status} ${JSON.stringify(told).replace(RANDOM, "")}`)
  }
})

/** Deletes all records of the app and their versions, so that two worlds can begin alike. */
async function empty({ database }: TestApp): Promise<void> {
  // Links and `notesKept` come before the records that they refer to. A truncate would take longer.
  const tables = await database.query(
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and (tablename !~ '^_kit_' or tablename = '_kit_versions')
     order by tablename !~ '[.]links$', tablename`,
  )
  await database.query(tables.map(({ name }) => `delete from ${name}`).join(";"))
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const RANDOM = /"(requestId|versionId)":"[^"]*"/g

// Members write tags; only editors see their drafts.
const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client", workflow: true, versions: true, revision: true })
  .access({
    read: true,
    update: ({ session }) => session !== null,
    delete: ({ session }) => session !== null,
    drafts: ({ session }) => session?.user.role === "editor",
  })

describe("no expected revision tells how often a draft was changed", () => {
  const bob: Session = { user: { id: "bob", role: "member" } }
  const ways = {
    update: { method: "PATCH", path: "/tags/one?expectedRevision=2", body: { name: "new" } },
    "update by header": { method: "PATCH", path: "/tags/one", body: { name: "new" }, headers: { "if-match": '"2"' } },
    batch: {
      path: "/tags/update-batch",
      body: { updates: [{ id: "one", data: { name: "new" }, expectedRevision: 2 }] },
    },
    delete: { method: "DELETE", path: "/tags/one?expectedRevision=2" },
    transition: { path: "/tags/one/transition?expectedRevision=2", body: { stage: "published" } },
    cancel: { method: "DELETE", path: "/tags/one/transition?expectedRevision=2" },
    revert: { path: "/tags/one/revert?expectedRevision=2", body: { version: 1 } },
  }

  let app: TestApp
  beforeAll(async () => {
    app = await testApp({ resources: [tags], now: () => new Date("2027-01-01") })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.each(Object.entries(ways))("%s", async (_name, way) => {
    const system = (app.app.system.collections as Record<string, any>)["tags"]
    const { path, body, ...init } = { method: "POST", body: undefined, ...way }
    const answers: string[] = []

    for (const writes of [1, 2]) {
      await system.deleteMany({ all: true })
      await system.create({ id: "one", name: "shown" })
      for (let count = 0; count < writes; count++) await system.updateById({ id: "one", data: { name: `${count}` } })
      const given = { ...init, ...(body && { body: JSON.stringify(body) }), session: bob }
      const { status, body: told } = await app.fetch(path, given)
      answers.push(`${status} ${JSON.stringify(told).replace(/"requestId":"[^"]*"/, "")}`)
    }

    expect(answers[0]).toBe(answers[1])
  })
})

// Only owners see notes that are not open.
const notes = collection("notes")
  .fields(({ f }) => ({
    text: f.text(),
    owner: f.text(),
    isOpen: f.boolean(),
    related: f.relation("notes").manyToMany(),
  }))
  .options({ id: "client", versions: true })
  .access({
    read: ({ session }) => ({ OR: [{ isOpen: true }, { owner: session?.user.id ?? "" }] }),
    update: isOwner,
  })

describe("a revert brings back the links that the caller may see, and leaves all others as they are", () => {
  const bob: Session = { user: { id: "bob" } }

  async function revertedWith(hiddenThen: readonly string[], hiddenNow: readonly string[]) {
    await using app = await testApp({ resources: [notes], now: () => new Date("2027-01-01") })
    const system = (app.app.system.collections as Record<string, any>)["notes"]
    for (const id of ["open", "other"]) await system.create({ id, owner: "zoe", isOpen: true })
    for (const id of ["closed", "secret"]) await system.create({ id, owner: "zoe", isOpen: false })
    await system.create({ id: "mine", owner: "bob", text: "then", related: ["open", ...hiddenThen] })
    await system.updateById({ id: "mine", data: { text: "now", related: ["other", ...hiddenNow] } })

    const body = JSON.stringify({ version: 1 })
    const answer = await app.fetch("/notes/mine/revert", { method: "POST", body, session: bob })
    const { related } = await system.findOne({ where: { id: "mine" }, with: { related: { orderBy: { id: "asc" } } } })
    return { status: answer.status, text: answer.body.text, related: related.map(({ id }: { id: string }) => id) }
  }

  test("where a version links a record that is hidden by now", async () => {
    expect(await revertedWith(["closed"], [])).toEqual({ status: 200, text: "then", related: ["open"] })
    expect(await revertedWith([], [])).toEqual({ status: 200, text: "then", related: ["open"] })
  })

  test("where a hidden record has been linked since", async () => {
    expect(await revertedWith(["closed"], ["secret"])).toEqual({
      ...{ status: 200, text: "then", related: ["open", "secret"] },
    })
  })
})

// Everyone reads them; only owners delete, restore and purge them, and see deleted ones.
const leaves = (name: string, workflow: boolean) =>
  collection(name)
    .fields(({ f }) => ({ text: f.text(), owner: f.text() }))
    .options({ id: "client", softDelete: true, revision: true, versions: true, ...(workflow && { workflow }) })
    .access({ read: true, create: true, update: isOwner, delete: isOwner, purge: isOwner })

describe("a deleted record is as good as none to those who may not see it", () => {
  const bob: Session = { user: { id: "bob" } }
  const ways = {
    read: { method: "GET", path: "" },
    "read among the deleted": { method: "GET", path: "?includeDeleted=true" },
    update: { method: "PATCH", path: "", body: { text: "new" } },
    delete: { method: "DELETE", path: "" },
    restore: { method: "POST", path: "/restore" },
    purge: { method: "POST", path: "/purge" },
    versions: { method: "GET", path: "/versions" },
    revert: { method: "POST", path: "/revert", body: { version: 1 } },
  }
  const cases = ["leaves", "staged"].flatMap((name) =>
    Object.entries(ways).map(([way, request]) => ({ name, way, request })),
  )

  let app: TestApp
  beforeAll(async () => {
    app = await testApp({ resources: [leaves("leaves", false), leaves("staged", true)] })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test.each(cases)("$name: $way", async ({ name, request }) => {
    await empty(app)
    const system = (app.app.system.collections as Record<string, any>)[name]
    await system.create({ id: "gone", owner: "zoe" }, name === "staged" ? { stage: "published" } : {})
    await system.deleteById({ id: "gone" })
    const { path, body, method } = { body: undefined, ...request }

    const answers: string[] = []
    for (const id of ["gone", "none"]) {
      const init = { method, ...(body && { body: JSON.stringify(body) }), session: bob }
      const { status, body: told } = await app.fetch(`/${name}/${id}${path}`, init)
      answers.push(`${status} ${JSON.stringify(told).replace(RANDOM, "").replaceAll(id, "")}`)
    }

    expect(answers[0]).toBe(answers[1])
  })
})

describe("nothing that is hidden changes a description", () => {
  const bob: Session = { user: { id: "bob", role: "member" } }
  const isEditor = ({ session }: Call) => session?.user.role === "editor"

  // The names and texts that the two worlds do not share are those that no caller may know.
  const world = (hidden: string) => [
    collection("posts")
      .fields(({ f }) => ({
        name: f.text(),
        owner: f.text(),
        [hidden]: f.text().hidden().label(hidden),
        kept: f.relation(`${hidden}s`).access({ read: isOwner }),
        all: f.relation(`${hidden}s`).manyToMany().access({ create: false, update: false }),
      }))
      .list({ columns: ["name", "kept"], views: [{ label: hidden, where: { all: { some: { code: hidden } } } }] })
      .options({ id: "client" })
      .access({ read: true, update: isOwner }),
    collection(`${hidden}s`)
      .fields(({ f }) => ({ code: f.text().label(hidden) }))
      .title("code")
      .options({ id: "client" })
      .access({ delete: isEditor }),
  ]

  const paths = ["/_kit/schema", "/posts/meta", "/posts/schema", "/posts/one/access", "/posts/two/access"]

  test.each(paths)("%s", async (path) => {
    const answers: unknown[] = []
    for (const hidden of ["secret", "mystery"]) {
      await using app = await testApp({ resources: world(hidden) })
      const system = app.app.system.collections as Record<string, any>
      await system[`${hidden}s`].create({ id: "x", code: hidden })
      for (const [id, owner] of [
        ["one", "bob"],
        ["two", "zoe"],
      ]) {
        await system["posts"].create({ id, owner, kept: hidden === "secret" ? "x" : null, all: ["x"], [hidden]: "h" })
      }
      for (const session of [undefined, bob]) {
        const { status, body, headers } = await app.fetch(path, session && { session })
        answers.push([session?.user.id, status, body, headers.get("etag")])
      }
    }

    expect(answers.slice(2)).toEqual(answers.slice(0, 2))
    expect(JSON.stringify(answers)).not.toMatch(/secret|mystery/)
  })
})
