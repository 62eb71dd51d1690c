// @module-tag installed-postgres
// @module-tag not-about-shortcuts

import { collection, createApp, type Job, type JobContext, job, route } from "kit"
import { service } from "kit/services"
import { describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 5 }
const ann = { user: { id: "ann", role: "editor" } }

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(200).required(), owner: f.text(60) }))
  .access({ read: ({ session }) => session !== null && { owner: session.user.id }, create: true })

/** A job that passes its context to `work`, and records its input. */
function noteJob(work: (context: JobContext<{ text: string }>) => unknown = () => {}, options = {}) {
  const given: string[] = []
  const declared = job({
    name: "note",
    schema: z.object({ text: z.string() }),
    options: { retryLimit: 1, retryDelay: 0, ...options },
    handler: (context) => {
      given.push(context.payload.text)
      return work(context)
    },
  })
  return { given, jobs: { note: declared } }
}

// Without the hourly jobs of the framework, which may run during any test.
const storedJobs = (app: TestApp) =>
  app.database.query(
    `select name, state, attempts, error, published_by from "_kit_jobs" where name not like 'kit.%' order by id`,
  )
const storedNotes = async (app: TestApp) =>
  (await app.database.query("select text from notes order by text")).map((row) => row["text"])
const untilDone = (app: TestApp) => vi.waitFor(async () => expect(await storedJobs(app)).toEqual([]), WAIT)
const post = (app: TestApp, path: string, body: object = {}, session?: typeof ann) =>
  app.fetch(path, { method: "POST", body: JSON.stringify(body), ...(session && { session }) })

test("a job published in a transaction runs after its commit, and never if that does not come", async () => {
  const { given, jobs } = noteJob()
  const publish = route()
    .schema(z.object({ text: z.string(), isFailing: z.boolean() }))
    .handler(({ input, transaction }) =>
      transaction(async ({ queue, collections }) => {
        const published = await queue["note"]?.publish({ text: input.text })
        await collections["notes"]?.create({ text: input.text })
        if (input.isFailing) throw new Error("no")
        return { published, before: [...given] }
      }),
    )
  await using app = await testApp({ resources: [notes], routes: { publish }, jobs })

  const failed = await post(app, "/publish", { text: "lost", isFailing: true })
  const done = await post(app, "/publish", { text: "kept", isFailing: false })
  await vi.waitFor(() => expect(given).toHaveLength(1), WAIT)
  await untilDone(app)

  expect([failed.status, done.status]).toEqual([500, 200])
  expect(done.body).toEqual({ published: { id: expect.stringMatching(/^[\da-f-]{36}$/) }, before: [] })
  expect(given).toEqual(["kept"])
  expect(await storedNotes(app)).toEqual(["kept"])
})

test("a hook publishes as part of the write that it belongs to", async () => {
  const { given, jobs } = noteJob()
  const hooked = notes.hooks({
    afterChange: [
      async ({ queue, row }) => void (await queue["note"]?.publish({ text: String(row["text"]) })),
      ({ row }) => {
        if (row["text"] === "refused") throw new Error("no")
      },
    ],
  })
  await using app = await testApp({ resources: [hooked], jobs })

  const answers = [await post(app, "/notes", { text: "refused" }), await post(app, "/notes", { text: "written" })]
  await vi.waitFor(() => expect(given).toHaveLength(1), WAIT)

  expect(answers.map(({ status }) => status)).toEqual([500, 201])
  expect(given).toEqual(["written"])
})

test("a job that throws is tried again, then failed and kept, with its error", async () => {
  const { given, jobs } = noteJob(({ attempt, logger }) => {
    logger.info("trying")
    throw new Error(`broken ${attempt}`)
  })
  await using app = await testApp({ resources: [notes], jobs })

  const { id } = (await app.app.queue["note"]?.publish({ text: "a" })) ?? {}
  await vi.waitFor(async () => expect(await storedJobs(app)).toMatchObject([{ state: "failed" }]), WAIT)

  expect(given).toEqual(["a", "a"])
  expect(await storedJobs(app)).toMatchObject([
    { name: "note", attempts: 2, error: expect.stringMatching(/^Error: broken 2\n/), published_by: null },
  ])
  const lines = app.logged.filter(({ message }) => message === "trying")
  expect(lines.map(({ fields }) => fields)).toEqual(Array(2).fill({ job: "note", jobId: id }))
})

describe("the transaction of a job", () => {
  test("commits its writes and its jobs together with the end of the job, and none of them for a try that throws", async () => {
    const { given, jobs } = noteJob(({ payload, attempt, transaction }) =>
      transaction(async ({ collections, queue }) => {
        await collections["notes"]?.create({ text: `${payload.text} ${attempt}` })
        if (payload.text === "first") await queue["note"]?.publish({ text: "second" })
        if (payload.text === "first" && attempt === 1) throw new Error("once")
      }),
    )
    await using app = await testApp({ resources: [notes], jobs })

    await app.app.queue["note"]?.publish({ text: "first" })
    await vi.waitFor(() => expect(given).toHaveLength(3), WAIT)
    await untilDone(app)

    expect(given).toEqual(["first", "first", "second"])
    expect(await storedNotes(app)).toEqual(["first 2", "second 1"])
  })

  test("opens once, under whatever rights; after it the job is done", async () => {
    const errors: unknown[] = []
    const { given, jobs } = noteJob(async ({ asSystem, transaction }) => {
      await asSystem().transaction(async ({ collections }) => collections["notes"]?.create({ text: "once" }))
      await transaction(async () => {}).catch((error: unknown) => errors.push(error))
      throw new Error("too late to be tried again")
    })
    await using app = await testApp({ resources: [notes], jobs })

    await app.app.queue["note"]?.publish({ text: "a" })
    await vi.waitFor(() => expect(errors).toHaveLength(1), WAIT)
    await untilDone(app)

    expect(String(errors[0])).toContain('Job "note" opened a second transaction')
    expect(given).toEqual(["a"])
    expect(await storedNotes(app)).toEqual(["once"])
    expect(app.logged.map(({ message }) => message)).toContain("A job threw after its transaction had committed.")
  })

  test("is not that of a hook that a write of the job runs", async () => {
    const hooked = notes.hooks({
      afterChange: ({ transaction, row }) =>
        transaction(async ({ kv }) => void (await kv.set(String(row["text"]), true))),
    })
    const { jobs } = noteJob(async ({ payload, collections, transaction }) => {
      await collections["notes"]?.create(payload)
      await transaction(async (inner) => void (await inner.collections["notes"]?.create({ text: "b" })))
    })
    await using app = await testApp({ resources: [hooked], jobs })

    await app.app.queue["note"]?.publish({ text: "a" })
    await vi.waitFor(async () => expect(await storedNotes(app)).toEqual(["a", "b"]), WAIT)

    expect(await app.app.kv.has("b")).toBe(true)
  })
})

test("a job is system code, knows who published it, and can act as them", async () => {
  const seen: unknown[] = []
  const { jobs } = noteJob(async ({ payload, session, publishedBy, asUser, collections, queue }) => {
    const own = publishedBy === null ? null : await asUser(publishedBy)
    seen.push([
      payload.text,
      session,
      publishedBy,
      await collections["notes"]?.count(),
      await own?.collections["notes"]?.count(),
    ])
    if (payload.text === "first") await queue["note"]?.publish({ text: "by the job" })
    if (payload.text === "first") await own?.queue["note"]?.publish({ text: "as the user" })
  })
  const publish = route().handler(({ queue }) => queue["note"]?.publish({ text: "first" }))
  const load = (id: string) => Promise.resolve(id === "ann" ? ann : null)
  await using app = await testApp({
    ...{ resources: [notes], routes: { publish }, jobs },
    config: { queue: { concurrency: 1 }, sessions: { ...sessions, load } },
  })
  for (const owner of ["ann", "bob"]) await app.app.system.collections["notes"]?.create({ text: owner, owner })

  await post(app, "/publish", {}, ann)
  await vi.waitFor(() => expect(seen).toHaveLength(3), WAIT)

  expect(seen).toEqual([
    ["first", null, "ann", 2, 1],
    ["by the job", null, null, 2, undefined],
    ["as the user", null, "ann", 2, 1],
  ])
})

test("services that are made for a request live as long as the run", async () => {
  const events: string[] = []
  const desk = service({
    lifecycle: "request",
    create: () => ({ note: (text: string) => void events.push(text) }),
    dispose: () => void events.push("disposed"),
  })
  const { jobs } = noteJob(async (context) => {
    // The types of an app without generated code do not declare its services.
    const { desk, transaction } = context as typeof context & { desk: { note(text: string): void } }
    desk.note("made")
    await transaction(async () => {})
    desk.note("still there")
  })
  await using app = await testApp({ services: { desk }, jobs })

  await app.app.queue["note"]?.publish({ text: "a" })
  await vi.waitFor(() => expect(events).toHaveLength(3), WAIT)

  expect(events).toEqual(["made", "still there", "disposed"])
})

test("a job waits for its time, and of those with one key one waits", async () => {
  const { given, jobs } = noteJob()
  await using app = await testApp({ jobs })
  const options = { startAfter: 3600, singletonKey: "k", priority: 5 }

  const first = await app.app.queue["note"]?.publish({ text: "later" }, options)
  const second = await app.app.queue["note"]?.publish({ text: "later" }, options)

  expect(second).toEqual(first)
  expect(await storedJobs(app)).toMatchObject([{ state: "scheduled" }])
  expect(given).toEqual([])
})

test("a name that is no job says which is meant", async () => {
  const publish = route().handler(({ queue }) => queue["noet"]?.publish({}))
  await using app = await testApp({ routes: { publish }, jobs: noteJob().jobs })

  const answer = await post(app, "/publish")

  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toContain("noet")
  expect(() => app.app.queue["noet"]).toThrow('There is no job "noet". Did you mean "note"?')
})

describe("99: a payload that is refused", () => {
  test.each([
    ["does not fit the schema", '{"text":7}'],
    ["reaches for the prototype", '{"text":"a","more":{"__proto__":{"x":1}}}'],
    ["has ten megabytes", JSON.stringify({ text: "x".repeat(10 * 1024 * 1024) })],
  ])("because it %s is not stored, and no handler sees it", async (_reason, payload) => {
    const { given, jobs } = noteJob()
    const publish = route().handler(async ({ queue }) => {
      await queue["note"]?.publish(JSON.parse(payload))
    })
    await using app = await testApp({ routes: { publish }, jobs })

    const answer = await post(app, "/publish")

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(await storedJobs(app)).toEqual([])
    expect(given).toEqual([])
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
  })
})

test("the framework's own jobs forget old changes and expired values", async () => {
  await using app = await testApp({ resources: [notes], jobs: {} })
  const { database } = app
  await app.app.stopWorker()
  await app.app.system.collections["notes"]?.create({ text: "old" })
  await database.query(
    `update "_kit_change_marks" set snapshot = pg_current_snapshot(), set_at = now() - interval '1 minute'`,
  )
  await app.app.system.collections["notes"]?.create({ text: "new" })
  await app.app.kv.set("brief", 1, { ttl: 0.001 })
  await database.query(`update "_kit_cron" set last_at = last_at - interval '2 hours'`)

  await app.app.startWorker()

  const rest = () =>
    database.query(
      `select (select count(*)::int from "_kit_changes") changes, (select count(*)::int from "_kit_kv") kv`,
    )
  await vi.waitFor(async () => expect(await rest()).toEqual([{ changes: 1, kv: 0 }]), WAIT)
  expect(await database.query(`select name from "_kit_cron" order by name`)).toEqual([
    { name: "kit.prune-changes" },
    { name: "kit.sweep-files" },
    { name: "kit.sweep-kv" },
  ])
})

test("jobs wait where no worker runs, until one is started", async () => {
  const { given, jobs } = noteJob()
  await using app = await testApp({ jobs })
  await app.app.stopWorker()

  await app.app.queue["note"]?.publish({ text: "a" })
  const waiting = await storedJobs(app)
  await app.app.startWorker()
  await untilDone(app)

  expect(waiting).toMatchObject([{ state: "waiting" }])
  expect(given).toEqual(["a"])
})

test("a stop waits for the jobs that are under way", async () => {
  let finish = () => {}
  const begun = vi.fn()
  const { jobs } = noteJob(async ({ transaction }) => {
    begun()
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    await transaction(async ({ collections }) => collections["notes"]?.create({ text: "finished" }))
  })
  await using app = await testApp({ resources: [notes], jobs })
  await app.app.queue["note"]?.publish({ text: "a" })
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), WAIT)

  const stopped = app.app.stopWorker()
  finish()
  await stopped

  expect(await storedNotes(app)).toEqual(["finished"])
  expect(await storedJobs(app)).toEqual([])
})

test("at the stop of an app jobs end before the services that they use", async () => {
  const events: string[] = []
  const begun = vi.fn()
  const press = service({
    lifecycle: "singleton",
    create: () => ({ print: (text: string) => void events.push(text) }),
    dispose: () => void events.push("disposed"),
  })
  const { jobs } = noteJob(async (context) => {
    // The types of an app without generated code do not declare its services.
    const { press, collections } = context as typeof context & { press: { print(text: string): void } }
    press.print("begun")
    begun()
    for (const text of ["a", "b", "c", "d"]) await collections["notes"]?.create({ text })
    press.print("finished")
  })
  {
    await using app = await testApp({ resources: [notes], services: { press }, jobs })
    await app.app.queue["note"]?.publish({ text: "a" })
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), WAIT)
  }

  expect(events).toEqual(["begun", "finished", "disposed"])
})

test("all that is wrong with jobs is told at once", async () => {
  const task = (name: string): Job => job({ name, schema: z.object({}), handler: () => {} })
  const source = (file: string, key: string, name: string) => ({ file, key, definition: task(name).definition })
  const started = createApp({
    ...{ resources: [], root: "/nowhere" },
    jobs: [
      source("jobs/a.ts", "a", "same"),
      source("jobs/b.ts", "b", "same"),
      source("x/jobs/a.ts", "a", "other"),
      source("jobs/c.ts", "c", "kit.prune-changes"),
      source("jobs/1st.ts", "1st", "first"),
      source("jobs/then.ts", "then", "then"),
    ],
    // A value that JavaScript allows.
    config: { queue: { concurrency: 0, worker: "no" as never } },
  })

  await expect(started).rejects.toThrow(
    [
      'kit.config.ts: the setting "queue.concurrency" must be a whole number from 1 to 1000.',
      'kit.config.ts: the setting "queue.worker" must be true or false.',
      'jobs/b.ts: the job in jobs/a.ts is called "same" too. Give each a name of its own: stored jobs are identified by it.',
      'x/jobs/a.ts: job "a" is already declared in jobs/a.ts. Rename one of the files.',
      'jobs/c.ts: the name "kit.prune-changes" starts with "kit.", as the jobs of the framework do. Choose another.',
      'jobs/1st.ts: a job in queue is named after its file, and "1st" is not a name. Use letters, digits and _, starting with a letter.',
      'jobs/then.ts: a job in queue is named after its file, and the name "then" belongs to promises. Rename the file.',
    ].join("\n"),
  )
})
