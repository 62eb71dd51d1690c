// @module-tag not-about-engine

import { fileURLToPath } from "node:url"
import { validate } from "@readme/openapi-parser"
import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENDPOINT_TABLE } from "../../packages/kit/src/http/openapi/operations/endpoint-table.ts"
import posts from "../../packages/kit/templates/minimal/src/collections/posts.ts"
import { AnswerChecker, type Document } from "./answer-checker.ts"
import { everyKindApp } from "./every-kind-app.ts"

type Init = Parameters<TestApp["fetch"]>[1]

async function documentOf(app: TestApp, query = "", init: Init = {}): Promise<Document> {
  const answer = await app.fetch(`/_kit/openapi.json${query}`, init)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Document
}

async function expectValid(document: Document): Promise<void> {
  // The parser replaces references in its argument. The cast is safe: it takes any document, and reports what is wrong.
  expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true })
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  expect(ids).toHaveLength(new Set(ids).size)
}

test("a validator accepts the documents of the newsroom, for every caller", async () => {
  const root = fileURLToPath(new URL("../../examples/newsroom", import.meta.url))
  await using app = await testApp({ root, config: { openapi: true } })
  const editor = await app.signIn({ role: "editor" })
  const admin = await app.signIn({ role: "admin" })

  const documents = [
    await documentOf(app),
    await documentOf(app, "", editor),
    await documentOf(app, "", admin),
    await documentOf(app, "?all=true", admin),
  ]

  for (const document of documents) await expectValid(document)
  const sizes = documents.map(({ paths }) => Object.keys(paths).length)
  expect(sizes).toEqual([...sizes].sort((left, right) => left - right))
})

test("the document has the descriptions of the author", async () => {
  const notes = collection("notes")
    .description({ en: "Short notes.", sk: "Krátke poznámky." })
    .fields(({ f }) => ({
      code: f.text().description({ en: "The code of the note.", sk: "Kód poznámky." }),
      about: f.relation("notes").description("The note that this one is about."),
    }))
    .access({ read: true, create: true })
  const locales = { default: "en", all: ["en", "sk"] }
  await using app = await testApp({ collections: [notes], config: { openapi: true, locales } })

  const document = await documentOf(app, "", { headers: { "accept-language": "sk" } })

  const properties = {
    code: { description: "The code of the note." },
    about: { description: "The note that this one is about." },
  }
  expect(document).toMatchObject({
    tags: [{ name: "notes", description: "Short notes." }],
    components: {
      schemas: {
        NotesRecord: { properties },
        NotesCreate: { properties },
      },
    },
  })
  await expectValid(document)
})

test("a validator accepts the document of the template", async () => {
  // The template belongs to a program of its own, whose generated types this one does not have.
  const { default: publish } = await import(
    "../../packages/kit/templates/minimal/src/routes/posts/publish.ts" as string
  )
  await using app = await testApp({
    collections: [posts],
    routes: { "posts/publish": publish },
    config: { openapi: true },
  })

  await expectValid(await documentOf(app))
})

describe("an app with everything", () => {
  let app: TestApp
  let admin: Awaited<ReturnType<TestApp["signIn"]>>
  let document: Document
  beforeAll(async () => {
    app = await everyKindApp({ auth: { signUp: true } })
    admin = await app.signIn({ role: "admin" })
    document = await documentOf(app, "?all=true", admin)
  })
  afterAll(() => app.stop())

  test("has a valid document, the same each time", async () => {
    await expectValid(document)

    expect(JSON.stringify(await documentOf(app, "?all=true", admin))).toBe(JSON.stringify(document))
  })

  test("has all calls of the table of endpoints in its document, and the table has no others", async () => {
    const methods = Object.entries(ENDPOINT_TABLE)
    for (const [key, row] of methods) {
      const [method = "", pattern = ""] = key.split(" ")
      const collection = row.kind === "resource" && row.isForFiles ? "pictures" : "things"
      const named = pattern.replace(":collection", collection).replace(":name", "labels")
      const allowed = await allowedMethods(named.replace(/[:*]id/, admin.user.id).replace(/[:*]\w+/, "x"))
      const template = (row.kind === "fixed" ? pattern : named).replace(/[:*](\w+)/g, "{$1}")

      expect(allowed, key).toContain(method)
      const described = document.paths[template]?.[method.toLowerCase()] !== undefined
      expect(described, key).toBe(row.kind !== "none")
    }
  })

  async function allowedMethods(path: string): Promise<string[]> {
    const answer = await app.fetch(path, { method: "OPTIONS" })
    return (answer.headers.get("allow") ?? "").split(", ")
  }

  test("has the author's routes in its document, with their schemas", () => {
    const { paths, components } = document
    const tree = paths["/trees/{other}"]

    expect(tree?.["post"]).toMatchObject({
      operationId: "routes.trees.$tree.post",
      parameters: [{ name: "other", in: "path", required: true }],
      requestBody: { required: true },
      responses: { 200: {}, 400: { $ref: "#/components/responses/BadRequest" } },
    })
    expect(tree?.["get"]?.operationId).toBe("routes.trees.$other.get")
    expect(tree?.["get"]?.["parameters"]).toMatchObject([{ name: "other", in: "path" }])
    expect(JSON.stringify([tree, components.schemas])).not.toMatch(/"#\/\$defs|"\$ref":"#"/)
    expect(paths["/finder"]?.["get"]?.["parameters"]).toMatchObject([
      { name: "words", in: "query", required: true, schema: { type: "string" } },
      { name: "page", in: "query" },
      { name: "range", in: "query", style: "deepObject" },
    ])
    expect(paths["/echo/{rest}"]?.["post"]?.["requestBody"]).toMatchObject({ content: { "*/*": {} } })
  })

  test("has components that no other resource can have", () => {
    expect(document.components.schemas["LabelsRecord"].properties).toHaveProperty("name")
    expect(document.components.schemas["Capital.LabelsRecord"].properties).toHaveProperty("note")
    expect(document.components.schemas["Global.LabelsRecord"].properties).toHaveProperty("thing")
  })

  test("says how callers identify themselves, and for which calls they need not", () => {
    const security = (path: string, method: string) => document.paths[path]?.[method]?.["security"]

    expect(document["components"]).toMatchObject({
      securitySchemes: {
        sessionCookie: { type: "apiKey", in: "cookie", name: "kit.session_token" },
        sessionToken: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    })
    expect(security("/_kit/health", "get")).toEqual([])
    expect(security("/things", "get")).toEqual([{}, { sessionCookie: [] }, { sessionToken: [] }, { apiKey: [] }])
    expect(security("/auth/api-keys", "post")).toEqual([{ sessionCookie: [] }, { sessionToken: [] }])
  })

  test("lists the statuses that the answers of a call can have", () => {
    const statuses = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {})

    expect(statuses("/things", "post")).toEqual(
      expect.arrayContaining(["200", "201", "400", "409", "413", "415", "429"]),
    )
    expect(statuses("/things/{id}", "patch")).toEqual(expect.arrayContaining(["200", "404", "409", "412"]))
    expect(statuses("/things", "get")).not.toContain("409")
    expect(statuses("/pictures/files/{key}", "get")).toEqual(expect.arrayContaining(["200", "206", "304"]))
    expect(statuses("/realtime", "post")).toEqual(expect.arrayContaining(["200", "202"]))
    expect(statuses("/auth/verify-email", "get")).toEqual(expect.arrayContaining(["200", "302"]))
    expect(statuses("/_kit/schema", "get")).toEqual(expect.arrayContaining(["200", "304"]))
  })

  test("answers as its document says, through the life of a record", async () => {
    const checker = new AnswerChecker(document)
    const refused: string[] = []
    const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const init = { method, headers: { "content-type": "application/json", ...headers, ...admin.headers } }
      const answer = await app.fetch(path, body === undefined ? init : { ...init, body: JSON.stringify(body) })
      await checker.check(new Request(`${app.url}${path}`, { method }), "/api", answer)
      if (!answer.ok) refused.push(`${method} ${path}`)
      return { status: answer.status, body: (await answer.json()) as any }
    }
    const form = new FormData()
    form.set("file", new File(["words"], "words.txt", { type: "text/plain" }))
    const uploaded = await app.fetch("/pictures/upload", { method: "POST", body: form, headers: admin.headers })
    await checker.check(new Request(`${app.url}/pictures/upload`, { method: "POST" }), "/api", uploaded)
    const picture = ((await uploaded.json()) as { id: string }).id
    await call("POST", "/labels", { id: "first", name: "First" })

    const created = await call("POST", "/things", {
      ...{ name: "One", slug: "one", mail: "a@example.com", site: "https://example.com/", count: 1, picture },
      ...{ big: "9007199254740993", share: 0.5, price: "1.50", day: "2026-02-28", at: "2026-02-28T12:00:00Z" },
      ...{ hour: "12:30", color: "red", colors: ["red", "green"], extra: { any: [1, null] }, writeOnly: "w" },
      ...{ size: { width: 1 }, words: ["a"], boxes: [{ label: "b" }], labels: ["first"] },
      text: { type: "doc", content: [{ type: "paragraph" }] },
    })
    const { id } = created.body
    const at = `/things/${id}`
    await call("POST", "/things", { name: "Child", parent: id })
    await call("PATCH", at, { count: 2 }, { "if-match": '"1"' })
    const stale = await call("PATCH", at, { count: 3 }, { "if-match": '"1"' })
    const withAll = "with[parent]=true&with[children]=true&with[labels]=true&with[picture]=true"
    await call("GET", `/things?${withAll}&stage=draft&locale=sk&localeFallback=false`)
    await call("GET", `${at}?with[labels][_count]=true`)
    await call("GET", `${at}/versions`)
    const versions = await call("GET", `${at}/versions?after=&limit=1`)
    await call("GET", `${at}/versions?after=${versions.body.endCursor}`)
    await call("GET", `${at}/access`)
    await call("POST", `${at}/transition`, { stage: "shown", scheduledAt: "2099-01-01T00:00:00Z" })
    await call("GET", `${at}/transition`)
    await call("DELETE", `${at}/transition`)
    const shown = await call("POST", `${at}/transition`, { stage: "shown" })
    await call("POST", `${at}/revert`, { version: 1 })
    const child = `/things/${(await call("GET", "/things?where[name]=Child")).body.docs[0].id}`
    await call("DELETE", child)
    await call("POST", `${child}/purge`)
    await call("DELETE", at)
    await call("GET", "/things?includeDeleted=true")
    await call("POST", `${at}/restore`)
    await call("DELETE", at)
    await call("POST", `${at}/purge`)
    await call("GET", "/globals/labels")
    await call("PATCH", "/globals/labels", { note: "n" })
    await call("GET", "/globals/labels/versions")
    await call("GET", "/globals/labels/versions?before=")
    await call("GET", "/globals/labels/meta")
    await call("POST", "/globals/labels/transition", { stage: "shown" })
    await call("POST", "/channels/publish", {
      channel: "room",
      params: { id: "1" },
      event: "said",
      data: { text: "t" },
    })
    await call("GET", "/_kit/channels/room/events?params[id]=1&limit=1&after=")
    await call("GET", "/things/schema")
    const tree = await call("POST", "/trees/1", { name: "a", children: [{ name: "b", children: [] }] })

    expect([created.status, stale.status, shown.body.stage, tree.status]).toEqual([201, 412, "shown", 200])
    expect(refused).toEqual([`PATCH ${at}`])
    expect(new Set(checker.checked).size).toBeGreaterThan(20)
  })
})
