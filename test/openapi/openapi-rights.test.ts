// @module-tag not-about-engine

import { collection, global, type KitConfig, route } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { describe, expect, test } from "vitest"
import type { Document } from "./answer-checker.ts"

type Init = Parameters<TestApp["fetch"]>[1]

async function readDocument(app: TestApp, query = "", init: Init = {}) {
  const answer = await app.fetch(`/_kit/openapi.json${query}`, init)
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Document }
}

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: true, create: ({ session }) => session !== null })

describe("what a caller may not know", () => {
  const isAdmin = ({ session }: { session: { user: { role?: string | undefined } } | null }) =>
    session?.user.role === "admin"

  // The same app twice: once with things that only admins may know, once without.
  const openFields = { workflow: { stages: { draft: {}, published: {} } } }
  const papers = (isSecret: boolean) =>
    collection("papers")
      .fields(({ f }) => ({
        title: f.text().required(),
        author: f.relation("users"),
        ...(isSecret && {
          quoriumNote: f.text().access({ read: isAdmin, create: isAdmin, update: isAdmin }),
          quoriumHidden: f.text().hidden(),
          quoriumCase: f.relation("quoriumCases").access({ read: isAdmin, create: isAdmin, update: isAdmin }),
          quoriumList: f.relation("quoriumCases").manyToMany({ through: "quorium" }),
          quoriumKind: f.select(["quoriumRed"]).access({ read: isAdmin, create: isAdmin, update: isAdmin }),
        }),
      }))
      .options({
        ...openFields,
        workflow: { stages: { draft: {}, ...(isSecret && { quoriumStage: {} }), published: {} } },
      })
      .access({ read: ({ session }) => session !== null || { title: { ne: "" } }, create: isAdmin, update: isAdmin })
  const secretCollection = collection("quoriumCases")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: isAdmin, create: isAdmin })
  // Its components would be called like those of "papers", were the names not kept apart.
  const namesake = collection("Papers")
    .fields(({ f }) => ({ quoriumName: f.text() }))
    .access({ read: isAdmin })
  const secretGlobal = global("quoriumPlan")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: isAdmin, update: isAdmin })
  const secretRoute = route()
    .access(isAdmin)
    .handler(() => null)
  const config: KitConfig = { openapi: true }

  const secretWorld = () =>
    testApp({
      collections: [papers(true), secretCollection, namesake],
      globals: [secretGlobal],
      routes: { "quorium/[quoriumId]": secretRoute },
      config,
    })
  const plainWorld = () => testApp({ collections: [papers(false)], config })

  test("is nowhere in the document, which is that of an app without it", async () => {
    await using secret = await secretWorld()
    await using plain = await plainWorld()
    const readers = async (app: TestApp) => [
      await readDocument(app),
      await readDocument(app, "", await app.signIn({ role: "editor" })),
    ]

    const [shown, compared] = [await readers(secret), await readers(plain)]

    expect(JSON.stringify(shown).match(/.{20}quorium.{20}/gi)).toBeNull()
    expect(shown.map(({ body }) => body)).toEqual(compared.map(({ body }) => body))
  })

  test("is in the document of those who may know it, except what is hidden from all", async () => {
    await using app = await secretWorld()
    const admin = await app.signIn({ role: "admin" })

    for (const query of ["", "?all=true"]) {
      const text = JSON.stringify((await readDocument(app, query, admin)).body)
      const names = [
        "quoriumNote",
        "quoriumCases",
        "quoriumPlan",
        "quoriumStage",
        "quoriumRed",
        "quoriumId",
        "quoriumName",
      ]
      expect(names.filter((name) => !text.includes(name))).toEqual([])
      expect(text).not.toContain("quoriumHidden")
    }
  })
})

test("the document shows the operations that the rules allow, and the fields of each", async () => {
  const notes = collection("notes")
    .fields(({ f }) => ({
      text: f.text().required(),
      sent: f.text().access({ read: false }),
      checked: f.boolean().access({ create: false, update: false }),
    }))
    .access({ read: ({ session }) => session !== null, create: true })
  await using app = await testApp({ collections: [notes], config: { openapi: true } })

  const { paths, components } = (await readDocument(app)).body
  const signedIn = (await readDocument(app, "", await app.signIn())).body

  expect(Object.keys(paths["/notes"] ?? {})).toEqual(["post"])
  expect(paths).not.toHaveProperty("/notes/{id}")
  expect(components.schemas["NotesRecord"].properties).toEqual({})
  expect(Object.keys(components.schemas["NotesCreate"].properties)).toEqual(["text", "sent"])
  expect(Object.keys(signedIn.paths["/notes"] ?? {})).toEqual(["get", "post"])
  expect(Object.keys(signedIn.components.schemas["NotesRecord"].properties)).toEqual(
    expect.arrayContaining(["id", "text", "checked"]),
  )
  expect(signedIn.components.schemas["NotesRecord"].properties).not.toHaveProperty("sent")
  expect(signedIn.components.schemas["NotesWhere"].properties).not.toHaveProperty("sent")
  // Anyone may create, but only callers with credentials may read.
  expect(signedIn.paths["/notes"]?.["post"]?.["security"]).toContainEqual({})
  expect(signedIn.paths["/notes"]?.["get"]?.["security"]).not.toContainEqual({})
})

describe("the setting openapi", () => {
  test("gives the document to callers with a session or key only, unless set", async () => {
    await using app = await testApp({ collections: [posts] })
    const user = await app.signIn()
    const created = await app.fetch("/auth/api-keys", {
      method: "POST",
      body: JSON.stringify({ name: "a program" }),
      headers: { ...user.headers, "content-type": "application/json" },
    })
    const { key } = (await created.json()) as { key: string }

    expect(await readDocument(app)).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } })
    expect((await readDocument(app, "", user)).status).toBe(200)
    expect((await readDocument(app, "", { headers: { "x-api-key": key } })).status).toBe(200)
  })

  test("gives it to everyone in development", async () => {
    await using app = await testApp({ collections: [posts], mode: "development" })

    expect((await readDocument(app)).status).toBe(200)
  })

  test("removes it if it is false", async () => {
    await using app = await testApp({ collections: [posts], config: { openapi: false } })

    const admin = await app.signIn({ role: "admin" })
    expect((await readDocument(app, "", admin)).status).toBe(404)
    expect((await readDocument(app, "?all=true", admin)).status).toBe(404)
  })

  test("takes no other value", async () => {
    // The cast is the test: an author without types may write anything.
    const config = { openapi: "everyone" } as unknown as KitConfig

    await expect(testApp({ collections: [posts], config })).rejects.toThrow('true, "signed-in" or false')
  })
})

describe("the document of the whole app", () => {
  test("is for users with the role admin who have signed in, and does not exist for others", async () => {
    await using app = await testApp({ collections: [posts], config: { openapi: true } })
    const admin = await app.signIn({ role: "editor,admin" })
    const created = await app.fetch("/auth/api-keys", {
      method: "POST",
      body: JSON.stringify({ name: "a program" }),
      headers: { ...admin.headers, "content-type": "application/json" },
    })
    const { key } = (await created.json()) as { key: string }
    const statusFor = async (init: Init) => (await readDocument(app, "?all=true", init)).status

    expect(await statusFor(admin)).toBe(200)
    expect(await statusFor({})).toBe(404)
    expect(await statusFor(await app.signIn({ role: "editor" }))).toBe(404)
    expect(await statusFor({ headers: { "x-api-key": key } })).toBe(404)
    expect((await readDocument(app, "?all=false")).status).toBe(200)
  })

  test.each([
    ["a function that says so", ({ session }: { session: unknown }) => session !== null, [404, 200]],
    ["true", true, [200, 200]],
    ["false", false, [404, 404]],
    ["a function that throws", () => Promise.reject(new Error("broken")), [404, 404]],
    ["a function that returns something else", () => 1, [404, 404]],
  ])("is for those whom the setting developer allows: %s", async (_name, developer, expected) => {
    await using app = await testApp({ collections: [posts], config: { openapi: true, developer } })
    const user = await app.signIn()

    const statuses = [
      (await readDocument(app, "?all=true")).status,
      (await readDocument(app, "?all=true", user)).status,
    ]

    expect(statuses).toEqual(expected)
  })
})

test("an unknown option is refused, and names what there is", async () => {
  await using app = await testApp({ collections: [posts], config: { openapi: true } })

  expect(await readDocument(app, "?al=true")).toMatchObject({
    status: 400,
    body: { error: { fieldErrors: [{ path: "al", message: 'There is no option "al" here. Did you mean "all"?' }] } },
  })
  expect((await readDocument(app, "?all=perhaps")).status).toBe(400)
})

test("a caller who has the document learns that it has not changed, and gets it compressed", async () => {
  await using app = await testApp({ collections: [posts], config: { openapi: true } })

  const { headers } = await readDocument(app)
  const again = await app.fetch("/_kit/openapi.json", { headers: { "if-none-match": headers.get("etag") ?? "" } })

  expect(headers.get("content-encoding")).toBe("gzip")
  expect([again.status, await again.text()]).toEqual([304, ""])
})

test("an app with its own sessions has a document without credentials and without /auth", async () => {
  await using app = await testApp({
    collections: [
      collection("things")
        .fields(({ f }) => ({ name: f.text() }))
        .access({ read: true }),
    ],
    config: { openapi: true, sessions: { read: () => null } },
  })

  const { body } = await readDocument(app)

  expect(Object.keys(body.paths).filter((path) => path.startsWith("/auth"))).toEqual([])
  expect(body["components"]).toMatchObject({ securitySchemes: {} })
  expect(body["security"]).toEqual([])
})

test("a document at a public address names it as its server", async () => {
  const config: KitConfig = { openapi: true, app: { url: "https://news.example.com", name: "News" }, basePath: "/v2" }
  await using app = await testApp({ collections: [posts], config })

  const { body } = await readDocument(app)

  expect(body).toMatchObject({
    openapi: "3.1.0",
    info: { title: "News" },
    servers: [{ url: "https://news.example.com/v2" }],
  })
  expect(body["components"]).toMatchObject({
    securitySchemes: { sessionCookie: { name: "__Secure-kit.session_token" } },
  })
})
