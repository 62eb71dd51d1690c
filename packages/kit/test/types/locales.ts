// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type Page } from "kit/client"
import type {
  AppCollections,
  AppConfig,
  AppSystemCollections,
  ArticlesFindOptions,
  ArticlesRecord,
  ArticlesRecordByLocale,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
declare const collections: AppCollections
declare const systemCollections: AppSystemCollections
declare const id: string

interface InLocales<Value> {
  en?: Value
  sk?: Value
  cs?: Value
  de?: Value
  "pt-BR"?: Value
}

export async function optionsOfSomebodyElse(options: ArticlesFindOptions) {
  const page = await articles.find(options)
  same<typeof page, Page<ArticlesRecord>>()
  const one = await collections.articles.findOne({ ...options, locale: "*" })
  same<typeof one, ArticlesRecordByLocale | null>()
  const asSystem = await systemCollections.articles.find(options)
  const secret: string | null | undefined = asSystem.docs[0]?.secret
  return secret
}

export async function oneLocale() {
  const page = await articles.find({ locale: "pt-BR", localeFallback: false })
  same<typeof page, Page<ArticlesRecord>>()
  const one = await collections.articles.findOne({ where: { id }, locale: "en" })
  same<typeof one, ArticlesRecord | null>()
  await articles.create({ title: "Hello", author: id }, { locale: "pt-BR" })
  await articles.updateById({ id, data: { lead: null } }, { locale: "en", signal: AbortSignal.timeout(1) })
  await articles.count({ locale: "*", where: { lead: "x" } })
  await settings.update({ motto: null }, { locale: "pt-BR" })
  client.setLocale("en")
}

export async function allLocales() {
  const page = await articles.find({ locale: "*" })
  same<typeof page, Page<ArticlesRecordByLocale>>()
  const { lead, heard, title } = page.docs[0] ?? {}
  lead satisfies InLocales<string> | null | undefined
  heard satisfies InLocales<Date> | null | undefined
  same<typeof title, string | undefined>()
  const some = await articles.findOne({ locale: "*", columns: { lead: true }, with: { author: true } })
  some?.lead satisfies InLocales<string> | null | undefined
  some?.author?.name satisfies string | undefined
  const person = await people.findOne({ locale: "*", with: { articles: { columns: { heard: true } } } })
  person?.articles[0]?.heard?.["pt-BR"] satisfies Date | undefined
  const grouped = await articles.find({ locale: "*", groupBy: "lead" })
  grouped.groups[0]?.value satisfies string | null | undefined
  grouped.groups[0]?.docs[0]?.lead satisfies InLocales<string> | null | undefined
  const global = await settings.get({ locale: "*" })
  global?.motto satisfies InLocales<string> | undefined
  const inOne = await settings.get({ locale: "en", columns: { motto: true } })
  inOne?.motto satisfies string | undefined
}

export async function refused() {
  // @ts-expect-error no such locale
  await articles.find({ locale: "fr" })
  // @ts-expect-error no such locale
  await articles.findOne({ where: { id }, locale: "pt" })
  // @ts-expect-error no such locale
  await articles.count({ locale: "fr" })
  // @ts-expect-error no such locale
  await articles.create({ title: "Hello", author: id }, { locale: "fr" })
  // @ts-expect-error a write changes one locale
  await articles.updateById({ id, data: {} }, { locale: "*" })
  // @ts-expect-error no such locale
  await collections.articles.deleteById({ id }, { locale: "fr" })
  // @ts-expect-error no such locale
  await settings.get({ locale: "fr" })
  // @ts-expect-error no such locale
  await settings.update({}, { locale: "fr" })
  // @ts-expect-error no such locale
  client.setLocale("fr")
  // @ts-expect-error a new record has no translation to take back
  await collections.articles.create({ title: null, author: id })
}
