// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type PendingTransition } from "kit/client"
import type { AppCollections, AppConfig, AppGlobals, ArticlesRecord } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const globals: AppGlobals
declare const id: string

export async function stages() {
  const moved = await articles.transitionStage({ id, stage: "published", expectedRevision: 3 }, { timeout: 5 })
  same<typeof moved, ArticlesRecord>()
  same<ArticlesRecord["stage"], "draft" | "published">()
  await collections.articles.transitionStage({ id, stage: "draft" })
  await articles.find({ stage: "published", where: { stage: "draft" } })
  // Public copies do not have it, so that it may be absent.
  same<ArticlesRecord["changedSincePublished"], boolean | null | undefined>()
  await articles.find({
    where: { changedSincePublished: true, OR: [{ changedSincePublished: { isNull: true } }] },
    orderBy: { changedSincePublished: "desc" },
    groupBy: "changedSincePublished",
    columns: { changedSincePublished: true },
  })
  // @ts-expect-error: the server keeps it
  await articles.updateById({ id, data: { changedSincePublished: true } })
  // @ts-expect-error: people have no stages
  await people.find({ where: { changedSincePublished: true } })
  await articles.findOne({ where: { id }, stage: "draft", with: { author: true } })
  await articles.count({ stage: "published" })
  const written = await people.findOne({ with: { articles: { stage: "draft", columns: { title: true } } } })
  same<Exclude<typeof written, null>["articles"][number]["title"], string>()
  // @ts-expect-error
  await people.find({ with: { articles: { stage: "lively" } } })
  // @ts-expect-error: people have no stages
  await articles.find({ with: { author: { stage: "draft" } } })
  await settings.transitionStage({ stage: "live" })
  const waiting = await articles.findTransition({ id }, { timeout: 5 })
  same<typeof waiting, PendingTransition<"draft" | "published"> | null>()
  const cancelled = await articles.cancelTransition({ id, expectedRevision: 3 })
  same<typeof cancelled.stage, "draft" | "published">()
  same<typeof cancelled.scheduledAt, Date>()
  same<Awaited<ReturnType<typeof settings.findTransition>>, PendingTransition<"plan" | "live"> | null>()
  await settings.cancelTransition({ timeout: 5 })
  await collections.articles.findTransition({ id })
  await globals.settings.cancelTransition()
  await globals.settings.get({ stage: "plan" })
  const made = await articles.create({ title: "", author: id }, { stage: "published", locale: "en", timeout: 5 })
  same<typeof made, ArticlesRecord>()
  await articles.updateById({ id, data: { title: "" } }, { stage: "published" })
  await articles.update({ id, data: { title: "" } }, { stage: "draft" })
  await collections.articles.create({ title: "", author: id }, { stage: "draft" })
  await collections.articles.updateById({ id, data: {} }, { stage: "published" })
  const mended = await articles.updateMany({ where: { id }, data: {} }, { stage: "published", timeout: 5 })
  same<typeof mended, readonly ArticlesRecord[]>()
  await articles.updateBatch({ updates: [{ id, data: { title: "" } }] }, { stage: "published", locale: "en" })
  const withdrawn = await articles.deleteById({ id, expectedRevision: 3 }, { stage: "published" })
  same<typeof withdrawn.data, ArticlesRecord>()
  await articles.delete({ id }, { stage: "published" })
  await articles.deleteMany({ where: { id } }, { stage: "published" })
  await collections.articles.updateMany({ all: true, data: {} }, { stage: "published" })
  await collections.articles.deleteMany({ all: true }, { stage: "published" })
  await articles.findVersions({ id, limit: 1 }, { stage: "published", locale: "*" })
  await articles.revertToVersion({ id, version: 1 }, { stage: "published" })
  await settings.findVersions({ id, stage: "live", limit: 1 })
  await settings.revertToVersion({ id, version: 1 }, { stage: "live" })
  await settings.update({}, { stage: "live", timeout: 5 })
  await globals.settings.update({}, { stage: "live" })
  await people.create({ name: "", email: "" }, { timeout: 5 })
}

export function refused() {
  // @ts-expect-error no such stage
  void articles.transitionStage({ id, stage: "live" })
  // @ts-expect-error no such stage
  void articles.find({ stage: "review" })
  // @ts-expect-error no such stage
  void articles.count({ stage: "review" })
  // @ts-expect-error people have no stages
  void people.find({ stage: "published" })
  // @ts-expect-error people have no stages
  void people.transitionStage({ id, stage: "published" })
  // @ts-expect-error people have no stages
  void people.findTransition({ id })
  // @ts-expect-error which record?
  void articles.cancelTransition()
  // @ts-expect-error no such stage
  void settings.get({ stage: "published" })
  // @ts-expect-error no such stage
  void articles.updateById({ id, data: {} }, { stage: "review" })
  // @ts-expect-error no such stage
  void collections.articles.create({ title: "", author: id }, { stage: "review" })
  // @ts-expect-error no such stage
  void articles.deleteById({ id }, { stage: "review" })
  // @ts-expect-error no such stage
  void articles.updateMany({ where: { id }, data: {} }, { stage: "review" })
  // @ts-expect-error no such stage
  void articles.findVersions({ id }, { stage: "review" })
  // @ts-expect-error people have no stages
  void people.deleteById({ id }, { stage: "published" })
  // @ts-expect-error people have no stages
  void people.deleteMany({ where: { id } }, { stage: "published" })
  // @ts-expect-error a restore is of the whole record
  void articles.restoreById({ id }, { stage: "published" })
  // @ts-expect-error people have no stages
  void people.updateById({ id, data: {} }, { stage: "published" })
  // @ts-expect-error people have no stages
  void collections.people.create({ name: "", email: "" }, { stage: "published" })
  // @ts-expect-error no such stage
  void settings.update({}, { stage: "published" })
  // @ts-expect-error a write does not say where a record sits
  void articles.updateById({ id, data: { stage: "published" } })
}
