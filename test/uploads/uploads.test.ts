// @module-tag installed-postgres

import { createHash } from "node:crypto"
import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ann, articles, bob, type FilesWorld, filesWorld, formWith, media, PNG } from "../support/worlds/files-world.ts"

const seen: unknown[] = []
const scans = collection("scans")
  .fields(({ f }) => ({ title: f.text(40).required(), pages: f.number().integer() }))
  .upload()
  .access({ read: true, upload: true })
  .hooks({
    beforeValidate: ({ data, operation }) => ({ title: `${operation} ${data["pages"]}`, ...data }),
    beforeChange: ({ data }) => ({ ...data, title: `${data["title"]}!` }),
    afterChange: ({ row, original, onAfterCommit }) => {
      onAfterCommit(() => void seen.push([original, row["title"], row["filename"], row["key"]]))
    },
  })

let world: FilesWorld

beforeAll(async () => {
  world = await filesWorld({ resources: [media, articles, scans] })
})

afterAll(() => world[Symbol.asyncDispose]())

describe("an upload", () => {
  test("makes a record that says what the file is", async () => {
    const { status, body } = await world.send(formWith(PNG, "Holiday.png", { alt: "A beach", path: "Team/photos" }))

    expect(status).toBe(201)
    expect(body).toMatchObject({
      alt: "A beach",
      filename: "Holiday.png",
      mimeType: "image/png",
      size: PNG.length,
      checksum: createHash("sha256").update(PNG).digest("hex"),
      width: 1,
      height: 1,
      visibility: "public",
      isSecret: false,
    })
    expect(body.key).toMatch(/^team\/photos\/\d{4}\/\d{2}\/[0-9a-f-]{36}\.png$/)
    expect(body.url).toBe(`/api/media/files/${body.key}`)
  })

  test("reads the author's fields from text and JSON", async () => {
    const parts = { rating: "4", tags: '["sea","sun"]', isSecret: "true", visibility: "private", credit: "Ann" }

    const { status, body } = await world.send(formWith(PNG, "a.png", parts))

    expect(status).toBe(201)
    expect(body).toMatchObject({
      rating: 4,
      tags: ["sea", "sun"],
      isSecret: true,
      visibility: "private",
      credit: "Ann",
    })
  })

  test("is found, filtered and sorted by what the server keeps", async () => {
    const { body } = await world.send(formWith("plain words", "words.txt"))

    const { docs } = await world.client(ann).collections.media.find({
      where: { mimeType: "text/plain", size: { lt: 100 }, url: body.url },
      orderBy: { filename: "asc" },
    })

    expect(docs.map(({ id }: { id: string }) => id)).toEqual([body.id])
  })

  test("can be asked for by its key and its url, but not written", async () => {
    const { body } = await world.send(formWith(PNG))
    const patch = (data: object) =>
      world.fetch(`/media/${body.id}`, { method: "PATCH", body: JSON.stringify(data), session: ann })

    for (const name of ["key", "url", "filename", "mimeType", "size", "checksum", "width"]) {
      const { status, body: refusal } = await patch({ [name]: "x" })
      expect([name, status, refusal.error.fieldErrors[0].path]).toEqual([name, 400, name])
    }
    expect((await patch({ alt: "new", visibility: "private" })).body).toMatchObject({ alt: "new", key: body.key })
  })

  test("is the only way to a record", async () => {
    const create = await world.fetch("/media", { method: "POST", body: '{"alt":"x"}', session: ann })
    const system = world.app.system.collections["media"]?.create({ alt: "x" })

    expect(create.status).toBe(400)
    expect(create.body.error.message).toContain("POST /media/upload")
    await expect(system).rejects.toThrow("POST /media/upload")
  })

  test("goes to collections of files alone", async () => {
    expect((await world.send(formWith(PNG), ann, "articles")).status).toBe(400)
    expect((await world.send(formWith(PNG), ann, "nothing")).status).toBe(404)
  })

  test("follows the create rule, and rules of fields", async () => {
    const before = await world.stored()

    expect((await world.send(formWith(PNG), null)).status).toBe(401)
    const refused = await world.send(formWith(PNG, "a.png", { credit: "Bob" }), bob)
    expect([refused.status, refused.body.error.fieldErrors[0].path]).toEqual([403, "credit"])
    expect(await world.stored()).toEqual(before)
  })
})

describe("hooks of a collection of files", () => {
  test("take part in an upload as in a create, under the rule for uploads", async () => {
    const { status, body } = await world.send(formWith(PNG, "scan.png", { pages: "3" }), null, "scans")

    expect([status, body.title, body.pages]).toEqual([201, "create 3!", 3])
    await expect.poll(() => seen).toEqual([[null, "create 3!", "scan.png", body.key]])
  })

  test("are given what is checked, and what they give is checked", async () => {
    const before = await world.stored()

    const { status, body } = await world.send(formWith(PNG, "scan.png", { pages: "x".repeat(50) }), null, "scans")

    expect([status, body.error.fieldErrors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ["title", "pages"],
    ])
    expect(await world.stored()).toEqual(before)
  })
})

describe("a field f.upload(target)", () => {
  test("is a relation to the record of the file", async () => {
    const { body: file } = await world.send(formWith(PNG, "cover.png"))
    const client = world.client(ann)

    const article = await client.collections.articles.create({ title: "One", cover: file.id, gallery: [file.id] })
    const found = await client.collections.articles.findOne({
      where: { cover: { is: { mimeType: "image/png" } }, gallery: { some: { id: file.id } } },
      with: { cover: true, gallery: { columns: { url: true } } },
    })

    expect(found).toMatchObject({ id: article.id, cover: { filename: "cover.png", url: file.url } })
    expect(found.gallery).toEqual([{ id: file.id, url: file.url }])
  })

  test("cannot create the record along with its own", async () => {
    const data = { title: "Two", cover: { create: { alt: "x" } } }

    const { status, body } = await world.fetch("/articles", {
      method: "POST",
      body: JSON.stringify(data),
      session: ann,
    })

    expect([status, body.error.fieldErrors[0].path]).toEqual([400, "cover.create"])
    expect(body.error.message).toContain("POST /media/upload")
  })

  test("keeps the file from being deleted while something points to it", async () => {
    const { body: file } = await world.send(formWith(PNG))
    const collections = world.client(ann).collections
    const article = await collections.articles.create({ title: "Three", cover: file.id })

    await expect(collections.media.deleteById({ id: file.id })).rejects.toMatchObject({ status: 409 })
    expect((await world.load(file.url)).status).toBe(200)

    await collections.articles.deleteById({ id: article.id })
    await collections.media.deleteById({ id: file.id })
    expect((await world.load(file.url)).status).toBe(404)
  })
})
