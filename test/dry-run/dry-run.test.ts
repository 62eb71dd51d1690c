import { type Collection, collection, global, type Hooks, type Session } from "kit"
import { expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const everyone = { read: true, create: true, update: true, delete: true, transition: true, drafts: true } as const
const MISSING = "01890000-0000-7000-8000-000000000000"

function posts(hooks: Hooks = {}): Collection {
  return collection("posts")
    .fields(({ f }) => ({
      title: f.text(20).required().localized(),
      slug: f.text().unique(),
      tags: f.relation("tags").manyToMany(),
    }))
    .options({ versions: true, revision: true, softDelete: true, workflow: true })
    .access(everyone)
    .hooks(hooks)
}

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().unique() }))
  .access(everyone)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.text().required() }))
  .access({ read: true, create: ownRows, update: ownRows })

const media = collection("media").upload().access({ read: true, create: true, update: true })

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text().required(), count: f.number() }))
  .options({ versions: true, revision: true })
  .access({ read: true, update: true })

const RESOURCES = [posts(), tags, notes, media, settings]
const LOCALES = { locales: { default: "en", all: ["en", "sk"] } } as const

function ownRows({ session }: { session: Session | null }) {
  return session && { owner: session.user.id }
}

/** Sends the request, and checks that nothing in the database has changed. */
async function sendDry(app: TestApp, path: string, init: { method: string; body: object; session?: Session }) {
  const before = [await fingerprint(app), await lastChange(app)]
  const answer = await app.fetch(path, { ...init, body: JSON.stringify(init.body) })
  expect([await fingerprint(app), await lastChange(app)]).toEqual(before)
  return answer
}

async function lastChange({ database }: TestApp): Promise<unknown> {
  const [last] = await database.query(`select count(*) from "_kit_changes"`)
  return last
}

test("a dry run of a create answers with the record, and keeps nothing of it", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const body = { title: "One", slug: "one", tags: { create: [{ name: "red" }] } }

  const dry = await sendDry(app, "/posts?dryRun=true", { method: "POST", body })
  const real = await app.fetch("/posts?dryRun=false", { method: "POST", body: JSON.stringify(body) })

  expect(dry).toMatchObject({ status: 200, body: { title: "One", slug: "one", revision: 1, stage: "draft" } })
  expect(real.status).toBe(201)
  expect(Object.keys(dry.body)).toEqual(Object.keys(real.body))
  expect(dry.headers.get("x-revision")).toBe(real.headers.get("x-revision"))
  expect(dry.body.id).not.toBe(real.body.id)
  expect(await app.fetch(`/posts/${dry.body.id}`)).toMatchObject({ status: 404 })
})

test("a dry run of an update answers with the changed record, and changes nothing", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const { id } = await app.client().collections["posts"].create({ title: "One", slug: "one" })
  const update = (options: string, body: object) =>
    sendDry(app, `/posts/${id}?dryRun=true${options}`, { method: "PATCH", body })

  const plain = await update("", { title: "Two" })
  const inLocale = await update("&locale=sk", { title: "Dva" })
  const expected = await update("&expectedRevision=1", { slug: "two" })
  const stale = await update("&expectedRevision=7", { slug: "two" })
  const withoutCopy = await update("&stage=published", { title: "Two" })
  const byHeader = await app.fetch(`/posts/${id}?dryRun=true`, {
    method: "PATCH",
    body: JSON.stringify({ slug: "two" }),
    headers: { "if-match": '"7"' },
  })

  expect(plain).toMatchObject({ status: 200, body: { id, title: "Two", slug: "one", revision: 2 } })
  expect(plain.headers.get("x-revision")).toBe("2")
  expect(inLocale).toMatchObject({ status: 200, body: { title: "Dva", revision: 2 } })
  expect(expected).toMatchObject({ status: 200, body: { title: "One", slug: "two", revision: 2 } })
  expect(stale).toMatchObject({
    status: 409,
    body: { error: { context: { revision: { expected: 7, actual: 1 } } } },
  })
  expect(withoutCopy.status).toBe(404)
  expect(byHeader.status).toBe(412)
  expect(await app.fetch(`/posts/${id}`)).toMatchObject({ body: { title: "One", slug: "one", revision: 1 } })
})

test("a dry run can write the copy of a record in a stage", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const client = app.client().collections["posts"]
  const { id } = await client.create({ title: "One" }, { stage: "published" })

  const created = await sendDry(app, "/posts?stage=published&dryRun=true", { method: "POST", body: { title: "New" } })
  const updated = await sendDry(app, `/posts/${id}?stage=published&dryRun=true`, {
    method: "PATCH",
    body: { title: "Two" },
  })

  expect(created).toMatchObject({ status: 200, body: { title: "New", stage: "published" } })
  expect(updated).toMatchObject({ status: 200, body: { title: "Two" } })
  expect(await client.findOne({ where: { id }, stage: "published" })).toMatchObject({ title: "One" })
})

test("a dry run of a global's first and later updates changes nothing", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const dry = (body: object) => sendDry(app, "/globals/settings?dryRun=true", { method: "PATCH", body })

  const first = await dry({ name: "Daily" })
  const invalid = await dry({ count: 1 })
  await app.client().globals["settings"].update({ name: "Daily" })
  const second = await dry({ count: 1 })

  expect(first).toMatchObject({ status: 200, body: { name: "Daily", revision: 1 } })
  expect(invalid).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "name" }] } } })
  expect(second).toMatchObject({ status: 200, body: { name: "Daily", count: 1, revision: 2 } })
  expect(second.headers.get("x-revision")).toBe("2")
})

test("a dry run fails as the write does, with the same status and errors", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  await app.client().collections["posts"].create({ title: "One", slug: "one" })
  const mistakes: [method: string, path: string, body: object, session?: Session][] = [
    ["POST", "/posts", {}],
    ["POST", "/posts", { title: 7, nope: 1 }],
    ["POST", "/posts", { title: "Two", slug: "one" }],
    ["POST", "/posts", { title: "Two", tags: [MISSING] }],
    ["POST", "/posts", { title: "Two", tags: { create: [{ name: 1 }] } }],
    ["POST", "/notes", { text: "a", owner: "ann" }],
    ["POST", "/notes", { text: "a", owner: "bob" }, ann],
    ["PATCH", `/posts/${MISSING}`, { title: "Two" }],
    ["PATCH", "/posts/7", { title: "Two" }],
    ["POST", "/media", {}],
    ["POST", "/nothing", {}],
    ["PATCH", "/globals/settings", { name: null }],
  ]

  for (const [method, path, body, session] of mistakes) {
    const dry = await sendDry(app, `${path}?dryRun=true`, { method, body, ...(session && { session }) })
    const real = await app.fetch(path, { method, body: JSON.stringify(body), ...(session && { session }) })

    expect(dry.status).toBeGreaterThanOrEqual(400)
    expect([dry.status, withoutRequestId(dry.body)]).toEqual([real.status, withoutRequestId(real.body)])
  }
})

function withoutRequestId({ error: { requestId: _requestId, ...error } }: { error: { requestId?: string } }): object {
  return error
}

test("only a create and an update can be dry runs, and the option is true or false", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const { id } = await app.client().collections["posts"].create({ title: "One" })
  const refused = { status: 400, body: { error: { fieldErrors: [{ path: "dryRun" }] } } }
  const calls: [method: string, path: string, body?: object][] = [
    ["DELETE", `/posts/${id}?dryRun=true`],
    ["POST", `/posts/${id}/restore?dryRun=true`],
    ["POST", `/posts/${id}/purge?dryRun=true`],
    ["POST", `/posts/${id}/revert?dryRun=true`, { version: 1 }],
    ["POST", `/posts/${id}/transition?dryRun=true`, { stage: "published" }],
    ["DELETE", `/posts/${id}/transition?dryRun=true`],
    ["PATCH", "/posts?dryRun=true", { all: true, data: { title: "Two" } }],
    ["POST", "/posts/update-batch?dryRun=true", { updates: [] }],
    ["POST", "/posts/delete-many?dryRun=true", { all: true }],
    ["POST", "/globals/settings/revert?dryRun=true", { version: 1 }],
    ["GET", "/posts?dryRun=true"],
    ["POST", "/posts?dryRun=yes", { title: "Two" }],
    ["POST", "/posts?dryRun=", { title: "Two" }],
    ["PATCH", `/posts/${id}?dryRun=1`, { title: "Two" }],
    ["PATCH", "/globals/settings?dryRun=TRUE", { name: "Daily" }],
  ]

  for (const [method, path, body] of calls) {
    const answer = await app.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })

    expect([method, path, answer]).toMatchObject([method, path, refused])
  }
  const upload = await app.fetch("/media/upload?dryRun=true", { method: "POST", body: new FormData() })
  expect(upload).toMatchObject(refused)
})

test("the client and the operations in the process have the option, too", async () => {
  await using app = await testApp({ resources: RESOURCES, config: LOCALES })
  const { collections, globals } = app.client()
  const inProcess = app.app.system
  const { id } = await collections["posts"].create({ title: "One" })
  const before = await fingerprint(app)

  const answers = [
    await collections["posts"].create({ title: "Two" }, { dryRun: true }),
    await collections["posts"].updateById({ id, data: { title: "Two" }, expectedRevision: 1 }, { dryRun: true }),
    await globals["settings"].update({ name: "Two" }, { dryRun: true }),
    await inProcess.collections["posts"]?.create({ title: "Two" }, { dryRun: true }),
    await inProcess.collections["posts"]?.updateById({ id, data: { title: "Two" } }, { dryRun: true }),
    await inProcess.globals["settings"]?.update({ name: "Two" }, { dryRun: true }),
  ]

  expect(answers.map((answer) => answer?.title ?? answer?.name)).toEqual(answers.map(() => "Two"))
  expect(await fingerprint(app)).toEqual(before)
})
