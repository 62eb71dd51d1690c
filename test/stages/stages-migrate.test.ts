// @module-tag not-about-engine

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const TAGS = `import { collection } from "kit"
export default collection("tags").fields(({ f }) => ({ name: f.text() }))
`
const POST = "01890000-0000-7000-8000-000000000001"
const TAG = "01890000-0000-7000-8000-000000000002"

interface Declared {
  readonly name?: string
  readonly workflow?: string
  readonly more?: string
}

// Starts an app with a record that has a tag, is published, and got another title afterwards.
async function newApp() {
  const database = await createTestDatabase()
  const folder = await appFolder({ "src/collections/tags.ts": TAGS })
  onTestFinished(async () => {
    await folder[Symbol.asyncDispose]()
    await database.drop()
  })
  const declare = async ({ name = "posts", workflow = "{ workflow: true, versions: true }", more = "" }: Declared) => {
    await rm(join(folder.path, "src/collections/posts.ts"), { force: true })
    await folder.write(
      `src/collections/${name}.ts`,
      `import { collection } from "kit"
export default collection("${name}")${more}
  .fields(({ f }) => ({ title: f.text(), tags: f.relation("tags").manyToMany() })).options(${workflow})
`,
    )
  }
  const kit = (...args: string[]) => runKit(args, { cwd: folder.path, env: { DATABASE_URL: database.url } })
  await declare({})
  await kit("migrate", "create", "first")
  await kit("migrate", "up")
  const times = `"createdAt", "updatedAt"`
  await database.query(`insert into tags (id, name, ${times}) values ('${TAG}', 't', now(), now())`)
  const row = (title: string) =>
    `(id, title, stage, ${times}) values ('${POST}', '${title}', 'published', now(), now())`
  await database.query(`insert into posts ${row("draft")}; insert into "posts.stage.published" ${row("shown")}`)
  const links = ["posts.tags.tags.links", "posts.tags.tags.links.posts.stage.published"]
  for (const table of links) await database.query(`insert into "${table}" values ('${POST}', '${TAG}')`)
  return { database, declare, kit }
}

test("a stage that comes is added, and one that goes takes its copies along only if it may", async () => {
  const { database, declare, kit } = await newApp()
  const stages = "{ versions: true, workflow: { stages: { draft: {}, review: {}, published: {} } } }"

  await declare({ workflow: stages })
  const planned = await kit("migrate", "plan")
  const gained = [await kit("migrate", "create", "gains"), await kit("migrate", "up")]
  const columns = `(id, title, stage, "createdAt", "updatedAt")`
  await database.query(
    `insert into "posts.stage.review" ${columns} select id, title, 'review', "createdAt", "updatedAt" from posts`,
  )
  await declare({})
  const refused = await kit("migrate", "create", "loses")
  const accepted = [await kit("migrate", "create", "loses", "--accept-data-loss"), await kit("migrate", "up")]

  expect(planned.output).toContain('create table "posts.stage.review"')
  expect(planned.output).not.toContain("LOSES DATA")
  expect(gained.map(({ code }) => code)).toEqual([0, 0])
  expect(refused.code).toBe(1)
  expect(refused.output).toContain('drop table "posts.stage.review" with all its records: 1 row holds a value')
  expect(refused.output).not.toContain("posts.stage.published")
  expect(accepted.map(({ code }) => code)).toEqual([0, 0])
  expect(await database.query(`select to_regclass('"posts.stage.review"') as review`)).toEqual([{ review: null }])
  expect(await database.query(`select title from "posts.stage.published"`)).toEqual([{ title: "shown" }])
})

test("a renamed collection keeps its stages, their links, its history and the moves that wait", async () => {
  const { database, declare, kit } = await newApp()
  const move = JSON.stringify({ table: "posts", id: POST, stage: "draft", userId: null, token: POST })
  await database.query(`insert into _kit_pending_transitions ("table", record, token, stage, run_at)
    values ('posts', '${POST}', '${POST}', 'draft', now() + interval '1 day')`)
  await database.query(`insert into _kit_jobs (id, name, state, payload, priority, run_at, max_attempts, created_at)
    values ('${POST}', 'kit.transition', 'scheduled', '${move}', 0, now() + interval '1 day', 3, now())`)
  await declare({ name: "articles", more: '.renamedFrom("posts")' })

  const created = await kit("migrate", "create", "renames")
  const up = await kit("migrate", "up")
  const again = await kit("migrate", "plan")

  expect([created.code, up.code]).toEqual([0, 0])
  expect(created.output).not.toContain("LOSES DATA")
  expect(again.output).toContain("nothing to do")
  expect(await database.query(`select title from "articles.stage.published"`)).toEqual([{ title: "shown" }])
  const links = ["articles.tags.tags.links", "articles.tags.tags.links.articles.stage.published"]
  for (const table of links) expect(await database.query(`select tags_id from "${table}"`)).toEqual([{ tags_id: TAG }])
  expect(await database.query(`select "table" from _kit_pending_transitions`)).toEqual([{ table: "articles" }])
  expect(await database.query("select payload->>'table' as name from _kit_jobs")).toEqual([{ name: "articles" }])
})

test("a collection that has no stages any more keeps what is worked on", async () => {
  const { database, declare, kit } = await newApp()
  await declare({ workflow: "{ versions: true }" })

  const refused = await kit("migrate", "create", "none")
  const accepted = [await kit("migrate", "create", "none", "--accept-data-loss"), await kit("migrate", "up")]
  await declare({})
  const back = [await kit("migrate", "create", "back"), await kit("migrate", "up")]

  expect(refused.code).toBe(1)
  expect(refused.output).toContain('drop column "posts.stage" with all its values: 1 row holds a value')
  expect(refused.output).toContain('drop table "posts.stage.published" with all its records: 1 row holds a value')
  expect([...accepted, ...back].map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(await database.query("select title, stage from posts")).toEqual([{ title: "draft", stage: "draft" }])
  expect(await database.query(`select 1 from "posts.stage.published"`)).toEqual([])
})
