// @module-tag not-about-engine

import { email } from "kit"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { SmtpProcess } from "../support/processes/smtp-process.ts"
import { mailApp } from "../support/worlds/mail-app.ts"

const hello = email({
  name: "hello",
  schema: z.object({ subject: z.string() }),
  handler: ({ input }) => ({ subject: input.subject, html: "<p>Hello</p>" }),
})

let smtp: SmtpProcess
let app: Awaited<ReturnType<typeof mailApp>>

beforeAll(async () => {
  smtp = await SmtpProcess.start()
  app = await mailApp({ emails: { hello }, config: { email: { from: "news@x.test", smtp: { url: smtp.url } } } })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await smtp.stop()
})

// A mail that was sent by mistake would come before this one.
afterEach(async () => {
  const before = smtp.taken.length
  await app.email.send({ to: "last@x.test", subject: "Last", html: "x" })
  await expect.poll(() => smtp.taken.length).toBe(before + 1)
  expect(smtp.taken.at(-1)?.to).toEqual(["last@x.test"])
})

describe("an address that is more than one address reaches nobody", () => {
  test.each<[string, unknown]>([
    ["a header", "a@x.test\r\nBcc: b@y.test"],
    ["a header after a line feed", "a@x.test\nBcc: b@y.test"],
    ["a command", "a@x.test>\r\nRCPT TO:<b@y.test"],
    ["a list in a text", "a@x.test, b@y.test"],
    ["a list with semicolons", "a@x.test; b@y.test"],
    ["a quoted address", '"a@evil x"@in.test'],
    ["an address in a name", '"b@y.test" <a@x.test>'],
    ["a group", "friends: a@x.test, b@y.test;"],
    ["an object", { address: "a@x.test" }],
    ["nothing", undefined],
    ["an empty list", []],
    ["a list in a list", [["a@x.test"]]],
    ["a list with one bad address", ["a@x.test", "b@y.test\r\nBcc: c@z.test"]],
    ["a list without end", Array.from({ length: 51 }, (_, index) => `a${index}@x.test`)],
  ])("%s", async (_name, to) => {
    // JavaScript may pass on any value from a request.
    const address = to as string

    const template = app.email.sendTemplate({ template: "hello", to: address, input: { subject: "Hi" } })
    const plain = app.email.send({ to: address, subject: "Hi", html: "x" })

    for (const sending of [template, plain]) {
      await expect(sending).rejects.toMatchObject({
        status: 400,
        code: "VALIDATION_ERROR",
        fieldErrors: [{ path: expect.stringMatching(/^to/) }],
      })
    }
  })

  test("as a place for answers", async () => {
    const sending = app.email.send({ to: "a@x.test", replyTo: "b@y.test\r\nX: y", subject: "Hi", html: "x" })

    await expect(sending).rejects.toMatchObject({ fieldErrors: [{ path: "replyTo" }] })
  })
})

test.each([
  ["a header", "Hi\r\nBcc: b@y.test"],
  ["a line feed", "Hi\nthere"],
  ["a body", "Hi\r\n\r\n<script>"],
  ["a NUL", "Hi\0"],
  ["a line separator", "Hi\u2028there"],
  ["an escape", "Hi\u001b[2J"],
  ["nothing", " "],
  ["too much", "x".repeat(501)],
])("a subject with %s sends nothing", async (_name, subject) => {
  const sending = app.email.sendTemplate({ template: "hello", to: "a@x.test", input: { subject } })

  await expect(sending).rejects.toMatchObject({ status: 400, fieldErrors: [{ path: "subject" }] })
})

test("a body that no mail can hold sends nothing", async () => {
  const mail = { to: "a@x.test", subject: "Hi" }

  const nul = app.email.send({ ...mail, html: "a\0b" })
  const long = app.email.send({ ...mail, html: "x".repeat(1024 * 1024 + 1) })
  const noText = app.email.send({ ...mail, html: "x", text: 5 as unknown as string })

  await expect(nul).rejects.toMatchObject({ fieldErrors: [{ path: "html" }] })
  await expect(long).rejects.toMatchObject({ fieldErrors: [{ path: "html" }] })
  await expect(noText).rejects.toMatchObject({ fieldErrors: [{ path: "text" }] })
})

test("lines of a body are no commands", async () => {
  const before = smtp.taken.length

  await app.email.send({ to: "a@x.test", subject: "Hi", html: "x", text: "a\r\n.\r\nMAIL FROM:<b@y.test>\r\n.b" })
  await expect.poll(() => smtp.taken.length).toBe(before + 1)

  expect(smtp.taken[before]).toMatchObject({ from: "news@x.test", to: ["a@x.test"] })
  expect(smtp.taken[before]?.raw).toContain("MAIL FROM:<b@y.test>")
})
