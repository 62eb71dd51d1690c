import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ann, type FilesWorld, filesWorld, formWith, PNG } from "../support/worlds/files-world.ts"

const OPEN = { read: true, create: true, update: true } as const

const albums = collection("albums")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access(OPEN)

const photos = collection("photos")
  .fields(({ f }) => ({
    alt: f.text(100).required().localized(),
    rating: f.number().integer().localized(),
    album: f.relation("albums"),
    shown: f.relation("albums").manyToMany(),
  }))
  .upload()
  .access(OPEN)

let world: FilesWorld

beforeAll(async () => {
  const locales = { default: "en", all: ["en", "sk"] }
  world = await filesWorld({ resources: [albums, photos], config: { locales } })
})

afterAll(() => world[Symbol.asyncDispose]())

test.each(["123", "true", "null", "a b", '"x"'])(
  "a form names a record by the id %j that its maker gave it",
  async (id) => {
    await world.client(ann).collections["albums"].create({ id, name: "An album" })

    const { status, body } = await world.send(formWith(PNG, "a.png", { alt: "A", album: id }), ann, "photos")

    expect(status).toBe(201)
    expect(body.album).toBe(id)
  },
)

test("a form may still say what to do about related records", async () => {
  await world.client(ann).collections["albums"].create({ id: "known" })
  const parts = { alt: "A", album: '{"create":{"id":"made","name":"Made"}}', shown: '["known"]' }

  const { status, body } = await world.send(formWith(PNG, "a.png", parts), ann, "photos")

  expect(status).toBe(201)
  const found = await world.client().collections["photos"].findOne({ where: { id: body.id }, with: { shown: true } })
  expect(found).toMatchObject({ album: "made", shown: [{ id: "known" }] })
})

test("a form is read in the locale of its request", async () => {
  const form = formWith(PNG, "a.png", { alt: "Prístav", rating: "4" })
  const { status, body } = await world.fetch("/photos/upload?locale=sk", { method: "POST", body: form, session: ann })

  expect(status).toBe(201)
  expect(body).toMatchObject({ alt: "Prístav", rating: 4, mimeType: "image/png" })
  const all = await world.client().collections["photos"].findOne({ where: { id: body.id }, locale: "*" })
  expect(all).toMatchObject({ alt: { en: "Prístav", sk: "Prístav" }, rating: { sk: 4 }, filename: "a.png" })
  expect((await world.load(body.url)).status).toBe(200)
})
