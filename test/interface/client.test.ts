// @module-tag not-about-connections

import { UploadError } from "kit/client"
import { afterAll, beforeAll, describe, expect, vi } from "vitest"
import { ann, type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld
let collections: InterfaceWorld["client"]["collections"]

beforeAll(async () => {
  world = await interfaceWorld()
  collections = world.client.collections
})

afterAll(() => world[Symbol.asyncDispose]())

/** Returns a client that keeps its requests. */
function recording(config: object = {}) {
  const requests: { url: URL; init: any; headers: Headers }[] = []
  const client = world.connect({
    ...config,
    fetch: (url: string, init: RequestInit) => {
      requests.push({ url: new URL(url), init, headers: new Headers(init.headers) })
      return fetch(url, init)
    },
  } as object)
  return { client, requests }
}

const textFile = (name: string) => new File(["hello"], name, { type: "text/plain" })

describe("configuration", () => {
  prove("1.5", async () => {
    const unknown = await world.client.collections["nothing"].find().catch((error: any) => error)

    expect(unknown.status).toBe(404)
  })

  prove("17.1", async () => {
    const slashes = ["api/", "/api", "api", "/api/"].map((basePath) => world.connect({ basePath }))
    const counts = await Promise.all(slashes.map((client) => client.collections["tags"].count()))
    const withoutPath = world.connect({ basePath: "/" })

    expect(counts).toEqual([0, 0, 0, 0])
    expect(slashes.map((client) => client.getBasePath())).toEqual(["/api", "/api", "/api", "/api"])
    await expect(withoutPath.collections["tags"].count()).rejects.toMatchObject({ status: 404 })
  })

  prove("17.2", async () => {
    const { client, requests } = recording()
    await client.collections["tags"].count()

    expect(requests.map(({ url }) => url.pathname)).toEqual(["/api/tags/count"])
  })

  prove("17.3", async () => {
    const { client, requests } = recording({ headers: { "accept-language": "sk", "x-own": "1" } })
    await client.collections["tags"].count()

    expect(client.getLocale?.()).toBe("sk")
    expect(requests[0]?.headers.get("x-own")).toBe("1")
    expect(requests[0]?.headers.get("accept-language")).toBe("sk")
  })

  prove("17.4", async () => {
    let calls = 0
    const getAuthHeaders = () => ({ "x-own": `token ${++calls}` })
    const { client, requests } = recording({ headers: { "x-own": "default" }, getAuthHeaders })
    await client.collections["tags"].count()
    await client.collections["tags"].count()

    expect(requests.map(({ headers }) => headers.get("x-own"))).toEqual(["token 1", "token 2"])
  })

  prove("17.5", async () => {
    const input = { at: new Date(0), map: new Map([["a", 1]]), set: new Set(["b"]), big: 5n }
    const { client, requests } = recording()
    const plain = recording({ useExtendedJSON: false })
    await plain.client.collections["tags"].count()

    expect(await client.routes.types(input)).toEqual(input)
    expect(requests[0]?.headers.get("x-extendedjson")).not.toBeNull()
    expect(plain.requests[0]?.headers.get("x-extendedjson")).toBeNull()
  })

  prove("17.6", () => {
    const members = ["collections", "globals", "routes", "search", "realtime", "channels"]
    const methods = ["setLocale", "getLocale", "getBasePath"]
    const client: any = world.connect()

    for (const name of members) expect(["object", "function"], name).toContain(typeof client[name])
    for (const name of methods) expect(client[name], name).toBeTypeOf("function")
  })

  prove("17.7", () => {
    const client: any = world.connect()

    expect(() => client.crdt).toThrow(/createCrdtClient/)
  })

  prove("17.8", async () => {
    const { client, requests } = recording()
    client.setLocale?.("sk")
    await client.collections["tags"].count()

    expect(client.getLocale?.()).toBe("sk")
    expect(requests[0]?.headers.get("accept-language")).toBe("sk")
  })
})

describe("methods", () => {
  prove("21.24", async () => {
    const { client, requests } = recording({ headers: { authorization: "Bearer none" } })
    await client.collections["pages"]
      .create({ title: "x" }, { locale: "sk", localeFallback: false, stage: "published" })
      .catch(() => {})

    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({
      locale: "sk",
      localeFallback: "false",
      stage: "published",
    })
  })

  prove("23.1", async () => {
    const { id } = await collections["articles"].create({ title: "read" })
    const { client, requests } = recording()
    const byId = await client.collections["articles"].findOne({ where: { id } })
    const first = await client.collections["articles"].findOne({ where: { title: "read" } })
    const nothing = await client.collections["articles"].findOne({ where: { title: "none" } })

    expect([byId.id, first.id, nothing]).toEqual([id, id, null])
    expect(await collections["articles"].count({ where: { id } })).toBe(1)
    expect((await collections["articles"].find({ where: { id } })).docs).toHaveLength(1)
    expect(requests.map(({ url }) => url.pathname)).toEqual([`/api/articles/${id}`, "/api/articles", "/api/articles"])
    expect(requests[1]?.url.searchParams.get("limit")).toBe("1")
  })

  prove("23.2", async () => {
    const { articles } = collections as Record<string, any>
    const { id } = await articles.create({ title: "written" })
    await articles.updateById({ id, data: { rating: 1 } })
    const updated = await articles.update({ id, data: { rating: 2 } })
    const deleted = await articles.delete({ id })
    const restored = await articles.restore({ id })
    await articles.deleteById({ id })
    await articles.restoreById({ id })
    await articles.deleteById({ id })
    const purged = await articles.purgeById({ id })

    expect(updated.rating).toBe(2)
    expect(deleted.success).toBe(true)
    expect(restored.id).toBe(id)
    expect(purged).toEqual({ success: true })
  })

  prove("23.3", async () => {
    const { tags } = collections as Record<string, any>
    const { id } = await tags.create({ name: "many" })
    const many = await tags.updateMany({ where: { id }, data: { name: "more" } })
    const batch = await tags.updateBatch({ updates: [{ id, data: { name: "most" } }] })

    expect([many[0].name, batch[0].name]).toEqual(["more", "most"])
    expect(await tags.deleteMany({ where: { id } })).toEqual({ success: true, count: 1 })
  })

  prove("23.4", async () => {
    const { articles } = collections as Record<string, any>
    const { id } = await articles.create({ title: "one" })
    await articles.updateById({ id, data: { title: "two" } })
    const versions = await articles.findVersions({ id, limit: 1, offset: 1 })

    expect(versions.map((version: any) => version.versionNumber)).toEqual([1])
    expect((await articles.revertToVersion({ id, version: 1 })).title).toBe("one")
    expect((await articles.revertToVersion({ id, versionId: versions[0].versionId })).title).toBe("one")
  })

  prove("23.5", async () => {
    const { id } = await collections["pages"].create({ title: "x" })
    const { client, requests } = recording()
    const scheduledAt = new Date("2099-01-01T00:00:00.000Z")
    await client.collections["pages"].transitionStage({ id, stage: "published", scheduledAt }).catch(() => {})

    expect(requests[0]?.init.body).toContain("2099-01-01T00:00:00.000Z")
    expect(requests[0]?.url.pathname).toBe(`/api/pages/${id}/transition`)
  })

  prove("23.6", async () => {
    const onProgress = vi.fn()
    const record = await collections["media"].upload(textFile("a.txt"), { onProgress, path: "letters" })
    const cancelled = collections["media"].upload(textFile("b.txt"), { signal: AbortSignal.abort() })

    expect(record).toMatchObject({ createdAt: expect.any(String), key: expect.stringMatching(/^letters\//) })
    expect(onProgress).toHaveBeenLastCalledWith(100)
    await expect(cancelled).rejects.toBeInstanceOf(UploadError)
  })

  prove("23.7", async () => {
    const onProgress = vi.fn()
    const controller = new AbortController()
    const stopAfterFirst = (_overall: number, index: number) => index === 0 && controller.abort()
    const both = await collections["media"].uploadMany([textFile("a.txt"), textFile("b.txt")], { onProgress })
    const stopped = collections["media"].uploadMany([textFile("c.txt"), textFile("d.txt")], {
      onProgress: stopAfterFirst,
      signal: controller.signal,
    })

    expect(both.map((record: any) => record.filename)).toEqual(["a.txt", "b.txt"])
    expect(onProgress.mock.calls.at(-1)).toEqual([100, 1])
    expect(await collections["media"].uploadMany([])).toEqual([])
    await expect(stopped).rejects.toThrow("Upload cancelled")
    expect(await collections["media"].count({ where: { filename: "d.txt" } })).toBe(0)
  })

  prove("23.10", async () => {
    const { client, requests } = recording()
    await client.collections["tags"].count()
    await client.collections["media"].upload(textFile("a.txt")).catch(() => {})

    expect(requests.map(({ init }) => init.credentials)).toEqual(["include", "include"])
  })

  prove("25.1", async () => {
    const user = await world.app.signIn({ role: "editor" })
    const client = world.connect({ headers: { cookie: user.cookie } })

    expect(await client.routes.reports.make({ name: "who" })).toMatchObject({ by: user.user.id })
  })

  prove("25.2", async () => {
    expect(await world.client.routes.reports.make({ name: "who" })).toMatchObject({ by: ann.user.id })
    expect(await world.anonymous.routes.reports.make({ name: "who" })).toMatchObject({ by: null })
  })
})

describe("errors", () => {
  prove("27.2", async () => {
    const failure = await collections["articles"].create({ title: 7 }).catch((error: any) => error)

    expect(failure).toMatchObject({
      name: "QuestpieClientError",
      status: 400,
      statusText: expect.any(String),
      url: `${world.app.url}/articles`,
      code: "VALIDATION_ERROR",
    })
    expect(failure.isCode("VALIDATION_ERROR")).toBe(true)
    expect(failure.getFieldErrorsMap()).toEqual({ title: [expect.any(String)] })
    expect(failure.getFieldError("title")).toEqual({ path: "title", message: expect.any(String) })
  })

  prove("27.4", async () => {
    const denied = await world.anonymous.collections["media"].upload(textFile("a.txt")).catch((error: any) => error)
    const unreachable = world.connect({ baseURL: "http://127.0.0.1:1" }).collections["media"].upload(textFile("a.txt"))

    expect(denied).toBeInstanceOf(UploadError)
    expect(denied).toMatchObject({ message: "Upload failed", status: 401, response: { error: expect.any(Object) } })
    await expect(unreachable).rejects.toThrow("Network error during upload")
  })
})
