// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import type { HandlerContext } from "kit"
import { createClient } from "kit/client"
import type { AppCollections, AppConfig, AppGlobals, ArticlesRecord } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const globals: AppGlobals
declare const id: string

export async function writes(isDryRun: boolean | undefined) {
  const tried = await articles.create({ title: "", author: id }, { dryRun: true, stage: "published", timeout: 5 })
  same<typeof tried, ArticlesRecord>()
  await articles.updateById({ id, data: {}, expectedRevision: 3 }, { dryRun: isDryRun })
  await articles.update({ id, data: {} }, { dryRun: true, locale: "en" })
  await people.updateById({ id, data: {} }, { dryRun: true })
  await settings.update({ theme: "dark" }, { dryRun: true })
  await collections.articles.create({ title: "", author: id }, { dryRun: true })
  await collections.people.updateById({ id, data: {} }, { dryRun: true })
  await globals.settings.update({ theme: "dark" }, { dryRun: true })
  const untyped = createClient({ baseURL: "http://localhost:3000" })
  await untyped.collections["anything"]?.create({ a: 1 }, { dryRun: true })
}

export async function others() {
  // @ts-expect-error the option is true or false
  await articles.create({ title: "", author: id }, { dryRun: "true" })
  // @ts-expect-error a delete is never a dry run
  await articles.deleteById({ id }, { dryRun: true })
  // @ts-expect-error a write of many records is never a dry run
  await articles.updateMany({ where: { id }, data: {} }, { dryRun: true })
  // @ts-expect-error a read is never a dry run
  await people.find({ dryRun: true })
  // @ts-expect-error a transition is never a dry run
  await articles.transitionStage({ id, stage: "published" }, { dryRun: true })
}

export function inHooks({ dryRun }: HandlerContext) {
  same<typeof dryRun, boolean>()
}
