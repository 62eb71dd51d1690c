// @module-tag not-about-engine

import { expect, test } from "vitest"
import { mailApp } from "../support/worlds/mail-app.ts"

const DEVELOPMENT = { mode: "development", config: { email: {} } } as const

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test("while it is developed, an app shows the mail that it would send", async () => {
  await using app = await mailApp({ ...DEVELOPMENT, now: () => new Date("2026-05-04T10:20:30Z") })
  await app.email.send({ to: "bob@x.test", subject: "First", html: "<p>1</p>" })
  await app.email.send({
    to: ["ann@x.test", "bob@x.test"],
    subject: "Tom & <Jerry>",
    html: "<h1>Hi</h1>",
    replyTo: "d@x.test",
  })

  const list = await get(`${app.url}/_kit/mail`)
  const links = [...list.text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link)
  const mail = await get(new URL(links[0] ?? "", app.url).href)

  expect(list.status).toBe(200)
  expect(list.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(list.text).toContain(">Tom &amp; &lt;Jerry&gt;</a></td><td>ann@x.test, bob@x.test</td>")
  expect(list.text).toContain("2026-05-04 10:20:30 UTC")
  expect(list.text.indexOf("Jerry")).toBeLessThan(list.text.indexOf("First"))
  expect(links).toHaveLength(2)
  expect(mail.status).toBe(200)
  expect(mail.text).toContain("<dt>Reply to</dt><dd>d@x.test</dd>")
  expect(mail.text).toContain("&lt;h1&gt;Hi&lt;/h1&gt;")
  expect(mail.text).toContain("<pre>Hi</pre>")
})

test("a mail cannot break out of its page", async () => {
  await using app = await mailApp(DEVELOPMENT)
  const evil = `"></iframe><script>alert(1)</script>'`
  await app.email.send({ to: "bob@x.test", subject: evil, html: evil, text: `</pre>${evil}` })

  const pages = [await get(`${app.url}/_kit/mail`), await get(`${app.url}/_kit/mail/1`)]

  for (const { text, headers } of pages) {
    expect(text).not.toContain("<script")
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain("script-src")
    expect(headers.get("cache-control")).toBe("no-store")
  }
  expect(pages[1]?.text.match(/<\/(iframe|pre)>/g)).toEqual(["</iframe>", "</pre>"])
  const frame = /<iframe[^>]*>/.exec(pages[1]?.text ?? "")?.[0]
  expect(frame).toMatch(/sandbox="allow-popups allow-popups-to-escape-sandbox"/)
})

test("an empty list says so, and a mail that is not there is a 404", async () => {
  await using app = await mailApp(DEVELOPMENT)

  const list = await get(`${app.url}/_kit/mail`)
  const statuses = ["1", "x", "-1", "1e3", "99999999999999999999", "1%00"].map(
    async (id) => (await get(`${app.url}/_kit/mail/${id}`)).status,
  )

  expect(list.text).toContain("No mail has been kept yet.")
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404, 404])
})

test.each(["local", "production"] as const)("nobody sees mail of an app that is %s", async (mode) => {
  await using app = await mailApp({ config: { email: {} }, mode })
  await app.email.send({ to: "bob@x.test", subject: "Secret", html: "x" })

  const answers = [await get(`${app.url}/_kit/mail`), await get(`${app.url}/_kit/mail/1`)]

  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  const warned = app.logged.some((message) => message.startsWith("Mail is kept in the database and not delivered"))
  expect(warned).toBe(mode === "production")
})

test("the newest mails are kept, and none for longer than a week", async () => {
  let now = new Date("2026-05-01T00:00:00Z")
  await using app = await mailApp({ ...DEVELOPMENT, now: () => now })
  const send = (subject: string) => app.email.send({ to: "bob@x.test", subject, html: "x" })
  const subjects = async () =>
    (await app.database.query("select subject from _kit_mail order by id")).map((row) => row["subject"])
  await send("old")
  now = new Date("2026-05-08T00:00:01Z")
  await send("new")
  const afterAWeek = await subjects()

  await app.database.query(
    `insert into _kit_mail ("from", "to", subject, html, text, created_at)
      select 'a@x.test', '{b@x.test}', 'n' || n, '', '', $1 from generate_series(1, 600) n`,
    [now],
  )
  await send("newest")

  expect(afterAWeek).toEqual(["new"])
  expect(await subjects()).toHaveLength(500)
  expect((await subjects()).at(-1)).toBe("newest")
})
