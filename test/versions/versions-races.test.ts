import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const open = { read: true, create: true, update: true, delete: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(), tags: f.relation("tags").manyToMany({ through: "tagged" }) }))
  .options({ versions: true, softDelete: true })
  .access(open)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagged" }) }))
  .access(open)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .options({ versions: { max: 1 }, id: "client" })
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, tags, notes], config: { db: { maxConnections: 4 } } })
})
afterAll(() => app[Symbol.asyncDispose]())

const client = () => app.client(ann).collections

type Collections = Record<string, any>

/** Makes one write wait for another, which is committed once the first is known to wait. */
async function oneAfterTheOther(
  first: (collections: Collections) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<unknown> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  let done: Promise<unknown> | undefined
  await app.app.as(ann).transaction(async ({ collections }) => {
    await first(collections as unknown as Collections)
    done = second()
    await vi.waitFor(async () => expect(await app.database.query(waiting)).toHaveLength(1), { timeout: 60_000 })
  })
  return done
}

test("a delete takes along the version that was written while it waited", async () => {
  await client()["notes"].create({ id: "gone", text: "one" })

  await oneAfterTheOther(
    (collections) => collections["notes"].updateById({ id: "gone", data: { text: "two" } }),
    () => client()["notes"].deleteById({ id: "gone" }),
  )

  expect(await app.database.query(`select 1 from "_kit_versions" where record = 'gone'`)).toEqual([])
})

test("no more versions are shown than are kept, whoever writes at once", async () => {
  await client()["notes"].create({ id: "raced", text: "one" })

  await oneAfterTheOther(
    (collections) => collections["notes"].updateById({ id: "raced", data: { text: "two" } }),
    () => client()["notes"].updateById({ id: "raced", data: { text: "three" } }),
  )

  const shown = await client()["notes"].findVersions({ id: "raced" })
  expect(shown.map((each: any) => [each.versionNumber, each.text])).toEqual([[3, "three"]])
  await expect(client()["notes"].revertToVersion({ id: "raced", version: 2 })).rejects.toMatchObject({ status: 404 })
})

test("a version has the links of its moment, also where its write waited for a change of them", async () => {
  const [red, blue] = [await client()["tags"].create({ name: "red" }), await client()["tags"].create({ name: "blue" })]
  const { id } = await client()["posts"].create({ title: "one" })
  const link = (tag: { id: string }) => (collections: Collections) =>
    collections["posts"].updateById({ id, data: { tags: { connect: [tag.id] } } })

  await oneAfterTheOther(link(red), () => client()["posts"].updateById({ id, data: { title: "two" } }))
  await oneAfterTheOther(
    (collections) => collections["posts"].updateById({ id, data: { tags: { disconnect: [red.id] } } }),
    () => client()["tags"].updateById({ id: blue.id, data: { posts: { connect: [id] } } }),
  )
  await oneAfterTheOther(link(red), () => client()["posts"].deleteById({ id }))

  const stored = await app.database.query(
    `select operation, data->'tags' as tags from "_kit_versions" where record = '${id}' order by number`,
  )
  const names = new Map([
    [red.id, "red"],
    [blue.id, "blue"],
  ])
  expect(stored.map(({ operation, tags }) => [operation, (tags as string[]).map((tag) => names.get(tag))])).toEqual([
    ["create", []],
    ["update", ["red"]],
    ["update", ["red"]],
    ["update", []],
    ["update", ["blue"]],
    ["update", ["red", "blue"]],
    ["delete", ["red", "blue"]],
  ])
})

test("a record that is not there is not found, with links in its versions too", async () => {
  const missing = client()["posts"].updateById({ id: crypto.randomUUID(), data: { title: "x" } })

  await expect(missing).rejects.toMatchObject({ status: 404 })
})
