import { inspect } from "node:util"
import { collection, global, type HandlerContext, route, type Session } from "kit"
import { sql } from "kit/db"
import { describe, expect, test } from "vitest"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", role: "editor" } }
const bob: Session = { user: { id: "01890000-0000-7000-8000-00000000000b" } }

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(40).required().unique(),
    views: f.number().bigint().default(0n),
    price: f.number().decimal(10, 2),
    at: f.datetime(),
    meta: f.json(),
    owner: f.text(),
  }))
  .access({ read: ({ session }) => session && { owner: session.user.id } })
const settings = global("settings").fields(({ f }) => ({ name: f.text() }))
const resources = [posts, settings]

function run(work: (context: HandlerContext) => unknown) {
  return route().handler(work)
}

const post = (app: TestApp, path: string, session?: Session) =>
  app.fetch(path, { method: "POST", ...(session && { session }) })

const insertPost = (title: string) => ({
  id: sql<string>`gen_random_uuid()`,
  title,
  createdAt: new Date(0),
  updatedAt: new Date(0),
})

async function titles(app: TestApp): Promise<unknown[]> {
  return (await app.database.query("select title from posts order by title")).map((row) => row["title"])
}

describe("what a handler holds", () => {
  test("facts of the app, the session, and a log that names the request", async () => {
    const facts = run(({ app, session, logger }) => {
      logger.info("working", { step: 1 })
      logger.warn("careful")
      return { app, session }
    })
    await using app = await testApp({
      routes: { facts },
      config: { app: { name: "paper", url: "https://paper.example" } },
    })

    const answer = await app.fetch("/facts", { method: "POST", session: ann, headers: { "x-request-id": "abc-1" } })

    expect(answer.body).toEqual({
      app: { name: "paper", url: "https://paper.example", basePath: "/api" },
      session: ann,
    })
    expect(app.logged).toEqual([
      { message: "working", fields: { step: 1, requestId: "abc-1" } },
      { message: "careful", fields: { requestId: "abc-1" } },
    ])
  })

  test("asSystem goes past the rules, and nothing else does", async () => {
    const routes = {
      plain: run(({ collections }) => collections["posts"]?.count()),
      system: run(({ asSystem }) => asSystem().collections["posts"]?.count()),
    }
    await using app = await testApp({ resources, routes })
    await app.app.system.collections["posts"]?.create({ title: "one", owner: bob.user.id })

    const answers = [await post(app, "/plain"), await post(app, "/plain", ann), await post(app, "/system")]

    expect(answers.map(({ status, body }) => [status, body.error ? null : body])).toEqual([
      [401, null],
      [200, 0],
      [200, 1],
    ])
  })

  test("asUser acts as the user that the session provider finds", async () => {
    const users = new Map([[bob.user.id, bob]])
    const provider = { ...sessions, load: (id: string) => Promise.resolve(users.get(id) ?? null) }
    const routes = {
      known: run(async ({ asUser }) => {
        const { session, collections } = await asUser(bob.user.id)
        return { session, count: await collections["posts"]?.count() }
      }),
      "as-system-first": run(async ({ asSystem }) =>
        (await asSystem().asUser(bob.user.id)).collections["posts"]?.count(),
      ),
      unknown: run(({ asUser }) => asUser("nobody")),
    }
    await using app = await testApp({ resources, routes, config: { sessions: provider } })
    for (const owner of [bob.user.id, ann.user.id]) {
      await app.app.system.collections["posts"]?.create({ title: owner, owner })
    }

    const answers = [await post(app, "/known"), await post(app, "/as-system-first"), await post(app, "/unknown")]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 500])
    expect([answers[0]?.body, answers[1]?.body]).toEqual([{ session: bob, count: 1 }, 1])
    expect(errorOf(app)).toContain('asUser("nobody"): there is no such user.')
  })

  test("asUser without a provider that can look up says what to do", async () => {
    await using app = await testApp({ routes: { known: run(({ asUser }) => asUser(bob.user.id)) } })

    const answer = await post(app, "/known")

    expect(answer.status).toBe(500)
    expect(errorOf(app)).toContain("give the session provider a function load(userId)")
  })

  test("rules and hooks hold the same", async () => {
    const seen: unknown[] = []
    const notes = collection("notes")
      .fields(({ f }) => ({ text: f.text() }))
      .access({
        create: async ({ db, app, operation, transaction }) => {
          const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
          const inner = await transaction(({ session }) => Promise.resolve(session))
          seen.push([app.name, operation, rows, inner?.user.id])
          return true
        },
      })
      .hooks({
        afterChange: async ({ db, touch, row, logger }) => {
          await sql`insert into posts (id, title, "createdAt", "updatedAt") values (gen_random_uuid(), ${row["text"]}, now(), now())`.execute(
            db,
          )
          await touch("posts", [])
          logger.info("noted")
          if (row["text"] === "bad") throw new Error("no")
        },
      })
    await using app = await testApp({ resources: [...resources, notes], config: { db: { maxConnections: 1 } } })

    const good = await app.fetch("/notes", { method: "POST", body: '{"text":"good"}', session: ann })
    const bad = await app.fetch("/notes", { method: "POST", body: '{"text":"bad"}', session: ann })

    expect([good.status, bad.status]).toEqual([201, 500])
    expect(seen[0]).toEqual(["kit", "create", [{ one: 1 }], ann.user.id])
    expect(await titles(app)).toEqual(["good"])
    expect(app.logged[0]).toEqual({ message: "noted", fields: { requestId: good.headers.get("x-request-id") } })
  })
})

test("collections may be awaited, and a name that is none is told", async () => {
  await using app = await testApp({ resources })
  const { collections } = app.app.system

  expect(await Promise.resolve(collections)).toBe(collections)
  expect(JSON.stringify({ collections })).toBe('{"collections":{}}')
  expect(() => collections["post"]).toThrow('There is no collection "post". Did you mean "posts"?')
})

describe("transaction", () => {
  test("what is done through the inner context is stored together or not at all", async () => {
    const both = (fails: boolean) =>
      run(({ transaction }) =>
        transaction(async ({ asSystem, db }) => {
          await asSystem().collections["posts"]?.create({ title: `engine ${fails}` })
          await db
            .insertInto("posts")
            .values(insertPost(`sql ${fails}`))
            .execute()
          if (fails) throw new Error("no")
          return "done"
        }),
      )
    const routes = { good: both(false), bad: both(true) }
    await using app = await testApp({ resources, routes, config: { db: { maxConnections: 1 } } })

    const answers = [await post(app, "/bad"), await post(app, "/good")]

    expect(answers.map(({ status, body }) => [status, body.error?.code ?? body])).toEqual([
      [500, "INTERNAL_SERVER_ERROR"],
      [200, "done"],
    ])
    expect(await titles(app)).toEqual(["engine false", "sql false"])
  })

  test("a write that is refused can be caught, and the rest is stored", async () => {
    const caught = run(({ transaction }) =>
      transaction(async ({ asSystem }) => {
        const { collections } = asSystem()
        const first = await collections["posts"]?.create({ title: "first" })
        const refused = await collections["posts"]?.create({ title: "first" }).catch(({ code }) => code)
        const second = await collections["posts"]?.create({ title: "second" })
        const clash = { id: String(second?.["id"]), data: { title: "first" } }
        return [first?.["title"], refused, await collections["posts"]?.updateById(clash).catch(({ code }) => code)]
      }),
    )
    await using app = await testApp({ resources, routes: { caught } })

    const { body } = await post(app, "/caught")

    expect(body).toEqual(["first", "CONFLICT", "CONFLICT"])
    expect(await titles(app)).toEqual(["first", "second"])
  })

  test("one within another can fail alone", async () => {
    const nested = run(({ transaction }) =>
      transaction(async (outer) => {
        await outer.asSystem().collections["posts"]?.create({ title: "outer" })
        await outer
          .transaction(async (inner) => {
            await inner.asSystem().collections["posts"]?.create({ title: "inner" })
            throw new Error("no")
          })
          .catch(() => {})
      }),
    )
    await using app = await testApp({ resources, routes: { nested } })

    await post(app, "/nested")

    expect(await titles(app)).toEqual(["outer"])
  })
})

describe("db", () => {
  test("reads the values that the driver gives, by name", async () => {
    const read = run(async ({ db }) => {
      const row = await db
        .selectFrom("posts")
        .select(["title", "views", "price", "at", "meta"])
        .executeTakeFirstOrThrow()
      return { ...row, types: Object.values(row).map((value) => (value instanceof Date ? "Date" : typeof value)) }
    })
    await using app = await testApp({ resources, routes: { read } })
    const data = { title: "one", views: 2n ** 60n, price: "1.50", at: new Date(5), meta: { a: [1] } }
    await app.app.system.collections["posts"]?.create(data)

    // The third time, the statement is a prepared one, and its columns are not described again.
    const answers = [
      await post(app, "/read"),
      await post(app, "/read"),
      await post(app, "/read"),
      await post(app, "/read"),
    ]

    for (const { body } of answers) {
      expect(body).toEqual({
        title: "one",
        views: String(2n ** 60n),
        price: "1.50",
        at: new Date(5).toISOString(),
        meta: { a: [1] },
        types: ["string", "bigint", "string", "Date", "object"],
      })
    }
  })

  test("reaches the tables of links, whose names hold points in the database", async () => {
    const tags = collection("tags").fields(({ f }) => ({ name: f.text() }))
    const letters = collection("letters").fields(({ f }) => ({
      tags: f.relation("tags").manyToMany({ through: "tagging" }),
      others: f.relation("tags").manyToMany(),
    }))
    const read = run(async ({ db }) => {
      const through = await db
        .selectFrom("tagging_links")
        .innerJoin("tags", "tags.id", "tagging_links.tags_id")
        .select(["tags.name", "tagging_links.letters_id as letter"])
        .execute()
      const others = await db.selectFrom("letters_others_tags_links as links").select("links.tags_id as tag").execute()
      return { through, others }
    })
    await using app = await testApp({ resources: [tags, letters], routes: { read } })
    const tag = await app.app.system.collections["tags"]?.create({ name: "archive" })
    const letter = await app.app.system.collections["letters"]?.create({ tags: [tag?.["id"]], others: [tag?.["id"]] })

    const answer = await post(app, "/read")

    expect(answer.body).toEqual({
      through: [{ name: "archive", letter: letter?.["id"] }],
      others: [{ tag: tag?.["id"] }],
    })
  })

  test("counts what it writes, and a broken rule of the database is the caller's to hear", async () => {
    const routes = {
      write: run(async ({ db }) => {
        await db.insertInto("posts").values(insertPost("one")).execute()
        const updated = await db
          .updateTable("posts")
          .set({ title: "two" })
          .where("title", "=", "one")
          .executeTakeFirst()
        return updated.numUpdatedRows
      }),
      again: run(({ db }) => db.insertInto("posts").values(insertPost("two")).execute()),
    }
    await using app = await testApp({ resources, routes })

    const answers = [await post(app, "/write"), await post(app, "/again")]

    expect(answers[0]?.body).toBe("1")
    expect(answers[1]?.body.error).toMatchObject({ code: "CONFLICT", fieldErrors: [{ path: "title" }] })
  })

  test.each([10, 1])(
    "its transactions commit and roll back, also within ours, with a pool of %i",
    async (maxConnections) => {
      const insert =
        (title: string, fails = false) =>
        async ({ db }: HandlerContext) => {
          await db.transaction().execute(async (inner: HandlerContext["db"]) => {
            await inner.insertInto("posts").values(insertPost(title)).execute()
            await inner.selectFrom("posts").selectAll().execute()
            if (fails) throw new Error("no")
          })
        }
      const routes = {
        alone: run(insert("alone")),
        fails: run(insert("fails", true)),
        within: run(({ transaction }) =>
          transaction(async (inner) => {
            await insert("within")(inner)
            await insert("lost", true)(inner).catch(() => {})
            await inner.db.insertInto("posts").values(insertPost("after")).execute()
          }),
        ),
        "rolled-back": run(({ transaction }) =>
          transaction(async (inner) => {
            await insert("never")(inner)
            throw new Error("no")
          }),
        ),
      }
      await using app = await testApp({ resources, routes, config: { db: { maxConnections } } })

      const answers = []
      for (const path of Object.keys(routes)) answers.push((await post(app, `/${path}`)).status)

      expect(answers).toEqual([200, 500, 200, 500])
      expect(await titles(app)).toEqual(["after", "alone", "within"])
    },
  )

  test("a transaction may be begun and ended by hand, with its isolation level", async () => {
    const manual = run(async ({ db }) => {
      const kept = await db.startTransaction().setIsolationLevel("serializable").execute()
      const { rows } = await sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(
        kept,
      )
      await kept.insertInto("posts").values(insertPost("kept")).execute()
      await kept.commit().execute()
      const dropped = await db.startTransaction().execute()
      await dropped.insertInto("posts").values(insertPost("dropped")).execute()
      await dropped.rollback().execute()
      return rows
    })
    await using app = await testApp({ resources, routes: { manual } })

    const answer = await post(app, "/manual")

    expect(answer.body).toEqual([{ level: "serializable" }])
    expect(await titles(app)).toEqual(["kept"])
  })

  test("a transaction that cannot begin leaves nothing open", async () => {
    const routes = {
      refused: run(({ transaction }) =>
        transaction(async ({ db }) => {
          await sql`select 1`.execute(db)
          await db
            .transaction()
            .setIsolationLevel("serializable")
            .execute(() => Promise.resolve())
        }),
      ),
      next: run(async ({ db }) => (await sql`select 1 as one`.execute(db)).rows),
    }
    await using app = await testApp({ resources, routes, config: { db: { maxConnections: 1 } } })

    const answers = [await post(app, "/refused"), await post(app, "/next")]

    expect(answers.map(({ status }) => status)).toEqual([500, 200])
  })

  test("closing it closes nothing of the app, and streaming says what to do instead", async () => {
    const routes = {
      destroy: run(({ db }) => db.destroy()),
      read: run(async ({ db }) => (await sql`select 1 as one`.execute(db)).rows),
      stream: run(async ({ db }) => {
        for await (const row of db.selectFrom("posts").selectAll().stream()) return row
      }),
    }
    await using app = await testApp({ resources, routes })

    const answers = [await post(app, "/destroy"), await post(app, "/read"), await post(app, "/stream")]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 500])
    expect(errorOf(app)).toContain("db cannot stream rows. Read them in pages")
    expect((await app.fetch("/posts", { session: ann })).status).toBe(200)
  })
})

describe("touch", () => {
  test("records the change in the same transaction", async () => {
    const touching = (fails: boolean) =>
      run(({ transaction }) =>
        transaction(async ({ db, touch }) => {
          const { id } = await db
            .insertInto("posts")
            .values(insertPost("one"))
            .returning("id")
            .executeTakeFirstOrThrow()
          await touch("posts", String(id))
          await touch("settings")
          if (fails) throw new Error("no")
          return id
        }),
      )
    await using app = await testApp({ resources, routes: { good: touching(false), bad: touching(true) } })

    await post(app, "/bad")
    const { body: id } = await post(app, "/good")

    const changes = await app.database.query(
      "select resource_kind, resource, record, kind from _kit_changes order by xid, id",
    )
    expect(changes).toEqual([
      { resource_kind: "collection", resource: "posts", record: id, kind: "update" },
      { resource_kind: "global", resource: "settings", record: "00000000-0000-7000-8000-000000000000", kind: "update" },
    ])
  })

  test.each([
    ["postz", [ann.user.id], 'There is no collection or global "postz" to touch. Did you mean "posts"?'],
    ["posts", ["one"], 'touch("posts", ids) takes the ids of records; "one" is not an id.'],
  ])("%s %j is refused in words", async (name, ids, message) => {
    await using app = await testApp({ resources, routes: { bad: run(({ touch }) => touch(name, ids)) } })

    const answer = await post(app, "/bad")

    expect(answer.status).toBe(500)
    expect(errorOf(app)).toContain(message)
  })
})

function errorOf(app: TestApp): string {
  return inspect(app.logged.at(-1))
}
