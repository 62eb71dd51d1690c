import { expect, test } from "vitest"
import { appFolder, KitProcess } from "./support/kit-process.ts"
import { openEvents } from "./support/live-events.ts"
import { createTestDatabase } from "./support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .access({ read: true, create: true })
`

test("P6: a server that is asked to stop says goodbye on its streams and ends", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ "src/collections/posts.ts": POSTS })
  const env = { DATABASE_URL: database.url, PORT: "0", KIT_SECRET: "a secret of 32 characters or more" }
  const kit = new KitProcess(["start"], { cwd: folder.path, env })
  const [origin] = await kit.printed(/http:\/\/[\w.:]+/)
  const topics = [{ id: "posts", resourceType: "collection", resource: "posts" }]
  const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents({ url: `${origin}/api`, topics })))
  await Promise.all(streams.map((stream) => stream.next("snapshot")))

  const askedAt = performance.now()
  const stopped = kit.stop()
  await Promise.all(streams.map((stream) => stream.next("bye")))

  expect(await stopped).toBe(0)
  expect(performance.now() - askedAt).toBeLessThan(10_000)
  await Promise.all(streams.map((stream) => stream.ended))
  await database.drop()
})
