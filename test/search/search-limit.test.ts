import { collection } from "kit"
import pg from "pg"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .title("title")
  .searchable({})
  .access({ read: true })

const NEVER_MS = 600_000

test("a search that takes longer than limits.searchMs is cancelled, and says what to reduce", async () => {
  const limits = { searchMs: 200, statementMs: NEVER_MS, lockMs: NEVER_MS }
  await using app = await testApp({ resources: [posts], config: { limits } })
  await app.app.system.collections["posts"]?.create({ title: "rivers" })
  const search = (query: string) => app.fetch("/search", { method: "POST", body: JSON.stringify({ query }) })
  const holder = new pg.Client({ connectionString: app.database.url })
  await holder.connect()
  await holder.query("begin; lock table posts in access exclusive mode")

  const cancelled = await search("rivers")
  await holder.query("rollback")
  await holder.end()
  const answered = await search("rivers")

  expect({ status: cancelled.status, code: cancelled.body.error.code }).toEqual({
    status: 503,
    code: "SERVICE_UNAVAILABLE",
  })
  expect(cancelled.body.error.message).toMatch(/The search took too long.*Ask for less.*highlights.*limits\.searchMs/)
  expect({ status: answered.status, total: answered.body.total }).toEqual({ status: 200, total: 1 })
})
