// @module-tag not-about-engine

import { expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) }))
`
const FIRST = `
import { seed } from "kit"
export default seed(async ({ collections }) => { await collections.posts.create({ title: "First" }) })
`
const BROKEN = `import { seed } from "kit"

export default seed(async ({ collections }) => {
  await collections.posts.create({ title: "Second" })
  await collections.posts.create({ titel: "Third" } as object)
})
`

test("a seed that fails is named with its place, those before it are done, and mended it runs", async () => {
  const database = await createTestDatabase()
  const files = { "src/collections/posts.ts": POSTS, "src/seeds/1-first.ts": FIRST, "src/seeds/2-second.ts": BROKEN }
  await using folder = await appFolder(files)
  const kit = async (...args: readonly string[]) => {
    const { code, output } = await runKit(args, { cwd: folder.path, env: { DATABASE_URL: database.url } })
    return { code, lines: output.trim().split("\n") }
  }

  const failed = await kit("seed")
  const afterFailure = await database.query('select title from "posts"')
  await folder.write("src/seeds/2-second.ts", BROKEN.replace("titel", "title"))
  const mended = await kit("seed")
  const again = await kit("seed")
  const nobody = await kit("user", "create", "--email", "eva@example.com", "--name", "Eva", "--role", "")

  expect(failed.code).toBe(1)
  expect(failed.lines).toEqual([
    "seeded seeds/1-first",
    'seeds/2-second failed and was rolled back: titel: There is no field "titel". Did you mean "title"?',
    expect.stringMatching(/^ {4}at .*src\/seeds\/2-second\.ts:5:\d+\)$/),
  ])
  expect(afterFailure).toEqual([{ title: "First" }])
  expect(mended).toEqual({ code: 0, lines: ["seeded seeds/2-second"] })
  expect(again).toEqual({ code: 0, lines: ["nothing to do: every seed has run"] })
  expect(nobody.code).toBe(2)
  expect(nobody.lines[0]).toMatch(/^--role: it is empty/)
  await database.drop()
})
