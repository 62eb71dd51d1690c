// @module-tag not-about-engine

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "writer" } }
const isSignedIn = ({ session }: { session: Session | null }) => session !== null

const pages = collection("pages")
  .fields(({ f }) => ({
    slug: f.text().localized(),
    note: f.text().access({ read: isSignedIn }),
    token: f.text().hidden(),
  }))
  .options({ id: "client", workflow: true })
  .access({ read: () => ({ slug: { ne: "gone" } }), drafts: isSignedIn })
  .preview(({ record, locale, stage }) => {
    const { slug, note = "none", token = "none" } = record
    return slug === null ? null : `https://example.com/${locale}/${stage}/${slug}?note=${note}&token=${token}`
  })

const links = collection("links")
  .fields(({ f }) => ({ url: f.text() }))
  .options({ id: "client" })
  .access({ read: true })
  .preview(async ({ record, stage }) => {
    await Promise.resolve()
    if (record["url"] === "throw") throw new Error("the author's secret")
    return stage === null ? record["url"] : "/never"
  })

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access({ read: true })

const closed = collection("closed")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client", workflow: true })
  .preview(() => "/closed")

const site = global("site")
  .fields(({ f }) => ({ path: f.text() }))
  .access({ read: true })
  .preview(({ record }) => record["path"])

const unwritten = global("unwritten")
  .fields(({ f }) => ({ path: f.text() }))
  .access({ read: true })
  .preview(() => "/unwritten")

const LINKS = {
  path: "/a b?c=d#e",
  script: "javascript:alert(1)",
  data: "data:text/html,x",
  host: "//evil.example",
  tab: "/\t/evil.example",
  backslash: "/\\evil.example",
  dots: "/x/..//evil.example",
  relative: "a/b",
  throw: "throw",
}

let app: TestApp

beforeAll(async () => {
  const resources = [pages, links, plain, closed, site, unwritten]
  app = await testApp({ resources, config: { locales: { default: "en", all: ["en", "sk"] } } })
  const system = app.app.system.collections as Record<string, any>
  await system["pages"].create({ id: "shown", slug: "first", note: "n", token: "t" })
  await system["pages"].transitionStage({ id: "shown", stage: "published" })
  await system["pages"].updateById({ id: "shown", data: { slug: "second" } })
  await system["pages"].updateById({ id: "shown", data: { slug: "druhá" } }, { locale: "sk" })
  await system["pages"].create({ id: "gone", slug: "gone" })
  await system["pages"].create({ id: "empty" })
  for (const [id, url] of Object.entries(LINKS)) await system["links"].create({ id, url })
  await system["plain"].create({ id: "one" })
  await system["closed"].create({ id: "one" })
  await (app.app.system.globals as Record<string, any>)["site"].update({ path: "/about" })
})
afterAll(() => app[Symbol.asyncDispose]())

function ask(body: unknown, session?: Session) {
  const headers = { "content-type": "application/json" }
  return app.fetch("/_kit/preview-url", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    ...(session && { session }),
  })
}

test("the address is made of the record as the caller reads it", async () => {
  const record = { resource: "pages", id: "shown" }

  expect((await ask(record)).body).toEqual({ url: "https://example.com/en/published/first?note=none&token=none" })
  expect((await ask(record, ann)).body).toEqual({ url: "https://example.com/en/draft/second?note=n&token=none" })
  expect((await ask({ ...record, stage: "published" }, ann)).body).toEqual({
    url: "https://example.com/en/published/first?note=n&token=none",
  })
  expect((await ask({ ...record, locale: "sk" }, ann)).body).toEqual({
    url: "https://example.com/sk/draft/druh%C3%A1?note=n&token=none",
  })
  expect((await ask({ resource: "pages", id: "empty" }, ann)).body).toEqual({ url: null })
  expect((await ask({ resource: "site" })).body).toEqual({ url: "/about" })
})

test("without a preview, or a record that the caller may read, the answer is the same 404", async () => {
  const unreadable = [
    [{ resource: "pages", id: "gone" }, ann],
    [{ resource: "pages", id: "missing" }, ann],
    [{ resource: "pages", id: "empty" }, undefined],
    [{ resource: "pages", id: "shown", stage: "draft" }, undefined],
    [{ resource: "pages", id: "shown", stage: "nothing" }, ann],
    [{ resource: "pages" }, ann],
    [{ resource: "plain", id: "one" }, ann],
    [{ resource: "closed", id: "one" }, undefined],
    [{ resource: "closed", id: "one" }, ann],
    [{ resource: "closed", id: "one", stage: "draft" }, ann],
    [{ resource: "nothing", id: "one" }, ann],
    [{ resource: "unwritten" }, ann],
    [{ resource: "site", id: "one" }, ann],
    [{ resource: "__proto__", id: "one" }, ann],
  ] as const

  for (const [body, session] of unreadable) {
    const { status, body: answer } = await ask(body, session)
    const { requestId: _, ...error } = answer.error
    expect({ body, status, error }).toEqual({
      body,
      status: 404,
      error: { code: "NOT_FOUND", message: "There is no preview of such a record." },
    })
  }
})

test("only paths and http addresses are answered", async () => {
  expect((await ask({ resource: "links", id: "path" })).body).toEqual({ url: "/a%20b?c=d#e" })
  for (const id of ["script", "data", "host", "tab", "backslash", "dots", "relative"]) {
    expect({ id, status: (await ask({ resource: "links", id })).status }).toEqual({ id, status: 500 })
  }
})

test("an error of the author's function stays on the server", async () => {
  const { status, body } = await ask({ resource: "links", id: "throw" })

  expect(status).toBe(500)
  expect(JSON.stringify(body)).not.toContain("secret")
})

test.each([
  [[], "", "Expected an object"],
  [{ id: "shown" }, "resource", "Expected the name of a collection or global."],
  [{ resource: "pages", id: 7 }, "id", "Expected the id of a record."],
  [{ resource: "pages", id: "shown", stag: "draft" }, "stag", 'Did you mean "stage"?'],
  [{ resource: "pages", id: "shown", locale: "hu" }, "locale", ""],
  [{ resource: "pages", id: "shown", locale: "*" }, "locale", "A preview has one locale. Name it."],
])("the request %j is refused", async (request, path, message) => {
  const { status, body } = await ask(request, ann)

  expect({ status, path: body.error.fieldErrors[0].path }).toEqual({ status: 400, path })
  expect(body.error.fieldErrors[0].message).toContain(message)
})
