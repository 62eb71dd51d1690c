import { ApiError, collection, global } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann = { user: { id: "ann", role: "writer" } }
const everyone = { read: true, create: true, update: true } as const

const notes = collection("notes")
  .fields(({ f }) => ({
    title: f.text(),
    author: f.text().default(({ session }) => session?.user.id ?? "nobody"),
    editor: f.text().default(({ session }) => session?.user.id),
    number: f
      .number()
      .integer()
      .default(async ({ collections }) => ((await collections["drafts"]?.count()) ?? 0) + 1),
    replies: f.relation("replies").hasMany({ via: "note" }),
  }))
  .access(everyone)

const replies = collection("replies")
  .fields(({ f }) => ({
    note: f.relation("notes"),
    author: f
      .text()
      .required()
      .default(({ session }) => session?.user.id),
  }))
  .access(everyone)

const drafts = collection("drafts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: () => ({ title: "open" }) })

const hooked = collection("hooked")
  .fields(({ f }) => ({
    title: f.text(),
    owner: f
      .text()
      .readOnly()
      .default(({ session }) => session?.user.id),
    visibleDrafts: f
      .number()
      .integer()
      .default(({ collections }) => collections["drafts"]?.count()),
  }))
  .access(everyone)
  .hooks({ beforeValidate: ({ data }) => ({ ...data, title: `${data["title"]}!` }) })

const settings = global("settings")
  .fields(({ f }) => ({
    name: f.text(),
    madeBy: f.text().default(({ session }) => session?.user.id),
  }))
  .access({ read: true, update: true })

const media = collection("media")
  .fields(({ f }) => ({ sentBy: f.text().default(({ session }) => session?.user.id) }))
  .upload()
  .access({ read: true, upload: true })

const broken = collection("broken")
  .fields(({ f }) => ({
    code: f.text().default(() => {
      throw new Error("the code machine is out of paper")
    }),
  }))
  .access(everyone)

const closed = collection("closed")
  .fields(({ f }) => ({
    code: f.text().default(() => {
      throw new ApiError("CONFLICT", { message: "All codes are taken." })
    }),
  }))
  .access(everyone)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, replies, drafts, hooked, settings, media, broken, closed] })
  for (const title of ["open", "secret"]) await app.app.system.collections["drafts"]?.create({ title })
})

afterAll(() => app[Symbol.asyncDispose]())

describe("a default function gets the context of the caller", () => {
  test("in a create", async () => {
    const created = await app.client(ann).collections["notes"].create({ title: "Hello" })

    expect(created).toMatchObject({ author: "ann", editor: "ann", number: 2 })
  })

  test("without a session, where undefined means no value", async () => {
    const created = await app.client().collections["notes"].create({ title: "Hello" })
    const reply = await app.fetch("/replies", { method: "POST", body: "{}" })

    expect(created).toMatchObject({ author: "nobody", editor: null })
    expect(reply.status).toBe(400)
    expect(reply.body.error.fieldErrors).toEqual([{ path: "author", message: "Required." }])
  })

  test("but is not called for a value that the caller gives", async () => {
    const created = await app.client(ann).collections["notes"].create({ author: "bob", editor: null, number: 7 })

    expect(created).toMatchObject({ author: "bob", editor: null, number: 7 })
  })

  test("in a nested create", async () => {
    const created = await app.client(ann).collections["notes"].create({ number: 1, replies: { create: [{}] } })

    const stored = await app.client().collections["replies"].findOne({ where: { note: created.id } })
    expect(stored.author).toBe("ann")
  })

  test("beside hooks, with the rights of the caller and not those of the hooks", async () => {
    const created = await app.client(ann).collections["hooked"].create({ title: "Hello" })

    expect(created).toMatchObject({ title: "Hello!", owner: "ann", visibleDrafts: 1 })
  })

  test("in the first update of a global", async () => {
    expect(await app.client(ann).globals["settings"].update({ name: "Press" })).toMatchObject({ madeBy: "ann" })
  })

  test("in an upload", async () => {
    const form = new FormData()
    form.set("file", new Blob(["hello"], { type: "text/plain" }), "hello.txt")

    const uploaded = await app.fetch("/media/upload", { method: "POST", body: form, session: ann })

    expect(uploaded.body).toMatchObject({ filename: "hello.txt", sentBy: "ann" })
  })
})

describe("a default function that fails", () => {
  test("is a server error, and the log names the field", async () => {
    const before = app.logged.length

    const answer = await app.fetch("/broken", { method: "POST", body: "{}" })

    const errors = app.logged.slice(before).map(({ fields }) => (fields as { error?: Error } | undefined)?.error)
    expect(answer.status).toBe(500)
    expect(answer.body.error.message).not.toContain("paper")
    expect(errors).toMatchObject([
      {
        message: 'The default of the field "code" of "broken" failed.',
        cause: { message: "the code machine is out of paper" },
      },
    ])
  })

  test("can choose the error of the caller", async () => {
    const answer = await app.fetch("/closed", { method: "POST", body: "{}" })

    expect(answer).toMatchObject({ status: 409, body: { error: { message: "All codes are taken." } } })
  })
})

test("a part of an object cannot have a default that needs the context, and the start says so", async () => {
  const places = collection("places").fields(({ f }) => ({
    place: f.object({ by: f.text().default(({ session }) => session?.user.id) }),
    other: f.object({ at: f.text().default(async () => "now") }),
  }))

  const start = testApp({ resources: [places] })

  await expect(start).rejects.toThrow(
    'has a default of its part "by" that takes the context or is async. Only the default of a whole field can.',
  )
  await expect(start).rejects.toThrow('its part "at"')
})
