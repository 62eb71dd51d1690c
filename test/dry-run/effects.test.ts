import { setImmediate } from "node:timers/promises"
import {
  type Collection,
  channel,
  collection,
  email,
  type HandlerContext,
  type Hooks,
  job,
  type Mail,
  route,
} from "kit"
import { service } from "kit/services"
import { expect, test, vi } from "vitest"
import { z } from "zod"
import type { KeyValueStore } from "../../packages/kit/src/ports/key-value-store.ts"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const everyone = { read: true, create: true, update: true, delete: true, transition: true, drafts: true } as const

function notes(hooks: Hooks = {}): Collection {
  return collection("notes")
    .fields(({ f }) => ({ title: f.text().required() }))
    .access(everyone)
    .hooks(hooks)
}

const log = collection("log")
  .fields(({ f }) => ({ text: f.text().unique() }))
  .options({ workflow: true, versions: true, softDelete: true })
  .access(everyone)

/** Creates a note in a dry run, and checks that nothing in the database has changed. */
async function dryCreate(app: TestApp, body: object = { title: "dry" }) {
  const before = await fingerprint(app)
  const answer = await app.fetch("/notes?dryRun=true", { method: "POST", body: JSON.stringify(body) })
  expect(await fingerprint(app)).toEqual(before)
  return answer
}

function create(app: TestApp, body: object = { title: "real" }) {
  return app.fetch("/notes", { method: "POST", body: JSON.stringify(body) })
}

test("all that hooks write is rolled back, and they can read it until then", async () => {
  const seen: unknown[] = []
  const hooks: Hooks = {
    beforeChange: async ({ collections, asSystem, transaction, db }) => {
      const before = await collections["log"]?.create({ text: "before" }, { stage: "published" })
      await asSystem().collections["log"]?.create({ text: "as the system" })
      await transaction((inner) => inner.collections["log"]?.create({ text: "in a transaction" }) ?? Promise.reject())
      await db.updateTable("log").set({ text: "by SQL" }).where("text", "=", "in a transaction").execute()
      await collections["log"]?.deleteById({ id: String(before?.["id"]) })
    },
    afterChange: async ({ collections, touch, row }) => {
      const { docs } = (await collections["log"]?.find({ orderBy: { text: "asc" } })) ?? { docs: [] }
      seen.push(docs.map((entry) => entry["text"]))
      const [first] = docs
      const scheduledAt = new Date(Date.now() + 3_600_000)
      await collections["log"]?.transitionStage({ id: String(first?.["id"]), stage: "published", scheduledAt })
      await touch("notes", String(row["id"]))
    },
  }
  await using app = await testApp({ resources: [notes(hooks), log] })

  const answer = await dryCreate(app)

  expect(answer).toMatchObject({ status: 200, body: { title: "dry" } })
  expect(seen).toEqual([["as the system", "by SQL"]])
})

test("a dry run starts no job, sends no mail and no event, and runs nothing after the commit", async () => {
  const done: string[] = []
  const write = job({
    name: "write",
    schema: z.object({ text: z.string() }),
    handler: ({ payload }) => void done.push(`job ${payload.text}`),
  })
  const greeting = email({
    name: "greeting",
    schema: z.object({ title: z.string() }),
    handler: ({ input }) => {
      done.push(`rendered ${input.title}`)
      return { subject: "Hello", html: `<p>${input.title}</p>` }
    },
  })
  const send = (mail: Mail) => Promise.resolve(void done.push(`mail ${mail.subject}`))
  const room = channel("room")
    .events({ said: z.object({ text: z.string() }) })
    .access({ subscribe: true })
  const hooks: Hooks = {
    afterChange: async ({ row, queue, email, channels, onAfterCommit }) => {
      const title = String(row["title"])
      await queue["write"]?.publish({ text: title })
      await email.sendTemplate({ template: "greeting", to: "ann@x.test", input: { title } })
      await email.send({ to: "ann@x.test", subject: `Note ${title}`, html: "<p>Note</p>" })
      await channels["room"]?.publish({ event: "said", data: { text: title } })
      onAfterCommit(() => done.push(`committed ${title}`))
    },
  }
  await using app = await testApp({
    resources: [notes(hooks)],
    jobs: { write },
    emails: { greeting },
    channels: { room },
    config: { email: { from: "news@x.test", transport: { send } } },
  })

  const dry = await dryCreate(app)
  const afterDry = [...done]
  await create(app)
  await vi.waitFor(() => expect(done).toContain("job real"), WAIT)
  await vi.waitFor(() => expect(done).toContain("mail Note real"), WAIT)

  expect(dry.status).toBe(200)
  expect(afterDry).toEqual(["rendered dry"])
  expect(done).not.toContain("job dry")
  expect(done).toContain("committed real")
})

test.each<[string, (context: HandlerContext) => unknown]>([
  ["a job's payload", ({ queue }) => queue["write"]?.publish({ text: 7 })],
  ["a mail's address", ({ email }) => email.send({ to: "nobody", subject: "x", html: "x" })],
  ["an event's data", ({ channels }) => channels["room"]?.publish({ event: "said", data: 7 })],
])("a dry run checks %s as the write does", async (_name, work) => {
  const write = job({ name: "write", schema: z.object({ text: z.string() }), handler: () => {} })
  const room = channel("room")
    .events({ said: z.object({ text: z.string() }) })
    .access({ subscribe: true })
  const afterChange = async (context: HandlerContext) => void (await work(context))
  await using app = await testApp({ resources: [notes({ afterChange })], jobs: { write }, channels: { room } })

  const dry = await dryCreate(app)
  const real = await create(app)

  expect(real.status).toBeGreaterThanOrEqual(400)
  expect(dry.status).toBe(real.status)
  expect(dry.body.error.fieldErrors).toEqual(real.body.error.fieldErrors)
})

/** A key-value store outside of the database, as Redis is. */
function storeOutside(): KeyValueStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    get: async (key) => values.get(key),
    set: async (key, json) => void values.set(key, json),
    delete: async (key) => values.delete(key),
    has: async (key) => values.has(key),
    increment: (key, by) => {
      const sum = Number(values.get(key) ?? 0) + by
      values.set(key, String(sum))
      return Promise.resolve(sum)
    },
  }
}

test.each(["in the database", "outside of it"])("a dry run changes no value of a store %s", async (place) => {
  const seen: unknown[] = []
  const hooks: Hooks = {
    beforeChange: async ({ kv, asSystem }) => {
      await Promise.all([kv.increment("count", 2), kv.increment("count", 3)])
      await kv.set("new", { a: 1 })
      seen.push(await kv.delete("old"), await asSystem().kv.get("old"))
    },
    afterChange: async ({ kv }) => {
      seen.push(await kv.get("count"), await kv.get("new"), await kv.has("old"), await kv.has("never"))
      await kv.increment("new").catch(() => seen.push("not a number"))
    },
  }
  const driver = storeOutside()
  const config = place === "in the database" ? {} : { kv: { driver } }
  await using app = await testApp({ resources: [notes(hooks)], config })
  const { kv } = app.app
  await kv.set("count", 10)
  await kv.set("old", true)

  await dryCreate(app)
  const second = await dryCreate(app)

  const once = [true, undefined, 15, { a: 1 }, false, false, "not a number"]
  expect(second.status).toBe(200)
  expect(seen).toEqual([...once, ...once])
  expect([await kv.get("count"), await kv.get("old"), await kv.has("new")]).toEqual([10, true, false])
  if (place !== "in the database") expect([...driver.values.keys()]).toEqual(["count", "old"])
})

test("all code of a dry run can tell that it is one, and code of a write that it is none", async () => {
  const seen: unknown[] = []
  const tell = (who: string) => (context: HandlerContext) => void seen.push(`${who} ${context.dryRun}`)
  const mood = service({ lifecycle: "request", create: ({ dryRun }) => ({ isDry: dryRun }) })
  const told = collection("notes")
    .fields(({ f }) => ({
      title: f.text().required(),
      slug: f.text().default((context) => {
        tell("default")(context)
        return "slug"
      }),
    }))
    .access({
      ...everyone,
      create: (context) => {
        tell("rule")(context)
        return true
      },
    })
    .hooks({
      beforeValidate: tell("beforeValidate"),
      beforeChange: async (context) => {
        tell("beforeChange")(context.asSystem())
        await context.transaction(async (inner) => tell("transaction")(inner))
        seen.push(`service ${(context as unknown as { told: { isDry: boolean } }).told.isDry}`)
      },
      afterChange: tell("afterChange"),
      afterRead: tell("afterRead"),
    })
  await using app = await testApp({ resources: [told], services: { told: mood } })

  await dryCreate(app)
  const dry = seen.splice(0)
  await create(app)

  expect(new Set(dry.map(String).map((text) => text.split(" ")[1]))).toEqual(new Set(["true"]))
  expect(dry).toContain("rule true")
  expect(dry).toContain("default true")
  expect(seen).toEqual(dry.map((text) => String(text).replace("true", "false")))
})

test("inside a transaction of the author, only the dry run is rolled back", async () => {
  const committed: string[] = []
  const hooks: Hooks = {
    afterChange: ({ row, onAfterCommit }) => onAfterCommit(() => committed.push(String(row["title"]))),
  }
  const both = route().handler(({ transaction }) =>
    transaction(async ({ collections, dryRun }) => {
      const notes = collections["notes"]
      const kept = await notes?.create({ title: "kept" })
      const dry = await notes?.updateById({ id: String(kept?.["id"]), data: { title: "dry" } }, { dryRun: true })
      const failed = await notes?.create({ title: 7 }, { dryRun: true }).catch(() => "failed")
      const { docs } = (await notes?.find()) ?? { docs: [] }
      return { dry: dry?.["title"], failed, dryRun, titles: docs.map((note) => note["title"]) }
    }),
  )
  await using app = await testApp({ resources: [notes(hooks)], routes: { both } })

  const { body } = await app.fetch("/both", { method: "POST" })

  expect(body).toEqual({ dry: "dry", failed: "failed", dryRun: false, titles: ["kept"] })
  expect(await app.client().collections["notes"].find()).toMatchObject({ docs: [{ title: "kept" }] })
  expect(committed).toEqual(["kept"])
})

test("a dry run fails where the commit of the write would fail", async () => {
  await using app = await testApp({ resources: [notes()] })
  await app.database.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = '23514'; end $$;
    create constraint trigger refuse after insert on notes
      deferrable initially deferred for each row when (new.title = 'late') execute function refuse()`)

  const dry = await dryCreate(app, { title: "late" })
  const real = await create(app, { title: "late" })

  expect(real.status).toBeGreaterThanOrEqual(400)
  expect(dry.status).toBe(real.status)
})

test("a hook that catches the error of a statement fails the dry run as it fails the write", async () => {
  const hooks: Hooks = {
    beforeChange: async ({ db }) => {
      await db
        .insertInto("log")
        .values({ id: "not an id", text: "x", stage: "draft" })
        .execute()
        .catch(() => undefined)
    },
  }
  await using app = await testApp({ resources: [notes(hooks), log] })

  const dry = await dryCreate(app)
  const real = await create(app)

  expect([dry.status, real.status]).toEqual([500, 500])
})

test("work that a hook has not awaited ends before the dry run does", async () => {
  const outcomes: unknown[] = []
  const hooks: Hooks = {
    afterChange: ({ collections }) => {
      const later = collections["log"]?.create({ text: "late" })
      void later?.then(
        () => outcomes.push("created"),
        () => outcomes.push("failed"),
      )
    },
  }
  await using app = await testApp({ resources: [notes(hooks), log] })

  const dry = await dryCreate(app)
  await setImmediate()

  expect(dry.status).toBe(200)
  expect(outcomes).toEqual(["created"])
})

test("rules and hooks can continue after an operation that failed", async () => {
  const ruled = collection("notes")
    .fields(({ f }) => ({ title: f.text().required() }))
    .access({
      ...everyone,
      create: async ({ asSystem }) => {
        await asSystem()
          .collections["log"]?.create({ text: "taken" })
          .catch(() => undefined)
        return true
      },
    })
  await using app = await testApp({ resources: [ruled, log] })
  await app.client().collections["log"].create({ text: "taken" })

  expect(await dryCreate(app)).toMatchObject({ status: 200 })
  expect(await create(app)).toMatchObject({ status: 201 })
})

test("a live query hears of the write, and not of its dry run", async () => {
  await using app = await testApp({ resources: [notes()] })
  const client = app.client()
  const pages: unknown[] = []
  client.collections["notes"].live({}, ({ docs }: { docs: { title: string }[] }) =>
    pages.push(docs.map(({ title }) => title)),
  )
  await vi.waitFor(() => expect(pages).toEqual([[]]), WAIT)

  await dryCreate(app)
  await create(app)
  await vi.waitFor(() => expect(pages.at(-1)).toEqual(["real"]), WAIT)
  client.realtime.destroy()

  expect(pages).toEqual([[], ["real"]])
  expect(await app.database.query(`select 1 from "_kit_changes"`)).toHaveLength(1)
})
