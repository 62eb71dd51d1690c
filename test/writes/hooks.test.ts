// @module-tag installed-postgres

import { ApiError, type Collection, collection, global, type Hooks, type Session } from "kit"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const everyone = { read: true, create: true, update: true, delete: true } as const

const log = collection("log")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ read: true, create: ({ session }) => session !== null })

function posts(hooks: Hooks): Collection {
  return collection("posts")
    .fields(({ f }) => ({
      title: f.text(20).required(),
      slug: f.text().unique().readOnly(),
      secret: f.text().hidden(),
      views: f.number().bigint(),
      parent: f.relation("posts"),
    }))
    .access(everyone)
    .hooks(hooks)
}

test("hooks run in their order with what they need to know", async () => {
  const seen: unknown[] = []
  await using app = await testApp({
    resources: [
      posts({
        beforeValidate: [
          ({ data, operation, original }) =>
            void seen.push(["beforeValidate", operation, original?.["title"], { ...data }]),
          ({ data }) => ({ ...data, slug: String(data["title"]).toLowerCase(), secret: "s" }),
        ],
        beforeChange: ({ data }) => {
          seen.push(["beforeChange", { ...data }])
          data["views"] = 7
        },
        afterChange: ({ row, original, data, operation }) => {
          seen.push(["afterChange", operation, original?.["title"], row["title"], row["secret"], data["views"]])
        },
        beforeDelete: ({ original }) => void seen.push(["beforeDelete", original["title"], original["secret"]]),
        afterDelete: ({ operation }) => void seen.push(["afterDelete", operation]),
      }),
    ],
  })
  const client = app.client()

  const created = await client.collections["posts"].create({ title: "One" })
  const updated = await client.collections["posts"].updateById({ id: created.id, data: { title: "Two" } })
  const deleted = await client.collections["posts"].deleteById({ id: created.id })

  expect(created).toMatchObject({ title: "One", slug: "one", views: 7n })
  expect(updated).toMatchObject({ title: "Two", slug: "two" })
  expect(deleted).toMatchObject({ success: true, data: { title: "Two" } })
  expect(created).not.toHaveProperty("secret")
  expect(seen).toEqual([
    ["beforeValidate", "create", undefined, { title: "One" }],
    ["beforeChange", { title: "One", slug: "one", secret: "s" }],
    ["afterChange", "create", undefined, "One", "s", 7n],
    ["beforeValidate", "update", "One", { title: "Two" }],
    ["beforeChange", { title: "Two", slug: "two", secret: "s" }],
    ["afterChange", "update", "One", "Two", "s", 7n],
    ["beforeDelete", "Two", "s"],
    ["afterDelete", "delete"],
  ])
})

test("what the author's hooks may write, the caller still may not", async () => {
  await using app = await testApp({ resources: [posts({ beforeValidate: ({ data }) => ({ ...data, slug: "made" }) })] })
  const create = (data: object) => app.fetch("/posts", { method: "POST", body: JSON.stringify(data) })

  const readOnly = await create({ title: "x", slug: "mine" })
  const hidden = await create({ title: "x", secret: "mine" })
  const notAnObject = await create([1])
  const fine = await create({ title: "x" })

  expect(readOnly).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "slug" }] } } })
  expect(hidden).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "secret" }] } } })
  expect(notAnObject.status).toBe(400)
  expect(fine).toMatchObject({ status: 201, body: { slug: "made" } })
})

test("what a hook gives is checked: a wrong value is 400, a field that is none is 500", async () => {
  const given: { data: Record<string, unknown> } = { data: {} }
  await using app = await testApp({ resources: [posts({ beforeChange: ({ data }) => ({ ...data, ...given.data }) })] })
  const create = () => app.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "x" }) })

  given.data = { title: "far too long for this field" }
  const tooLong = await create()
  given.data = { title: null }
  const missing = await create()
  given.data = { createdAt: new Date(0) }
  const system = await create()

  expect(tooLong).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "title" }] } } })
  expect(missing).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "title" }] } } })
  expect(system.status).toBe(500)
  expect(await app.app.system.collections["posts"]?.count()).toBe(0)
})

test("a throw rolls everything back; an ApiError reaches the caller, anything else is a 500", async () => {
  let failure: unknown = new ApiError("UNPROCESSABLE_CONTENT", { message: "Not on a Sunday." })
  await using app = await testApp({
    resources: [
      log,
      posts({
        afterChange: async ({ collections, data }) => {
          await collections["log"]?.create({ text: "written" })
          if (data["title"] === "bad") throw failure
        },
      }),
    ],
  })
  const send = (method: string, path: string, title: string) =>
    app.fetch(path, { method, session: ann, body: JSON.stringify({ title }) })
  const { body } = await send("POST", "/posts", "good")

  const refused = await send("POST", "/posts", "bad")
  failure = new Error("secret cause")
  const broken = await send("PATCH", `/posts/${body.id}`, "bad")

  expect(refused).toMatchObject({ status: 422, body: { error: { message: "Not on a Sunday." } } })
  expect(broken.status).toBe(500)
  expect(JSON.stringify(broken.body)).not.toContain("secret cause")
  expect(await app.database.query("select title from posts")).toEqual([{ title: "good" }])
  expect(await app.database.query("select text from log")).toEqual([{ text: "written" }])
})

test("operations inside a hook act as the caller, on the one connection there is", async () => {
  await using app = await testApp({
    config: { db: { maxConnections: 1 } },
    resources: [
      log,
      posts({
        beforeValidate: async ({ collections, data }) => {
          const count = await collections["posts"]?.count()
          return { ...data, slug: `${data["title"]}-${count}` }
        },
        afterChange: async ({ collections, row }) =>
          void (await collections["log"]?.create({ text: String(row["slug"]) })),
      }),
    ],
  })
  const create = (session?: Session) =>
    app.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "a" }), ...(session && { session }) })

  const signedIn = await create(ann)
  const anonymous = await create()

  expect(signedIn).toMatchObject({ status: 201, body: { slug: "a-0" } })
  expect(anonymous.status).toBe(401)
  expect(await app.database.query("select text from log")).toEqual([{ text: "a-0" }])
  expect(await app.database.query("select slug from posts")).toEqual([{ slug: "a-0" }])
})

test("a hook may catch the refusal of an inner write and go on", async () => {
  await using app = await testApp({
    resources: [
      log,
      posts({
        afterChange: async ({ collections, data }) => {
          if (data["slug"] === "taken") return
          await collections["posts"]
            ?.updateById({ id: "01890000-0000-7000-8000-000000000000", data: {} })
            .catch(() => {})
          await Promise.allSettled([
            collections["log"]?.create({ text: "one" }),
            collections["log"]?.create({ text: null }),
            collections["log"]?.create({ text: "two" }),
          ])
        },
      }),
    ],
  })

  const created = await app.fetch("/posts", { method: "POST", session: ann, body: JSON.stringify({ title: "a" }) })

  expect(created.status).toBe(201)
  expect(await app.database.query("select text from log order by text")).toEqual([{ text: "one" }, { text: "two" }])
})

test("30 parallel writes with hooks that read and write get through a pool of 2", async () => {
  await using app = await testApp({
    config: { db: { maxConnections: 2 } },
    resources: [
      log,
      posts({
        beforeChange: async ({ collections }) => void (await collections["log"]?.find({ limit: 1 })),
        afterChange: async ({ collections }) => void (await collections["log"]?.create({ text: "x" })),
        afterRead: async ({ collections }) => void (await collections["log"]?.count()),
      }),
    ],
  })
  const create = () => app.fetch("/posts", { method: "POST", session: ann, body: JSON.stringify({ title: "a" }) })

  const answers = await Promise.all(Array.from({ length: 30 }, create))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await app.app.system.collections["log"]?.count()).toBe(30)
})

test("hooks that write their own collection for ever are stopped, and leave no trace", async () => {
  await using app = await testApp({
    resources: [
      posts({ afterChange: async ({ collections }) => void (await collections["posts"]?.create({ title: "again" })) }),
    ],
  })

  const answer = await app.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "a" }) })

  expect(answer.status).toBe(500)
  expect(String((app.logged[0]?.fields as { error: Error } | undefined)?.error.message)).toContain(
    'The hooks and defaults of "posts"',
  )
  expect(await app.database.query("select 1 from posts")).toEqual([])
})

test("work that waits for the commit runs after it, and not at all when the write is refused", async () => {
  const done: string[] = []
  await using app = await testApp({
    resources: [
      posts({
        afterChange: ({ onAfterCommit, data }) => {
          onAfterCommit(() => void done.push(String(data["title"])))
          onAfterCommit(() => Promise.reject(new Error("too late to matter")))
          if (data["title"] === "bad") throw new ApiError("CONFLICT")
        },
      }),
    ],
  })
  const create = (title: string) => app.fetch("/posts", { method: "POST", body: JSON.stringify({ title }) })

  const bad = await create("bad")
  const good = await create("good")

  expect([bad.status, good.status]).toEqual([409, 201])
  await expect.poll(() => app.logged.map(({ message }) => message)).toContain("An onAfterCommit callback failed.")
  expect(done).toEqual(["good"])
})

test("afterRead may return a promise of a library with its own class", async () => {
  const later = (row: Record<string, unknown>) => ({
    // biome-ignore lint/suspicious/noThenProperty: it stands for the promise of a library, such as a query builder.
    then: (resolve: (row: unknown) => void) => resolve({ ...row, title: "later" }),
  })
  const hooks = { afterRead: ({ row }: { row: Record<string, unknown> }) => later(row) as never }
  await using app = await testApp({ resources: [posts(hooks)] })

  const created = await app.client().collections["posts"].create({ title: "now" })

  expect(created.title).toBe("later")
})

test("afterRead shows every record of its collection, wherever it is answered", async () => {
  await using app = await testApp({
    resources: [
      posts({
        beforeRead: ({ operation, session }) => {
          if (operation === "count" && session === null) throw new ApiError("RATE_LIMITED")
        },
        afterRead: ({ row, operation }) => {
          if ("title" in row) row["title"] = `${operation}: ${row["title"]}`
          return { ...row, seenAt: new Date(0), views: undefined }
        },
      }),
    ],
  })
  const client = app.client()
  const parent = await client.collections["posts"].create({ title: "a", views: 1n })
  const child = await client.collections["posts"].create({ title: "b", parent: parent.id })

  const got = await client.collections["posts"].findOne({ where: { id: child.id }, with: { parent: true } })
  const page = await client.collections["posts"].find({ orderBy: { createdAt: "asc" }, columns: { title: true } })
  const plain = await app.fetch("/posts?columns[title]=true&limit=1&orderBy[createdAt]=asc")

  expect(parent).toMatchObject({ title: "write: a", seenAt: new Date(0) })
  expect(got).toMatchObject({ title: "get: b", seenAt: new Date(0), parent: { title: "get: a", seenAt: new Date(0) } })
  expect(page.docs.map(({ title }: { title: string }) => title)).toEqual(["find: a", "find: b"])
  expect(plain.body.docs).toEqual([{ id: parent.id, title: "find: a", seenAt: new Date(0).toISOString() }])
  await expect(client.collections["posts"].count()).rejects.toMatchObject({ status: 429 })
})

test("hooks of a global see its first write and later ones", async () => {
  const seen: unknown[] = []
  const settings = global("settings")
    .fields(({ f }) => ({ name: f.text().required(), slug: f.text().readOnly() }))
    .access({ read: true, update: true })
    .hooks({
      beforeValidate: ({ data }) => ({ ...data, slug: `the-${data["name"]}` }),
      afterChange: ({ original, row, operation }) => void seen.push([operation, original?.["slug"], row["slug"]]),
      afterRead: ({ row }) => ({ ...row, shown: true }),
    })
  await using app = await testApp({ resources: [settings] })
  const client = app.client()

  const first = await client.globals["settings"].update({ name: "a" })
  await client.globals["settings"].update({ name: "b" })
  const read = await client.globals["settings"].get()

  expect(first).toMatchObject({ name: "a", slug: "the-a", shown: true })
  expect(read).toMatchObject({ name: "b", slug: "the-b", shown: true })
  expect(seen).toEqual([
    ["update", undefined, "the-a"],
    ["update", "the-a", "the-b"],
  ])
})

test("mistakes in hooks are reported with the others", async () => {
  const wrong = posts({ afterChnge: () => {}, beforeDelete: "later" } as unknown as Hooks)

  await expect(testApp({ resources: [wrong] })).rejects.toMatchObject({
    message: expect.stringMatching(/no hook "afterChnge".*afterChange[\s\S]*"beforeDelete" must be a function/),
  })
})
