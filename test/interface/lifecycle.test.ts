// @module-tag not-about-connections

import { afterAll, beforeAll, describe, expect } from "vitest"
import { type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld
let articles: any
let pages: any

beforeAll(async () => {
  world = await interfaceWorld()
  articles = world.client.collections["articles"]
  pages = world.client.collections["pages"]
})

afterAll(() => world[Symbol.asyncDispose]())

describe("soft delete", () => {
  prove("18.1", async () => {
    const { id } = await articles.create({ title: "x" })

    expect(await articles.deleteById({ id })).toMatchObject({ success: true })
    expect((await articles.findOne({ where: { id }, includeDeleted: true })).deletedAt).toBeInstanceOf(Date)
  })

  prove("18.2", async () => {
    const { id } = await articles.create({ title: "x" })
    const active = await articles.restoreById({ id }).catch((error: any) => error)
    await articles.deleteById({ id })

    expect(active.status).toBe(409)
    expect(await articles.restoreById({ id })).toMatchObject({ id, deletedAt: null })
    await expect(pages.restoreById({ id })).rejects.toMatchObject({ status: 400 })
  })

  prove("18.3", async () => {
    const { id } = await articles.create({ title: "x" })
    await articles.deleteById({ id })

    expect(await articles.purgeById({ id })).toEqual({ success: true })
    expect(await articles.count({ where: { id }, includeDeleted: true })).toBe(0)
    await expect(pages.purgeById({ id })).rejects.toMatchObject({ status: 400 })
  })

  prove("18.4", async () => {
    const { id } = await articles.create({ title: "hidden" })
    await articles.deleteById({ id })

    expect(await articles.findOne({ where: { id } }).catch((error: any) => error.status)).toBeOneOf([null, 404])
    expect((await articles.find({ where: { id } })).docs).toEqual([])
    expect((await articles.find({ where: { id }, includeDeleted: true })).docs).toHaveLength(1)
  })

  prove("18.5", async () => {
    const first = await articles.create({ title: "count", rating: 7 })
    await articles.create({ title: "count", rating: 7 })
    await articles.updateById({ id: first.id, data: { rating: 8 } })

    expect(await articles.deleteMany({ where: { title: "count", rating: 7 } })).toEqual({ success: true, count: 1 })
  })
})

describe("stages", () => {
  prove("19.1", async () => {
    const before = await pages.create({ title: "Stable" })
    const after = await pages.transitionStage({ id: before.id, stage: "published" })
    const settled = await world.client.globals["home"].update({ title: "Front" })
    const published = await world.client.globals["home"].transitionStage({ stage: "published" })

    const moved = { stage: "published", changedSincePublished: false }
    expect(after).toEqual({ ...before, ...moved })
    expect(published).toEqual({ ...settled, ...moved })
  })

  prove("19.2", async () => {
    // The right is checked again when the transition is due, so the user has to exist.
    const editor = world.connect({ headers: { ...(await world.app.signIn()).headers } })
    const { id } = await pages.create({ title: "Later" })
    const scheduledAt = world.app.clock.in("1h")
    const scheduled = await editor.collections["pages"].transitionStage({ id, stage: "published", scheduledAt })
    await world.app.clock.advance("1h")
    await world.app.jobs.settle()

    expect(scheduled.stage).toBe("draft")
    expect((await pages.findOne({ where: { id } })).stage).toBe("published")
  })
})

describe("bulk writes", () => {
  prove("20.1", async () => {
    const { id } = await articles.create({ title: "claim", rating: 1 })
    const claim = () => articles.updateMany({ where: { id, rating: 1 }, data: { rating: 2 } })
    const claims = await Promise.all([claim(), claim(), claim(), claim()])
    const remove = () => articles.deleteMany({ where: { id, rating: 2 } })
    const removals = await Promise.all([remove(), remove(), remove()])

    expect(claims.flat()).toHaveLength(1)
    expect(removals.map(({ count }: any) => count).sort()).toEqual([0, 0, 1])
  })

  prove("20.2", async () => {
    expect(await articles.updateMany({ where: { title: "none" }, data: { rating: 1 } })).toEqual([])
  })

  prove("27.5", async () => {
    const { id } = await articles.create({ title: "race", rating: 1 })
    await articles.updateMany({ where: { id, rating: 1 }, data: { rating: 2 } })

    expect(await articles.updateMany({ where: { id, rating: 1 }, data: { rating: 3 } })).toEqual([])
  })
})

describe("versions", () => {
  prove("28.1", async () => {
    const { id } = await articles.create({ title: "one" })
    await articles.updateById({ id, data: { title: "two" } })
    const [newest, oldest] = await articles.findVersions({ id })

    expect([newest.versionNumber, newest.versionOperation]).toEqual([2, "update"])
    expect((await articles.revertToVersion({ id, versionId: oldest.versionId })).title).toBe("one")
    expect((await articles.revertToVersion({ id, version: 2 })).title).toBe("two")
  })

  prove("28.2", async () => {
    const { id, revision } = await articles.create({ title: "one" })
    const updated = await articles.updateById({ id, data: { rating: 1 }, expectedRevision: revision })
    const stale = await articles
      .updateById({ id, data: { rating: 2 }, expectedRevision: revision })
      .catch((error: any) => error)

    expect([revision, updated.revision]).toEqual([1, 2])
    expect(stale).toMatchObject({ status: 409, context: { revision: { expected: 1, actual: 2 } } })
  })
})
