import { expect, test } from "vitest"
import { collection } from "../../src/schema/builders/collection.ts"
import { appFolder } from "./app-folder.ts"
import { generateFor } from "./newspaper.ts"
import { checked } from "./newspaper-files.ts"

// The same declarations as in the source texts below.
const languages = collection("languages")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").hasMany({ via: "language" }) }))
  .options({ id: "client" })
const posts = collection("posts").fields(({ f }) => ({ title: f.text(), language: f.relation("languages") }))

const CALLS = `import { createClient } from "kit/client"
import type { AppConfig } from "./generated/index.ts"

const { languages, posts } = createClient<AppConfig>({ baseURL: "http://localhost:3000" }).collections

export function accepted() {
  void languages.create({ id: "sk", name: "Slovak" })
  void languages.create({ id: "sk", posts: { create: [{ title: "one" }], connect: ["two"] } })
  void languages.updateById({ id: "sk", data: { name: "Slovak" } })
  void languages.find({ where: { id: { in: ["sk"] } }, orderBy: { id: "asc" } })
  void posts.create({ language: "sk" })
  void posts.create({ language: { create: { id: "sk" } } })
  void posts.create({ language: { connectOrCreate: { where: { id: "sk" }, create: { id: "sk" } } } })
}

export function refused() {
  // @ts-expect-error every new record needs an id
  void languages.create({ name: "Slovak" })
  // @ts-expect-error an id is text
  void languages.create({ id: 7 })
  // @ts-expect-error an id never changes
  void languages.updateById({ id: "sk", data: { id: "cs" } })
  // @ts-expect-error an id never changes
  void languages.updateMany({ where: { id: "sk" }, data: { id: "cs" } })
  // @ts-expect-error the server makes this one
  void posts.create({ id: "one", title: "one" })
  // @ts-expect-error a new record needs an id here too
  void posts.create({ language: { create: { name: "Slovak" } } })
}
`

const HOOKS = `import { collection } from "kit"

export default collection("languages")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").hasMany({ via: "language" }) }))
  .hooks({
    beforeValidate: ({ data }) => ({ ...data, id: data.id ?? data.name }),
    beforeChange: ({ data, operation }) => {
      if (operation === "create") return { ...data, id: data.id.toLowerCase() }
      // @ts-expect-error an id never changes
      return { ...data, name: data.id }
    },
  })
  .options({ id: "client" })

// @ts-expect-error no other way to make ids
export const other = collection("others").options({ id: "server" })
`

test("ids of callers are asked for where records are made, and nowhere else", async () => {
  const generated = generateFor([languages, posts].map(({ definition }) => definition))
  const types = [...generated].filter(([name]) => name !== "app.ts")
  const files = types.map(([name, text]) => [`src/generated/${name}`, checked(text)] as const)
  await using folder = await appFolder(new Map([...files, ["src/calls.ts", CALLS], ["src/hooks.ts", HOOKS]]))

  expect(await folder.complaints()).toEqual([])
})
