// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import {
  type AppIndex,
  type CollectionMeta,
  type CollectionSchema,
  createClient,
  type GlobalMeta,
  type GlobalSchema,
  type RecordAccess,
} from "kit/client"
import type { AppCollections, AppConfig, AppGlobals } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals
const untyped = createClient({ baseURL: "http://localhost:3000" })
declare const collections: AppCollections
declare const globals: AppGlobals
declare const id: string

export async function descriptions() {
  const index = await client.schema({ locale: "sk" }, { timeout: 5 })
  same<typeof index, AppIndex>()
  const meta = await articles.meta()
  same<typeof meta, CollectionMeta>()
  const schema = await people.schema({ locale: "en" }, { timeout: 5 })
  same<typeof schema, CollectionSchema>()
  const access = await articles.access({ id, includeDeleted: true })
  same<typeof access, RecordAccess>()
  const ofGlobal = [await settings.meta(), await globals.settings.meta()]
  same<typeof ofGlobal, GlobalMeta[]>()
  const ofGlobalInFull = await settings.schema()
  same<typeof ofGlobalInFull, GlobalSchema>()
  await settings.access({ locale: "sk" })
  await collections.articles.schema({ locale: "sk" })
  await collections.people.access({ id })
  const loose = await untyped.collections["posts"]?.schema({ locale: "fr" })
  const title: boolean | undefined = schema.fields["title"]?.required
  const mayDelete: boolean | "filtered" | undefined = schema.access.operations.delete
  return { loose, title, mayDelete }
}

export function refused() {
  // @ts-expect-error an unknown locale
  void articles.schema({ locale: "fr" })
  // @ts-expect-error a description has no filter
  void articles.meta({ where: { title: "x" } })
  // @ts-expect-error which record?
  void articles.access({})
  // @ts-expect-error a global has only one record
  void settings.access({ id })
  // @ts-expect-error in the process, a call has no timeout
  void collections.articles.schema({}, { timeout: 5 })
}
