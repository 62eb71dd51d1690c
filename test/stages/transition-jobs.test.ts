// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { collection, users } from "kit"
import { testApp } from "kit/testing"
import pg from "pg"
import { expect, test } from "vitest"

// Other tests wait for locks in other databases.
const WAITING = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

const isEditor = ({ session }: { session: { user: { role?: string | undefined } } | null }) =>
  session?.user.role === "editor"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .options({ workflow: true, versions: true })
  .access({ read: true, create: true, update: isEditor, transition: isEditor, drafts: isEditor })

// Lists for authors do not contain the jobs of the framework.
async function storedMoves({ databaseUrl }: { databaseUrl: string }): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query("select state from _kit_jobs where name = 'kit.transition'")
  await client.end()
  return rows
}

// On a new connection: inside a transaction, pg_stat_activity would not change.
async function waitForOne({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  const watcher = new pg.Client({ connectionString: databaseUrl })
  await watcher.connect()
  const waiting = async () => (await watcher.query(WAITING)).rowCount
  await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
  await watcher.end()
}

const open = () => testApp({ collections: [posts, users()] })

async function scheduled() {
  const app = (await open()) as any
  const editor = await app.signIn({ role: "editor" })
  const editorPosts = app.as(editor).collections.posts
  const { id } = await editorPosts.create({ title: "Later" })
  const published = async () => (await app.anonymous.collections.posts.findOne({ where: { id } }))?.title ?? null
  const operations = async () => (await editorPosts.findVersions({ id })).map((each: any) => each.versionOperation)
  return { app, editor, posts: editorPosts, id, published, operations }
}

test("a move happens at its time, once, with what the record is then", async () => {
  const { app, posts, id, published, operations } = await scheduled()
  await using _ = app
  const answered = await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
  await posts.updateById({ id, data: { title: "Changed" } })

  expect(answered.stage).toBe("draft")
  await app.clock.advance("59m")
  expect(await published()).toBeNull()
  await app.clock.advance("1m")
  expect(await published()).toBe("Changed")
  await app.clock.advance("2h")
  expect(await operations()).toEqual(["transition", "update", "create"])
  const [newest] = await posts.findVersions({ id })
  expect(newest.versionUserId).not.toBeNull()
})

test("a later move takes the place of one that waits, whether it waits itself or not", async () => {
  const { app, posts, id, published, operations } = await scheduled()
  await using _ = app
  await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
  await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("3h").toISOString() })
  await app.clock.advance("2h")
  expect(await published()).toBeNull()
  await posts.transitionStage({ id, stage: "draft" })
  await app.clock.advance("2h")

  expect(await published()).toBeNull()
  expect(await operations()).toEqual(["transition", "create"])
})

test("whoever has lost the right by then moves nothing, which the log and the versions tell", async () => {
  const { app, editor, posts, id, published } = await scheduled()
  await using _ = app
  await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
  await app.system.collections.users.updateById({ id: editor.user.id, data: { role: "user" } })
  await app.clock.advance("2h")

  expect(await published()).toBeNull()
  const versions = await app.system.collections.posts.findVersions({ id })
  expect(versions[0]).toMatchObject({ versionOperation: "refused", versionUserId: editor.user.id, title: "Later" })
  expect(app.logs.some(({ message }: any) => message.includes("A pending transition was refused"))).toBe(true)
})

test("the system's moves need no user, what lies in the past happens at once, and a gone record harms nobody", async () => {
  const { app, id, published } = await scheduled()
  await using _ = app
  const { posts } = app.system.collections
  await posts.transitionStage({ id, stage: "published", scheduledAt: new Date(0) })
  expect(await published()).toBe("Later")
  await posts.transitionStage({ id, stage: "draft", scheduledAt: app.clock.in("1h") })
  await app.clock.advance("1h")
  expect(await published()).toBeNull()
  await posts.transitionStage({ id, stage: "published", scheduledAt: app.clock.in("1h") })
  await posts.deleteById({ id })
  await app.clock.advance("1h")

  expect(await published()).toBeNull()
  expect(await storedMoves(app)).toEqual([])
})

test.each(["tomorrow", 5, "", null, "2026-13-01", "+300000-01-01T00:00:00Z", {}])(
  "%o is no moment to move at",
  async (scheduledAt) => {
    const { app, editor, id } = await scheduled()
    await using _ = app
    const { system } = app
    const refused = system.collections.posts.transitionStage({ id, stage: "published", scheduledAt })

    await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: "scheduledAt" }] })
    expect(editor).toBeDefined()
    expect(await storedMoves(app)).toEqual([])
  },
)

test("a forbidden move, and a caller without the right, schedule nothing", async () => {
  const { app, id } = await scheduled()
  await using _ = app
  const reader = await app.signIn()
  const later = { scheduledAt: app.clock.in("1h") }

  const byReader = app.as(reader).collections.posts.transitionStage({ id, stage: "published", ...later })
  await expect(byReader).rejects.toMatchObject({ status: 403 })
  const unknown = app.system.collections.posts.transitionStage({ id, stage: "nowhere", ...later })
  await expect(unknown).rejects.toMatchObject({ fieldErrors: [{ path: "stage" }] })
  expect(await storedMoves(app)).toEqual([])
})

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text(), slug: f.text().unique() }))
  .options({ workflow: true, versions: true, id: "client" })
  .access({ read: true, create: isEditor, update: isEditor, delete: isEditor })

async function withPages() {
  const app = (await testApp({ collections: [pages, users()] })) as any
  return { app, pages: app.system.collections.pages, published: () => app.anonymous.collections.pages.count() }
}

test("a move does not wait for a record that takes the id of one that is gone", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  await pages.create({ id: "home", title: "Old" })
  await pages.transitionStage({ id: "home", stage: "published", scheduledAt: app.clock.in("1h") })
  await pages.deleteById({ id: "home" })
  await pages.create({ id: "home", title: "New" })
  await app.clock.advance("2h")

  expect(await published()).toBe(0)
})

test("a move that meets a clash at its time is refused, and does not come again", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  await pages.create({ id: "a", slug: "same" })
  await pages.transitionStage({ id: "a", stage: "published" })
  await pages.updateById({ id: "a", data: { slug: "other" } })
  await pages.create({ id: "b", slug: "same" })
  await pages.transitionStage({ id: "b", stage: "published", scheduledAt: app.clock.in("1h") })
  await app.clock.advance("1h")
  await pages.deleteById({ id: "a" })
  await app.clock.advance("24h")

  expect(await published()).toBe(0)
  expect((await pages.findVersions({ id: "b" }))[0]).toMatchObject({ versionOperation: "refused" })
})

test("what is undone is not scheduled, and of several moves in one transaction the last one counts", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  for (const id of ["a", "b"]) await pages.create({ id })
  const later = (hours: number) => ({ stage: "published", scheduledAt: app.clock.in(`${hours}h`) })
  const undone = app.system.transaction(async ({ collections }: any) => {
    await collections.pages.transitionStage({ id: "a", ...later(1) })
    throw new Error("No.")
  })
  await expect(undone).rejects.toThrow("No.")
  await app.system.transaction(async ({ collections }: any) => {
    await collections.pages.transitionStage({ id: "b", ...later(1) })
    await collections.pages.transitionStage({ id: "b", ...later(3) })
  })

  expect(await storedMoves(app)).toHaveLength(2)
  await app.clock.advance("2h")
  expect(await published()).toBe(0)
  await app.clock.advance("1h")
  expect(await published()).toBe(1)
})

test("a banned user moves nothing, and neither does one who is gone", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  for (const [id, change] of [
    ["a", (user: string) => app.system.collections.users.updateById({ id: user, data: { banned: true } })],
    ["b", (user: string) => app.system.collections.users.deleteById({ id: user })],
  ] as const) {
    await pages.create({ id })
    const editor = await app.signIn({ role: "editor" })
    const move = { id, stage: "published", scheduledAt: app.clock.in("1h") }
    await app.as(editor).collections.pages.transitionStage(move)
    await change(editor.user.id)
  }
  await app.clock.advance("2h")

  expect(await published()).toBe(0)
  expect(await storedMoves(app)).toEqual([])
})

test("a move that is due waits for whoever holds the record, and nobody waits for the move", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  await pages.create({ id: "a" })
  await pages.transitionStage({ id: "a", stage: "published", scheduledAt: app.clock.in("1h") })
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  await client.query("begin; set local lock_timeout = '300ms'; select 1 from pages where id = 'a' for update")
  const fired = app.clock.advance("1h")
  await waitForOne(app)

  const replaced = await client
    .query("delete from _kit_pending_transitions where record = 'a'")
    .finally(() => client.query("commit"))
  await fired
  await client.end()

  expect(replaced.rowCount).toBe(1)
  expect(await published()).toBe(0)
})

test("where sessions cannot be looked up, no move is put off that nobody could do", async () => {
  const session = { user: { id: "ann", role: "editor" } }
  const app = (await testApp({ collections: [pages], config: { sessions: { read: () => session } } })) as any
  await using _ = app
  await app.system.collections.pages.create({ id: "a" })
  const asked = app.anonymous.collections.pages.transitionStage({
    ...{ id: "a", stage: "published", scheduledAt: app.clock.in("1h") },
  })

  await expect(asked).rejects.toMatchObject({ status: 500 })
  expect(app.logs.some(({ fields }: any) => String(fields?.error).includes("load(userId)"))).toBe(true)
  expect(await storedMoves(app)).toEqual([])
})

test("a move that comes due while another one takes its place waits for it, and then does nothing", async () => {
  const { app, pages, published } = await withPages()
  await using _ = app
  await pages.create({ id: "home" })
  await pages.transitionStage({ id: "home", stage: "published", scheduledAt: app.clock.in("1h") })
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  await client.query("begin; select 1 from pages where id = 'home' for no key update")

  const advanced = app.clock.advance("1h")
  await waitForOne(app)
  await client.query("update _kit_pending_transitions set token = gen_random_uuid(); commit")
  await advanced
  const { rows } = await client.query("select record from _kit_pending_transitions")
  await client.end()

  expect(await published()).toBe(0)
  expect(rows).toEqual([{ record: "home" }])
  expect(await storedMoves(app)).toEqual([])
})

// Anybody may suggest a page for review as long as suggestions are open, and only editors may publish it.
async function withSuggestions() {
  const state = { isOpen: true, callers: [] as unknown[] }
  const suggestions = collection("suggestions")
    .fields(({ f }) => ({ title: f.text() }))
    .options({ workflow: { stages: { draft: {}, review: {}, published: {} } }, versions: true })
    .access({
      ...{ read: true, create: true, update: isEditor, drafts: isEditor },
      transition: ({ session, stage }) => {
        state.callers.push([stage, session])
        return isEditor({ session }) || (session === null && stage === "review" && state.isOpen)
      },
    })
  const app = (await testApp({ collections: [suggestions, users()] })) as any
  const { id } = await app.system.collections.suggestions.create({ title: "New" })
  const stageOf = async () => (await app.system.collections.suggestions.findOne({ where: { id } })).stage
  const schedule = (stage: string) =>
    app.anonymous.collections.suggestions.transitionStage({ id, stage, scheduledAt: app.clock.in("1h") })
  return { app, id, state, stageOf, schedule, suggestions: app.system.collections.suggestions }
}

test("a caller who is not signed in may schedule a move that the rule allows, and is asked again as such", async () => {
  const { app, id, state, stageOf, schedule, suggestions } = await withSuggestions()
  await using _ = app

  await expect(schedule("published")).rejects.toMatchObject({ status: 401 })
  await schedule("review")
  expect(await suggestions.findTransition({ id })).toMatchObject({ stage: "review", userId: null })
  state.callers.splice(0)
  await app.clock.advance("1h")

  expect(await stageOf()).toBe("review")
  expect(state.callers).toEqual([["review", null]])
  const [newest] = await suggestions.findVersions({ id })
  expect(newest).toMatchObject({ versionOperation: "transition", versionUserId: null })
})

test("a move of a caller who is not signed in is refused if the rule has changed, and never has the rights of the system", async () => {
  const { app, id, state, stageOf, schedule, suggestions } = await withSuggestions()
  await using _ = app
  await schedule("review")
  state.isOpen = false

  await app.clock.advance("1h")

  expect(await stageOf()).toBe("draft")
  const [newest] = await suggestions.findVersions({ id })
  expect(newest).toMatchObject({ versionOperation: "refused", versionUserId: null })
  expect(await suggestions.findTransition({ id })).toBeNull()
})

test("a move leaves the time of the last update, and its version has the time of the move", async () => {
  const { app, posts, id } = await scheduled()
  await using _ = app
  const { updatedAt } = await posts.findOne({ where: { id } })
  const move = async (stage: string, later: object = {}) => posts.transitionStage({ id, stage, ...later })
  const read = (stage: string) => posts.findOne({ where: { id }, stage })
  const newest = async () => (await posts.findVersions({ id, limit: 1 }))[0]

  await app.clock.advance("1h")
  expect(await move("published")).toMatchObject({ stage: "published", updatedAt })
  expect(await read("published")).toMatchObject({ updatedAt })
  expect(await newest()).toMatchObject({ versionOperation: "transition", updatedAt })
  expect((await newest()).versionCreatedAt.getTime()).toBeGreaterThanOrEqual(updatedAt.getTime() + 3_600_000)
  expect(await move("draft")).toMatchObject({ stage: "draft", updatedAt })
  const scheduledAt = app.clock.in("2h")
  expect(await move("published", { scheduledAt })).toMatchObject({ stage: "draft", updatedAt })
  await app.clock.advance("2h")

  expect(await read("published")).toMatchObject({ updatedAt })
  expect(await read("draft")).toMatchObject({ stage: "published", updatedAt })
  expect((await newest()).versionCreatedAt.getTime()).toBeGreaterThanOrEqual(scheduledAt.getTime())
})
