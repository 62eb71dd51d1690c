// @module-tag not-about-engine
// @module-tag experiment

import { expect, test } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const APP = {
  "src/collections/posts.ts": `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) })).access({ read: true })
`,
  "kit.config.ts": 'export default { web: { dir: "web/dist", spa: true }, log: { requests: false } }',
}
const PAGE = "<!doctype html><title>Web</title>"
const ENVIRONMENTS = [
  ["dev", {}],
  ["start", { NODE_ENV: "production", KIT_SECRET: "c0RrZ0J5b1J1d3lHc2hVb2hWZ0p3bXQ0eTd2Q2Jt" }],
] as const

test.each(ENVIRONMENTS)("kit %s serves the folder of the web pages beside the API", async (command, variables) => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ ...APP, "web/dist/index.html": PAGE })
  const env = { DATABASE_URL: database.url, ...variables }
  const app = new KitProcess([command, "--port", "0"], { cwd: folder.path, env })
  const [, url = ""] = await app.printed(/on (http:\S+)/)
  const [page, record] = await Promise.all([fetch(new URL("/", url)), fetch(`${url}/posts`)])

  expect(await page.text()).toBe(PAGE)
  expect(await record.json()).toMatchObject({ docs: [] })
  await app.stop()
  await database.drop()
})

test.each([
  [{}, 'there is no folder "web/dist", which "web.dir" names. Build the web pages before the start'],
  [{ "web/dist/app.js": "" }, 'the folder "web/dist" of "web.dir" contains no index.html. Build the web pages'],
  [
    { "kit.config.ts": 'export default { web: { dir: "." } }' },
    'the folder "." of "web.dir" contains the app itself, whose files everyone could read. Name the folder into which',
  ],
  [
    {
      "kit.config.ts": 'export default { web: { dir: "public" }, storage: { folder: "public/uploads" } }',
      "public/index.html": PAGE,
    },
    'the folder "public" of "web.dir" contains the uploaded files ("storage.folder"), which everyone could read. Name',
  ],
])("kit start stops if there is nothing to serve, or too much: %j", async (files, expected) => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ ...APP, ...files })
  const app = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })

  expect(await app.exit()).toBe(1)
  expect(app.output).toContain(`kit.config.ts: ${expected}`)
  const tables = await database.query("select tablename from pg_tables where schemaname = 'public'")
  expect(tables).toEqual([])
  await database.drop()
})
