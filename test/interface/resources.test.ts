// @module-tag not-about-connections

import { buildCollectionTopic } from "kit/client"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld
let collections: InterfaceWorld["client"]["collections"]

beforeAll(async () => {
  world = await interfaceWorld()
  collections = world.client.collections
})

afterAll(() => world[Symbol.asyncDispose]())

describe("records", () => {
  prove("1.1", async () => {
    const first = await collections["tags"].create({ name: "one" })
    const second = await collections["tags"].create({ name: "two" })
    const settings = await world.client.globals["settings"].update({ siteName: "Daily" })

    expect(first.id).not.toBe(second.id)
    expect(settings.siteName).toBe("Daily")
  })

  prove("1.2", async () => {
    const { id } = await collections["articles"].create({ title: "All of it" }, { locale: "sk" })
    await collections["articles"].updateMany({ where: { id }, data: { rating: 2 } })
    await collections["articles"].deleteById({ id })
    const restored = await collections["articles"].restoreById({ id })
    const versions = await collections["articles"].findVersions({ id })
    const page = await collections["pages"].create({ title: "Page" })
    const published = await collections["pages"].transitionStage({ id: page.id, stage: "published" })

    expect(restored).toMatchObject({ id, rating: 2 })
    expect(versions.length).toBe(4)
    expect(published.stage).toBe("published")
  })

  prove("1.6", async () => {
    const denied = await world.anonymous.collections["articles"].create({ title: "x" }).catch((error: any) => error)
    const invalid = await collections["articles"].create({ titel: "x" }).catch((error: any) => error)

    expect(denied.status).toBe(401)
    expect(invalid.getFieldErrorsMap()).toHaveProperty("titel")
  })

  prove("2.1", async () => {
    expect(typeof (await collections["tags"].create({ name: "id" })).id).toBe("string")
  })

  prove("2.2", async () => {
    const { body } = await world.request("/tags", { method: "POST", body: { name: "fields" } })

    expect(Object.keys(body).sort()).toEqual(["createdAt", "id", "name", "updatedAt"])
  })

  prove("2.3", async () => {
    const older = await collections["tags"].create({ name: "older" })
    const newer = await collections["tags"].create({ name: "newer" })
    const where = { id: { in: [older.id, newer.id] } }
    const ids = async (createdAt: "asc" | "desc") => {
      const { docs } = await collections["tags"].find({ where, orderBy: { createdAt } })
      return docs.map((doc: any) => doc.id)
    }

    expect(older.createdAt).toBeInstanceOf(Date)
    expect(await ids("asc")).toEqual([older.id, newer.id])
    expect(await ids("desc")).toEqual([newer.id, older.id])
  })

  prove("2.4", async () => {
    const { id } = await collections["authors"].create({ name: "Eva" })
    const byId = await collections["articles"].create({ title: "a", author: id })
    const byConnect = await collections["articles"].create({ title: "b", author: { connect: { id } } })

    expect([byId.author, byConnect.author]).toEqual([id, id])
  })

  prove("2.5", async () => {
    const known = await collections["tags"].create({ name: "known" })
    const connectOrCreate = { where: { name: "found" }, create: { name: "found" } }
    const { id } = await collections["articles"].create({
      title: "tagged",
      tags: { connect: [{ id: known.id }], create: [{ name: "made" }], connectOrCreate },
    })
    const namesOf = async () => {
      const found = await collections["articles"].findOne({ where: { id }, with: { tags: true } })
      return found.tags.map((tag: any) => tag.name).sort()
    }
    const before = await namesOf()
    await collections["articles"].updateById({ id, data: { tags: { set: [{ id: known.id }] } } })
    const author = await collections["authors"].create({ name: "Ivo", articles: { create: [{ title: "hers" }] } })

    expect(before).toEqual(["found", "known", "made"])
    expect(await namesOf()).toEqual(["known"])
    expect(await collections["articles"].count({ where: { author: author.id } })).toBe(1)
  })

  prove("2.6", async () => {
    const { id } = await collections["articles"].create({ title: "x", author: { create: { name: "Mia" } } })

    expect((await collections["articles"].findOne({ where: { id } })).author).toBeTypeOf("string")
    expect((await collections["articles"].findOne({ where: { id }, with: { author: true } })).author.name).toBe("Mia")
  })
})

describe("options of reads", () => {
  let ids: string[]

  beforeAll(async () => {
    const author = await collections["authors"].create({ name: "Olga" })
    const made = await collections["articles"].updateBatch({ updates: [] }).catch(() => [])
    expect(made).toEqual([])
    ids = []
    for (const [index, title] of ["Bread", "Cheese", "Dill"].entries()) {
      const data = { title, rating: index, ...(index === 0 && { author: author.id, status: "done" }) }
      ids.push((await collections["articles"].create(data)).id)
    }
    await collections["articles"].updateById({ id: ids[0], data: { title: "Chlieb" } }, { locale: "sk" })
  })

  const find = (options: object = {}) => collections["articles"].find({ where: { id: { in: ids } }, ...options })
  const titles = async (options: object) => (await find(options)).docs.map((doc: any) => doc.title)

  prove("3.1", async () => {
    const where = { id: { in: ids }, author: { is: { name: "Olga" } } }

    expect(await titles({ where })).toEqual(["Bread"])
  })

  prove("3.2", async () => {
    const { docs } = await find({ with: { author: true }, orderBy: { rating: "asc" } })

    expect(docs.map((doc: any) => doc.author?.name)).toEqual(["Olga", undefined, undefined])
  })

  prove("3.3", async () => {
    const { docs } = await find({ columns: { title: true }, limit: 1 })

    expect(Object.keys(docs[0]).sort()).toEqual(["id", "title"])
  })

  prove("3.4", async () => {
    expect(await titles({ orderBy: { title: "desc" } })).toEqual(["Dill", "Cheese", "Bread"])
  })

  prove("3.5", async () => {
    expect(await titles({ orderBy: { title: "asc" }, limit: 2 })).toEqual(["Bread", "Cheese"])
  })

  prove("3.6", async () => {
    expect(await titles({ orderBy: { title: "asc" }, offset: 2 })).toEqual(["Dill"])
  })

  prove("3.7", async () => {
    expect(await titles({ search: "chee" })).toEqual(["Cheese"])
    expect(await titles({ search: "bread chee" })).toEqual([])
  })

  prove("3.8", async () => {
    expect(await titles({ locale: "sk", where: { id: ids[0] } })).toEqual(["Chlieb"])
  })

  prove("3.9", async () => {
    expect(await titles({ locale: "sk", where: { id: ids[1] } })).toEqual(["Cheese"])
    expect(await titles({ locale: "sk", localeFallback: false, where: { id: ids[1] } })).toEqual([null])
  })

  prove("3.10", async () => {
    const { id } = await collections["pages"].create({ title: "Draft" })
    const atStage = (stage: string) => collections["pages"].count({ where: { id }, stage })

    expect([await atStage("draft"), await atStage("published")]).toEqual([1, 0])
  })

  prove("3.11", async () => {
    const { groups } = await find({ groupBy: "status" })

    expect(groups.map((group: any) => [group.value, group.count])).toEqual([
      ["done", 1],
      ["idea", 2],
    ])
  })

  prove("3.12", async () => {
    const { id } = await collections["articles"].create({ title: "gone" })
    await collections["articles"].deleteById({ id })

    expect(await collections["articles"].count({ where: { id } })).toBe(0)
    expect(await collections["articles"].count({ where: { id }, includeDeleted: true })).toBe(1)
  })

  prove("4.1", async () => {
    expect(await find({ orderBy: { title: "asc" }, limit: 1, offset: 1 })).toEqual({
      docs: [expect.objectContaining({ title: "Cheese" })],
      totalDocs: 3,
      limit: 1,
      totalPages: 3,
      page: 2,
      pagingCounter: 2,
      hasPrevPage: true,
      hasNextPage: true,
      prevPage: 1,
      nextPage: 3,
    })
  })

  prove("4.2", async () => {
    expect(await find({ limit: 2 })).toMatchObject({ hasPrevPage: false, prevPage: null, nextPage: 2 })
    expect(await find({ limit: 2, offset: 2 })).toMatchObject({ hasNextPage: false, nextPage: null, prevPage: 1 })
  })

  prove("4.3", async () => {
    const result = await find({ groupBy: "status" })

    expect(result.totalGroups).toBe(2)
    expect(result.groups[0]).toEqual({ key: "done", value: "done", count: 1, docs: [expect.any(Object)] })
  })

  prove("4.4", async () => {
    const second = await find({ groupBy: "status", limit: 1, offset: 1 })

    expect(second.groups.map((group: any) => group.key)).toEqual(["idea"])
    expect(second.totalGroups).toBe(2)
  })
})

describe("other results", () => {
  prove("5.1", async () => {
    const { id } = await collections["articles"].create({ title: "first" })
    const [version] = await collections["articles"].findVersions({ id })

    expect(version).toMatchObject({
      id,
      title: "first",
      versionId: expect.any(String),
      versionNumber: 1,
      versionOperation: "create",
      versionUserId: expect.anything(),
      versionCreatedAt: expect.any(Date),
    })
  })

  prove("6.1", async () => {
    await world.client.globals["settings"].update({ siteName: "Weekly", tagline: "Every week" })

    expect(await world.client.globals["settings"].get()).toMatchObject({ siteName: "Weekly", tagline: "Every week" })
  })

  prove("6.2", async () => {
    expect(await world.client.globals["empty"].get()).toBeNull()
    expect(await world.request("/globals/empty")).toMatchObject({ status: 200, body: null })
  })

  prove("7.1", async () => {
    const record = await collections["media"].upload(new File(["hello"], "a.txt", { type: "text/plain" }))

    expect(record).toMatchObject({ id: expect.any(String), url: expect.any(String) })
  })

  prove("10.1", async () => {
    const { body } = await world.request("/articles", { method: "POST", body: { title: 7 } })
    const stale = { method: "PATCH", body: { rating: 1 } }
    const { id } = await collections["articles"].create({ title: "context" })
    const conflict = await world.request(`/articles/${id}?expectedRevision=7`, stale)

    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR" })
    expect(body.error.fieldErrors).toEqual([{ path: "title", message: expect.any(String) }])
    expect(conflict.body.error.context).toEqual({ revision: { expected: 7, actual: 1 } })
  })

  prove("11.1", async () => {
    const { id } = await collections["pages"].create({ title: "x" })

    expect((await world.request(`/pages/${id}/transition`, { method: "POST", body: {} })).status).toBe(400)
  })

  prove("11.2", async () => {
    const { id } = await collections["pages"].create({ title: "x" })
    const transition = (scheduledAt?: unknown) =>
      world.request(`/pages/${id}/transition`, { method: "POST", body: { stage: "published", scheduledAt } })

    expect((await transition("tomorrow")).status).toBe(400)
    expect((await transition("2099-01-01T00:00:00Z")).body.stage).toBe("draft")
    expect((await transition()).body.stage).toBe("published")
  })

  prove("12.1", () => {
    expect(buildCollectionTopic("articles", { limit: 5, where: { rating: 1 } })).toEqual({
      resourceType: "collection",
      resource: "articles",
      limit: 5,
      where: { rating: 1 },
    })
  })

  prove("12.2", () => {
    // The types refuse an undefined option, but a caller without types may pass one.
    const options: object = { limit: undefined, locale: undefined }

    expect(Object.keys(buildCollectionTopic("articles", options)).sort()).toEqual(["resource", "resourceType"])
  })
})
