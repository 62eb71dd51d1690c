// @module-tag not-about-connections

import type { CollectionMeta, CollectionSchema } from "kit/client"
import { afterAll, beforeAll, expect } from "vitest"
import { type InterfaceWorld, interfaceWorld } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld

beforeAll(async () => {
  world = await interfaceWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

prove("8.1", async () => {
  const meta: CollectionMeta = (await world.request("/articles/meta")).body

  expect(meta.title).toEqual({ defined: true, type: "field", fieldName: "title" })
  expect(meta.timestamps).toBe(true)
  expect(meta.localizedFields).toEqual(["title"])
})

prove("8.2", async () => {
  const schema: CollectionSchema = (await world.request("/articles/schema")).body

  expect(schema.fields["title"]).toMatchObject({ type: "text", required: true, localized: true })
  expect(schema.relations["author"]).toMatchObject({ type: "belongsTo", targetCollection: "authors" })
  expect(schema.access.operations).toMatchObject({ read: true, create: true })
  expect(schema.validation.insert).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    required: ["title"],
  })
})

prove("8.3", async () => {
  const editor = await world.client.collections["articles"].schema()
  const anonymous = await world.anonymous.collections["articles"].schema()

  expect(editor.access.operations).toMatchObject({ read: true, create: true, delete: true })
  expect(anonymous.access.operations).toMatchObject({ read: "filtered", create: false, delete: false })
})

prove("8.4", async () => {
  expect((await world.request("/tags/meta")).body).toMatchObject({ name: "tags", kind: "collection" })
  expect((await world.request("/tags/schema")).body).toMatchObject({ name: "tags", kind: "collection" })
})

prove("8.5", async () => {
  expect((await world.request("/globals/settings/meta")).body).toMatchObject({ name: "settings", kind: "global" })
  expect((await world.request("/globals/settings/schema")).body).toMatchObject({ name: "settings", kind: "global" })
})

prove("8.6", async () => {
  const { collections, globals } = world.client

  expect(await collections["articles"].meta()).toEqual((await world.request("/articles/meta")).body)
  expect(await collections["articles"].schema()).toEqual((await world.request("/articles/schema")).body)
  expect(await globals["settings"].meta()).toEqual((await world.request("/globals/settings/meta")).body)
  expect(await globals["settings"].schema()).toEqual((await world.request("/globals/settings/schema")).body)
})
