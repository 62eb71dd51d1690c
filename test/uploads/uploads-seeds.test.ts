// @module-tag not-about-connections

import { expect, test } from "vitest"
import { filesWorld, PNG } from "../support/worlds/files-world.ts"

type Seed = Parameters<Awaited<ReturnType<typeof filesWorld>>["app"]["seed"]>[0][number]

function seedOf(run: Seed["run"]): Seed {
  return { name: "pictures", run, progress: () => {} }
}

test("a seed stores files with their records, and connects them", async () => {
  await using world = await filesWorld()
  const picture = new File([PNG], "lake.png", { type: "text/plain" })

  await world.app.seed([
    seedOf(async ({ collections, upload }) => {
      const { id } = await upload("media", picture, { alt: "The lake" })
      await collections["articles"]?.create({ title: "Lake", cover: id })
    }),
  ])

  const { docs } = await world.client().collections["articles"].find({ with: { cover: true } })
  const [{ cover }] = docs
  expect(cover).toMatchObject({ alt: "The lake", filename: "lake.png", mimeType: "image/png", width: 1, height: 1 })
  expect(Buffer.from(await (await world.load(cover.url)).arrayBuffer())).toEqual(PNG)
  expect(await world.app.system.collections["media"]?.count()).toBe(1)
})

test("a seed that fails leaves its file to the sweep, and none of its records", async () => {
  await using world = await filesWorld()
  const run = world.app.seed([
    seedOf(async ({ upload }) => {
      await upload("media", new File([PNG], "lake.png"))
      throw new Error("The rest of the seed failed.")
    }),
  ])

  await expect(run).rejects.toThrow("The rest of the seed failed.")
  expect(await world.app.system.collections["media"]?.count()).toBe(0)
  expect(await world.stored()).toHaveLength(1)
  expect(await world.database.query("select key from _kit_files")).toHaveLength(1)
})

test("a seed is told which files a collection takes", async () => {
  await using world = await filesWorld()
  const upload = (collection: string, file: File, data = {}) =>
    world.app.seed([seedOf(async (context) => void (await context.upload(collection, file, data)))])

  await expect(upload("articles", new File([PNG], "a.png"))).rejects.toMatchObject({ status: 400 })
  await expect(upload("meda", new File([PNG], "a.png"))).rejects.toThrow('There is no collection "meda".')
  await expect(upload("media", new File([], "a.png"))).rejects.toThrow("The file is empty.")
  await expect(upload("media", new File([Buffer.alloc(70_000)], "a.png"))).rejects.toMatchObject({ status: 413 })
  await expect(upload("media", new File([PNG], "a.png"), { alt: 1 })).rejects.toMatchObject({ status: 400 })
  expect(await world.stored()).toEqual([])
})
