// @module-tag not-about-engine

import { collection, type Session } from "kit"
import { expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

let computed = 0

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().localized(),
    open: f.boolean().default(true),
    // Counts how often the record is read.
    read: f.virtual(f.number().integer(), "case when nextval('reads') > 0 then 1 end"),
    // Counts how often the record is built from its row.
    words: f.computed(({ row }) => {
      computed++
      return String(row["title"]).split(" ").length
    }),
    secret: f
      .computed(({ row }) => `secret of ${row["title"]}`)
      .access({ read: ({ session }) => session?.user.role === "admin" }),
    // A rule that is the same for every caller.
    summary: f.computed(({ row }) => `summary of ${row["title"]}`).access({ read: () => ({ open: true }) }),
  }))
  .options({ workflow: true })
  .access({ read: true, create: true, update: true, transition: true, drafts: ({ session }) => session !== null })

interface Case {
  readonly what: string
  readonly callers: readonly (Session | undefined)[]
  /** The options of the topic. */
  readonly options?: object
  /** The stage whose copy is changed. */
  readonly stage?: string
  readonly queries: number
}

const members = (count: number, role = "member") =>
  Array.from({ length: count }, (_none, number): Session => ({ user: { id: `${role}${number}`, role } }))
const strangers = (count: number) => Array.from({ length: count }, () => undefined)

test.each<Case>([
  { what: "50 people of one role", callers: members(50), queries: 1 },
  {
    what: "25 people and 25 admins, who are shown a secret",
    callers: [...members(25), ...members(25, "admin")],
    queries: 2,
  },
  { what: "50 people in another locale", callers: members(50), options: { locale: "sk" }, queries: 1 },
  { what: "50 people in all locales", callers: members(50), options: { locale: "*" }, queries: 1 },
  { what: "50 strangers, who are shown a stage", callers: strangers(50), stage: "published", queries: 1 },
])("$what cost $queries of each: read, record made", async ({ callers, options, stage, queries }) => {
  const database = await createTestDatabase()
  await database.query("create sequence reads")
  const locales = { default: "en", all: ["en", "sk"] }
  const realtime = { connectionsPerAddress: 100 }
  const app = await testApp({ resources: [articles], config: { db: { url: database.url }, locales, realtime } })
  const system = app.app.system.collections["articles"]
  const id = String((await system?.create({ title: "first" }))?.["id"])
  await system?.transitionStage({ id, stage: "published" })
  const counts = async () => {
    const [row] = await database.query("select last_value from reads")
    return { read: Number(row?.["last_value"]), computed }
  }
  /** Changes the record, waits until all streams have the change, and counts the work. */
  const change = async (title: string, listening: readonly EventReader[]) => {
    const before = await counts()
    await system?.updateById({ id, data: { title } }, stage === undefined ? {} : { stage })
    const isNew = ({ data }: { data: unknown }) => JSON.stringify(data).includes(title)
    await Promise.all(listening.map((stream) => stream.next("snapshot", isNew)))
    const after = await counts()
    return { read: after.read - before.read, computed: after.computed - before.computed }
  }
  const alone = await change("nobody listens", [])
  const topics = [{ id: "articles", resourceType: "collection", resource: "articles", ...options }]
  const streams = await Promise.all(callers.map((session) => openEvents({ url: app.url, topics, session })))
  await Promise.all(streams.map((stream) => stream.next("snapshot")))

  const together = await change("everybody listens", streams)

  expect({ read: together.read - alone.read, computed: together.computed - alone.computed }).toEqual({
    read: queries,
    computed: queries,
  })
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
  await app[Symbol.asyncDispose]()
  await database.drop()
})
