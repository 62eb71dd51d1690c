// @module-tag not-about-engine

import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const reader: Session = { user: { id: "rita", name: "Rita", role: "reader" } }
const editor: Session = { user: { id: "edda", role: "editor" } }

type Call = { readonly session: Session | null }
const isSomebody = ({ session }: Call) => session !== null
const isEditor = ({ session }: Call) => session?.user.role === "editor"

const posts = collection("posts")
  .fields(({ f }) => ({
    headline: f.text().label({ en: "Headline", sk: "Titulok" }),
    pay: f.number().integer().access({ read: isEditor }),
    note: f.text().access({ read: isSomebody }),
    owner: f.relation("people"),
  }))
  .title("headline")
  .label({ en: "Posts", sk: "Príspevky" }, { en: "Post", sk: "Príspevok" })
  .group({ sk: "Obsah" })
  .icon("newspaper")
  .list({ columns: ["headline", "pay", "note"] })
  .access({ read: true, create: isEditor, update: isEditor })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .access({ read: isSomebody })

const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ create: true })

const secrets = collection("secrets").fields(({ f }) => ({ code: f.text() }))

const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: isSomebody, update: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, people, letters, secrets, settings],
    config: { app: { name: "Paper" }, locales: { default: "en", all: ["en", "sk", "de"], fallback: { de: ["sk"] } } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

async function indexFor(session?: Session, query = ""): Promise<any> {
  const { status, body } = await app.fetch(`/_kit/schema${query}`, session && { session })
  expect(status).toBe(200)
  return body
}

const namesIn = (index: any): string[] => index.resources.map(({ name }: { name: string }) => name)

describe("the index", () => {
  test("lists what the caller may know, without fields", async () => {
    expect(namesIn(await indexFor())).toEqual(["letters", "posts"])
    expect(namesIn(await indexFor(reader))).toEqual(["letters", "people", "posts", "settings"])
    expect(JSON.stringify(await indexFor(editor))).not.toMatch(/secrets|code|owner/)
  })

  test("tells the app, its locales and limits, and who the caller is", async () => {
    expect(await indexFor(reader)).toMatchObject({
      name: "Paper",
      locale: "en",
      locales: { default: "en", all: ["en", "sk", "de"] },
      limits: { defaultLimit: 50, maxLimit: 1000, maxBodyBytes: 1024 * 1024 },
      user: { id: "rita", name: "Rita", role: "reader" },
    })
    expect((await indexFor(editor)).user).toEqual({ id: "edda", name: null, role: "editor" })
    expect((await indexFor()).user).toBeNull()
  })

  test("summarizes each resource for the caller", async () => {
    const summary = async (session?: Session) =>
      (await indexFor(session)).resources.find(({ name }: { name: string }) => name === "posts")

    expect(await summary()).toEqual({
      name: "posts",
      kind: "collection",
      label: "Posts",
      singularLabel: "Post",
      icon: "newspaper",
      group: "Obsah",
      title: "headline",
      columns: ["headline"],
      access: { read: true, create: false, update: false, delete: false },
      hash: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(await summary(reader)).toMatchObject({ columns: ["headline", "note"] })
    expect(await summary(editor)).toMatchObject({
      columns: ["headline", "pay", "note"],
      access: { create: true, delete: false },
    })
  })

  test("refuses options that it does not know, and all locales at once", async () => {
    expect(await app.fetch("/_kit/schema?fields=true")).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "fields" }] } },
    })
    expect((await app.fetch("/_kit/schema?locale=*")).status).toBe(400)
    expect((await app.fetch("/_kit/schema?locale=fr")).status).toBe(400)
  })
})

describe("labels", () => {
  test("are in the locale of the request, or in one of its fallback locales", async () => {
    const label = async (query: string, headers: Record<string, string> = {}) =>
      (await app.fetch(`/posts/schema${query}`, { headers })).body

    expect(await label("")).toMatchObject({ label: "Posts", fields: { headline: { label: "Headline" } } })
    expect(await label("?locale=sk")).toMatchObject({ label: "Príspevky", fields: { headline: { label: "Titulok" } } })
    expect(await label("", { "accept-language": "sk-SK" })).toMatchObject({ singularLabel: "Príspevok" })
    expect(await label("?locale=de")).toMatchObject({ label: "Príspevky" })
    expect((await indexFor(undefined, "?locale=sk")).locale).toBe("sk")
  })
})

describe("the hash of a resource", () => {
  const hashes = async (session?: Session, query = "") => {
    const index = await indexFor(session, query)
    return new Map<string, string>(index.resources.map(({ name, hash }: any) => [name, hash]))
  }

  test("is the one of its schema, and stays as it is", async () => {
    for (const session of [undefined, reader, editor]) {
      const indexed = (await hashes(session)).get("posts")
      const { body } = await app.fetch("/posts/schema", session && { session })
      expect(body.hash).toBe(indexed)
      expect((await hashes(session)).get("posts")).toBe(indexed)
    }
  })

  test("differs by locale, by the caller's rights, and by what field rules decide from the user", async () => {
    const one = (await hashes(reader)).get("posts")

    expect((await hashes(reader, "?locale=sk")).get("posts")).not.toBe(one)
    expect((await hashes(editor)).get("posts")).not.toBe(one)
    expect((await hashes({ user: { id: "rita", role: "guest" } })).get("posts")).not.toBe(one)
    expect((await hashes({ user: { id: "rolf", role: "reader" } })).get("people")).toBe(
      (await hashes(reader)).get("people"),
    )
  })

  test("changes with the definition", async () => {
    const hashOf = async (maximum: number, rule: boolean) => {
      const things = collection("things")
        .fields(({ f }) => ({ name: f.text(maximum), other: f.text().access({ read: rule }) }))
        .access({ read: true })
      await using other = await testApp({ resources: [things] })
      return (await other.fetch("/things/schema")).body.hash
    }

    const hash = await hashOf(10, true)

    expect(await hashOf(10, true)).toBe(hash)
    expect(await hashOf(10, false)).not.toBe(hash)
  })
})

describe("an unchanged description", () => {
  const PATHS = ["/_kit/schema", "/posts/meta", "/posts/schema", "/globals/settings/meta", "/globals/settings/schema"]

  test.each(PATHS)("%s is not sent again", async (path) => {
    const first = await app.fetch(path, { session: reader })
    const etag = first.headers.get("etag") ?? ""
    const ask = (tag: string, session = reader) => app.fetch(path, { session, headers: { "if-none-match": tag } })

    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    expect(first.headers.get("cache-control")).toBe("private, no-cache")
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const again = await ask(tag)
      expect(again).toMatchObject({ status: 304, body: null })
      expect(again.headers.get("etag")).toBe(etag)
    }
    expect((await ask('"other"')).status).toBe(200)
    if (!path.endsWith("settings/meta")) expect((await ask(etag, editor)).status).toBe(200)
  })

  test("has the same headers for HEAD, without a body", async () => {
    const { status, body, headers } = await app.fetch("/posts/schema", { method: "HEAD" })
    const whole = await app.fetch("/posts/schema")

    expect({ status, body }).toEqual({ status: 200, body: null })
    expect(headers.get("etag")).toBe(whole.headers.get("etag"))
  })

  test("is refused to callers who may not see it, whatever tag they send", async () => {
    expect((await app.fetch("/people/schema", { headers: { "if-none-match": "*" } })).status).toBe(401)
  })
})

describe("compression", () => {
  // `fetch` decompresses, so these requests are made without it.
  const raw = (path: string, headers: Record<string, string>) =>
    new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      request(`${app.url}${path}`, { headers }, (response) => {
        const parts: Buffer[] = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(parts) }))
      })
        .on("error", reject)
        .end()
    })

  test("is used for long descriptions if the caller accepts it", async () => {
    const { headers, body } = await raw("/posts/schema", { "accept-encoding": "deflate, gzip;q=0.5" })
    const plain = await raw("/posts/schema", {})

    expect(headers).toMatchObject({ "content-encoding": "gzip", "content-length": String(body.length) })
    expect(gunzipSync(body)).toEqual(plain.body)
    expect(headers["etag"]).toBe(plain.headers["etag"])
    expect(String(headers["vary"])).toContain("Accept-Encoding")
    expect(plain.headers["content-encoding"]).toBeUndefined()
    expect(String(plain.headers["vary"])).toContain("Accept-Encoding")
  })

  test("is not used for what is short, or if the caller refuses it", async () => {
    const gzip = { "accept-encoding": "gzip" }

    expect((await raw("/letters/meta", gzip)).headers["content-encoding"]).toBeUndefined()
    for (const accepted of ["gzip;q=0", "identity", "deflate"]) {
      expect((await raw("/posts/schema", { "accept-encoding": accepted })).headers["content-encoding"]).toBeUndefined()
    }
  })
})

describe("the client and the process", () => {
  test("have the same descriptions as HTTP", async () => {
    const client: any = app.client(reader)
    const local: any = app.app.as(reader)
    const fetched = async (path: string) => (await app.fetch(path, { session: reader })).body

    expect(await client.schema()).toEqual(await fetched("/_kit/schema"))
    expect(await client.schema({ locale: "sk" })).toMatchObject({ locale: "sk" })
    for (const api of [client, local]) {
      expect(await api.collections.posts.meta()).toEqual(await fetched("/posts/meta"))
      expect(await api.collections.posts.schema({ locale: "sk" })).toEqual(await fetched("/posts/schema?locale=sk"))
      expect(await api.globals.settings.meta()).toEqual(await fetched("/globals/settings/meta"))
      expect(await api.globals.settings.schema()).toEqual(await fetched("/globals/settings/schema"))
      expect(await api.globals.settings.access()).toEqual(await fetched("/globals/settings/access"))
    }
  })

  test("tell the rights to a record", async () => {
    const { id } = await (app.app.system.collections as Record<string, any>)["posts"].create({ headline: "h" })
    const { body } = await app.fetch(`/posts/${id}/access`, { session: reader })

    for (const api of [app.client(reader) as any, app.app.as(reader)]) {
      expect(await api.collections.posts.access({ id })).toEqual(body)
      await expect(api.collections.people.schema({ limit: 3 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    }
    await expect(app.client().collections["people"].schema()).rejects.toMatchObject({ status: 401 })
  })

  test("system code is told everything but hidden fields", async () => {
    const schema: any = await (app.app.system.collections as any).secrets.schema()

    expect(schema.access).toMatchObject({ level: true, operations: { read: true, delete: true } })
    expect(schema.fields.code.access).toEqual({ read: true, create: true, update: true })
  })
})
