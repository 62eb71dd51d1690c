// @module-tag not-about-engine

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { collection, type KitConfig } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RawAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { addressesIn, bootIn } from "./support/boot-data.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true })

function consoleApp(config: KitConfig = {}): Promise<TestApp> {
  return testApp({ resources: [posts], config })
}

let app: TestApp
beforeAll(async () => {
  app = await consoleApp({ app: { name: "News" } })
})
afterAll(() => app[Symbol.asyncDispose]())

interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a path unchanged to the server. */
function send({ url }: Pick<TestApp, "url">, path: string, request: Request = {}): Promise<RawAnswer> {
  return sendRaw(new URL(url).origin, { path, ...request })
}

async function bytesOf(path: string, coding: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await app.app.handler(
    new Request(new URL(path, app.url), { headers: { "accept-encoding": coding } }),
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[response.headers.get("content-encoding") ?? ""]
  return { headers: response.headers, text: (decode?.(bytes) ?? bytes).toString() }
}

describe.each([
  ["its own path", "/admin"],
  ["a path below the base path", "/api/_kit/console"],
])("the console at %s", (_place, mount) => {
  test.each(["", "/", "/collections/posts", "/collections/posts/7", "/a/b/c/d/e/f"])(
    "answers a path without an extension with its page: %j",
    async (path) => {
      const { status, headers, text } = await send(app, `${mount}${path}`)

      expect(status).toBe(200)
      expect(headers["content-type"]).toBe("text/html; charset=utf-8")
      expect(text).toContain('<div id="root">')
    },
  )

  test("names its own path in the boot data, and in the addresses of script and styles", async () => {
    const { text } = await send(app, mount)

    const { script, style } = addressesIn(text)
    expect(bootIn(text)).toMatchObject({ consoleBase: mount, apiBase: "/api" })
    expect(script).toMatch(new RegExp(`^${mount}/assets/[\\w-]+\\.js$`))
    expect(style).toMatch(new RegExp(`^${mount}/assets/[\\w-]+\\.css$`))
    expect(await send(app, script)).toMatchObject({ status: 200 })
    expect(await send(app, style)).toMatchObject({ status: 200 })
  })

  test.each([
    "/assets/missing-4f9c01ab.js",
    "/assets/",
    "/assets/nothing",
    "/assets/__proto__",
    "/favicon.ico",
    "/manifest.json",
    "/index.html",
    "/../index.html",
    "/%2e%2e/%2e%2e/package.json",
    "/assets/../manifest.json",
    "/assets/%2e%2e%2fmanifest.json",
    "/assets/..%5cmanifest.json",
    "/assets//../../../../../package.json",
    "//example.com",
    "/a//b",
  ])("answers 404 where it has neither a page nor a file: %s", async (path) => {
    const { status, body } = await send(app, `${mount}${path}`)

    expect(status).toBe(404)
    expect(body.error.code).toBe("NOT_FOUND")
  })

  test("answers HEAD without a body", async () => {
    const page = await send(app, mount, { method: "HEAD" })
    const file = await send(app, addressesIn((await send(app, mount)).text).script, { method: "HEAD" })

    expect(page).toMatchObject({ status: 200, text: "" })
    expect(Number(page.headers["content-length"])).toBeGreaterThan(500)
    expect(file).toMatchObject({ status: 200, text: "" })
    expect(Number(file.headers["content-length"])).toBeGreaterThan(1_000)
  })
})

describe("a file of the console", () => {
  test.each(["br", "gzip", "identity"])("is sent in the coding that the request accepts: %s", async (coding) => {
    const { script } = addressesIn((await send(app, "/admin")).text)

    const { headers, text } = await bytesOf(script, coding)

    expect(headers.get("content-encoding")).toBe(coding === "identity" ? null : coding)
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(headers.get("vary")).toContain("Accept-Encoding")
    expect(text.length).toBeGreaterThan(10_000)
    expect(text === (await bytesOf(script, "br")).text).toBe(true)
  })

  test("is kept by browsers for a year, and is what its content type says", async () => {
    const { script, style } = addressesIn((await send(app, "/admin")).text)

    for (const path of [script, style]) {
      const { headers } = await send(app, path)
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      })
    }
  })

  test("is not a source map, and no file names one", async () => {
    const { script } = addressesIn((await send(app, "/admin")).text)

    expect((await bytesOf(script, "br")).text.includes("sourceMappingURL")).toBe(false)
    expect(await send(app, `${script}.map`)).toMatchObject({ status: 404 })
  })

  test("may be the licenses of all that it contains", async () => {
    const { status, text, headers } = await send(app, "/admin/LICENSES.txt")

    expect(status).toBe(200)
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
    expect(text).toMatch(/react-dom [\d.]+ \(MIT\)/)
    expect(text).toContain("Copyright (c) Meta Platforms, Inc. and affiliates.")
  })
})

describe("the page of the console", () => {
  test("is never stored, and has a policy that allows its own scripts and styles only", async () => {
    const { headers } = await send(app, "/admin")

    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
        "font-src 'self'; connect-src 'self'; frame-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; " +
        "require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    })
  })

  test("has no inline script and no inline style", async () => {
    const { text } = await send(app, "/admin")

    const inline = [...text.matchAll(/<script(?![^>]*src=)[^>]*>/g)].map(([tag]) => tag)
    expect(inline).toEqual(['<script type="application/json" id="kit-boot">'])
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/)
    expect(text).toContain('<link rel="stylesheet" id="react-aria-pressable-style"')
  })

  test("may show the pages of the preview in a frame", async () => {
    await using preview = await consoleApp({
      console: { preview: { origins: ["https://www.example.com", "http://localhost:4000"] } },
    })

    const { headers } = await send(preview, "/admin")

    expect(headers["content-security-policy"]).toContain(
      "; frame-src https://www.example.com http://localhost:4000 blob:; ",
    )
  })

  test("is the same for everyone, signed in or not", async () => {
    const session = { user: { id: "eva", role: "admin" } }

    const { headers } = await app.app.handler(
      new Request(new URL("/admin", app.url), { headers: { cookie: "kit.session_token=x" } }),
    )
    const signedIn = await app.client(session).schema()

    expect(headers.get("set-cookie")).toBeNull()
    expect(signedIn.console).toBe(true)
    expect((await send(app, "/admin")).text).not.toContain("posts")
  })

  test.each([
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "quotes \" and ' and &amp; and \\",
    "%kit.boot% %kit.base% $& $1",
    "\u2028 and \u2029 in a line",
    "emoji 🖋 and ž",
  ])("shows a name as it is, whatever the name is: %j", async (name) => {
    await using named = await consoleApp({ app: { name }, console: { brand: { name: `The ${name}` } } })

    const { text } = await send(named, "/admin")

    expect(bootIn(text)).toMatchObject({ app: { name }, brand: { name: `The ${name}`, accent: null } })
    expect(text.match(/<script/g)).toEqual((await send(app, "/admin")).text.match(/<script/g))
    expect(/id="kit-boot">(.*)/.exec(text)?.[1]).not.toMatch(/[\u2028\u2029]/)
    expect(/<title>(.*?)<\/title>/s.exec(text)?.[1]).not.toContain("<")
  })
})

describe("the boot data", () => {
  test("are those that a signed-out person may know", async () => {
    const { text } = await send(app, "/admin")

    expect(bootIn(text)).toEqual({
      apiBase: "/api",
      consoleBase: "/admin",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      app: { name: "News" },
      brand: { name: "News", accent: null },
      providers: [],
      passwordSignIn: false,
      passwordReset: false,
      signUp: false,
      // This app has its own sessions, which may be in any part of a request.
      hasSession: true,
      setUpOpen: false,
    })
  })

  test("say whether the browser has sent a session, and the page then names the files of the desk, too", async () => {
    await using shop = await consoleApp({
      sessions: undefined as never,
      secret: "a secret of 32 characters or more",
    })

    const [anonymous, known] = await Promise.all([
      send(shop, "/admin"),
      send(shop, "/admin", { headers: { cookie: "theme=dark; kit.session_token=anything" } }),
    ])

    const deskOf = (html: string) =>
      html.match(/(?:modulepreload|stylesheet)" crossorigin href="\/admin\/assets\/desk-[^"]+"/g)
    expect([bootIn(anonymous.text).hasSession, deskOf(anonymous.text)]).toEqual([false, null])
    expect([bootIn(known.text).hasSession, deskOf(known.text)?.length]).toEqual([true, 2])
  })

  test("name the brand and the ways to sign in", async () => {
    const provider = { clientId: "id", clientSecret: "secret" }
    await using shop = await consoleApp({
      sessions: undefined as never,
      secret: "a secret of 32 characters or more",
      auth: { signUp: true, providers: { github: provider, google: provider } },
      email: { transport: { send: () => Promise.resolve() } },
      console: { brand: { name: "The shop", accent: "#2453d6" } },
    })

    const { text } = await send(shop, "/admin")

    expect(bootIn(text)).toMatchObject({
      brand: { name: "The shop", accent: "#2453d6" },
      providers: [
        { id: "github", name: "GitHub" },
        { id: "google", name: "Google" },
      ],
      passwordSignIn: true,
      passwordReset: true,
      signUp: true,
      setUpOpen: true,
    })
    expect(text).not.toContain("secret")
  })
})

describe("outside of the console", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s of its path is the 404 of every path there", async (method) => {
    const { status, body } = await send(app, "/admin", { method })

    expect(status).toBe(404)
    expect(body.error.message).toContain('The API is mounted at "/api".')
  })

  test("a POST below the base path is 405", async () => {
    expect(await send(app, "/api/_kit/console", { method: "POST" })).toMatchObject({ status: 405 })
  })

  test.each(["/", "/adminx", "/administrator", "/Admin"])("%s is 404", async (path) => {
    expect(await send(app, path)).toMatchObject({ status: 404 })
  })

  test("console: false leaves nothing of it", async () => {
    await using plain = await consoleApp({ console: false })

    for (const path of ["/admin", "/admin/assets/x", "/api/_kit/console", "/api/_kit/console/x"])
      expect(await send(plain, path)).toMatchObject({ status: 404 })
    expect(await plain.client({ user: { id: "eva", role: "admin" } }).schema()).toMatchObject({ console: false })
    expect(plain.app.consolePath).toBeUndefined()
  })

  test("another path takes the place of /admin", async () => {
    await using moved = await consoleApp({ console: { path: "/back/office/" } })

    const { text } = await send(moved, "/back/office/x")

    expect(bootIn(text).consoleBase).toBe("/back/office")
    expect(await send(moved, "/admin")).toMatchObject({ status: 404 })
    expect(await send(moved, "/back")).toMatchObject({ status: 404 })
    expect(moved.app.consolePath).toBe("/back/office")
  })

  test("an API at / has the console below its own path only", async () => {
    await using root = await consoleApp({ basePath: "/" })

    expect(await send(root, "/admin")).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
    expect(bootIn((await send(root, "/_kit/console/x")).text)).toMatchObject({
      apiBase: "",
      consoleBase: "/_kit/console",
    })
    expect(root.app.consolePath).toBe("/_kit/console")
  })

  test("an API at /admin keeps its path", async () => {
    await using same = await consoleApp({ basePath: "/admin" })

    expect(await send(same, "/admin")).toMatchObject({ status: 200, body: { name: expect.anything() } })
    expect(await send(same, "/admin/posts")).toMatchObject({ status: 200, body: { docs: [] } })
    expect(await send(same, "/admin/_kit/console")).toMatchObject({ status: 200, body: undefined })
  })

  test("an API below the path of the console keeps its paths", async () => {
    await using inside = await consoleApp({ basePath: "/admin/api" })

    expect(await send(inside, "/admin/api/posts")).toMatchObject({ status: 200, body: { docs: [] } })
    expect(await send(inside, "/admin/api/nothing")).toMatchObject({ status: 404 })
    expect(bootIn((await send(inside, "/admin/posts")).text)).toMatchObject({ apiBase: "/admin/api" })
  })

  test("web pages never take the place of the console", async () => {
    const dir = mkdtempSync(join(tmpdir(), "kit-console-"))
    mkdirSync(join(dir, "admin"))
    writeFileSync(join(dir, "index.html"), "the site")
    writeFileSync(join(dir, "admin/index.html"), "another admin")
    await using site = await consoleApp({ web: { dir, spa: true } })
    await using without = await consoleApp({ web: { dir, spa: true }, console: false })

    expect((await send(site, "/admin/")).text).toContain("kit-boot")
    expect((await send(site, "/")).text).toBe("the site")
    expect((await send(without, "/admin/")).text).toBe("another admin")
    rmSync(dir, { recursive: true })
  })
})
