// @module-tag not-about-connections
// @module-tag not-about-shortcuts

import { collection, type HandlerContext, route } from "kit"
import { sql } from "kit/db"
import { type TestApp, testApp } from "kit/testing"
import { describe, expect, test } from "vitest"
import { createTestDatabase } from "../support/test-database.ts"

const ALL = { read: true, create: true, update: true, delete: true }

const cities = collection("cities")
  .fields(({ f }) => ({ name: f.text().required().localized() }))
  .access(ALL)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), city: f.relation("cities").onDelete("setNull") }))
  .options({ softDelete: true })
  .access(ALL)

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text().required(),
    articles: f.relation("articles").manyToMany({ through: "tagging" }),
  }))
  .access(ALL)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required(), about: f.relation("articles").onDelete("cascade") }))
  .access(ALL)

interface Related {
  readonly author: { readonly name: string; readonly city: { readonly name: string } | null } | null
  readonly tags: readonly { readonly name: string }[]
  readonly notes: readonly { readonly text: string }[]
}

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required(),
    author: f.relation("people").onDelete("setNull"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    notes: f.relation("notes").hasMany({ via: "about" }),
  }))
  .options({ softDelete: true, workflow: true, versions: true })
  .title("title")
  .searchable({
    with: {
      author: { with: { city: true } },
      tags: { orderBy: { name: "asc" } },
      notes: { orderBy: { text: "asc" } },
    },
    content: ({ author, tags: named, notes: written }: Related) =>
      [author?.name, author?.city?.name, ...named.map(({ name }) => name), ...written.map(({ text }) => text)].join(
        " ",
      ),
  })
  .access(ALL)

const config = { locales: { default: "en", all: ["en", "sk"] } }

function open(): Promise<TestApp> {
  return testApp({ collections: [articles, people, cities, tags, notes], config })
}

// For what a write itself computes: a write leaves a record that the worker is just checking to the worker.
async function openWithoutWorker(): Promise<TestApp> {
  const app = await open()
  await app.app.stopWorker()
  return app
}

// The tests call the app without its generated types.
function collectionsOf(app: TestApp): Record<string, any> {
  return app.system.collections as Record<string, any>
}

async function contentOf(app: TestApp, id: string, table = "articles"): Promise<unknown> {
  const [row] = await app.query(`select _search_content->>'en' as content from "${table}" where id = $1`, [id])
  return typeof row?.["content"] === "string" ? row["content"].split(" ").filter(Boolean).sort() : row?.["content"]
}

async function makeArticle(app: TestApp) {
  const { cities: places, people: authors, articles: records, tags: labels, notes: remarks } = collectionsOf(app)
  const city = await places.create({ name: "Vienna" })
  const author = await authors.create({ name: "Eva", city: city.id })
  const tag = await labels.create({ name: "music" })
  const article = await records.create({ title: "Opening night", author: author.id, tags: [tag.id] })
  const note = await remarks.create({ text: "loud", about: article.id })
  return { city, author, tag, article, note }
}

test("content is computed in each locale, with the related records, in the transaction of the write", async () => {
  await using app = await openWithoutWorker()
  const { city, article } = await makeArticle(app)
  await collectionsOf(app)["cities"].updateById({ id: city.id, data: { name: "Viedeň" } }, { locale: "sk" })

  const [row] = await app.query("select _search_content, _search_sk::text from articles where id = $1", [article.id])

  expect(row?.["_search_content"]).toEqual({ en: "Eva Vienna music loud", sk: "Eva Viedeň music loud" })
  expect(row?.["_search_sk"]).toContain("vieden")
})

test("a change of a related record changes the content, whichever way leads to it", async () => {
  await using app = await openWithoutWorker()
  const { city, author, tag, article, note } = await makeArticle(app)
  const { cities: places, people: authors, articles: records, tags: labels, notes: remarks } = collectionsOf(app)
  const now = () => contentOf(app, article.id)
  const other = await labels.create({ name: "stage" })

  await places.updateById({ id: city.id, data: { name: "Graz" } })
  expect(await now()).toEqual(["Eva", "Graz", "loud", "music"])
  await authors.updateById({ id: author.id, data: { name: "Ava", city: null } })
  expect(await now()).toEqual(["Ava", "loud", "music"])
  await records.updateById({ id: article.id, data: { tags: { connect: [other.id], disconnect: [tag.id] } } })
  expect(await now()).toEqual(["Ava", "loud", "stage"])
  await labels.updateById({ id: tag.id, data: { articles: { connect: [article.id] } } })
  expect(await now()).toEqual(["Ava", "loud", "music", "stage"])
  await labels.deleteById({ id: tag.id })
  expect(await now()).toEqual(["Ava", "loud", "stage"])
  await remarks.updateById({ id: note.id, data: { text: "quiet" } })
  expect(await now()).toEqual(["Ava", "quiet", "stage"])
  await remarks.deleteById({ id: note.id })
  expect(await now()).toEqual(["Ava", "stage"])
  await authors.deleteById({ id: author.id })
  expect(await now()).toEqual(["stage"])
  await authors.restoreById({ id: author.id })
  expect(await now()).toEqual(["Ava", "stage"])
  await authors.updateMany({ where: { name: "Ava" }, data: { name: "Ida" } })
  expect(await now()).toEqual(["Ida", "stage"])
})

test("a write that concerns few records computes their content itself", async () => {
  await using app = await openWithoutWorker()
  const { author, article } = await makeArticle(app)

  await collectionsOf(app)["people"].updateById({ id: author.id, data: { name: "Ava" } })

  expect(await contentOf(app, article.id)).toContain("Ava")
  expect(await app.query("select from _kit_search_queue where content")).toEqual([])
})

test("a related record that moves to another article changes the content of both", async () => {
  await using app = await openWithoutWorker()
  const { article, note } = await makeArticle(app)
  const { articles: records, notes: remarks } = collectionsOf(app)
  const second = await records.create({ title: "Second night" })

  await remarks.updateById({ id: note.id, data: { about: second.id } })

  expect(await contentOf(app, article.id)).toEqual(["Eva", "Vienna", "music"])
  expect(await contentOf(app, second.id)).toEqual(["loud"])
})

test("the copy in a stage has content of its own", async () => {
  await using app = await openWithoutWorker()
  const { article, author } = await makeArticle(app)
  const { articles: records, people: authors } = collectionsOf(app)
  const copy = () => contentOf(app, article.id, "articles.stage.published")

  await records.transitionStage({ id: article.id, stage: "published" })
  expect(await copy()).toEqual(["Eva", "Vienna", "loud", "music"])
  await records.updateById({ id: article.id, data: { author: null } })
  expect(await copy()).toEqual(["Eva", "Vienna", "loud", "music"])
  expect(await contentOf(app, article.id)).toEqual(["loud", "music"])
  await authors.updateById({ id: author.id, data: { name: "Ava" } })
  expect(await copy()).toEqual(["Ava", "Vienna", "loud", "music"])
  await records.revertToVersion({ id: article.id, version: 1 })
  expect(await contentOf(app, article.id)).toContain("Ava")
})

test("SQL of the author changes the content, after the commit", async () => {
  await using app = await open()
  const { article, author } = await makeArticle(app)

  await app.query("update people set name = 'Ona' where id = $1", [author.id])
  await app.jobs.settle()

  expect(await contentOf(app, article.id)).toEqual(["Ona", "Vienna", "loud", "music"])
})

type Write = (ctx: HandlerContext, made: Made) => Promise<unknown>
type Made = Awaited<ReturnType<typeof makeUnlinked>>

interface Race {
  readonly way: string
  readonly link: Write
  readonly rename: Write
}

async function makeUnlinked(app: TestApp) {
  const { cities: places, people: authors, articles: records, tags: labels } = collectionsOf(app)
  const city = await places.create({ name: "old" })
  const person = await authors.create({ name: "old" })
  const citizen = await authors.create({ name: "Eva", city: city.id })
  const tag = await labels.create({ name: "old" })
  const article = await records.create({ title: "Opening night" })
  return { city, person, citizen, tag, article }
}

const RACES: readonly Race[] = [
  {
    way: "a field",
    link: (ctx, { article, person }) =>
      system(ctx)["articles"].updateById({ id: article.id, data: { author: person.id } }),
    rename: ({ db }, { person }) => sql`update people set name = 'new' where id = ${person.id}`.execute(db),
  },
  {
    way: "a link table",
    link: (ctx, { article, tag }) =>
      system(ctx)["articles"].updateById({ id: article.id, data: { tags: { connect: [tag.id] } } }),
    rename: ({ db }, { tag }) => sql`update tags set name = 'new' where id = ${tag.id}`.execute(db),
  },
  {
    way: "another record",
    link: (ctx, { article, citizen }) =>
      system(ctx)["articles"].updateById({ id: article.id, data: { author: citizen.id } }),
    rename: (ctx, { city }) => system(ctx)["cities"].updateById({ id: city.id, data: { name: "new" } }),
  },
  {
    way: "a field that SQL of the author sets",
    link: ({ db }, { article, person }) =>
      sql`update articles set author = ${person.id} where id = ${article.id}`.execute(db),
    rename: ({ db }, { person }) => sql`update people set name = 'new' where id = ${person.id}`.execute(db),
  },
]

// The tests call the app without its generated types.
function system(ctx: HandlerContext): Record<string, any> {
  return ctx.asSystem().collections as Record<string, any>
}

/** An app with transactions that stay open until the test ends them. */
async function openWithHeldTransactions() {
  const waiting: ((ctx: HandlerContext) => Promise<void>)[] = []
  const hold = route().handler(({ transaction }) => transaction(async (ctx) => waiting.shift()?.(ctx)))
  const app = await testApp({ collections: [articles, people, cities, tags, notes], routes: { hold }, config })
  const begin = async (write: (ctx: HandlerContext) => Promise<unknown>) => {
    let end = () => {}
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve
    })
    let answered: Promise<Response> | undefined
    await new Promise<void>((resolve, reject) => {
      waiting.push((ctx) =>
        write(ctx)
          .then(() => resolve(), reject)
          .then(() => mayEnd),
      )
      answered = app.fetch("/hold", { method: "POST" })
    })
    const commit = async () => {
      end()
      expect((await answered)?.ok).toBe(true)
    }
    return { commit }
  }
  return { app, begin }
}

// Each of them waits for a second with its transaction open.
describe.concurrent.each(RACES)(
  "a record is renamed while another transaction links to it by $way",
  ({ link, rename }) => {
    test.each([
      { first: "rename", isRenameFirst: true },
      { first: "link", isRenameFirst: false },
    ])("the content has the new name if the $first commits first", async ({ isRenameFirst }) => {
      const { app: opened, begin } = await openWithHeldTransactions()
      await using app = opened
      const made = await makeUnlinked(app)
      const renaming = await begin((ctx) => rename(ctx, made))
      const linking = await begin((ctx) => link(ctx, made))
      const [first, second] = isRenameFirst ? [renaming, linking] : [linking, renaming]

      await first.commit()
      // Here the worker has work, but cannot finish it while the other transaction is open.
      await app.jobs.settle()
      await second.commit()
      await app.jobs.settle()

      const content = await contentOf(app, made.article.id)
      expect(content).toContain("new")
      expect(content).not.toContain("old")
      expect(app.logs.filter(({ level }) => level !== "info")).toEqual([])
    })
  },
)

test("a record that a transaction has locked does not hold up others, and is up to date when it ends", async () => {
  const { app: opened, begin } = await openWithHeldTransactions()
  await using app = opened
  const { article, author } = await makeArticle(app)
  const other = await collectionsOf(app)["articles"].create({ title: "Second night", author: author.id })
  const locking = await begin(({ db }) => sql`select from articles where id = ${article.id} for update`.execute(db))

  await app.query("update people set name = 'Ona' where id = $1", [author.id])
  await app.jobs.settle()
  const whileLocked = [await contentOf(app, article.id), await contentOf(app, other.id)]
  await locking.commit()
  await app.jobs.settle()

  expect(whileLocked).toEqual([expect.arrayContaining(["Eva"]), expect.arrayContaining(["Ona"])])
  expect(await contentOf(app, article.id)).toContain("Ona")
  expect(app.logs.filter(({ level }) => level !== "info")).toEqual([])
})

test("content is checked once after a write, and a row is written only if its content differs", async () => {
  await using app = await open()
  const { article } = await makeArticle(app)
  await app.jobs.settle()
  await app.app.stopWorker()
  await collectionsOf(app)["articles"].updateById({ id: article.id, data: { title: "Last night" } })
  const row = () =>
    app.query("select xmin::text, ctid::text, _search_content from articles where id = $1", [article.id])
  const checks = () => app.query("select record_id from _kit_search_checks")
  const [before, waiting] = [await row(), await checks()]

  await app.app.startWorker()
  await app.jobs.settle()

  expect(waiting).toEqual([{ record_id: article.id }])
  expect(await row()).toEqual(before)
  expect(await checks()).toEqual([])
})

test("a transaction in another database of the server delays the check, and settling waits for it", async () => {
  await using app = await open()
  const { article } = await makeArticle(app)
  await app.jobs.settle()
  const other = await createTestDatabase()
  await other.query("create table elsewhere (id int)")
  // Settling waits for a transaction of its own database no longer than a second.
  const writing = other.query(
    "with written as (insert into elsewhere values (1) returning id) select pg_sleep(2) from written",
  )
  await expect.poll(() => other.query(OPEN_TRANSACTIONS)).toHaveLength(1)

  await collectionsOf(app)["articles"].updateById({ id: article.id, data: { title: "Last night" } })
  await app.jobs.settle()

  expect(await app.query("select from _kit_search_checks")).toEqual([])
  await writing
  await other.drop()
})

const OPEN_TRANSACTIONS = `select from pg_locks join pg_stat_activity using (pid)
  where locktype = 'transactionid' and datname = current_database()`

test("content without related records is not checked", async () => {
  const posts = collection("posts")
    .fields(({ f }) => ({ title: f.text() }))
    .searchable({ content: ({ title }: { title: string }) => title })
    .access(ALL)
  await using app = await testApp({ collections: [posts] })
  await app.app.stopWorker()

  await collectionsOf(app)["posts"].create({ title: "alone" })

  expect(await app.query("select from _kit_search_checks")).toEqual([])
})

test("a write that concerns more than 500 records leaves their content to the worker", async () => {
  await using app = await open()
  const { articles: records, people: authors } = collectionsOf(app)
  const author = await authors.create({ name: "Eva" })
  const first = await records.create({ title: "first", author: author.id })
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => records.create({ title: `more ${n}`, author: author.id })))
  }
  // The worker checks the content of new records again, which must not be in the queue any more.
  await app.jobs.settle()
  await app.app.stopWorker()

  await authors.updateById({ id: author.id, data: { name: "Ava" } })
  expect(await contentOf(app, first.id)).toEqual(["Eva"])
  expect(await app.query("select count(*)::int as n from _kit_search_queue where content")).toEqual([{ n: 501 }])
  await app.app.startWorker()
  await app.jobs.settle()

  expect(await contentOf(app, first.id)).toEqual(["Ava"])
  const left = await app.query("select count(*)::int as n from articles where _search_content->>'en' not like '%Ava%'")
  expect(left).toEqual([{ n: 0 }])
})

test("records in each other's content can be updated at the same time", async () => {
  interface Named {
    readonly name: string
    readonly other: { readonly name: string } | null
  }
  const pair = (name: string, target: string) =>
    collection(name)
      .fields(({ f }) => ({ name: f.text(), other: f.relation(target) }))
      .title("name")
      .searchable({ with: { other: true }, content: ({ name: own, other }: Named) => `${own} ${other?.name}` })
      .access(ALL)
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const logger = { info: warn, warn, error: warn }
  await using app = await testApp({ collections: [pair("left", "right"), pair("right", "left")], config: { logger } })
  const { left, right } = collectionsOf(app)
  const one = await left.create({ name: "one" })
  const two = await right.create({ name: "two", other: one.id })
  await left.updateById({ id: one.id, data: { other: two.id } })

  const renames = Array.from({ length: 10 }, (_, place) => [
    left.updateById({ id: one.id, data: { name: `one${place}` } }),
    right.updateById({ id: two.id, data: { name: `two${place}` } }),
  ])
  await Promise.all(renames.flat())
  await app.jobs.settle()

  const names = [await left.findOne({}), await right.findOne({})].map(({ name }) => name)
  expect(warnings.filter((message) => message.includes("rolled back"))).toEqual([])
  expect(await contentOf(app, one.id, "left")).toEqual(names)
  expect(await contentOf(app, two.id, "right")).toEqual(names)
})

test("a dry run leaves nothing", async () => {
  await using app = await open()
  const { article, author } = await makeArticle(app)
  await app.jobs.settle()

  await collectionsOf(app)["people"].updateById({ id: author.id, data: { name: "Ava" } }, { dryRun: true })

  expect(await contentOf(app, article.id)).toEqual(["Eva", "Vienna", "loud", "music"])
  expect(await app.query("select from _kit_search_queue")).toEqual([])
})

test("a function that throws fails the write, says so in the log, and tells the caller nothing", async () => {
  const broken = collection("posts")
    .fields(({ f }) => ({ title: f.text() }))
    .title("title")
    .searchable({
      content: ({ title }: { title: string }) => {
        if (title === "bad") throw new Error("secret reason")
        return title === "odd" ? (7 as unknown as string) : `${title}\0\ud800`
      },
    })
    .access(ALL)
  await using app = await testApp({ collections: [broken] })
  const post = (title: string) =>
    app.fetch("/posts", {
      method: "POST",
      body: JSON.stringify({ title }),
      headers: { "content-type": "application/json" },
    })

  const bad = await post("bad")
  const odd = await post("odd")
  const good = await post("good")

  expect([bad.status, odd.status, good.status]).toEqual([500, 500, 201])
  expect(await bad.text()).not.toContain("secret")
  expect(await app.query("select title from posts")).toEqual([{ title: "good" }])
  expect(JSON.stringify(app.logs.map(({ fields }) => String(fields["error"])))).toContain(
    '"content\\" of the searchable'.slice(1),
  )
})
