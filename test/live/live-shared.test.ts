import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const admin: Session = { user: { id: "ada", role: "admin" } }
const member: Session = { user: { id: "bob", role: "member" } }
const other: Session = { user: { id: "eva", role: "member" } }
const CALLERS = { admin, member, other, anonymous: undefined }
type Caller = keyof typeof CALLERS
const EVERYBODY: readonly Caller[] = ["admin", "member", "other", "anonymous"]

const isAdmin = ({ session }: { session: { user: { role?: string | undefined } } | null }) =>
  session?.user.role === "admin"
const writable = { read: true, create: true, update: true, delete: true } as const

const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text(),
    salary: f.computed(({ row }) => `salary of ${row["name"]}`).access({ read: isAdmin }),
    initial: f.computed(({ row }) => String(row["name"]).charAt(0)),
    length: f.computed(({ row }) => String(row["name"]).length),
    // The same SQL under two names.
    upper: f.virtual(f.text(), 'upper("name")'),
    loud: f.virtual(f.text(), 'upper("name")'),
    articles: f.relation("articles").hasMany({ via: "author" }),
    works: f.relation("articles").hasMany({ via: "author" }),
  }))
  .access(writable)

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().localized(),
    // The rules below read this field.
    open: f.boolean().default(true),
    author: f.relation("authors"),
    tags: f.relation("tags").manyToMany(),
    secret: f.computed(({ row }) => `secret of ${row["title"]}`).access({ read: isAdmin }),
    words: f.computed(({ row }) => String(row["title"]).split(" ").length),
    // Depends on the row, and is the same for every caller.
    summary: f.computed(({ row }) => `summary of ${row["title"]}`).access({ read: () => ({ open: true }) }),
    teaser: f.computed(({ row }) => `teaser of ${row["title"]}`).access({ read: () => ({ open: true }) }),
  }))
  .access(writable)

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text(),
    inner: f.computed(({ row }) => `inner ${row["name"]}`).access({ read: isAdmin }),
  }))
  .access(writable)

const greeted = collection("greeted")
  .fields(({ f }) => ({ name: f.text() }))
  .hooks({ afterRead: ({ row, session }) => ({ ...row, shownTo: session?.user.id ?? "nobody" }) })
  .access(writable)

const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text(), to: f.relation("greeted"), article: f.relation("articles") }))
  .access(writable)

const settings = global("settings")
  .fields(({ f }) => ({
    motto: f.text(),
    featured: f.relation("articles"),
    key: f.computed(({ row }) => `key of ${row["motto"]}`).access({ read: isAdmin }),
    shout: f.computed(({ row }) => `${row["motto"]}!`),
  }))
  .access({ read: true, update: true })

interface Topic {
  readonly resourceType?: "collection" | "global"
  readonly resource: string
  readonly [option: string]: unknown
}

let app: TestApp
let article: string

beforeAll(async () => {
  app = await testApp({
    resources: [authors, articles, tags, greeted, letters, settings],
    config: {
      locales: { default: "en", all: ["en", "sk"] },
      realtime: { connectionsPerUser: 1_000, connectionsPerAddress: 1_000 },
    },
  })
  const { collections, globals } = app.client()
  const { id: author } = await collections["authors"].create({ name: "Ann" })
  const { id: tag } = await collections["tags"].create({ name: "red" })
  const { id } = await collections["articles"].create({ title: "First words", author, tags: [tag] })
  article = id
  await collections["articles"].create({ title: "Second", open: false, author })
  const { id: friend } = await collections["greeted"].create({ name: "Jan" })
  await collections["letters"].create({ text: "Hello", to: friend, article: id })
  await globals["settings"].update({ motto: "Onwards", featured: id })
})

afterAll(() => app[Symbol.asyncDispose]())

const wire = (topic: Topic, id = "topic") => ({ id, resourceType: "collection", ...topic })

function listen(caller: Caller, ...topics: readonly Topic[]): Promise<EventReader> {
  const session = CALLERS[caller]
  return openEvents({ url: app.url, topics: topics.map((topic, index) => wire(topic, `t${index}`)), session })
}

/** Returns the answer to the same options outside of a stream. */
function found(caller: Caller, { resourceType, resource, ...options }: Topic): Promise<unknown> {
  const { collections, globals } = app.client(CALLERS[caller])
  return resourceType === "global" ? globals[resource].get(options) : collections[resource].find(options)
}

/** Dates of the client are strings on the wire. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

interface Followed {
  readonly caller: Caller
  readonly topic: Topic
  readonly stream: EventReader
  readonly id: string
}

/**
 * Subscribes all callers to all topics, and checks that each snapshot equals the answer of a read, before and after a
 * change.
 */
async function expectToldAsFound(callers: readonly Caller[], topics: readonly Topic[], change: () => Promise<unknown>) {
  const followed: Followed[] = []
  try {
    // The first caller starts a query, and the next ones may share it.
    for (const caller of callers) {
      const stream = await listen(caller, ...topics)
      for (const [index, topic] of topics.entries()) followed.push({ caller, topic, stream, id: `t${index}` })
      await expectFirst(followed.slice(-topics.length))
    }

    await change()

    for (const { caller, topic, stream, id } of followed) {
      const expected = asJson(await found(caller, topic))
      await expect.poll(() => newest(stream, id), { timeout: 60_000, message: `${caller}, ${id}` }).toEqual(expected)
    }
  } finally {
    await Promise.all(followed.map(({ stream }) => stream[Symbol.asyncDispose]()))
  }
}

async function expectFirst(followed: readonly Followed[]): Promise<void> {
  for (const { caller, topic, stream, id } of followed) {
    const { data } = await stream.next("snapshot", ({ topicId }) => topicId === id)
    expect(data, `${caller}, ${id}`).toEqual(asJson(await found(caller, topic)))
  }
}

function newest(stream: EventReader, id: string): unknown {
  const snapshots = stream.events.flatMap((event) => (event.name === "snapshot" ? [event.data] : []))
  return snapshots.filter(({ topicId }) => topicId === id).at(-1)?.data
}

let changes = 0
const rename = async () => {
  changes++
  const { collections, globals } = app.client()
  await collections["articles"].updateById({ id: article, data: { title: `Renamed ${changes}` } })
  for (const name of ["authors", "tags", "greeted"]) {
    const { docs } = await collections[name].find()
    await collections[name].updateById({ id: docs[0].id, data: { name: `Renamed ${changes}` } })
  }
  await globals["settings"].update({ motto: `Renamed ${changes}` })
}

describe.each([
  { order: "the one with the most rights first", callers: EVERYBODY },
  { order: "the one with the most rights last", callers: [...EVERYBODY].reverse() },
])("callers of different rights follow the same topic, $order", ({ callers }) => {
  test.each<{ what: string; topic: Topic }>([
    { what: "a collection", topic: { resource: "articles" } },
    { what: "a collection, filtered and sorted", topic: { resource: "articles", where: { open: true }, limit: 1 } },
    { what: "all locales at once", topic: { resource: "articles", locale: "*" } },
    { what: "a record that others point to", topic: { resource: "articles", with: { author: true } } },
    { what: "many records of a relation", topic: { resource: "authors", with: { articles: { limit: 1 } } } },
    { what: "linked records", topic: { resource: "articles", with: { tags: true } } },
    {
      what: "the second hop",
      topic: { resource: "letters", with: { article: { with: { tags: true, author: true } } } },
    },
    { what: "a global", topic: { resourceType: "global", resource: "settings" } },
    {
      what: "what a global points to",
      topic: { resourceType: "global", resource: "settings", with: { featured: { with: { author: true } } } },
    },
    { what: "a hook that looks at the session", topic: { resource: "greeted" } },
    { what: "such a hook of a related record", topic: { resource: "letters", with: { to: true } } },
  ])("$what", async ({ topic }) => {
    await expectToldAsFound(callers, [topic], rename)
  })
})

describe("topics of one caller that lead to the same SQL", () => {
  const shown = (columns: Record<string, true>) => ({
    one: { resource: "articles", with: { author: { columns } } },
    many: { resource: "authors", with: { articles: { columns } } },
  })
  const ofAuthors = (...names: string[]) => shown(Object.fromEntries(names.map((name) => [name, true as const]))).one
  const ofArticles = (...names: string[]) => shown(Object.fromEntries(names.map((name) => [name, true as const]))).many

  test.each<{ what: string; topics: readonly Topic[] }>([
    { what: "show different computed fields", topics: [ofAuthors("initial"), ofAuthors("length")] },
    { what: "show more of them", topics: [ofAuthors("initial"), ofAuthors("initial", "length")] },
    { what: "show what others only compute with", topics: [ofAuthors("initial"), ofAuthors("id", "name", "initial")] },
    { what: "call one expression differently", topics: [ofAuthors("upper"), ofAuthors("loud")] },
    { what: "show different computed fields of many", topics: [ofArticles("words"), ofArticles("words", "secret")] },
    { what: "hide different computed fields in the same rows", topics: [ofArticles("summary"), ofArticles("teaser")] },
    {
      what: "call one relation differently",
      topics: [
        { resource: "authors", with: { articles: true } },
        { resource: "authors", with: { works: true } },
      ],
    },
    {
      what: "count one relation under different names",
      topics: [
        { resource: "authors", with: { articles: { limit: 0, _count: true } } },
        { resource: "authors", with: { works: { limit: 0, _count: true } } },
      ],
    },
    {
      what: "show no record of many",
      topics: [
        { resource: "authors", with: { articles: { limit: 0 } } },
        { resource: "authors", with: { works: { limit: 0 } } },
      ],
    },
  ])("$what", async ({ topics }) => {
    await expectToldAsFound(["admin"], topics, rename)
    await expectToldAsFound(["admin"], [...topics].reverse(), rename)
  })
})
