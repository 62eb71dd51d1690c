import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const owner: Session = { user: { id: "owner" } }
const stranger: Session = { user: { id: "stranger" } }
const MAX = 5
const open = { read: true, create: true, update: true, delete: true, purge: true } as const
const isOwner = ({ session }: { session: Session | null }) => session?.user.id === "owner"

/**
 * Collections whose records only their owner may update, each with a different kind of rule; everyone may update
 * `tags`.
 */
const RULES = {
  byBoolean: isOwner,
  byRow: ({ session }: { session: Session | null }) => ({ ownedBy: session?.user.id ?? "nobody" }),
  byId: ({ session, id }: { session: Session | null; id?: string | undefined }) =>
    id?.startsWith(session?.user.id ?? "?"),
  byReading: true,
} as const
const NAMES = Object.keys(RULES) as (keyof typeof RULES)[]

const owned = NAMES.map((name) =>
  collection(name)
    .fields(({ f }) => ({
      title: f.text(),
      ownedBy: f.text(),
      author: f.relation("authors").onDelete("setNull"),
      tags: f.relation("tags").manyToMany({ through: `${name}Tags` }),
    }))
    .options({ id: "client", versions: { max: MAX }, revision: true, softDelete: true })
    .access({
      ...open,
      update: RULES[name] as any,
      // A caller who may not read a record may not update it. These records are deleted together with the tag.
      read: name === "byReading" ? RULES.byRow : true,
    }),
)

const articles = collection("articles")
  .fields(({ f }) => ({ title: f.text(), tags: f.relation("tags").manyToMany({ through: "articleTags" }) }))
  .options({ versions: { max: MAX }, workflow: true, revision: true })
  .access({ ...open, update: isOwner })

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text(),
    ...Object.fromEntries(NAMES.map((name) => [name, f.relation(name).manyToMany({ through: `${name}Tags` })])),
    articles: f.relation("articles").manyToMany({ through: "articleTags" }),
  }))
  .options({ versions: true })
  .access(open)

const authors = collection("authors")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [...owned, articles, tags, authors],
    config: { db: { maxConnections: 4 } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session: Session) => app.client(session).collections
const history = (name: string, id: string) => as(owner)[name].findVersions({ id })
const storedLinks = async (id: string) =>
  (
    await app.database.query(`select data->'tags' as tags from "_kit_versions" where record = '${id}' order by number`)
  ).map(({ tags }) => tags)

let made = 0

async function ownedRecord(name: string): Promise<string> {
  const { id } = await as(owner)[name].create({ id: `owner-${made++}`, title: "one", ownedBy: "owner" })
  await as(owner)[name].updateById({ id, data: { title: "two" } })
  return id
}

test.each(NAMES.filter((name) => name !== "byReading"))(
  "links from the other end make no version of a record that their writer may not update (%s)",
  async (name) => {
    const id = await ownedRecord(name)
    const before = await history(name, id)
    const found = await as(owner)[name].findOne({ where: { id } })

    const ways = [
      { connect: [id] },
      { disconnect: [id] },
      { set: [id] },
      { set: [] },
      [id],
      { set: [] },
      { connect: [id] },
    ]
    const { id: tag } = await as(stranger)["tags"].create({ name: "mine" })
    for (const way of ways) await as(stranger)["tags"].updateById({ id: tag, data: { [name]: way } })

    expect(await history(name, id)).toEqual(before)
    expect(await as(owner)[name].findOne({ where: { id } })).toEqual(found)
    expect(await storedLinks(id)).toEqual([[], [tag]])
    await expect(as(stranger)[name].updateById({ id, data: { title: "x" } })).rejects.toMatchObject({ status: 403 })
    await as(owner)[name].updateById({ id, data: { title: "three" }, expectedRevision: found.revision })
    await as(owner)[name].revertToVersion({ id, version: 1 })
    expect(await as(owner)[name].findOne({ where: { id }, with: { tags: true } })).toMatchObject({
      title: "one",
      tags: [],
    })
    expect((await history(name, id)).map((each: any) => each.versionNumber)).toEqual([4, 3, 2, 1])
  },
)

test("a revert, a bulk write, a nested create and a delete of the other end make none either", async () => {
  const id = await ownedRecord("byRow")
  const before = await history("byRow", id)

  const { tags } = as(stranger)
  const { id: tag } = await tags.create({ name: "mine", byRow: { connect: [id] } })
  await tags.updateMany({ where: { id: tag }, data: { byRow: { disconnect: [id] } } })
  await tags.updateBatch({ updates: [{ id: tag, data: { byRow: { connect: [id] } } }] })
  await tags.revertToVersion({ id: tag, version: 2 })
  await tags.revertToVersion({ id: tag, version: 1 })
  expect(await storedLinks(id)).toEqual([[], [tag]])
  await tags.deleteById({ id: tag })
  const others = await Promise.all([1, 2].map(() => tags.create({ byRow: { connect: [id] } })))
  await tags.deleteMany({ where: { id: { in: others.map((each) => each.id) } } })

  expect(await history("byRow", id)).toEqual(before)
  expect(await storedLinks(id)).toEqual([[], []])
})

test("a delete makes no version of records that its writer cannot even read", async () => {
  const id = await ownedRecord("byReading")
  const { id: tag } = await as(owner)["tags"].create({ name: "public", byReading: { connect: [id] } })
  const before = await history("byReading", id)

  await as(stranger)["tags"].deleteById({ id: tag })

  expect(await history("byReading", id)).toEqual(before)
  expect((await storedLinks(id)).at(-1)).toEqual([])
})

test("those who may update a record make a version of it by its links, among others that they may not", async () => {
  const id = await ownedRecord("byRow")
  const { id: theirs } = await as(stranger)["byRow"].create({ id: `stranger-${made++}`, ownedBy: "stranger" })

  await as(stranger)["tags"].create({ byRow: { connect: [id, theirs] } })
  await as(owner)["tags"].create({ byRow: { connect: [id, theirs] } })
  await (app.app.system.collections as Record<string, any>)["tags"].create({ byRow: { connect: [id, theirs] } })

  const writers = async (record: string) => (await history("byRow", record)).map((each: any) => each.versionUserId)
  expect(await writers(id)).toEqual([null, "owner", "owner", "owner"])
  expect(await writers(theirs)).toEqual([null, "stranger", "stranger"])
  expect((await storedLinks(id)).map((links: any) => links.length)).toEqual([0, 1, 2, 3])
  expect((await storedLinks(theirs)).map((links: any) => links.length)).toEqual([0, 2, 3])
})

test("a relation that is emptied with its target is a version, once for each time the owner has set it", async () => {
  const id = await ownedRecord("byRow")
  const { id: author } = await as(stranger)["authors"].create({ name: "A" })
  await as(owner)["byRow"].updateById({ id, data: { author } })

  await as(stranger)["authors"].deleteById({ id: author })

  const versions = await history("byRow", id)
  expect(versions.map((each: any) => [each.versionNumber, each.versionUserId, each.author])).toEqual([
    [4, "stranger", null],
    [3, "owner", author],
    [2, "owner", null],
    [1, "owner", null],
  ])
})

test("the version that is refreshed is that of what is worked on, not of a stage's copy", async () => {
  const { articles } = as(owner)
  const { id } = await articles.create({ title: "one" })
  await articles.transitionStage({ id, stage: "published" })
  await articles.updateById({ id, data: { title: "two" } })
  await articles.updateById({ id, data: { title: "copy" } }, { stage: "published" })
  const before = await history("articles", id)

  const { id: tag } = await as(stranger)["tags"].create({ articles: { connect: [id] } })

  expect(await history("articles", id)).toEqual(before)
  expect(await storedLinks(id)).toEqual([[], [], [tag], []])
  const shown = await as(owner)["articles"].findOne({ where: { id }, stage: "published", with: { tags: true } })
  expect(shown).toMatchObject({ title: "copy", tags: [] })
})

test("an update that waited for such a change of links has them in its version", async () => {
  const id = await ownedRecord("byBoolean")
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  let done: Promise<unknown> | undefined
  let tag = ""
  await app.app.as(stranger).transaction(async ({ collections }) => {
    tag = (await (collections as Record<string, any>)["tags"].create({ byBoolean: { connect: [id] } })).id
    done = as(owner)["byBoolean"].updateById({ id, data: { title: "three" } })
    await vi.waitFor(async () => expect(await app.database.query(waiting)).toHaveLength(1), { timeout: 60_000 })
  })
  await done

  expect(await storedLinks(id)).toEqual([[], [tag], [tag]])
  expect((await history("byBoolean", id)).map((each: any) => each.title)).toEqual(["three", "two", "one"])
})
