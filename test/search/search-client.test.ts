import { collection } from "kit"
import { createClient } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text().required(), at: f.datetime() }))
  .title("title")
  .searchable({ facets: ["at"] })
  .access({ read: true, create: true, update: true })

const lists = collection("lists")
  .fields(({ f }) => ({ title: f.text().required() }))
  .title("title")
  .searchable({})
  .access({ read: true, update: ({ session }) => session !== null })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, lists] })
  await app.app.system.collections["notes"]?.create({ title: "A lighthouse", at: "2026-05-04T10:00:00Z" })
})

afterAll(() => app[Symbol.asyncDispose]())

/** Returns a client, and the requests that it has sent. */
function recording() {
  const requests: { url: string; body: any }[] = []
  const client = createClient({
    baseURL: new URL(app.url).origin,
    basePath: app.app.basePath,
    fetch: (url, init) => {
      requests.push({ url: String(url), body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined })
      return fetch(url, init)
    },
  })
  return { client, requests }
}

describe("search.search", () => {
  test("sends its options as the body, without those that are undefined", async () => {
    const { client, requests } = recording()

    const { docs } = await client.search.search({ query: "light", limit: undefined, highlights: true })

    expect(requests).toEqual([{ url: `${app.url}/search`, body: { json: { query: "light", highlights: true } } }])
    expect(docs[0]?.["at"]).toEqual(new Date("2026-05-04T10:00:00Z"))
  })

  test("refuses a filter with a condition that is undefined, as find does", async () => {
    const { client, requests } = recording()

    const search = client.search.search({ query: "", where: { notes: { title: undefined } } })

    await expect(search).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  test("takes the options of a call", async () => {
    const { client } = recording()
    const ended = AbortSignal.abort()

    await expect(client.search.search({ query: "" }, { signal: ended })).rejects.toThrow()
  })

  test("throws the error of the server with the path of the mistake", async () => {
    const search = recording().client.search.search({ query: "", facets: [{ field: "title" }] })

    await expect(search).rejects.toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
  })
})

describe("search.reindex", () => {
  test("answers when the work is stored, or when it is done", async () => {
    const { client, requests } = recording()

    expect(await client.search.reindex("notes")).toEqual({ success: true, collection: "notes" })
    expect(await client.search.reindex("notes", { wait: true })).toEqual({ success: true, collection: "notes" })
    expect(requests.map(({ url }) => url.slice(app.url.length))).toEqual([
      "/search/reindex/notes",
      "/search/reindex/notes?wait=true",
    ])
  })

  test("needs the right to update all records", async () => {
    await expect(recording().client.search.reindex("lists")).rejects.toMatchObject({ status: 401 })
  })
})
