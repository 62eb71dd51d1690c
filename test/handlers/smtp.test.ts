// @module-tag not-about-engine

import { createServer } from "node:net"
import PostalMime from "postal-mime"
import { expect, test } from "vitest"
import { type SmtpBehaviour, SmtpProcess } from "../support/processes/smtp-process.ts"
import { mailApp } from "../support/worlds/mail-app.ts"

const MAIL = { to: "bob@x.test", subject: "Hi", html: "<p>Hello</p>" }

async function world(behaviour: SmtpBehaviour = {}, settings: Record<string, unknown> = {}) {
  const smtp = await SmtpProcess.start(behaviour)
  const email = { from: "Kit, Inc. „News“ <news@x.test>", smtp: { url: smtp.url, ...settings } }
  const app = await mailApp({ config: { email } })
  const dispose = async () => {
    await app[Symbol.asyncDispose]()
    await smtp.stop()
  }
  return { ...app, smtp, [Symbol.asyncDispose]: dispose }
}

test("what arrives is what was sent", async () => {
  await using app = await world()
  const html = `<p>Žltý kôň, 日本 😀 ${"long ".repeat(300)}</p>\n.\n<a href="https://x.test/?a=1&amp;b=2">x</a>`
  const subject = `Žltý 😀 ${"word ".repeat(40)}`.trim()

  await app.email.send({ to: ["bob@x.test", "info@müller.de"], replyTo: "desk@x.test", subject, html })
  await expect.poll(() => app.smtp.taken.length).toBe(1)

  const [taken] = app.smtp.taken
  const mail = await PostalMime.parse(Buffer.from(taken?.raw ?? "", "latin1"))
  // The server decodes the envelope back to Unicode.
  expect(taken).toMatchObject({ from: "news@x.test", to: ["bob@x.test", "info@müller.de"] })
  expect(mail).toMatchObject({ subject, from: { name: "Kit, Inc. „News“", address: "news@x.test" } })
  expect(mail.to?.map(({ address }) => address)).toEqual(["bob@x.test", "info@xn--mller-kva.de"])
  expect(mail.replyTo).toMatchObject([{ address: "desk@x.test" }])
  expect(mail.html?.trim()).toBe(html)
  expect(mail.text).toContain("x (https://x.test/?a=1&b=2)")
  expect(taken?.raw.split("\r\n").every((line) => line.length <= 998)).toBe(true)
  expect(mail.headers.map(({ key }) => key)).toEqual(expect.arrayContaining(["message-id", "date", "mime-version"]))
})

test("mails one after another share a connection", async () => {
  await using app = await world()

  await app.email.send(MAIL)
  await app.email.send({ ...MAIL, to: "carl@x.test" })
  await expect.poll(() => app.smtp.taken.length).toBe(2)

  expect(new Set(app.smtp.taken.map(({ id }) => id)).size).toBe(1)
})

test("the name and the password of the settings are used, from a URL or one by one", async () => {
  const user = { name: "desk@x.test", password: "p:ss/w#rd" }
  await using smtp = await SmtpProcess.start({ user })
  const url = `smtp://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@127.0.0.1:${smtp.port}`
  const one = { host: "127.0.0.1", port: smtp.port, user: user.name, pass: user.password }
  await using byUrl = await mailApp({ config: { email: { from: "news@x.test", smtp: { url } } } })
  await using byOne = await mailApp({ config: { email: { from: "news@x.test", smtp: one } } })

  await byUrl.email.send(MAIL)
  await byOne.email.send(MAIL)
  await expect.poll(() => smtp.taken.map((mail) => mail.user)).toEqual([user.name, user.name])
})

test("a wrong password is no temporary failure, and is not told", async () => {
  await using smtp = await SmtpProcess.start({ user: { name: "desk", password: "right" } })
  const settings = { host: "127.0.0.1", port: smtp.port, user: "desk", pass: "wrong-secret" }
  await using app = await mailApp({ config: { email: { from: "news@x.test", smtp: settings } } })

  const failure: Error & { isTemporary?: boolean } = await app.email.send(MAIL).then(
    () => new Error("sent"),
    (error) => error,
  )

  expect(failure.message).toContain("The mail server refused the mail")
  expect(failure.message).not.toContain("wrong-secret")
  expect(failure.isTemporary).toBeUndefined()
  expect(smtp.taken).toEqual([])
})

test("an address that the server refuses rejects the mail; beside others it is told in the log", async () => {
  await using app = await world({ refuse: ["gone@x.test"] })

  const alone = app.email.send({ ...MAIL, to: "gone@x.test" })
  await expect(alone).rejects.toThrow(/refused the mail: .*No such user here/)
  await app.email.send({ ...MAIL, to: ["gone@x.test", "bob@x.test"] })
  await expect.poll(() => app.smtp.taken.length).toBe(1)

  expect(app.smtp.taken[0]?.to).toEqual(["bob@x.test"])
  expect(app.logged).toEqual(["The mail server refused gone@x.test."])
})

test("an address that the server takes later is a temporary failure", async () => {
  await using app = await world({ busy: ["full@x.test"] })

  const sending = app.email.send({ ...MAIL, to: "full@x.test" })

  await expect(sending).rejects.toMatchObject({
    isTemporary: true,
    message: expect.stringContaining("Try again later"),
  })
})

test("a server that is down is a temporary failure, and is used again when it is back", async () => {
  await using app = await world()
  await app.email.send(MAIL)
  await app.smtp.stop()

  const whileDown = app.email.send(MAIL)
  await expect(whileDown).rejects.toMatchObject({ isTemporary: true })
  const again = app.email.send(MAIL)
  await expect(again).rejects.toMatchObject({
    isTemporary: true,
    message: expect.stringContaining("The mail server cannot be reached"),
  })
  await using back = await SmtpProcess.start({ port: app.smtp.port })
  await app.email.send({ ...MAIL, to: "carl@x.test" })
  await expect.poll(() => back.taken.length).toBe(1)

  expect(back.taken[0]?.to).toEqual(["carl@x.test"])
})

test.each(["greeting", "data"] as const)("a server that stops to answer at the %s is given up", async (stallAt) => {
  await using app = await world({ stallAt }, { timeoutMs: 200 })

  // A client that waits longer gets an answer from the server after a minute.
  const sending = app.email.send(MAIL)

  await expect(sending).rejects.toMatchObject({ isTemporary: true })
})

test("a connection that never answers at all is given up", async () => {
  const deaf = createServer()
  await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve))
  const address = deaf.address()
  const port = typeof address === "object" && address ? address.port : 0
  await using app = await mailApp({
    config: { email: { from: "news@x.test", smtp: { host: "127.0.0.1", port, timeoutMs: 200 } } },
  })

  await expect(app.email.send(MAIL)).rejects.toMatchObject({ isTemporary: true })

  deaf.close()
})

test("nothing is sent in the clear where encryption is demanded, nor to somebody with a certificate of their own", async () => {
  await using plain = await world({}, { requireTls: true })
  await using selfSigned = await world({ withTls: true })

  await expect(plain.email.send(MAIL)).rejects.toThrow(/mail server/)
  await expect(selfSigned.email.send(MAIL)).rejects.toThrow(/certificate/)

  expect([...plain.smtp.taken, ...selfSigned.smtp.taken]).toEqual([])
})
