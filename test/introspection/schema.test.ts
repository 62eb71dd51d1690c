// @module-tag not-about-engine

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const reader: Session = { user: { id: "rita", role: "reader" } }
const writer: Session = { user: { id: "walt", role: "writer" } }
const editor: Session = { user: { id: "edda", role: "editor" } }

type Call = { readonly session: Session | null }
const isSomebody = ({ session }: Call) => session !== null
const isEditor = ({ session }: Call) => session?.user.role === "editor"

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    status: f.select(["idea", "done"]).required().default("idea"),
    body: f.textarea(),
    score: f.number().integer(),
    fee: f.number().integer().access({ read: isEditor, create: isEditor, update: isEditor }),
    pitch: f.text().access({ read: false }),
    token: f.text().hidden(),
    slug: f.text().unique().readOnly(),
    author: f.relation("people"),
    secret: f.relation("vault"),
    tags: f.relation("tags").manyToMany(),
    related: f.relation("articles").manyToMany({ ordered: true }),
    shout: f.computed(({ row }) => String(row["title"]).toUpperCase()),
  }))
  .title("title")
  .options({
    softDelete: true,
    versions: true,
    revision: true,
    workflow: { stages: { draft: {}, review: {}, published: {} } },
  })
  .access({
    read: ({ session }) => isSomebody({ session }) || { status: "done" },
    create: isSomebody,
    update: ({ session }) => isEditor({ session }) || (session !== null && { status: "idea" }),
    delete: isEditor,
    transition: ({ session, stage }) =>
      isEditor({ session }) || (session?.user.role === "writer" && stage === "review"),
  })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), articles: f.relation("articles").hasMany({ via: "author" }) }))
  .title("name")
  .access({ read: isSomebody })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().access({ read: isEditor }) }))
  .title("name")
  .access({ read: true })

const vault = collection("vault")
  .fields(({ f }) => ({ code: f.text() }))
  .title("code")
  .access({ read: isEditor })

// A box for letters: everybody may put one in, and nobody may look inside.
const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text(), note: f.text().access({ create: false }), stamp: f.text().readOnly() }))
  .title("text")
  .access({ create: true })

const settings = global("settings")
  .fields(({ f }) => ({
    motto: f.text().default("All the news."),
    budget: f.number().integer().access({ read: isEditor, update: isEditor }),
  }))
  .access({ read: true, update: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [articles, people, tags, vault, letters, settings] })
})
afterAll(() => app[Symbol.asyncDispose]())

async function describedTo(session: Session | undefined, path: string): Promise<any> {
  const { status, body } = await app.fetch(path, session && { session })
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}

describe("meta", () => {
  test("tells the title, the fields, and what the collection keeps of its records", async () => {
    const meta = await describedTo(editor, "/articles/meta")

    expect(meta).toMatchObject({
      name: "articles",
      kind: "collection",
      label: "Articles",
      singularLabel: "Article",
      title: { defined: true, type: "field", fieldName: "title" },
      localizedFields: [],
      virtualFields: ["shout"],
      relations: ["author", "secret", "tags", "related"],
      timestamps: true,
      softDelete: true,
      versioning: true,
      revision: true,
      id: "server",
      upload: null,
    })
    expect(meta.fields).toContainEqual({ name: "title", localized: false, virtual: false })
    expect(meta.fields).toContainEqual({ name: "shout", localized: false, virtual: true })
    expect(meta.workflow).toMatchObject({ enabled: true, initialStage: "draft", publicStage: "published" })
  })

  test("names no field and no stage that the caller may not know", async () => {
    const meta = await describedTo(undefined, "/articles/meta")

    const names = meta.fields.map(({ name }: { name: string }) => name)
    expect(names).toContain("title")
    for (const hidden of ["fee", "pitch", "token"]) expect(names).not.toContain(hidden)
    expect(meta.workflow).toMatchObject({ initialStage: null, publicStage: "published" })
    expect(meta.workflow.stages.map(({ name }: { name: string }) => name)).toEqual(["published"])
  })

  test("tells a global", async () => {
    const meta = await describedTo(undefined, "/globals/settings/meta")

    expect(meta).toMatchObject({
      name: "settings",
      kind: "global",
      title: { defined: false },
      workflow: { enabled: false },
    })
    expect(meta.fields.map(({ name }: { name: string }) => name)).not.toContain("budget")
  })
})

describe("access in the schema", () => {
  test("is evaluated for the session", async () => {
    const access = async (session?: Session) => (await describedTo(session, "/articles/schema")).access

    expect(await access()).toEqual({
      visible: true,
      level: "filtered",
      operations: {
        ...{ read: "filtered", create: false, update: false, delete: false, restore: false, purge: false },
        ...{ versions: "filtered", transition: false, drafts: false },
      },
    })
    expect((await access(writer)).operations).toMatchObject({
      ...{ read: true, create: true, update: "filtered", delete: false, transition: "filtered", drafts: "filtered" },
    })
    expect((await access(editor)).operations).toMatchObject({
      update: true,
      delete: true,
      transition: true,
      purge: false,
    })
  })

  test("of a global has the operations of a global", async () => {
    const { access } = await describedTo(editor, "/globals/settings/schema")

    expect(access).toEqual({ visible: true, level: true, operations: { read: true, update: true } })
  })

  test("of fields is that of their rules, and false where the operation is denied", async () => {
    const fields = async (session?: Session) => (await describedTo(session, "/articles/schema")).fields

    expect((await fields()).title.access).toEqual({ read: true, create: false, update: false })
    expect((await fields(writer)).title.access).toEqual({ read: true, create: true, update: true })
    expect((await fields(writer)).pitch.access).toEqual({ read: false, create: true, update: true })
    expect((await fields(writer)).slug).toMatchObject({
      readOnly: true,
      access: { read: true, create: false, update: false },
    })
    expect(Object.keys(await fields(writer))).not.toContain("fee")
    expect((await fields(editor)).fee.access).toEqual({ read: true, create: true, update: true })
    expect(Object.keys(await fields(editor))).not.toContain("token")
  })

  test("of stages tells the transitions that are open to the caller", async () => {
    const stages = async (session: Session) => (await describedTo(session, "/articles/schema")).workflow.stages

    expect(await stages(writer)).toMatchObject([
      { name: "draft", label: "Draft", transitions: ["review"], access: false },
      { name: "review", transitions: ["review"], access: true },
      { name: "published", transitions: ["review"], access: false },
    ])
    expect(await stages(editor)).toMatchObject([{ access: true }, { access: true }, { access: true }])
  })
})

describe("fields in the schema", () => {
  test("have their type, options, default and operators", async () => {
    const { fields } = await describedTo(editor, "/articles/schema")

    expect(fields.status).toMatchObject({
      name: "status",
      type: "select",
      label: "Status",
      required: true,
      default: "idea",
      options: [
        { value: "idea", label: "Idea", color: null },
        { value: "done", label: "Done", color: null },
      ],
      operators: ["eq", "ne", "in", "notIn", "isNull", "isNotNull"],
      sortable: true,
      groupable: true,
      searchable: false,
    })
    expect(fields.title.searchable).toBe(true)
    expect(fields.tags).toMatchObject({ type: "relation", operators: ["some", "none", "every"], sortable: false })
    expect(fields.author.operators).toContain("is")
    expect(fields.createdAt).toMatchObject({ label: "Created at", readOnly: true })
  })

  test("of a global have their default for those who may write it first", async () => {
    const motto = async (session?: Session) => (await describedTo(session, "/globals/settings/schema")).fields.motto

    expect(await motto(editor)).toMatchObject({ default: "All the news." })
    expect(await motto()).not.toHaveProperty("default")
  })

  test("that the caller may only write have no operators", async () => {
    const { fields } = await describedTo(writer, "/articles/schema")

    expect(fields.pitch).toMatchObject({ operators: [], sortable: false, groupable: false, searchable: false })
  })

  test("are those that may be written, for a caller who may only create", async () => {
    const schema = await describedTo(undefined, "/letters/schema")

    expect(Object.keys(schema.fields)).toEqual(["text"])
    expect(schema.fields.text.access).toEqual({ read: false, create: true, update: false })
    expect(schema.options.title).toEqual({ defined: false })
    expect(schema.list.columns).toEqual([])
    expect(schema.access.operations).toEqual({ read: false, create: true, update: false, delete: false })
  })
})

describe("relations in the schema", () => {
  test("name their collection and its title for callers who may know them", async () => {
    const { relations } = await describedTo(editor, "/articles/schema")

    expect(relations).toEqual({
      author: { type: "belongsTo", targetCollection: "people", titleField: "name", onDelete: "restrict", via: null },
      secret: { type: "belongsTo", targetCollection: "vault", titleField: "code", onDelete: "restrict", via: null },
      tags: { type: "manyToMany", targetCollection: "tags", titleField: "name", onDelete: null, via: null },
      related: {
        ...{ type: "manyToMany", targetCollection: "articles", titleField: "title", onDelete: null, via: null },
        ordered: true,
      },
    })
    expect((await describedTo(editor, "/people/schema")).relations.articles).toMatchObject({
      type: "hasMany",
      via: "author",
    })
  })

  test("name neither a hidden collection nor a hidden title", async () => {
    const { relations } = await describedTo(writer, "/articles/schema")

    expect(relations.secret).toMatchObject({ targetCollection: null, titleField: null })
    expect(relations.tags).toMatchObject({ targetCollection: "tags", titleField: null })
  })

  test("are left out if they lead to many records that the caller may not read", async () => {
    const hidden = collection("hidden").fields(({ f }) => ({ name: f.text() }))
    const open = collection("open")
      .fields(({ f }) => ({ all: f.relation("hidden").manyToMany() }))
      .access({ read: true })
    await using other = await testApp({ resources: [hidden, open] })

    const { body } = await other.fetch("/open/schema")

    expect(JSON.stringify(body)).not.toContain("all")
    expect(JSON.stringify(body)).not.toContain("hidden")
  })
})

describe("who may see a description", () => {
  test("is whoever may read or create", async () => {
    expect((await app.fetch("/people/schema")).status).toBe(401)
    expect((await app.fetch("/vault/meta", { session: reader })).status).toBe(403)
    expect((await app.fetch("/vault/schema", { session: editor })).status).toBe(200)
  })

  test("is decided by the rule introspect where there is one", async () => {
    const open = collection("open")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ introspect: true })
    const closed = collection("closed")
      .fields(({ f }) => ({ name: f.text(), open: f.relation("open") }))
      .access({ read: true, introspect: isEditor })
    await using other = await testApp({ resources: [open, closed] })

    const statuses = [
      await other.fetch("/open/schema"),
      await other.fetch("/closed/schema"),
      await other.fetch("/closed/meta", { session: reader }),
      await other.fetch("/closed/meta", { session: editor }),
    ].map(({ status }) => status)

    expect(statuses).toEqual([200, 401, 403, 200])
    expect((await other.fetch("/open/schema")).body).toMatchObject({ fields: {}, access: { level: false } })
  })

  test("an unknown collection is not found, and an unknown option is refused", async () => {
    expect(await app.fetch("/artikels/schema")).toMatchObject({ status: 404 })
    expect(await app.fetch("/globals/nothing/meta")).toMatchObject({ status: 404 })
    expect(await app.fetch("/articles/schema?limit=3")).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "limit" }] } },
    })
    expect(await app.fetch("/articles/meta?locale=*")).toMatchObject({ status: 400 })
  })
})

describe("rules that look at the call", () => {
  const ruled = (rule: (context: any) => any) =>
    collection("ruled")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ introspect: true, read: true, create: rule, update: rule, delete: rule })

  test.each([
    [
      "at the input, and deny",
      ({ input }: any) => input?.name === "x",
      { create: "filtered", update: "filtered", delete: false },
    ],
    [
      "at the input, and throw",
      ({ input }: any) => input.name.first === "x",
      { create: "filtered", update: "filtered" },
    ],
    ["at the id, and deny", ({ id }: any) => id === "one", { create: false, update: "filtered", delete: "filtered" }],
    ["at the input, and allow", ({ input }: any) => input?.name !== "x", { create: true, update: true, delete: true }],
    ["at the operation, and deny", ({ operation }: any) => operation === "create", { create: true, update: false }],
    [
      "at nothing, and throw",
      ({ session }: any) => session.user.id === "x",
      { create: false, update: false, delete: false },
    ],
    ["at nothing, and reject", () => Promise.reject(new Error("broken")), { create: false }],
    ["at nothing, and return 0", () => 0, { create: false }],
    ["at nothing, and return nothing", () => undefined, { create: false }],
    ["at nothing, and return an invalid filter", () => ({ nmae: "x" }), { create: false }],
    ["at nothing, and return an empty filter", () => ({}), { create: true }],
  ])("%s", async (_name, rule, operations) => {
    await using other = await testApp({ resources: [ruled(rule)] })

    const { body } = await other.fetch("/ruled/schema")

    expect((body as any).access.operations).toMatchObject(operations)
  })

  test("count as a denial where they decide about the description itself", async () => {
    const own = collection("own")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ read: ({ id }) => id === "01890000-0000-7000-8000-00000000000a" })
    await using other = await testApp({ resources: [own] })

    expect((await other.fetch("/own/schema", { session: reader })).status).toBe(403)
  })

  test("are logged once if they fail, however often a description asks them", async () => {
    await using other = await testApp({ resources: [ruled(({ session }) => session.user.id === "x")] })

    for (let time = 0; time < 3; time += 1) await other.fetch("/ruled/schema")

    expect(other.logged.filter(({ message }) => message.includes("failed; access is denied"))).toHaveLength(1)
  })

  test("a rule that reads the data that it protects is denied", async () => {
    const loop = collection("loop")
      .fields(({ f }) => ({ name: f.text() }))
      .access({ introspect: true, read: async ({ collections }) => (await collections["loop"]?.count()) === 0 })
    await using other = await testApp({ resources: [loop] })

    const { body } = await other.fetch("/loop/schema", { session: reader })

    expect((body as any).access.operations.read).toBe(false)
  })
})

describe("rules of fields", () => {
  const asked = (rule: (context: any) => any) =>
    collection("asked")
      .fields(({ f }) => ({ name: f.text().access({ read: rule, create: rule, update: rule }) }))
      .access({ read: true, create: true, update: true })

  test.each([
    ["deny", () => false, undefined],
    ["throw", ({ session }: any) => session.user.id, undefined],
    ["reject", () => Promise.reject(new Error("broken")), undefined],
    ["return 0", () => 0, undefined],
    ["return a filter", () => ({ name: "x" }), { read: "filtered", create: "filtered", update: "filtered" }],
    // Reads evaluate a field's rule once for all records, so that it never gets an id.
    ["look at the id", ({ id }: any) => id === "x", { read: false, create: false, update: "filtered" }],
    [
      "look at the input",
      ({ input }: any) => input?.name === "x",
      { read: false, create: "filtered", update: "filtered" },
    ],
    [
      "decide by the operation",
      ({ operation }: any) => operation === "create",
      { read: false, create: true, update: false },
    ],
  ])("that %s", async (_name, rule, access) => {
    await using other = await testApp({ resources: [asked(rule)] })

    const { body } = await other.fetch("/asked/schema")

    expect(body.fields.name?.access).toEqual(access)
    expect(body.options.fields.some(({ name }: { name: string }) => name === "name")).toBe(access !== undefined)
    expect("name" in body.validation.insert.properties).toBe(access !== undefined && access.create !== false)
    expect("name" in body.validation.update.properties).toBe(access !== undefined && access.update !== false)
  })
})

test("a description in a transaction evaluates rules on the connection of the transaction", async () => {
  const members = collection("members")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ create: true })
  const isFirst = async ({ asSystem }: any) => (await asSystem().collections.members.count()) === 1
  const rules = { read: isFirst, create: isFirst, update: isFirst }
  const rooms = collection("rooms")
    .fields(({ f }) => ({ name: f.text().access(rules), other: f.text().access(rules) }))
    .access({ ...rules, delete: isFirst })
  await using other = await testApp({ resources: [members, rooms] })
  const caller: any = other.app.as(reader)

  const before = await caller.collections.rooms.schema().catch((error: { code: string }) => error.code)
  const inside = await caller.transaction(async (api: any) => {
    await api.collections.members.create({ name: "first" })
    return await api.collections.rooms.schema()
  })

  expect(before).toBe("FORBIDDEN")
  expect(inside.access.level).toBe(true)
  expect(Object.keys(inside.fields)).toContain("other")
})
