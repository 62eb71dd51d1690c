// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient } from "kit/client"
import { useMutation } from "kit/react"
import type {
  AppCollections,
  AppConfig,
  AppGlobals,
  AppSystemCollections,
  ArticlesRecord,
  PeopleRecord,
  SettingsRecord,
} from "../newspaper/src/generated/index.ts"
import { same } from "../same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const globals: AppGlobals
declare const system: AppSystemCollections
declare const id: string

export async function inTheClient() {
  const whole = await articles.create({ title: "", author: id }, { locale: "en" })
  same<typeof whole, ArticlesRecord>()
  const created = await articles.create(
    { title: "", author: id },
    { with: { author: { columns: { name: true } } }, columns: { title: true }, stage: "published", timeout: 5 },
  )
  same<keyof typeof created, "id" | "title" | "author">()
  same<keyof NonNullable<(typeof created)["author"]>, "id" | "name">()
  const updated = await articles.updateById({ id, data: {}, expectedRevision: 2 }, { with: { editor: true } })
  same<(typeof updated)["editor"], PeopleRecord | null>()
  same<(typeof updated)["title"], ArticlesRecord["title"]>()
  const short = await articles.update({ id, data: {} }, { columns: { title: false }, dryRun: true })
  same<"title" extends keyof typeof short ? true : false, false>()
  const counted = await people.updateById({ id, data: {} }, { with: { articles: { _count: true, limit: 1 } } })
  counted._count.articles satisfies number
  counted.articles satisfies readonly ArticlesRecord[]
  const owned = await settings.update({}, { columns: { theme: true }, dryRun: true })
  same<keyof typeof owned, keyof Pick<SettingsRecord, "theme">>()
}

export async function inProcess() {
  const created = await collections.people.create({ name: "", email: "" }, { with: { boss: true } })
  same<(typeof created)["boss"], PeopleRecord | null>()
  const updated = await collections.articles.updateById({ id, data: {} }, { columns: { title: true }, stage: "draft" })
  same<keyof typeof updated, "id" | "title">()
  const hidden = await system.articles.updateById({ id, data: {} }, { columns: { secret: true } })
  same<typeof hidden, { id: string; secret: string | null }>()
  const forCallers: AppCollections = system
  await globals.settings.update({}, { columns: { theme: true } })
  return forCallers
}

export function useSelections() {
  const change = useMutation((title: string, call) =>
    articles.updateById({ id, data: { title } }, { ...call, with: { author: true } }),
  )
  void change.run("New").then(({ author }) => author satisfies PeopleRecord | null)
  const plain = useMutation(articles.create)
  void plain.run({ title: "", author: id }).then((record) => record satisfies ArticlesRecord)
}

export async function mistakes() {
  // @ts-expect-error no such relation
  await articles.create({ title: "", author: id }, { with: { writer: true } })
  // @ts-expect-error no such field of the related record
  await articles.updateById({ id, data: {} }, { with: { author: { columns: { nmae: true } } } })
  // @ts-expect-error no such field
  await articles.update({ id, data: {} }, { columns: { titel: true } })
  // @ts-expect-error callers cannot see the field
  await collections.articles.updateById({ id, data: {} }, { columns: { secret: true } })
  // @ts-expect-error a field is missing
  await articles.create({}, { with: { author: true } })
  // @ts-expect-error a write of many records returns whole records
  await articles.updateMany({ where: { id }, data: {} }, { columns: { title: true } })
  // @ts-expect-error so does a delete
  await articles.deleteById({ id }, { with: { author: true } })
  // @ts-expect-error and a transition
  await articles.transitionStage({ id, stage: "published" }, { with: { author: true } })
}
