import { expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import { appFolder } from "./app-folder.ts"
import { generateFor } from "./newspaper.ts"
import { checked } from "./newspaper-files.ts"

const media = collection("media")
  .fields(({ f }) => ({ alt: f.text().required(), taken: f.datetime() }))
  .upload()
const articles = collection("articles").fields(({ f }) => ({
  cover: f.upload("media").required(),
  gallery: f.upload("media").manyToMany(),
}))

const USE = `import { createClient, UploadError } from "kit/client"
import type { AppConfig } from "./generated/index.js"

const { articles, media } = createClient<AppConfig>({ baseURL: "http://localhost:3000" }).collections

export async function use(file: File): Promise<string> {
  const one = await media.upload(file, { data: { alt: "x", visibility: "private" }, path: "a", onProgress: Math.round })
  const texts: [string, string, number, number | null] = [one.url, one.createdAt, one.size, one.width]
  const many = await media.uploadMany([file], { data: { alt: "x" }, onProgress: (overall, index) => overall + index })
  const found = await media.findOne({ where: { mimeType: "image/png", size: { gt: 5 } }, columns: { url: true } })
  const article = await articles.findOne({ with: { cover: true }, where: { cover: { is: { filename: "a.png" } } } })
  await articles.create({ cover: { connect: { id: one.id } }, gallery: [one.id] })
  await media.updateById({ id: one.id, data: { alt: "y", visibility: "public" } })
  // @ts-expect-error the server alone keeps the key
  await media.updateById({ id: one.id, data: { key: "y" } })
  // @ts-expect-error it comes with a file
  await media.create({ alt: "x" })
  // @ts-expect-error it comes with a file
  await articles.create({ cover: { create: { alt: "x" } } })
  // @ts-expect-error a required field is missing
  await media.upload(file, { data: { taken: new Date() } })
  // @ts-expect-error there are no files
  await articles.upload(file)
  return [...texts, many[0]?.url, found?.url, article?.cover?.url, UploadError.name].join()
}
`

test("the generated types offer uploads where there are files, and nowhere else", async () => {
  const generated = generateFor([media, articles].map(({ definition }) => definition))
  const types = [...generated].filter(([name]) => name !== "app.ts")
  const files = types.map(([name, text]) => [`src/generated/${name}`, checked(text)] as const)
  await using folder = await appFolder(new Map([...files, ["src/use.ts", USE]]))

  expect(await folder.complaints()).toEqual([])
})
