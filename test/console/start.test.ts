// @module-tag not-about-engine
// @module-tag experiment

// Runs the built command: `npm run build` comes before it.
import { expect, test } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { readBoot } from "./support/boot-data.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) })).access({ read: true })
`
const SECRET = "c0RrZ0J5b1J1d3lHc2hVb2hWZ0p3bXQ0eTd2Q2Jt"

test("a start prints the link of the set-up until there is an admin, and nothing else logs its token", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({
    "src/collections/posts.ts": POSTS,
    "kit.config.ts": 'export default { app: { url: "https://news.example.com" } }',
  })
  const env = { DATABASE_URL: database.url, NODE_ENV: "production", KIT_SECRET: SECRET }
  const run = (...args: string[]) => new KitProcess(args, { cwd: folder.path, env })

  const first = run("start", "--port", "0")
  const [, token = ""] = await first.printed(/Finish the set-up: https:\/\/news\.example\.com\/admin#setup=([\w-]{43})/)
  const [, url = ""] = await first.printed(/on (http:\S+)/)
  expect(await readBoot(new URL("/admin", url).href)).toMatchObject({ setUpOpen: true })
  const body = JSON.stringify({ token, name: "Eva", email: "eva@example.com", password: "correct horse" })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${url}/_kit/setup`, { method: "POST", headers, body })
  expect(answer.status).toBe(200)
  await first.stop()

  const second = run("start", "--port", "0")
  await second.printed(/the console: https:\/\/news\.example\.com\/admin\b/)
  await second.stop()

  expect(first.output.split(token)).toHaveLength(2)
  expect(first.output).toContain("The set-up has created an account with the role admin.")
  expect(first.output).not.toContain("correct horse")
  expect(second.output).not.toContain("Finish the set-up")
  await database.drop()
})

test("kit dev prints the link with the address of this machine", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ "src/collections/posts.ts": POSTS })
  const env = { DATABASE_URL: database.url }
  const dev = new KitProcess(["dev", "--port", "0"], { cwd: folder.path, env })

  await dev.printed(/Finish the set-up: http:\/\/localhost:\d+\/admin#setup=[\w-]{43}/)
  await dev.stop()

  await database.drop()
})
