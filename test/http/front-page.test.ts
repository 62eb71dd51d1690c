// @module-tag not-about-engine

import { collection, global, job, route } from "kit"
import { testApp as startApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RawAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(), body: f.text() }))
  .access({ read: true })
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null })
const drafts = collection("drafts")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null && { text: session.user.id } })
const secrets = collection("secrets").fields(({ f }) => ({ text: f.text() }))
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true })

const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
const APP = {
  resources: [posts, notes, drafts, secrets, settings],
  routes: {
    stats: route()
      .get()
      .handler(() => "fine"),
    "teams/[team]": route()
      .get()
      .handler(() => "fine"),
    mine: route()
      .get()
      .access(({ session }) => session !== null)
      .handler(() => "fine"),
    publish: route().handler(() => "fine"),
  },
  jobs: { digest: job({ name: "digest", schema, options: { cron: "0 6 * * *" }, handler: () => {} }) },
  config: { app: { name: "The <b>news</b>" }, email: {} },
} as const

let app: TestApp
beforeAll(async () => {
  app = await testApp({ ...APP, mode: "development" })
})
afterAll(() => app[Symbol.asyncDispose]())

interface PageRequest {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly accept?: string
  readonly cookie?: string
}

/** Opens an address of the server as a browser on this machine does, unless the request says otherwise. */
function send(to: { readonly url: string }, request: PageRequest = {}): Promise<RawAnswer> {
  const { method = "GET", path = "/", host = "localhost:3000", accept = "text/html,*/*;q=0.8", cookie } = request
  const headers = { host, accept, ...(cookie !== undefined && { cookie }) }
  return sendRaw(new URL(to.url).origin, { method, path, headers })
}

const COOKIE = sessions.sign({ user: { id: "ann" } })

/** The paths of the API to which the page links, without those of kit itself. */
function linksIn(page: string): readonly string[] {
  const found = [...page.matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path)
  const { basePath } = app.app
  const paths = found.filter((path) => path.startsWith(`${basePath}/`)).map((path) => path.slice(basePath.length))
  return paths.filter((path) => !path.startsWith("/_kit/"))
}

function badgesIn(page: string): Readonly<Record<string, string>> {
  const rows = page.matchAll(/class="name"[^>]*>([^<]+)<.*?class="badge[^>]*>([^<]+)</g)
  return Object.fromEntries(Array.from(rows, ([, name = "", badge = ""]) => [name, badge]))
}

describe("the page at / in development", () => {
  test("shows the app, with its text escaped and under a strict policy", async () => {
    const answer = await send(app)

    expect(answer.status).toBe(200)
    expect(answer.text).toContain("<h1>The &lt;b&gt;news&lt;/b&gt;</h1>")
    expect(answer.text).toContain(">0 6 * * * UTC<")
    expect(answer.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha/,
    )
    expect(answer.headers["cache-control"]).toBe("no-store")
    expect(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//)
  })

  test("links what the person who looks may read, and only that", async () => {
    const anonymous = (await send(app)).text
    const signedIn = (await send(app, { cookie: COOKIE })).text

    expect(linksIn(anonymous)).toEqual(["/posts?limit=5", "/globals/settings", "/stats"])
    expect(linksIn(signedIn)).toEqual([
      "/drafts?limit=5",
      "/notes?limit=5",
      "/posts?limit=5",
      "/globals/settings",
      "/mine",
      "/stats",
    ])
    for (const path of linksIn(signedIn)) {
      expect((await app.fetch(path, { headers: { cookie: COOKIE } })).status).toBe(200)
    }
  })

  test("says who may read each collection", async () => {
    const anonymous = (await send(app)).text
    const signedIn = (await send(app, { cookie: COOKIE })).text

    expect(badgesIn(anonymous)).toMatchObject({ posts: "open to anyone", notes: "needs sign-in", secrets: "closed" })
    expect(badgesIn(signedIn)).toMatchObject({ notes: "open to you", drafts: "some records", secrets: "closed" })
  })

  test.each([
    { accept: "*/*" },
    { accept: "application/json" },
    { host: "news.example.com" },
    { host: "192.168.1.7:3000" },
    { method: "POST" },
    { path: "/index.html" },
  ])("is not for %j, which gets the 404 of every unknown path", async (request) => {
    const answer = await send(app, request)

    expect(answer.status).toBe(404)
    expect(answer.text).toContain('"code":"NOT_FOUND"')
  })

  test("belongs to this machine, as do its status and the documentation", async () => {
    for (const path of ["/_kit/dev", "/_kit/guide/guide.md"]) {
      const below = `${app.app.basePath}${path}`

      expect((await send(app, { path: below })).status).toBe(200)
      expect((await send(app, { path: below, host: "news.example.com" })).status).toBe(403)
    }
    expect((await app.fetch("/_kit/guide/..%2Fpackage.json")).status).toBe(404)
  })
})

test.each(["local", "production"] as const)("there is no page in the mode %s, and no password", async (mode) => {
  const dev = { signIns: [{ email: "editor@example.com", password: "a seeded password" }] }
  await using closed = await startApp({
    collections: [posts],
    mode,
    config: { secret: "kR7vT2mQ9xW4bN6zL8cJ5hG3pD1sF6yA", dev },
  })
  const basePath = closed.app.basePath

  const answers = await Promise.all(
    ["/", `${basePath}/_kit/dev`, `${basePath}/_kit/guide/guide.md`].map((path) => send(closed, { path })),
  )

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  for (const { text } of answers) expect(text).not.toContain("a seeded password")
})

test("the page is at / where the API is, too, and other calls reach the API", async () => {
  await using atRoot = await testApp({ ...APP, mode: "development", config: { ...APP.config, basePath: "/" } })

  const page = await send(atRoot)
  const records = await send(atRoot, { path: "/posts" })

  expect(page.text).toContain('<body data-base="" ')
  expect(records.text).toContain('"docs":[]')
})

test("a seeded user is offered with a button", async () => {
  const dev = { signIns: [{ email: "editor@example.com", password: "news & <room>" }] }
  await using developed = await startApp({ collections: [posts], mode: "development", config: { dev } })

  const { text } = await send(developed)

  expect(text).toContain('data-email="editor@example.com" data-password="news &amp; &lt;room&gt;"')
})

test("the page links to the OpenAPI document, unless the app serves none", async () => {
  const link = `href="${app.app.basePath}/_kit/openapi.json"`
  await using silent = await testApp({ ...APP, mode: "development", config: { ...APP.config, openapi: false } })

  expect((await send(app)).text).toContain(link)
  expect((await send(silent)).text).not.toContain(link)
})

test("the page links to the console, and to the set-up until there is an admin", async () => {
  await using app = await startApp({ collections: [posts], mode: "development" })
  await using without = await startApp({ collections: [posts], mode: "development", config: { console: false } })

  const before = (await send(app)).text
  const token = await app.app.setUpToken()
  await app.app.users.create({ email: "root@example.com", name: "Root", role: "admin" })

  expect(before).toContain(`href="/admin#setup=${token}"`)
  expect((await send(app)).text).toContain('href="/admin"')
  expect((await send(without)).text).not.toContain("/admin")
})
