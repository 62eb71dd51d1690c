// @module-tag not-about-engine

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { collection, type KitConfig } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type RawAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000 }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true })

const SCRIPT = `const words = "${"word ".repeat(600)}"\n`
const PAGE = "<!doctype html><title>News</title>"
const PICTURE = Buffer.alloc(5 * 1024 * 1024, "picture")

const home = mkdtempSync(join(tmpdir(), "kit-web-"))
const dir = join(home, "dist")
const outside = join(home, "outside")

beforeAll(() => {
  for (const folder of ["assets", "docs/.well-known", "empty", ".git", "api", ".well-known/acme-challenge"])
    mkdirSync(join(dir, folder), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, "secret.txt"), "secret")
  writeFileSync(join(home, "secret.txt"), "secret")
  const files: Record<string, string | Buffer> = {
    "index.html": PAGE,
    "docs/index.html": "<!doctype html><title>Docs</title>",
    "api/posts": "not the API",
    "assets/index-4f9c01ab.js": SCRIPT,
    "assets/app.Bx7Qk2Lm.css": "body{}",
    "assets/touch-icon.png": "png",
    "assets/large.png": PICTURE,
    "assets/stored.js": SCRIPT,
    "assets/stored.js.br": brotliCompressSync(SCRIPT),
    "assets/stored.js.gz": gzipSync(SCRIPT),
    "assets/outdated.js": SCRIPT,
    "assets/outdated.js.br": "an older build",
    "a name ä.txt": "named",
    ".env": "KIT_SECRET=secret",
    ".git/config": "secret",
    ".well-known/acme-challenge/t0k-EN_": "answer",
    ".well-known/apple-app-site-association": "{}",
    ".well-known/.env": "secret",
    "docs/.well-known/security.txt": "secret",
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content)
  utimesSync(join(dir, "assets/outdated.js.br"), 1, 1)
  symlinkSync(outside, join(dir, "linked"))
  symlinkSync(join(home, "secret.txt"), join(dir, "linked.txt"))
  symlinkSync(join(dir, "index.html"), join(dir, "inside.html"))
})
afterAll(() => rmSync(home, { recursive: true }))

function webApp(config: Partial<KitConfig> = {}): Promise<TestApp> {
  return testApp({ resources: [posts], config: { web: { dir }, ...config } })
}

let app: TestApp
let single: TestApp
beforeAll(async () => {
  app = await webApp()
  single = await webApp({ web: { dir, spa: true } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await single[Symbol.asyncDispose]()
})

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<RawAnswer> {
  return sendRaw(new URL(app.url).origin, { method, path, headers })
}

function fetchFile(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, app.url), { headers: { "accept-encoding": "identity", ...headers } })
}

describe("a folder of web pages", () => {
  test("is served outside of the base path, and the API below it", async () => {
    const page = await get("/")
    const docs = await get("/docs/")
    const named = await get("/a%20name%20%C3%A4.txt")
    const records = await app.fetch("/posts")

    expect(page).toMatchObject({ status: 200, text: PAGE })
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "frame-ancestors 'self'",
      "referrer-policy": "strict-origin-when-cross-origin",
    })
    expect(docs.text).toContain("Docs")
    expect(named.text).toBe("named")
    expect(records.body.docs).toEqual([])
  })

  test("redirects to a folder that has a page, and shows no list of files", async () => {
    const redirected = await get("/docs?from=mail")

    expect(redirected.status).toBe(308)
    expect(redirected.headers["location"]).toBe("/docs/?from=mail")
    for (const path of ["/empty", "/empty/", "/assets", "/assets/"]) expect((await get(path)).status).toBe(404)
  })

  test.each([
    ["/index.html", "no-cache"],
    ["/assets/index-4f9c01ab.js", "public, max-age=31536000, immutable"],
    ["/assets/app.Bx7Qk2Lm.css", "public, max-age=31536000, immutable"],
    ["/assets/touch-icon.png", "no-cache"],
  ])("tells browsers how long to keep %s: %s", async (path, expected) => {
    expect((await get(path)).headers["cache-control"]).toBe(expected)
  })

  test("has tags by which browsers ask whether a file has changed", async () => {
    const path = "/changing.txt"
    writeFileSync(join(dir, path), "first")
    const first = await get(path)
    const same = await get(path, { "if-none-match": `"other", ${first.headers["etag"]}` })
    writeFileSync(join(dir, path), "second")
    const changed = await get(path, { "if-none-match": String(first.headers["etag"]) })

    expect(same).toMatchObject({ status: 304, text: "" })
    expect(same.headers["etag"]).toBe(first.headers["etag"])
    expect(changed).toMatchObject({ status: 200, text: "second" })
  })

  test("answers HEAD with the headers of GET", async () => {
    const head = await get("/assets/large.png", {}, "HEAD")

    expect(head).toMatchObject({ status: 200, text: "" })
    expect(head.headers["content-length"]).toBe(String(PICTURE.length))
  })

  test.each(["/assets/index-4f9c01ab.js", "/assets/large.png"])("serves ranges of %s", async (path) => {
    const whole = Buffer.from(await (await fetchFile(path)).arrayBuffer())
    const part = await fetchFile(path, { range: "bytes=10-19" })
    const end = await fetchFile(path, { range: "bytes=-5" })
    const beyond = await fetchFile(path, { range: `bytes=${whole.length}-` })
    const stale = await fetchFile(path, { range: "bytes=10-19", "if-range": '"another"' })

    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(10, 20)])
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${whole.length}`)
    expect(Buffer.from(await end.arrayBuffer())).toEqual(whole.subarray(-5))
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`])
    expect([stale.status, (await stale.arrayBuffer()).byteLength]).toEqual([200, whole.length])
  })

  test.each(["bytes=0-1,4-5", "bytes=0-,0-,0-", "bytes=x-y", "bytes=9-2", "bytes="])(
    "answers %s with the whole file",
    async (range) => {
      const answer = await get("/index.html", { range })

      expect(answer).toMatchObject({ status: 200, text: PAGE })
      expect(answer.headers["content-range"]).toBeUndefined()
    },
  )

  test("has a folder for what other services ask of a site", async () => {
    const challenge = await get("/.well-known/acme-challenge/t0k-EN_")
    const association = await get("/.well-known/apple-app-site-association")

    expect(challenge).toMatchObject({ status: 200, text: "answer" })
    expect(association.headers["content-type"]).toBe("application/json; charset=utf-8")
  })

  test("compresses text for callers who accept it, with a tag of its own", async () => {
    const plain = await fetchFile("/assets/index-4f9c01ab.js")
    const packed = await fetchFile("/assets/index-4f9c01ab.js", { "accept-encoding": "gzip" })
    const picture = await fetchFile("/assets/touch-icon.png", { "accept-encoding": "gzip" })

    expect(packed.headers.get("content-encoding")).toBe("gzip")
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 10)
    expect(await packed.text()).toBe(SCRIPT)
    expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"))
    expect([plain, packed].map(({ headers }) => headers.get("vary"))).toEqual(["Accept-Encoding", "Accept-Encoding"])
    expect([plain, picture].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, null])
  })

  test("prefers what a build has compressed, unless it is older than its file", async () => {
    const brotli = await fetchFile("/assets/stored.js", { "accept-encoding": "gzip, br" })
    const gzip = await fetchFile("/assets/stored.js", { "accept-encoding": "gzip, br;q=0" })
    const outdated = await fetchFile("/assets/outdated.js", { "accept-encoding": "gzip, br" })

    expect(brotli.headers.get("content-encoding")).toBe("br")
    expect(gzip.headers.get("content-length")).toBe(String(gzipSync(SCRIPT).length))
    expect(outdated.headers.get("content-encoding")).toBe("gzip")
    for (const answer of [brotli, gzip, outdated]) {
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
      expect(await answer.text()).toBe(SCRIPT)
    }
  })

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("is not for %s", async (method) => {
    const answer = await get("/index.html", {}, method)

    expect(answer.status).toBe(404)
    expect(answer.body.error.code).toBe("NOT_FOUND")
  })

  test("is served without reading the session, and only what is missing is in the log", async () => {
    const read = () => Promise.reject(new Error("A file has no business with sessions."))
    await using locked = await webApp({ sessions: { read }, log: { requests: true } })
    const send = (path: string) => sendRaw(new URL(locked.url).origin, { path, headers: { cookie: "session=ann" } })

    expect((await send("/")).status).toBe(200)
    expect((await send("/missing.js")).status).toBe(404)
    await vi.waitFor(() => expect(locked.logged).toHaveLength(1), WAIT)
    expect(locked.logged[0]?.fields).toMatchObject({ method: "GET", status: 404 })
  })
})

describe("nothing leads out of the folder", () => {
  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/../../secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "/assets%2f..%2f..%2fsecret.txt",
    "/%252e%252e/secret.txt",
    "//etc/passwd",
    "/%2fetc%2fpasswd",
    "/C:/Windows/win.ini",
    "/index.html::$DATA",
    "/index.html%00.png",
    "/index.html.",
    "/index.html%20",
    "/linked/secret.txt",
    "/linked.txt",
    "/.env",
    "/%2eenv",
    "/.git/config",
    "/.well-known/.env",
    "/.well-known/../.env",
    "/.well-known",
    "/.well-known/",
    "/docs/.well-known/security.txt",
    "/./index.html",
    "/docs//index.html",
    "/index.html/",
    "/index.html/more",
    "/%ff",
    "/%",
    `/${"a".repeat(300)}`,
    `/${"a/".repeat(2000)}`,
    "/%61pi/unknown",
    "/constructor",
    "/.constructor",
  ])("%s is 404", async (path) => {
    const answer = await get(path)
    const ofSinglePage = await sendRaw(new URL(single.url).origin, { path })

    expect(answer.status).toBe(404)
    expect(answer.body.error.code).toBe("NOT_FOUND")
    expect(answer.text).not.toContain(home)
    expect(ofSinglePage.status).toBe(404)
  })

  test("a link within the folder is followed", async () => {
    expect((await get("/inside.html")).text).toBe(PAGE)
  })

  test("a redirect stays on this origin", async () => {
    for (const path of ["//docs", "/\\docs", "//example.com/docs"]) expect((await get(path)).status).toBe(404)
  })
})

describe("a page that handles paths itself", () => {
  const send = (path: string, accept = "text/html,*/*;q=0.8", method = "GET") =>
    sendRaw(new URL(single.url).origin, { method, path, headers: { accept } })

  test("is answered for paths without a file", async () => {
    for (const path of ["/", "/articles/42", "/articles/", "/deep/er/path?tag=news"]) {
      expect(await send(path)).toMatchObject({ status: 200, text: PAGE })
    }
  })

  test.each(["/at/12:30", "/search/rain%20", "/search/a%2Fb", "/search/50%25", "/assets", "/assets/"])(
    "is answered for %s, which cannot be the path of a file",
    async (path) => {
      expect(await send(path)).toMatchObject({ status: 200, text: PAGE })
    },
  )

  test("depends on what the caller accepts, and says so to caches", async () => {
    expect((await send("/articles/42")).headers["vary"]).toBe("Accept-Encoding, Accept")
    expect((await send("/")).headers["vary"]).toBe("Accept-Encoding")
  })

  test("is not answered for files, for callers who want none, and below the API", async () => {
    expect((await send("/assets/missing-4f9c01ab.js")).status).toBe(404)
    expect((await send("/articles/42", "application/json")).status).toBe(404)
    expect((await send("/articles/42", "text/html", "POST")).status).toBe(404)
    for (const path of ["/%2e%2e/articles", "/.git/head", "/.well-known/change-password", "//example.com/articles"]) {
      expect((await send(path)).status).toBe(404)
    }
    expect((await send(`${single.app.basePath}/unknown`)).status).toBe(404)
  })
})

test("the page of development gives way", async () => {
  await using dev = await testApp({ resources: [posts], mode: "development", config: { web: { dir } } })

  const answer = await sendRaw(new URL(dev.url).origin, {
    path: "/",
    headers: { host: "localhost", accept: "text/html" },
  })

  expect(answer.text).toBe(PAGE)
})

test.each([
  [{ web: { dir }, basePath: "/" }, 'the setting "web" leaves no path to the pages, because "basePath" is "/"'],
  [{ web: {} }, 'the setting "web" needs "dir"'],
  [{ web: { dir: "" } }, 'the setting "web.dir" must be a folder such as "web/dist"'],
  [{ web: { dir, spa: "yes" } }, 'the setting "web.spa" must be true or false'],
  [{ web: { dir, folder: "x" } }, 'there is no setting "web.folder"'],
  [{ web: "dist" }, 'the setting "web" must be an object'],
])("a mistake in the setting stops the start: %j", async (config, message) => {
  // The cast is safe: the point of the test are settings of the wrong type.
  await expect(testApp({ config: config as KitConfig })).rejects.toThrow(message)
})
