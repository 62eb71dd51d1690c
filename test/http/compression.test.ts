// @module-tag not-about-engine

import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { collection, global, route, type Session } from "kit"
import { testApp as identityApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sendRaw } from "../support/processes/raw-http.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }
const anyone = { read: true, create: true, update: true, delete: true } as const
const INVITED = "https://admin.example.com"
/** Refuses plain bodies, so that even a short response is compressed where any may be. */
const ONLY_GZIP = "gzip, identity;q=0"
const PARAGRAPH = "The river rose two metres in a single night, and forty homes were evacuated before dawn. "

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(),
    kind: f.select(["long", "short"]),
    body: f.textarea(),
    big: f.number().bigint(),
  }))
  .searchable({ fields: ["body"], title: "title" })
  .options({ versions: true, revision: true })
  .access(anyone)
const plain = collection("plain")
  .fields(({ f }) => ({ text: f.textarea() }))
  .access(anyone)
const media = collection("media")
  .upload({})
  .access({ ...anyone, upload: true, serve: true })
const site = global("site")
  .fields(({ f }) => ({ motto: f.textarea() }))
  .access(anyone)

const long = route()
  .get()
  .handler(() => ({ text: PARAGRAPH.repeat(50) }))
const raw = route()
  .get()
  .raw()
  .handler(() => Response.json({ text: PARAGRAPH.repeat(50) }))
const refusal = route()
  .get()
  .handler(() => Promise.reject(new Error(PARAGRAPH.repeat(50))))

let app: TestApp
let id: string

beforeAll(async () => {
  app = await testApp({
    resources: [articles, plain, media, site],
    routes: { long, raw, refusal },
    config: { cors: { origins: [INVITED] }, openapi: true },
  })
  const { collections, globals } = app.app.system as any
  for (let number = 0; number < 40; number += 1) {
    const kind = number % 2 === 0 ? "long" : "short"
    id = (await collections.articles.create({ title: `Flood ${number}`, kind, body: PARAGRAPH.repeat(20), big: 5n })).id
  }
  await globals.site.update({ motto: PARAGRAPH.repeat(20) })
})

afterAll(() => app[Symbol.asyncDispose]())

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** Sends a request to the server, without the headers that `fetch` adds, and does not decompress the response. */
async function send(path: string, { method = "GET", headers = {}, body }: Sent = {}, url = app.url): Promise<Received> {
  const typed = body === undefined ? headers : { "content-type": "application/json", ...headers }
  const sending = request(`${url}${path}`, { method, headers: typed }).end(body)
  const [response] = (await once(sending, "response")) as [IncomingMessage]
  const shown = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return { status: Number(response.statusCode), headers: Object.fromEntries(shown), bytes: await buffer(response) }
}

/** Passes the same request to the handler for web-standard requests. */
async function pass(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Received> {
  const typed = body === undefined ? headers : { "content-type": "application/json", ...headers }
  const given = new Request(`${app.url}${path}`, { method, headers: typed, ...(body !== undefined && { body }) })
  const response = await app.app.handler(given)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), bytes }
}

const PATHS: readonly (readonly [string, (path: string, sent?: Sent) => Promise<Received>])[] = [
  ["the server", (path, sent) => send(path, sent)],
  ["the handler for web-standard requests", pass],
]

function textOf({ headers, bytes }: Received): string {
  const coding = headers["content-encoding"]
  if (coding === "gzip") return gunzipSync(bytes).toString()
  return (coding === "br" ? brotliDecompressSync(bytes) : bytes).toString()
}

const accepting = (coding: string, more: Record<string, string> = {}): Sent => ({
  headers: { "accept-encoding": coding, ...more },
})

describe.each(PATHS)("by %s, the coding of a long response", (_name, ask) => {
  test.each([
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br", "br"],
    ["gzip;q=0.9, br;q=0.8", "gzip"],
    ["br, gzip;q=0.2", "br"],
    ["*", "br"],
    ["*, br;q=0", "gzip"],
    ["deflate, *;q=0.1", "br"],
    ["gzip;q=0.001", "gzip"],
    ["gzip, identity;q=0", "gzip"],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["*;q=0, gzip", "gzip"],
    ["identity, gzip;q=0.9", undefined],
    ["gzip;q=0", undefined],
    ["*, gzip;q=0, br;q=0", undefined],
    ["gzip;q=much", undefined],
    ["identity", undefined],
    ["identity;q=0", undefined],
    ["*;q=0", undefined],
    ["deflate", undefined],
    ["", undefined],
    [`gzip, ${"x, ".repeat(400)}gzip;q=0`, undefined],
  ])("for %j is %s", async (accepted, coding) => {
    const unasked = await ask("/articles")

    const answer = await ask("/articles", accepting(accepted))

    expect(answer.status).toBe(200)
    expect(answer.headers["content-encoding"]).toBe(coding)
    expect(answer.headers["vary"]).toBe("Accept-Encoding, Origin")
    expect(textOf(answer)).toBe(unasked.bytes.toString())
    expect(unasked.headers["content-encoding"]).toBeUndefined()
    expect(unasked.headers["vary"]).toBe("Accept-Encoding, Origin")
  })
})

describe("what is compressed", () => {
  const create = JSON.stringify({ title: "new", body: PARAGRAPH.repeat(20) })
  const answers: readonly (readonly [string, string, Sent])[] = [
    ["a page", "/articles", {}],
    ["a page in extended JSON", "/articles", { headers: { "x-extendedjson": "1" } }],
    ["a page by POST", "/articles/query", { method: "POST", body: '{"limit":3}' }],
    ["groups", "/articles?groupBy=kind", {}],
    ["a record", "/articles/ID", {}],
    ["a count", "/articles/count", {}],
    ["versions", "/articles/ID/versions", {}],
    ["a global", "/globals/site", {}],
    ["a search", "/search", { method: "POST", body: '{"query":"river","highlights":true}' }],
    ["an update", "/articles/ID?dryRun=true", { method: "PATCH", body: create }],
    ["an update of many", "/articles", { method: "PATCH", body: '{"where":{"kind":"long"},"data":{"kind":"long"}}' }],
    ["the result of a route", "/long", {}],
    ["a description", "/articles/schema", {}],
    ["the index", "/_kit/schema", {}],
    ["the OpenAPI document", "/_kit/openapi.json", {}],
  ]

  test.each(answers)("%s", async (_name, path, sent) => {
    const at = path.replace("ID", id)
    const headers = { ...sent.headers, "accept-encoding": ONLY_GZIP }

    for (const [, ask] of PATHS) {
      const uncompressed = await ask(at, sent)
      const compressed = await ask(at, { ...sent, headers })

      expect(compressed.status).toBe(200)
      expect(compressed.headers["content-encoding"]).toBe("gzip")
      expect(comparable(textOf(compressed))).toBe(comparable(uncompressed.bytes.toString()))
    }
  })

  test("a short body with gzip, a long one with brotli, unless the caller prefers another coding", async () => {
    const short = "/articles?limit=1"
    const codingOf = async (path: string, accepted: string) =>
      (await send(path, accepting(accepted))).headers["content-encoding"]

    expect(await codingOf(short, "gzip, br")).toBe("gzip")
    expect(await codingOf(short, "br, gzip;q=0.9")).toBe("br")
    expect(await codingOf("/articles", "gzip, br")).toBe("br")
    expect(await codingOf("/articles", "gzip, br;q=0.9")).toBe("gzip")
  })

  test("a created record, with its status and its revision", async () => {
    const { status, headers, bytes } = await send("/articles", { method: "POST", body: create, ...accepting("gzip") })

    expect({ status, ...headers }).toMatchObject({
      status: 201,
      "content-encoding": "gzip",
      "content-length": String(bytes.length),
      "x-revision": "1",
    })
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ title: "new" })
  })

  test("only what is longer than 1 KB, unless the caller refuses plain bodies", async () => {
    const { id: one } = await create1("x".repeat(400))
    const empty = (await send(`/plain/${one}`)).bytes.length - 400
    const { id: shorter } = await create1("x".repeat(1023 - empty))
    const { id: longer } = await create1("x".repeat(1024 - empty))
    // It has fewer than 1,024 characters, and more bytes.
    const { id: wide } = await create1("ľ".repeat(1000 - empty))

    const [first, second, third] = await Promise.all(
      [shorter, longer, wide].map((each) => send(`/plain/${each}`, accepting("gzip"))),
    )
    const refused = await send(`/plain/${shorter}`, accepting(ONLY_GZIP))

    expect(first?.bytes.length).toBe(1023)
    expect(first?.headers).not.toHaveProperty("content-encoding")
    expect(first?.headers["vary"]).toBe("Origin")
    expect(second?.headers["content-encoding"]).toBe("gzip")
    expect(third?.headers["content-encoding"]).toBe("gzip")
    expect(refused.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding, Origin" })
  })

  test("a body that takes another thread as well as one that does not, one beside the other", async () => {
    const { id: huge } = await create1(Array.from({ length: 40_000 }, (_, number) => `line ${number}`).join("\n"))
    const paths = [`/plain/${huge}`, `/articles/${id}`, "/articles?limit=40", "/articles?limit=1"]
    const sent = Array.from({ length: 24 }, (_, number) => paths[number % paths.length] ?? "")
    const coding = (number: number) => (number % 3 === 0 ? "gzip" : "br, gzip")

    const answers = await Promise.all(sent.map((path, number) => send(path, accepting(coding(number)))))

    for (const [number, answer] of answers.entries()) {
      expect(answer.headers["content-length"]).toBe(String(answer.bytes.length))
      expect(textOf(answer)).toBe((await send(sent[number] ?? "")).bytes.toString())
    }
  })

  const create1 = (text: string) => (app.app.system.collections as any)["plain"].create({ text })
  const comparable = (text: string) => text.replaceAll(/"(updatedAt|revision|score)":("[^"]*"|[\d.]+)/g, "")
})

describe("a HEAD request", () => {
  test("gets the headers of the GET, and no body", async () => {
    const sent = accepting("gzip")

    const head = await send("/articles", { ...sent, method: "HEAD" })
    const get = await send("/articles", sent)

    const { date: _date, "x-request-id": _id, ...headers } = get.headers
    expect(head.headers).toMatchObject(headers)
    expect(head.bytes.length).toBe(0)
  })

  test("passed to the handler for web-standard requests gets them, too", async () => {
    const { headers, bytes } = await pass("/articles", { ...accepting("gzip"), method: "HEAD" })

    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding, Origin" })
    expect(bytes.length).toBe(0)
  })
})

describe("what a page of another site may have sent is answered as it is", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["nothing, as no browser does", {}, true],
    ["the same origin", { "sec-fetch-site": "same-origin" }, true],
    ["the user, in the address bar", { "sec-fetch-site": "none" }, true],
    ["another site", { "sec-fetch-site": "cross-site" }, false],
    ["another site, of an allowed origin", { "sec-fetch-site": "cross-site", origin: INVITED }, false],
    ["some page of the same site", { "sec-fetch-site": "same-site" }, false],
    ["an allowed page of the same site", { "sec-fetch-site": "same-site", origin: INVITED }, true],
    ["a foreign page of the same site", { "sec-fetch-site": "same-site", origin: "https://blog.example.com" }, false],
    ["a word that browsers may learn", { "sec-fetch-site": "same-galaxy" }, false],
    ["the own origin", { origin: "OWN" }, true],
    ["an allowed origin", { origin: INVITED }, true],
    ["a foreign origin", { origin: "https://evil.test" }, false],
    ["a sandboxed page", { origin: "null" }, false],
    [
      "a foreign origin that claims to be the same",
      { "sec-fetch-site": "same-origin", origin: "https://x.test" },
      false,
    ],
  ])("%s", async (_name, given, isCompressed) => {
    const { origin, ...rest } = given
    const own = new URL(app.url).origin
    const headers = { ...rest, ...(origin !== undefined && { origin: origin === "OWN" ? own : origin }) }
    const signedIn = { ...headers, cookie: sessions.sign(ann) }

    for (const [, ask] of PATHS) {
      for (const path of ["/articles", "/long", "/articles/schema"]) {
        for (const sent of [headers, signedIn]) {
          const answer = await ask(path, accepting(ONLY_GZIP, sent))

          expect(answer.status).toBe(200)
          expect(answer.headers["content-encoding"]).toBe(isCompressed ? "gzip" : undefined)
          expect(answer.headers["vary"]).toContain("Accept-Encoding")
        }
      }
    }
  })
})

describe("what is never compressed", () => {
  test.each([
    ["a Response of a route", "/raw", 200],
    ["an error", "/articles?where[nothing]=1", 400],
    ["an error of the server", "/refusal", 500],
    ["an unknown path", "/a/b/c", 404],
    ["the health check", "/health", 200],
    ["the mount path", "/", 200],
  ])("%s", async (_name, path, status) => {
    for (const [, ask] of PATHS) {
      const answer = await ask(path, accepting(ONLY_GZIP))

      expect(answer.status).toBe(status)
      expect(answer.headers["content-encoding"]).toBeUndefined()
      expect(answer.headers["vary"]).toBe("Origin")
      JSON.parse(answer.bytes.toString())
    }
  })

  test("a stream", async () => {
    const body = JSON.stringify({ topics: [{ id: "a", resourceType: "collection", resource: "articles", limit: 40 }] })
    const headers = { "accept-encoding": ONLY_GZIP, "content-type": "application/json" }
    const sending = request(`${app.url}/realtime`, { method: "POST", headers }).end(body)
    const [response] = (await once(sending, "response")) as [IncomingMessage]

    const [first] = await once(response, "data")
    response.destroy()

    expect(response.headers).not.toHaveProperty("content-encoding")
    expect(String(first)).toMatch(/^event: session\n/)
  })

  test("a file, and a part of one", async () => {
    const form = new FormData()
    form.set("file", new File([PARAGRAPH.repeat(100)], "a.txt", { type: "text/plain" }))
    const { body } = await app.fetch("/media/upload", { method: "POST", body: form })
    const origin = new URL(app.url).origin

    const whole = await send(body.url, accepting(ONLY_GZIP), origin)
    const part = await send(body.url, accepting(ONLY_GZIP, { range: "bytes=0-2999" }), origin)

    expect([whole.status, whole.bytes.toString()]).toEqual([200, PARAGRAPH.repeat(100)])
    expect([part.status, part.bytes.toString()]).toEqual([206, PARAGRAPH.repeat(100).slice(0, 3000)])
  })

  test("an answer of /auth, whose tokens and keys open sessions", async () => {
    await using own = await identityApp({ collections: [plain] })
    const session = await own.signIn()
    const { headers } = session as { headers: Record<string, string> }
    const sent = { ...accepting(ONLY_GZIP, headers) }
    const key = JSON.stringify({ name: "k".repeat(90) })
    const email = JSON.stringify({ email: "nobody@example.com", password: "a wrong password" })

    const answers = [
      await send("/auth/get-session", sent, own.url),
      await send("/auth/list-sessions", sent, own.url),
      await send("/auth/api-keys", { ...sent, method: "POST", body: key }, own.url),
      await send("/auth/api-keys", sent, own.url),
      await send("/auth/sign-in/email", { ...sent, method: "POST", body: email }, own.url),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200, 401])
    for (const answer of answers) {
      expect(answer.headers).not.toHaveProperty("content-encoding")
      JSON.parse(answer.bytes.toString())
    }
    expect((await send("/users", sent, own.url)).headers["content-encoding"]).toBe("gzip")
  })
})

describe("tags, hashes and revisions are those of the content, not of the coding", () => {
  test("a tag is the same for both codings, and 304 for either", async () => {
    for (const [, ask] of PATHS) {
      const compressed = await ask("/articles/schema", accepting("gzip"))
      const uncompressed = await ask("/articles/schema")
      const { etag = "" } = compressed.headers

      expect(etag).toMatch(/^W\/"/)
      expect(uncompressed.headers["etag"]).toBe(etag)
      for (const coding of ["gzip", "identity", "gzip;q=0"]) {
        const again = await ask("/articles/schema", accepting(coding, { "if-none-match": etag }))

        expect([again.status, again.bytes.length]).toEqual([304, 0])
        expect(again.headers).toMatchObject({ etag, vary: "Accept-Encoding, Origin" })
        expect(again.headers["content-encoding"]).toBeUndefined()
      }
    }
  })

  test("the hash of a result is that of its text", async () => {
    const hashed = { "x-kit-hash": "1" }

    const compressed = await send("/articles", accepting("gzip", hashed))
    const uncompressed = await send("/articles", { headers: hashed })

    expect(compressed.headers["content-encoding"]).toBe("gzip")
    expect(compressed.headers["x-kit-hash"]).toMatch(/./)
    expect(compressed.headers["x-kit-hash"]).toBe(uncompressed.headers["x-kit-hash"])
  })

  test("the revision of a compressed record is the one to send back", async () => {
    const { headers } = await send(`/articles/${id}`, accepting("gzip"))
    const revision = headers["x-revision"] ?? ""
    const patch = (given: string) =>
      send(`/articles/${id}`, { method: "PATCH", body: '{"title":"b"}', ...accepting("gzip", { "if-match": given }) })

    expect((await patch(`"${revision}"`)).status).toBe(200)
    expect((await patch(`"${revision}"`)).status).toBe(412)
  })
})

describe("hostile callers", () => {
  test.each([
    ["60 KB of codings", "gzip;q=0.5,".repeat(5_500)],
    ["60 KB of commas", ",".repeat(60_000)],
    ["60 KB of spaces", `gzip${" ".repeat(60_000)};q=1`],
    ["garbage", '\u00ff;;q==;="gzip";q=0;q=1,,\t,__proto__;q=1,constructor'],
  ])("with %s in their Accept-Encoding get the response as it is, soon", async (_name, header) => {
    const answer = await sendRaw(app.url, { path: "/articles?limit=2", headers: { "accept-encoding": header } })

    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty("content-encoding")
    expect(answer.body.docs).toHaveLength(2)
  })

  test("who leave before their long response is compressed leave nothing behind", async () => {
    await using own = await testApp({ resources: [plain] })
    await own.database.query(
      `insert into plain (id, text, "createdAt", "updatedAt")
       select gen_random_uuid(), (select string_agg(md5((n * 1000 + m)::text), ' ') from generate_series(1, 600) as m), now(), now()
       from generate_series(1, 30) as n`,
    )
    const leave = async () => {
      const { hostname, port } = new URL(own.url)
      const socket = connect(Number(port), hostname)
      socket.write("GET /api/plain HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n")
      // The response is on its way, or still being made: whichever comes first.
      await Promise.race([once(socket, "data"), new Promise((resolve) => setImmediate(resolve))])
      socket.destroy()
    }
    for (let round = 0; round < 14; round += 1) await leave()

    // Each of these reserves 1 of the 15 MiB that a caller has for long responses, which are free again.
    const answers = await Promise.all(Array.from({ length: 14 }, () => send("/plain", accepting("gzip"), own.url)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const answer of answers) expect(JSON.parse(textOf(answer)).docs).toHaveLength(30)
  })

  test("cannot have a response of more bytes than the limit by compressing it", async () => {
    await using own = await testApp({ resources: [plain], config: { limits: { answerBytes: 50_000 } } })
    await (own.app.system.collections as any)["plain"].create({ text: "x".repeat(60_000) })

    const answer = await send("/plain", accepting("gzip"), own.url)

    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.bytes.toString()).error.context).toEqual({ limit: "answerBytes", maxBytes: 50_000 })
  })
})

test("the setting turns it off, and responses do not depend on the header any more", async () => {
  await using own = await testApp({ resources: [plain], config: { compression: false } })
  await (own.app.system.collections as any)["plain"].create({ text: PARAGRAPH.repeat(50) })

  for (const path of ["/plain", "/plain/schema"]) {
    const { status, headers } = await send(path, accepting(ONLY_GZIP), own.url)

    expect(status).toBe(200)
    expect(headers).not.toHaveProperty("content-encoding")
    expect(headers).not.toHaveProperty("vary")
  }
})

test("the client reads compressed responses", async () => {
  const client = app.client(ann)

  const page = await client.collections["articles"].find({ limit: 2, where: { kind: "short" } })

  expect(page.docs[0].body).toBe(PARAGRAPH.repeat(20))
  expect(page.docs[0].big).toBe(5n)
})
