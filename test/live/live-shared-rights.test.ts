import { collection, global, type Session, users } from "kit"
import { sql } from "kit/db"
import { afterEach, expect, test, vi } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { identityApp, type SignedIn } from "../support/worlds/identity-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const isAdmin = ({ session }: { session: { user: { role?: string | undefined } } | null }) =>
  session?.user.role === "admin"

const memberships = collection("memberships")
  .fields(({ f }) => ({ member: f.text().required() }))
  .access({})

const plans = collection("plans")
  .fields(({ f }) => ({
    title: f.text(),
    cost: f.computed(({ row }) => `cost of ${row["title"]}`).access({ read: isAdmin }),
    // Visible to the users whom another collection names.
    draft: f
      .computed(({ row }) => `draft of ${row["title"]}`)
      .access({
        read: async ({ session, asSystem }) => {
          const where = { member: session?.user.id ?? "" }
          return ((await asSystem().collections["memberships"]?.count({ where })) ?? 0) > 0
        },
      }),
    parent: f.relation("plans"),
  }))
  .access({ read: true })

const settings = global("settings")
  .fields(({ f }) => ({
    motto: f.text(),
    plan: f.relation("plans"),
    key: f.computed(({ row }) => `key of ${row["motto"]}`).access({ read: isAdmin }),
  }))
  .access({ read: true })

const TOPICS = [
  { id: "plans", resourceType: "collection", resource: "plans" },
  { id: "parents", resourceType: "collection", resource: "plans", with: { parent: true } },
  { id: "settings", resourceType: "global", resource: "settings", with: { plan: true } },
]

const textOf = (data: unknown) => JSON.stringify(data)

async function peopled() {
  const app = await identityApp({ resources: [users().fields(() => ({})), memberships, plans, settings] })
  const { collections, globals } = app.app.system
  const parent = await collections["plans"]?.create({ title: "first" })
  await collections["plans"]?.create({ title: "second", parent: parent?.["id"] })
  await globals["settings"]?.update({ motto: "Onwards", plan: parent?.["id"] })
  const listen = ({ cookie }: SignedIn) => openEvents({ url: app.url, topics: TOPICS, headers: { cookie } })
  /** Returns the next snapshot of every topic. */
  const nextOfAll = (stream: EventReader) =>
    Promise.all(TOPICS.map(({ id }) => stream.next("snapshot", ({ topicId }) => topicId === id)))
  return { app, collections, listen, nextOfAll, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test("whoever becomes or ceases to be an admin is told so at once by what is computed, and nobody else is told anything", async () => {
  await using world = await peopled()
  const { app, collections, listen, nextOfAll } = world
  const [ada, bob] = [
    await app.signIn({ email: "ada@example.com", role: "admin" }),
    await app.signIn({ email: "bob@example.com", role: "member" }),
  ]
  await using adas = await listen(ada)
  await using bobs = await listen(bob)
  for (const { data } of await nextOfAll(adas)) expect(textOf(data)).toMatch(/(cost|key) of/)
  for (const { data } of await nextOfAll(bobs)) expect(textOf(data)).not.toMatch(/(cost|key) of/)

  await collections["users"]?.updateById({ id: bob.id, data: { role: "admin" } })
  for (const { data } of await nextOfAll(bobs)) expect(textOf(data)).toMatch(/(cost|key) of/)
  await collections["users"]?.updateById({ id: ada.id, data: { role: "member" } })
  for (const { data } of await nextOfAll(adas)) expect(textOf(data)).not.toMatch(/(cost|key) of/)

  // Each topic uses the query for its new rights from now on.
  await collections["plans"]?.updateMany({ all: true, where: {}, data: { title: "renamed" } })
  const isRenamed = ({ topicId, data }: { topicId: string; data: unknown }) =>
    topicId === "plans" && textOf(data).includes("renamed")
  expect(textOf((await bobs.next("snapshot", isRenamed)).data)).toContain("cost of renamed")
  expect(textOf((await adas.next("snapshot", isRenamed)).data)).not.toContain("cost of")
})

test("a rule of a computed field that asks another collection is asked again when that changes", async () => {
  await using world = await peopled()
  const { app, collections, listen } = world
  const bob = await app.signIn({ email: "bob@example.com" })
  const eva = await app.signIn({ email: "eva@example.com" })
  await using bobs = await listen(bob)
  await using evas = await listen(eva)
  const ofPlans = ({ topicId }: { topicId: string }) => topicId === "plans"
  for (const stream of [bobs, evas]) expect(textOf(await stream.next("snapshot", ofPlans))).not.toContain("draft of")

  const membership = await collections["memberships"]?.create({ member: bob.id })
  expect(textOf(await bobs.next("snapshot", ofPlans))).toContain("draft of")
  await collections["memberships"]?.deleteById({ id: String(membership?.["id"]) })

  expect(textOf(await bobs.next("snapshot", ofPlans))).not.toContain("draft of")
  expect(textOf(evas.events)).not.toContain("draft of")
})

afterEach(() => void vi.restoreAllMocks())

test("a rule that decides otherwise without saying so is asked again when its rights are old", async () => {
  const allowed = new Set(["bob"])
  const notes = collection("notes")
    .fields(({ f }) => ({
      text: f.text(),
      inner: f
        .computed(({ row }) => `inner ${row["text"]}`)
        .access({ read: ({ session }) => allowed.has(session?.user.id ?? "") }),
    }))
    .access({ read: true, create: true, update: true })
  await using app = await testApp({ resources: [notes] })
  const { id } = await app.client().collections["notes"].create({ text: "first" })
  const topics = [{ id: "notes", resourceType: "collection", resource: "notes" }]
  await using bobs = await openEvents({ url: app.url, topics, session: { user: { id: "bob" } } })
  await using evas = await openEvents({ url: app.url, topics, session: { user: { id: "eva" } } })
  expect(textOf(await bobs.next("snapshot"))).toContain("inner first")
  expect(textOf(await evas.next("snapshot"))).not.toContain("inner first")

  allowed.clear()
  allowed.add("eva")
  const now = performance.now.bind(performance)
  vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000)
  await app.client().collections["notes"].updateById({ id, data: { text: "second" } })

  expect(textOf(await evas.next("snapshot"))).toContain("inner second")
  expect(textOf(await bobs.next("snapshot"))).not.toContain("inner second")
})

const greeted = collection("greeted")
  .fields(({ f }) => ({ name: f.text() }))
  .hooks({
    afterRead: ({ row, session }) => {
      const permissions = session?.user["permissions"]
      return { ...row, may: permissions instanceof Set ? [...permissions] : [] }
    },
  })
  .access({ read: true, create: true, update: true })

test("sessions that differ only in what JSON cannot hold are different to a hook", async () => {
  const sessions = {
    read: (headers: { get(name: string): string | null }): Session | null => {
      const may = headers.get("x-may")
      return may === null ? null : { user: { id: "bob", permissions: new Set(may.split(" ")) } }
    },
  }
  await using app = await testApp({ resources: [greeted], config: { sessions } })
  await app.client().collections["greeted"].create({ name: "Jan" })
  const topics = [{ id: "greeted", resourceType: "collection", resource: "greeted" }]

  for (const may of ["read write", "read"]) {
    const stream = await openEvents({ url: app.url, topics, headers: { "x-may": may } })
    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ may: may.split(" ") }] })
  }
})

test("users with a big integer follow live queries", async () => {
  const people = users().fields(({ f }) => ({ points: f.number().bigint().default(9_007_199_254_740_993n) }))
  await using app = await identityApp({ resources: [people.access({ read: true }), plans, memberships, greeted] })
  const bob = await app.signIn({ email: "bob@example.com" })
  const topics = [
    { id: "greeted", resourceType: "collection", resource: "greeted" },
    { id: "plans", resourceType: "collection", resource: "plans" },
  ]
  await using stream = await openEvents({ url: app.url, topics, headers: { cookie: bob.cookie } })

  await stream.next("snapshot", ({ topicId }) => topicId === "greeted")
  await stream.next("snapshot", ({ topicId }) => topicId === "plans")
})

test("a hook that reads by the statement of its own topic, with other values, is followed", async () => {
  const parts = collection("parts")
    .fields(({ f }) => ({ kind: f.text(), name: f.text() }))
    .hooks({
      afterRead: async ({ row, collections }) => {
        if (row["kind"] !== "whole") return
        const found = await collections["parts"]?.find({ where: { kind: "piece" } })
        return { ...row, pieces: (found?.docs ?? []).map(({ name }) => name) }
      },
    })
    .access({ read: true, create: true, update: true })
  await using app = await testApp({ resources: [parts] })
  const { parts: own } = app.client().collections
  await own.create({ kind: "whole", name: "car" })
  const { id } = await own.create({ kind: "piece", name: "wheel" })
  const topics = [{ id: "parts", resourceType: "collection", resource: "parts", where: { kind: "whole" } }]
  await using stream = await openEvents({ url: app.url, topics })
  expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ pieces: ["wheel"] }] })

  await own.updateById({ id, data: { name: "door" } })

  expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ pieces: ["door"] }] })
})

test("SQL of the author is followed, in a rule and in a hook", async () => {
  const everyone = { read: true, create: true, update: true } as const
  const gates = collection("gates")
    .fields(({ f }) => ({ isOpen: f.boolean() }))
    .access(everyone)
  const prices = collection("prices")
    .fields(({ f }) => ({ amount: f.number().integer() }))
    .access(everyone)
  const wares = collection("wares")
    .fields(({ f }) => ({ name: f.text() }))
    .hooks({
      afterRead: async ({ row, db }) => {
        const { rows } = await sql<{ amount: number }>`select amount from prices`.execute(db)
        return { ...row, amount: rows[0]?.amount }
      },
    })
    .access({
      create: true,
      read: async ({ db }) =>
        (await db.selectFrom("gates").selectAll().where("isOpen", "=", true).execute()).length > 0,
    })
  await using app = await testApp({ resources: [gates, prices, wares] })
  const { collections } = app.app.system
  const gate = await collections["gates"]?.create({ isOpen: true })
  const price = await collections["prices"]?.create({ amount: 1 })
  await collections["wares"]?.create({ name: "nail" })
  const topics = [{ id: "wares", resourceType: "collection", resource: "wares" }]
  await using stream = await openEvents({ url: app.url, topics })
  expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ amount: 1 }] })

  await collections["prices"]?.updateById({ id: String(price?.["id"]), data: { amount: 2 } })
  expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ amount: 2 }] })
  await collections["gates"]?.updateById({ id: String(gate?.["id"]), data: { isOpen: false } })

  expect(await stream.next("error")).toMatchObject({ topicId: "wares" })
})
