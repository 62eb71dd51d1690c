// @module-tag experiment

import { collection } from "kit"
import pg from "pg"
import { expect, onTestFinished, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { rollingWorld, startLoad, type Version } from "../support/worlds/rolling-world.ts"

const PATIENCE_MS = 300_000
const rules = { read: true, create: true, update: true, delete: true } as const

const ADDITIONS: Readonly<Record<string, Version>> = {
  "optional fields": { posts: (f) => ({ note: f.text() }), site: (f) => ({ motto: f.text() }) },
  "required fields with a default": {
    posts: (f) => ({ kind: f.text().required().default("plain") }),
    tags: (f) => ({ color: f.text().localized().required().default("red") }),
    site: (f) => ({ theme: f.select(["dark", "light"]).required().default("dark") }),
  },
  indexes: {
    posts: (f) => ({ title: f.text(200).required().index() }),
    tags: (f) => ({ name: f.text().unique() }),
  },
  "more room for a number, as bigint": { posts: (f) => ({ views: f.number().bigint().default(0) }) },
  "more room for a number, as decimal": { posts: (f) => ({ views: f.number().decimal(12, 2).default(0) }) },
  "more room for a number, as double": { posts: (f) => ({ views: f.number().default(0) }) },
  "collections and relations": {
    posts: (f) => ({ parent: f.relation("posts"), others: f.relation("tags").manyToMany({ through: "othering" }) }),
    more: [
      collection("comments")
        .fields(({ f }) => ({ post: f.relation("posts").required() }))
        .access(rules),
    ],
  },
}

test.each(Object.entries(ADDITIONS))(
  "while a newer version adds %s, the older one beside it answers as before",
  async (_name, version) => {
    const world = await rollingWorld()
    const old = await world.start()
    const load = startLoad(old)
    await load.rounds(2)

    const next = await world.start(version)
    await load.rounds(3)
    await load.stop()

    expect(load.wrong).toEqual([])
    expect(await old.fetch("/_kit/ready")).toMatchObject({ status: 200, body: { status: "ready" } })
    expect((await next.fetch("/posts?limit=1000")).status).toBe(200)
  },
  PATIENCE_MS,
)

test("a live query of the older version goes on through an addition", async () => {
  const world = await rollingWorld()
  const old = await world.start()
  await using stream = await openEvents({
    url: old.url,
    topics: [{ id: "t", resourceType: "collection", resource: "posts", where: { views: { gte: 0 } } }],
  })
  await stream.next("snapshot")

  const next = await world.start({ posts: (f) => ({ views: f.number().bigint().default(0), note: f.text() }) })
  await next.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "By the newer", views: "5000000000" }) })
  const { data } = await stream.next("snapshot", ({ data }: any) => data.docs.length === 1)

  expect(data).toMatchObject({ docs: [{ title: "By the newer", views: 5_000_000_000 }] })
  expect(data).not.toHaveProperty("docs.0.note")
})

test("what the older version stores has the default of the newer one", async () => {
  const world = await rollingWorld()
  const old = await world.start()
  const next = await world.start({ posts: (f) => ({ kind: f.text().required().default("plain") }) })

  const made = await old.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "Old" }) })
  await old.fetch(`/posts/${made.body.id}/transition`, {
    method: "POST",
    body: JSON.stringify({ stage: "published" }),
  })

  expect((await next.fetch(`/posts/${made.body.id}`)).body).toMatchObject({ title: "Old", kind: "plain" })
  expect((await next.fetch(`/posts/${made.body.id}?stage=published`)).body).toMatchObject({ kind: "plain" })
})

test("a field that may be empty again is empty where none is given, whatever its default was", async () => {
  const world = await rollingWorld()
  await world.start()
  await world.start({ posts: (f) => ({ kind: f.text().required().default("plain") }) })

  const third = await world.start({ posts: (f) => ({ kind: f.text() }) })
  const made = await third.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "Third" }) })

  expect(made).toMatchObject({ status: 201, body: { kind: null } })
})

test("a default does not stand in the way when the field is localized later", async () => {
  const world = await rollingWorld()
  await world.start()
  await world.start({ posts: (f) => ({ kind: f.text().required().default("plain") }) })

  const third = await world.start({ posts: (f) => ({ kind: f.text().localized().required().default("plain") }) })
  const made = await third.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "Third" }) })

  expect(made).toMatchObject({ status: 201, body: { kind: "plain" } })
})

test("what only the newer version knows is unique or related is a conflict to the older one", async () => {
  const world = await rollingWorld()
  const old = await world.start()
  const comments = collection("comments").fields(({ f }) => ({ tag: f.relation("tags").required() }))
  const next = await world.start({ tags: (f) => ({ name: f.text().unique() }), more: [comments.access(rules)] })
  const create = (body: object) => ({ method: "POST", body: JSON.stringify(body) })
  const tag = await old.fetch("/tags", create({ name: "a" }))
  await next.fetch("/comments", create({ tag: tag.body.id }))

  const twice = await old.fetch("/tags", create({ name: "a" }))
  const needed = await old.fetch(`/tags/${tag.body.id}`, { method: "DELETE" })

  expect(twice).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } })
  expect(needed).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } })
})

test("a change that has to wait for a long read does not make others wait for it", async () => {
  const world = await rollingWorld()
  const old = await world.start()
  const reader = new pg.Client({ connectionString: world.database.url })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query("begin")
  await reader.query("select * from posts")

  const starting = world.start({ posts: (f) => ({ note: f.text() }) })
  await vi.waitFor(
    async () => {
      const waiting = await world.database.query(
        "select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock' and relation = 'posts'::regclass",
      )
      expect(waiting).toHaveLength(1)
    },
    { timeout: 60_000, interval: 5 },
  )
  const load = startLoad(old)
  await load.rounds(2)
  await load.stop()
  await reader.query("commit")

  expect(load.wrong).toEqual([])
  expect((await (await starting).fetch("/posts")).status).toBe(200)
})

test("a version that is started again after a newer one keeps what that one has added", async () => {
  const world = await rollingWorld()
  await world.start()
  const newer: Version = { posts: (f) => ({ kind: f.text().required().default("plain"), note: f.text() }) }
  const next = await world.start(newer)
  const made = await next.fetch("/posts", {
    method: "POST",
    body: JSON.stringify({ title: "N", kind: "k", note: "n" }),
  })

  const again = await world.start()
  const written = await again.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "O" }) })
  const changed = await again.fetch(`/posts/${made.body.id}`, {
    method: "PATCH",
    body: JSON.stringify({ title: "O2" }),
  })

  expect([written.status, changed.status]).toEqual([201, 200])
  expect((await again.fetch("/_kit/ready")).status).toBe(200)
  expect((await next.fetch("/_kit/ready")).status).toBe(200)
  expect((await next.fetch(`/posts/${made.body.id}`)).body).toMatchObject({ title: "O2", kind: "k", note: "n" })
  expect((await next.fetch(`/posts/${written.body.id}`)).body).toMatchObject({ title: "O", kind: "plain" })
})
