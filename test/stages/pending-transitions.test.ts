// @module-tag not-about-connections

import { collection, global, users } from "kit"
import { testApp } from "kit/testing"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

// Other tests wait for locks in other databases.
const WAITING = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

type Call = { session: { user: { id: string; role?: string | undefined } } | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const isSomebody = ({ session }: Call) => session !== null
// Writers may schedule a transition to review, editors any transition.
const mayMove = ({ session, stage }: Call & { stage?: string | undefined }) =>
  isEditor({ session }) || (session?.user.role === "writer" && stage === "review")

const STAGES = { stages: { draft: {}, review: {}, published: {} } }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(), owner: f.text() }))
  .options({ workflow: STAGES, versions: true, revision: true, softDelete: true })
  .access({ read: true, create: true, update: isSomebody, delete: true, transition: mayMove, drafts: isSomebody })

// A rule about the row.
const notes = collection("notes")
  .fields(({ f }) => ({ owner: f.text() }))
  .options({ workflow: true })
  .access({ read: true, transition: ({ session }) => session !== null && { owner: session.user.id }, drafts: isEditor })

const plain = collection("plain")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true, update: true })

const home = global("home")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ workflow: STAGES, revision: true })
  .access({ read: true, update: isSomebody, transition: mayMove })

const empty = global("empty")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ workflow: true, versions: true })
  .access({ read: true, update: isSomebody, versions: isSomebody })

let app: any
let editor: any
let writer: any
let reader: any
let id: string

beforeAll(async () => {
  app = await testApp({ collections: [posts, notes, plain, users()], globals: [home, empty] } as never)
  editor = await app.signIn({ role: "editor" })
  writer = await app.signIn({ role: "writer" })
  reader = await app.signIn()
  await app.system.globals.home.update({ motto: "M" })
})
afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  id = (await app.system.collections.posts.create({ title: "P" })).id
})

const postsOf = (session: unknown) => app.as(session).collections.posts
const publishedOf = async () => (await app.anonymous.collections.posts.findOne({ where: { id } }))?.title ?? null

describe("a move that waits", () => {
  test("is told to whoever may make it: when, to which stage, and who asked for it", async () => {
    const scheduledAt = app.clock.in("1h")
    expect(await postsOf(editor).findTransition({ id })).toBeNull()
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt })

    const move = { stage: "published", scheduledAt, userId: editor.user.id }
    expect(await postsOf(editor).findTransition({ id })).toEqual(move)
    expect(await app.system.collections.posts.findTransition({ id })).toEqual(move)
    await app.clock.advance("1h")
    expect(await publishedOf()).toBe("P")
    expect(await postsOf(editor).findTransition({ id })).toBeNull()
  })

  test("is cancelled, and then does not happen", async () => {
    const scheduledAt = app.clock.in("1h")
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt })
    const before = await postsOf(editor).findOne({ where: { id } })

    const cancelled = await postsOf(editor).cancelTransition({ id })

    expect(cancelled).toEqual({ stage: "published", scheduledAt, userId: editor.user.id })
    expect(await postsOf(editor).findTransition({ id })).toBeNull()
    await app.clock.advance("2h")
    expect(await publishedOf()).toBeNull()
    expect(await postsOf(editor).findOne({ where: { id } })).toEqual(before)
  })

  test("is the last one that was asked for, and none once the record has moved or is gone", async () => {
    const [soon, later] = [app.clock.in("1h"), app.clock.in("3h")]
    const { posts } = app.system.collections
    await posts.transitionStage({ id, stage: "published", scheduledAt: soon })
    await posts.transitionStage({ id, stage: "review", scheduledAt: later })
    expect(await posts.findTransition({ id })).toEqual({ stage: "review", scheduledAt: later, userId: null })
    await posts.transitionStage({ id, stage: "published" })
    expect(await posts.findTransition({ id })).toBeNull()
    await posts.transitionStage({ id, stage: "draft", scheduledAt: soon })
    await posts.deleteById({ id })
    await expect(posts.findTransition({ id })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(posts.cancelTransition({ id })).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  test("can be asked for again after it was cancelled", async () => {
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
    await postsOf(editor).cancelTransition({ id })
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("2h") })
    await app.clock.advance("1h")
    expect(await publishedOf()).toBeNull()
    await app.clock.advance("1h")
    expect(await publishedOf()).toBe("P")
  })

  test("stays where what cancels it is undone", async () => {
    const { posts } = app.system.collections
    await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
    const undone = app.system.transaction(async ({ collections }: any) => {
      await collections.posts.cancelTransition({ id })
      throw new Error("undone")
    })

    await expect(undone).rejects.toThrow("undone")
    expect(await posts.findTransition({ id })).not.toBeNull()
  })
})

describe("over HTTP", () => {
  const send = async (session: any, method: string, path: string, headers: object = {}) => {
    const response = await app.fetch(path, { method, headers, as: session })
    return { status: response.status, body: (await response.json()) as any }
  }

  test("GET shows it and DELETE cancels it, of records and of globals", async () => {
    const scheduledAt = app.clock.in("1h")
    const { collections, globals } = app.as(editor)
    await collections.posts.transitionStage({ id, stage: "published", scheduledAt })
    await globals.home.transitionStage({ stage: "published", scheduledAt })
    const move = { stage: "published", scheduledAt: scheduledAt.toISOString(), userId: editor.user.id }

    for (const path of [`/posts/${id}/transition`, "/globals/home/transition"]) {
      expect(await send(editor, "GET", path)).toEqual({ status: 200, body: move })
      expect(await send(editor, "DELETE", path)).toEqual({ status: 200, body: move })
      expect(await send(editor, "GET", path)).toEqual({ status: 200, body: null })
      expect(await send(editor, "DELETE", path)).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } })
    }
    await app.clock.advance("2h")
    expect(await publishedOf()).toBeNull()
  })

  test.each([
    ["GET", "/posts/nothing/transition", 404],
    ["DELETE", `/posts/${crypto.randomUUID()}/transition`, 404],
    ["GET", "/posts/count/transition", 404],
    ["GET", "/nowhere/1/transition", 404],
    ["GET", "/globals/nowhere/transition", 404],
    ["GET", "/plain/1/transition", 400],
    ["DELETE", "/plain/1/transition", 400],
    ["PUT", `/posts/${crypto.randomUUID()}/transition`, 405],
  ])("%s %s is %i", async (method, path, status) => {
    expect((await send(editor, method, path)).status).toBe(status)
  })

  test.each(["?nothing=1", "?stage=published", "?expectedRevision=0"])(
    "options such as %s are refused",
    async (query) => {
      expect((await send(editor, "DELETE", `/posts/${id}/transition${query}`)).status).toBe(400)
      expect((await send(editor, "GET", `/posts/${id}/transition${query}`)).status).toBe(400)
    },
  )

  test("a cancellation may name the revision that it expects", async () => {
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
    const path = `/posts/${id}/transition`

    expect((await send(editor, "DELETE", `${path}?expectedRevision=7`)).status).toBe(409)
    expect((await send(editor, "DELETE", path, { "if-match": '"7"' })).status).toBe(412)
    expect((await send(editor, "DELETE", `${path}?expectedRevision=1`)).status).toBe(200)
  })
})

describe("rights", () => {
  test("whoever may move to no stage gets 403, and 401 who is nobody", async () => {
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
    const nobody = app.anonymous.collections.posts

    for (const name of ["findTransition", "cancelTransition"]) {
      await expect(postsOf(reader)[name]({ id })).rejects.toMatchObject({ status: 403 })
      await expect(nobody[name]({ id })).rejects.toMatchObject({ status: 401 })
      await expect(app.as(reader).globals.home[name]()).rejects.toMatchObject({ status: 403 })
    }
    expect(await postsOf(editor).findTransition({ id })).not.toBeNull()
  })

  test("a move to a stage that the caller may not move to is none to them", async () => {
    await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
    expect(await postsOf(writer).findTransition({ id })).toBeNull()
    await expect(postsOf(writer).cancelTransition({ id })).rejects.toMatchObject({ status: 409 })
    await postsOf(editor).transitionStage({ id, stage: "review", scheduledAt: app.clock.in("1h") })
    expect(await postsOf(writer).findTransition({ id })).toMatchObject({ stage: "review" })
    expect(await postsOf(writer).cancelTransition({ id })).toMatchObject({ stage: "review" })
  })

  test("a rule about the row decides by the row", async () => {
    const { notes } = app.system.collections
    const mine = await notes.create({ owner: writer.user.id })
    const other = await notes.create({ owner: "eva" })
    const shown = await notes.create({ owner: "eva" })
    await notes.transitionStage({ id: shown.id, stage: "published" })
    for (const one of [mine, other, shown]) {
      await notes.transitionStage({ id: one.id, stage: "draft", scheduledAt: app.clock.in("1h") })
    }
    const own = app.as(writer).collections.notes

    expect(await own.findTransition({ id: mine.id })).toMatchObject({ stage: "draft" })
    // A draft that the caller may not see is 404; for a published record the request is refused.
    for (const name of ["findTransition", "cancelTransition"]) {
      await expect(own[name]({ id: other.id })).rejects.toMatchObject({ status: 404 })
      await expect(own[name]({ id: shown.id })).rejects.toMatchObject({ status: 403 })
    }
    expect(await own.cancelTransition({ id: mine.id })).toMatchObject({ stage: "draft" })
  })
})

describe("a global", () => {
  test("has a move that waits, too", async () => {
    const { home } = app.as(editor).globals
    const scheduledAt = app.clock.in("1h")
    await home.transitionStage({ stage: "review", scheduledAt })

    expect(await home.findTransition()).toEqual({ stage: "review", scheduledAt, userId: editor.user.id })
    expect(await app.system.globals.home.findTransition()).toMatchObject({ stage: "review" })
    await expect(home.cancelTransition({ expectedRevision: 99 })).rejects.toMatchObject({ status: 409 })
    expect(await home.cancelTransition()).toMatchObject({ stage: "review" })
    await expect(home.cancelTransition()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("no pending transition"),
    })
  })

  test("that was never written has none, and says what to do", async () => {
    const { empty } = app.as(editor).globals

    expect(await empty.findTransition()).toBeNull()
    const message = expect.stringContaining('"empty" has not been written yet')
    await expect(empty.cancelTransition()).rejects.toMatchObject({ status: 404, message })
    await expect(empty.transitionStage({ stage: "published" })).rejects.toMatchObject({ status: 404, message })
    await expect(empty.revertToVersion({ version: 1 })).rejects.toMatchObject({ status: 404, message })
  })
})

test("a cancellation and a move that comes due do not meet: one of them wins", async () => {
  await postsOf(editor).transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
  // Inside a transaction, pg_stat_activity would not change.
  const [holder, watcher] = await Promise.all([connected(), connected()])
  await holder.query("begin")
  await holder.query("select from posts where id = $1 for update", [id])
  const cancelled = postsOf(editor).cancelTransition({ id })
  const due = app.clock.advance("1h")
  const waiting = async () => (await watcher.query(WAITING)).rowCount
  await expect.poll(waiting, { timeout: 60_000 }).toBe(2)
  await holder.query("rollback")
  await Promise.all([holder.end(), watcher.end()])
  const outcome = await cancelled.then(
    () => "cancelled",
    (error: any) => error.status,
  )
  await due

  expect([outcome, await publishedOf()]).toEqual(outcome === "cancelled" ? ["cancelled", null] : [409, "P"])
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  return client
}
