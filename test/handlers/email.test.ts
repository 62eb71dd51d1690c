// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { AppMistakesError, collection, createApp, email, escapeHtml, type KitConfig } from "kit"
import { expect, test } from "vitest"
import { z } from "zod"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { createMailers } from "../../packages/kit/src/features/email/mailers.ts"
import type { Mail } from "../../packages/kit/src/ports/mail-transport.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { mailApp } from "../support/worlds/mail-app.ts"

const invite = email({
  name: "invite",
  schema: z.object({ from: z.string().trim().min(1), code: z.coerce.string() }),
  handler: ({ input }) => ({
    subject: `${input.from} invites you`,
    html: `<p>${escapeHtml(input.from)} invites you.</p><p><a href="https://x.test/join?code=${input.code}">Join</a></p>`,
  }),
})

test("a template is sent with what its schema made of the input, and with a text of its own", async () => {
  await using app = await mailApp({ emails: { invite } })

  await app.email.sendTemplate({ template: "invite", to: "bob@x.test", input: { from: " Ann <3 ", code: 7 } })

  expect(app.sent).toEqual([
    {
      from: { name: "Newsroom", address: "news@x.test" },
      to: ["bob@x.test"],
      replyTo: undefined,
      subject: "Ann <3 invites you",
      html: '<p>Ann &lt;3 invites you.</p><p><a href="https://x.test/join?code=7">Join</a></p>',
      text: "Ann <3 invites you.\n\nJoin (https://x.test/join?code=7)",
    },
  ])
})

test("a template may take its time, and a mail may go to many and be answered elsewhere", async () => {
  const slow = email({
    name: "slow",
    schema: z.object({}),
    handler: () => Promise.resolve({ subject: "Later", html: "<p>Hi</p>" }),
  })
  await using app = await mailApp({ emails: { slow } })

  await app.email.sendTemplate({ template: "slow", input: {}, to: ["a@x.test", "b@y.test"], replyTo: "desk@x.test" })

  expect(app.sent[0]).toMatchObject({ to: ["a@x.test", "b@y.test"], replyTo: "desk@x.test", text: "Hi" })
})

test("a mail without a template has the text that it was given", async () => {
  await using app = await mailApp()

  await app.email.send({ to: "bob@x.test", subject: "Hi", html: "<p>Hello</p>", text: "Hello in text" })

  expect(app.sent[0]).toMatchObject({ subject: "Hi", text: "Hello in text" })
})

test("input that does not fit is refused by path, and nothing is sent", async () => {
  await using app = await mailApp({ emails: { invite } })

  const sending = app.email.sendTemplate({ template: "invite", to: "bob@x.test", input: { from: "" } })

  await expect(sending).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    fieldErrors: [{ path: "input.from" }, { path: "input.code" }],
  })
  expect(app.sent).toEqual([])
})

test("a template that does not exist, or makes no mail, is a mistake that says what to do", async () => {
  // JavaScript may return this.
  const handler = () => ({ subject: "x" }) as { subject: string; html: string }
  await using app = await mailApp({
    emails: { invite, broken: email({ name: "broken", schema: z.object({}), handler }) },
  })
  await using empty = await mailApp()

  const unknown = app.email.sendTemplate({ template: "invit", to: "a@x.test", input: {} })
  const broken = app.email.sendTemplate({ template: "broken", to: "a@x.test", input: {} })
  const none = empty.email.sendTemplate({ template: "toString", to: "a@x.test", input: {} })

  await expect(unknown).rejects.toThrow('There is no email "invit". Did you mean "invite"?')
  await expect(broken).rejects.toThrow('The email "broken" must return { subject, html }, both texts.')
  await expect(none).rejects.toThrow('There is no email "toString". Add a file to src/emails.')
})

test("a declaration that is no template says what is missing", () => {
  const schema = z.object({})
  const handler = () => ({ subject: "", html: "" })

  expect(() => email({ name: "", schema, handler })).toThrow("An email has a name")
  expect(() => email({ name: "x", schema: {} as typeof schema, handler })).toThrow("Standard Schema")
  expect(() => email({ name: "x", schema, handler: undefined as unknown as typeof handler })).toThrow(
    "function handler",
  )
  expect(Object.isFrozen(invite) && Object.isFrozen(invite.definition)).toBe(true)
})

test("mail that was sent in a transaction leaves when it commits, and never if it does not", async () => {
  const test = await transactionTest()
  const { database, mailers, sent } = test
  const mail = (subject: string) => ({ to: "a@x.test", subject, html: "x" })

  const duringCommit = await database.transaction(async (transaction) => {
    await mailers.on(transaction).send(mail("committed"))
    await transaction.transaction((inner) => mailers.on(inner).send(mail("inner")))
    const failing = transaction.transaction(async (inner) => {
      await mailers.on(inner).send(mail("rolled back to a savepoint"))
      throw new Error("caught")
    })
    await failing.catch(() => undefined)
    return sent.length
  })
  const rolledBack = database.transaction(async (transaction) => {
    await mailers.on(transaction).send(mail("rolled back"))
    throw new Error("no")
  })
  await expect(rolledBack).rejects.toThrow("no")
  await mailers.drain()

  expect(duringCommit).toBe(0)
  expect(sent.map(({ subject }) => subject)).toEqual(["committed", "inner"])
  await test[Symbol.asyncDispose]()
})

test("a bad mail fails the transaction at once; a mail server that fails later does not", async () => {
  const test = await transactionTest(() => Promise.reject(new Error("down")))
  const { database, mailers, logged } = test

  const bad = database.transaction((transaction) => mailers.on(transaction).send({ to: "x", subject: "x", html: "x" }))
  await expect(bad).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  await database.transaction((transaction) => mailers.on(transaction).send({ to: "a@x.test", subject: "x", html: "x" }))
  await mailers.drain()

  expect(logged).toEqual(["The mail to a@x.test failed."])
  await test[Symbol.asyncDispose]()
})

async function transactionTest(send?: (mail: Mail) => Promise<void>) {
  const own = await createTestDatabase()
  const database = openPostgres({ url: own.url })
  const sent: Mail[] = []
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const keep = (mail: Mail) => Promise.resolve(void sent.push(mail))
  const mailers = createMailers({
    transport: { send: send ?? keep },
    from: { address: "news@x.test" },
    emails: new Map(),
    logger: { info: log, warn: log, error: log },
  })
  const dispose = async () => {
    await database.close()
    await own.drop()
  }
  return { database, mailers, sent, logged, [Symbol.asyncDispose]: dispose }
}

test("a mail server out of reach is a 503 to the caller of an API that sends at once", async () => {
  let send = () => Promise.resolve()
  const notes = collection("notes")
    .fields(({ f }) => ({ title: f.text() }))
    .access({ create: true })
    .hooks({ beforeChange: ({ data }) => send().then(() => data) })
  const failure = Object.assign(new Error("The mail server cannot be reached."), { isTemporary: true })
  const transport = { send: () => Promise.reject(failure) }
  await using app = await mailApp({
    resources: [{ file: "notes.ts", definition: notes.definition }],
    config: { email: { transport } },
  })
  send = () => app.email.send({ to: "a@x.test", subject: "x", html: "x" })

  const answer = await fetch(`${app.url}/notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })

  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
  expect(await app.database.query("select from notes")).toEqual([])
})

test("two templates of one name are a mistake of the author", async () => {
  const { definition } = invite
  const emails = ["src/emails/invite.ts", "src/teams/emails/invite.ts"].map((file) => ({
    file,
    key: "invite",
    definition,
  }))

  const starting = createApp({ resources: [], emails, config: {}, root: "/nowhere" })

  await expect(starting).rejects.toThrow(AppMistakesError)
  await expect(starting).rejects.toThrow(
    'src/teams/emails/invite.ts: email "invite" is already declared in src/emails/invite.ts. Rename one of them.',
  )
})

const store = { get() {}, set() {}, delete() {}, has() {}, increment() {} }

test.each<[object, string]>([
  [{ email: { from: "nobody" } }, '"email.from" must be an address such as'],
  [{ email: { from: "a@x.test\r\nBcc: b@y.test" } }, '"email.from" must be an address such as'],
  [{ email: { smtp: { url: "http://x.test" } } }, '"email.smtp.url" must be an address such as "smtps://'],
  [{ email: { smtp: { url: "smtp://x.test?tls.rejectUnauthorized=false" } } }, '"email.smtp.url" must be'],
  [{ email: { from: "a@x.test", smtp: {} } }, '"email.smtp" needs a "url", or a "host"'],
  [{ email: { from: "a@x.test", smtp: { url: "smtp://x.test", host: "y" } } }, "name two servers"],
  [{ email: { from: "a@x.test", smtp: { host: "x", user: "u" } } }, "go together"],
  [{ email: { from: "a@x.test", smtp: { host: "x", port: 0 } } }, '"email.smtp.port" must be a number from 1 to 65535'],
  [{ email: { from: "a@x.test", smtp: { hots: "x" } } }, 'no setting "email.smtp.hots". Did you mean "host"?'],
  [{ email: { smtp: { host: "x" } } }, '"email.from" is missing'],
  [{ email: { from: "a@x.test", smtp: { host: "x" }, transport: { send() {} } } }, "two transports"],
  [{ email: { transport: {} } }, '"email.transport" must be an object with a function send'],
  [{ email: 5 }, '"email" must be an object'],
  [{ kv: { redis: { url: "localhost:6379" } } }, '"kv.redis.url" must be an address such as "redis://localhost:6379"'],
  [{ kv: { redis: {} } }, '"kv.redis.url" is missing'],
  [{ kv: { redis: { url: "redis://x" }, driver: store } }, "two stores"],
  [{ kv: { driver: { get() {} } } }, '"kv.driver" must be an object with the functions get, set'],
])("the settings %j are refused with a sentence", async (config, sentence) => {
  // JavaScript may write this.
  const starting = createApp({ resources: [], config: config as KitConfig, root: "/nowhere" })

  await expect(starting).rejects.toThrow(sentence)
})
