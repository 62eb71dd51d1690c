import { collection, users } from "kit"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"

const isEditor = ({ session }: { session: { user: { role?: string | undefined } } | null }) =>
  session?.user.role === "editor"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .options({ workflow: true, versions: true })
  .access({ read: true, create: true, update: isEditor, transition: isEditor, drafts: isEditor })

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
  expect(app.logs.some(({ message }: any) => message.includes("was not moved to a stage at its time"))).toBe(true)
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
  expect(await app.jobs.list({ state: "failed" })).toEqual([])
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
    expect(await app.jobs.list({ name: "kit.move" })).toEqual([])
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
  expect(await app.jobs.list({ name: "kit.move" })).toEqual([])
})
