// @module-tag not-about-connections

import { afterAll, beforeAll, describe, expect } from "vitest"
import { type Answer, type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

// The id of the one record of a global.
const GLOBAL_ID = "00000000-0000-7000-8000-000000000000"

let world: InterfaceWorld

beforeAll(async () => {
  world = await interfaceWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

const get = (path: string) => world.request(path)
const post = (path: string, body?: unknown) => world.request(path, { method: "POST", body })
const patch = (path: string, body: unknown) => world.request(path, { method: "PATCH", body })
const create = async (collection: string, data: object) => (await post(`/${collection}`, data)).body

describe("the mount path", () => {
  prove("1.7", async () => {
    const handler = world.app.app.handler
    const mounted = await handler(new Request("http://host/api/tags"))
    const elsewhere = await handler(new Request("http://host/other/tags"))

    expect([mounted.status, elsewhere.status]).toEqual([200, 404])
  })

  prove("21.1", async () => {
    const { origin } = new URL(world.app.url)
    const response = await fetch(`${origin}/tags`)

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
  })
})

describe("collections", () => {
  prove("21.2", async () => {
    await create("articles", { title: "Bracket", rating: 4, author: { create: { name: "Eva" } } })
    const options = "where[rating][in][]=4&where[author][is][name]=Eva&with[author]=true&orderBy[title]=asc&limit=5"
    const page = await get(`/articles?${options}`)
    const groups = await get("/articles?groupBy=status")

    expect(page.body).toMatchObject({ totalDocs: 1, docs: [{ title: "Bracket", author: { name: "Eva" } }] })
    expect(groups.body).toMatchObject({ totalGroups: 1, groups: [{ key: "idea" }] })
  })

  prove("21.3", async () => {
    const { id } = await create("articles", { title: "One", author: { create: { name: "Ivo" } } })

    expect((await get(`/articles/${id}?columns[title]=true`)).body).toEqual({ id, title: "One" })
    expect((await get(`/articles/${id}?with[author]=true`)).body.author.name).toBe("Ivo")
    expect((await get(`/articles/${id}?orderBy[title]=asc&limit=1&offset=0`)).status).toBe(200)
  })

  prove("21.4", async () => {
    await create("tags", { name: "counted" })

    expect((await get("/tags/count?where[name]=counted")).body).toEqual({ count: 1 })
    expect((await get("/tags/count?where[name]=counted&orderBy[name]=asc&limit=10&offset=0")).body).toEqual({
      count: 1,
    })
  })

  prove("21.5", async () => {
    const made = await post("/articles?locale=sk&localeFallback=false", {
      title: "Chlieb",
      tags: { create: [{ name: "food" }] },
    })
    const published = await post("/pages?stage=published", { title: "Shown" })

    expect(made).toMatchObject({ status: 201, body: { title: "Chlieb" } })
    expect((await get(`/tags?where[name]=food`)).body.totalDocs).toBe(1)
    expect((await get(`/pages/${published.body.id}?stage=published`)).body.title).toBe("Shown")
  })

  prove("21.6", async () => {
    const { id } = await create("articles", { title: "Bread" })
    const changed = await patch(`/articles/${id}?locale=sk`, { title: "Chlieb" })
    const page = (await post("/pages?stage=published", { title: "Shown" })).body
    await patch(`/pages/${page.id}?stage=published`, { title: "Mended" })

    expect(changed.body.title).toBe("Chlieb")
    expect((await get(`/articles/${id}?locale=en`)).body.title).toBe("Bread")
    expect((await get(`/pages/${page.id}?stage=published`)).body.title).toBe("Mended")
    expect((await get(`/pages/${page.id}?stage=draft`)).body.title).toBe("Shown")
  })

  prove("21.7", async () => {
    const { id } = await create("tags", { name: "deleted" })

    expect((await world.request(`/tags/${id}`, { method: "DELETE" })).body.success).toBe(true)
  })

  prove("21.8", async () => {
    const { id } = await create("articles", { title: "back" })
    await world.request(`/articles/${id}`, { method: "DELETE" })

    expect((await post(`/articles/${id}/restore`)).body).toMatchObject({ id, title: "back" })
  })

  prove("21.9", async () => {
    const { id } = await create("articles", { title: "purged" })
    await world.request(`/articles/${id}`, { method: "DELETE" })

    expect((await post(`/articles/${id}/purge`)).body).toEqual({ success: true })
  })

  prove("21.10", async () => {
    await create("articles", { title: "bulk" })
    await create("articles", { title: "bulk" })
    const { body } = await patch("/articles", { where: { title: "bulk" }, data: { rating: 9 } })

    expect(body.map((row: any) => row.rating)).toEqual([9, 9])
  })

  prove("21.11", async () => {
    const first = await create("tags", { name: "batch 1" })
    const second = await create("tags", { name: "batch 2" })
    const batch = (name: string) => ({
      updates: [
        { id: first.id, data: { name: "batch 3" } },
        { id: second.id, data: { name } },
      ],
    })
    const failed = await post("/tags/update-batch", batch("batch 3"))
    const written = await post("/tags/update-batch", batch("batch 4"))

    expect(failed.status).toBe(409)
    expect(written.body.map((row: any) => row.name)).toEqual(["batch 3", "batch 4"])
  })

  prove("21.12", async () => {
    await create("tags", { name: "many" })

    expect((await post("/tags/delete-many", { where: { name: "many" } })).body).toEqual({ success: true, count: 1 })
  })

  prove("21.13", async () => {
    const { id } = await create("articles", { title: "Bread" })
    await patch(`/articles/${id}?locale=sk`, { title: "Chlieb" })
    const versions = await get(`/articles/${id}/versions?limit=1&offset=0&locale=sk`)

    expect(versions.body).toMatchObject([{ title: "Chlieb", versionNumber: 2 }])
  })

  prove("21.14", async () => {
    const { id } = await create("articles", { title: "one" })
    const [{ versionId }] = (await get(`/articles/${id}/versions`)).body
    const revert = (body: object) => post(`/articles/${id}/revert`, body)

    expect((await revert({ version: 1 })).body.title).toBe("one")
    expect((await revert({ versionId })).body.title).toBe("one")
    expect((await revert({})).status).toBe(400)
  })

  prove("21.15", async () => {
    const { id } = await create("pages", { title: "x" })

    expect((await post(`/pages/${id}/transition`, { stage: "published" })).body).toMatchObject({
      id,
      stage: "published",
    })
  })

  prove("21.16", async () => {
    const upload = async (collection: string) => {
      const form = new FormData()
      form.set("path", "letters")
      form.set("file", new File(["hello"], "a.txt", { type: "text/plain" }))
      const { user, token } = await world.app.signIn()
      const headers = { authorization: `Bearer ${token}` }
      expect(user.id).toBeTypeOf("string")
      return fetch(`${world.app.url}/${collection}/upload`, { method: "POST", body: form, headers })
    }
    const stored = await upload("media")

    expect(stored.status).toBe(201)
    expect(((await stored.json()) as any).key).toMatch(/^letters\//)
    expect((await upload("tags")).status).toBe(400)
  })
})

describe("globals", () => {
  prove("21.17", async () => {
    const article = await create("articles", { title: "Featured" })
    await patch("/globals/settings", { siteName: "Daily", featured: article.id })
    await patch("/globals/settings?locale=sk", { siteName: "Denník" })

    expect((await get("/globals/settings?columns[siteName]=true&locale=sk")).body.siteName).toBe("Denník")
    expect((await get("/globals/settings?with[featured]=true")).body.featured.title).toBe("Featured")
    expect((await get("/globals/home?stage=published")).status).toBe(200)
  })

  prove("21.18", async () => {
    const article = await create("articles", { title: "Shown" })
    const { body } = await patch("/globals/settings?with[featured]=true&columns[featured]=true", {
      siteName: "Daily",
      featured: article.id,
    })

    expect(body.featured).toMatchObject({ title: "Shown" })
    expect(body).not.toHaveProperty("tagline")
    expect((await patch("/globals/settings?locale=sk", { siteName: "Denník" })).body.siteName).toBe("Denník")
  })

  prove("21.19", async () => {
    await patch("/globals/settings", { siteName: "First" })
    const { body } = await get("/globals/settings/versions?limit=1&offset=0&locale=sk")
    const byId = await get(`/globals/settings/versions?limit=1&id=${GLOBAL_ID}`)

    expect(body).toHaveLength(1)
    expect(byId.body).toMatchObject([{ versionId: body[0].versionId }])
  })

  prove("21.20", async () => {
    await patch("/globals/settings", { siteName: "Before" })
    const [{ versionId, versionNumber }] = (await get("/globals/settings/versions?limit=1")).body
    await patch("/globals/settings", { siteName: "After" })
    const revert = async (body: object) => (await post("/globals/settings/revert", body)).body.siteName

    expect(await revert({ version: versionNumber })).toBe("Before")
    expect(await revert({ id: GLOBAL_ID, versionId })).toBe("Before")
  })

  prove("21.21", async () => {
    await patch("/globals/home", { title: "Front" })

    expect((await post("/globals/home/transition", { stage: "published" })).body).toMatchObject({ stage: "published" })
  })
})

describe("all of them", () => {
  prove("21.23", async () => {
    const { id } = await create("pages", { title: "x" })
    const paths = ["/pages", `/pages/${id}`, "/pages/count", `/pages/${id}/versions`, "/globals/home"]
    const answers = (query: string) => Promise.all(paths.map((path) => get(`${path}?${query}`)))
    const statuses = (all: readonly Answer[]) => new Set(all.map(({ status }) => status))

    expect(statuses(await answers("locale=sk&localeFallback=false&stage=draft"))).toEqual(new Set([200]))
    expect(statuses(await answers("locale=xx"))).toEqual(new Set([400]))
    expect(statuses(await answers("stage=nowhere"))).toEqual(new Set([400]))
  })

  prove("27.1", async () => {
    const plain = await get("/articles?limit=0")
    const extended = await world.request("/articles?limit=0", { headers: { "x-extendedjson": "1" } })

    expect(plain).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(extended).toMatchObject({ status: 400, body: { json: { error: { code: "VALIDATION_ERROR" } } } })
  })

  prove("27.3", async () => {
    const { status, body } = await post("/articles", {})

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: "title" }] })
  })
})
