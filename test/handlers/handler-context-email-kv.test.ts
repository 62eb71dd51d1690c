import { collection, email, escapeHtml, type HandlerContext, type Mail, route } from "kit"
import { service } from "kit/services"
import { expect, test } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const invite = email({
  name: "invite",
  schema: z.object({ from: z.string() }),
  handler: ({ input }) => ({ subject: "Join us", html: `<p>${escapeHtml(input.from)} invites you.</p>` }),
})

function run(work: (context: HandlerContext) => unknown) {
  return route().handler(work)
}

const post = (app: TestApp, path: string, body: object = {}) =>
  app.fetch(path, { method: "POST", body: JSON.stringify(body) })

/** Returns a list of sent mails, and the settings that deliver into it. */
function mailbox() {
  const sent: Mail[] = []
  const send = (mail: Mail) => Promise.resolve(void sent.push(mail))
  return { sent, config: { email: { from: "news@x.test", transport: { send } } } }
}

async function keys(app: TestApp): Promise<unknown[]> {
  return (await app.database.query("select key from _kit_kv order by key")).map((row) => row["key"])
}

test("a route sends a template and a mail of its own, and keeps values", async () => {
  const { sent, config } = mailbox()
  const greet = run(async ({ email, kv }) => {
    await email.sendTemplate({ template: "invite", to: "bob@x.test", input: { from: "Ann" } })
    await email.send({ to: "desk@x.test", subject: "Invited", html: "<p>One more.</p>" })
    return { sent: sent.length, count: await kv.increment("invites", 1, { ttl: 60 }) }
  })
  await using app = await testApp({ routes: { greet }, emails: { invite }, config })

  const answers = [await post(app, "/greet"), await post(app, "/greet")]

  expect(answers.map(({ body }) => body)).toEqual([
    { sent: 2, count: 1 },
    { sent: 4, count: 2 },
  ])
  expect(sent[0]).toMatchObject({ to: ["bob@x.test"], subject: "Join us", text: "Ann invites you." })
  expect(await keys(app)).toEqual(["invites"])
})

test("a transaction that rolls back sends no mail and keeps no key; one that commits does both", async () => {
  const { sent, config } = mailbox()
  const during: unknown[] = []
  const work = route()
    .schema(z.object({ key: z.string(), isFailing: z.boolean() }))
    .handler(({ input, transaction }) =>
      transaction(async ({ email, kv }) => {
        await kv.set(input.key, true)
        await email.sendTemplate({ template: "invite", to: "bob@x.test", input: { from: input.key } })
        during.push([sent.length, await kv.has(input.key), await keys(app)])
        if (input.isFailing) throw new Error("no")
        return null
      }),
    )
  await using app = await testApp({ routes: { work }, emails: { invite }, config })

  const failed = await post(app, "/work", { key: "rolled back", isFailing: true })
  const afterFailure = [sent.length, await keys(app)]
  const done = await post(app, "/work", { key: "committed", isFailing: false })

  expect([failed.status, done.status]).toEqual([500, 200])
  expect(during).toEqual([
    [0, true, []],
    [0, true, []],
  ])
  expect(afterFailure).toEqual([0, []])
  expect(sent.map(({ text }) => text)).toEqual(["committed invites you."])
  expect(await keys(app)).toEqual(["committed"])
})

test("what a hook sends and keeps is part of its write", async () => {
  const { sent, config } = mailbox()
  const notes = collection("notes")
    .fields(({ f }) => ({ title: f.text().required() }))
    .access({ create: true, read: true })
    .hooks({
      afterChange: async ({ row, email, kv }) => {
        const title = String(row["title"])
        await kv.set(title, row["id"])
        await email.send({ to: "desk@x.test", subject: title, html: "x" })
        if (title === "bad") throw new Error("no")
      },
    })
  await using app = await testApp({ resources: [notes], config })

  const failed = await post(app, "/notes", { title: "bad" })
  const afterFailure = [sent.length, await keys(app)]
  const created = await post(app, "/notes", { title: "good" })

  expect([failed.status, created.status]).toEqual([500, 201])
  expect(afterFailure).toEqual([0, []])
  expect(sent.map(({ subject }) => subject)).toEqual(["good"])
  expect(await keys(app)).toEqual(["good"])
})

test("a rule counts with kv, and a service for the whole app sends mail after it was made", async () => {
  const { sent, config } = mailbox()
  const desk = service({
    lifecycle: "singleton",
    create: ({ email }) => ({ tell: (subject: string) => email.send({ to: "desk@x.test", subject, html: "x" }) }),
  })
  const knock = route()
    .access(async ({ kv }) => (await kv.increment("knocks", 1, { ttl: 60 })) <= 2)
    .handler(async (context) => {
      // The generated types would declare this service.
      const { desk } = context as unknown as { desk: { tell(subject: string): Promise<void> } }
      await desk.tell("Knock")
    })
  await using app = await testApp({ routes: { knock }, services: { desk }, config })

  const answers = [await post(app, "/knock"), await post(app, "/knock"), await post(app, "/knock")]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401])
  expect(sent.map(({ subject }) => subject)).toEqual(["Knock", "Knock"])
})

test("input that a template refuses fails the transaction, by path", async () => {
  const { sent, config } = mailbox()
  const work = run(({ transaction }) =>
    transaction(async ({ email, kv }) => {
      await kv.set("key", true)
      await email.sendTemplate({ template: "invite", to: "bob@x.test", input: {} })
    }),
  )
  await using app = await testApp({ routes: { work }, emails: { invite }, config })

  const answer = await post(app, "/work")

  expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "input.from" }] } } })
  expect([sent, await keys(app)]).toEqual([[], []])
})
