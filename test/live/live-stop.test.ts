// @module-tag not-about-shortcuts

import { expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .access({ read: true, create: true })
`

// Streams that have not ended by then are cut off.
const CUT_OFF_MS = 10_000

test("P6: a server that is asked to stop says goodbye on its streams and ends", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({ "src/collections/posts.ts": POSTS })
  const env = { DATABASE_URL: database.url, PORT: "0", KIT_SECRET: "a secret of 32 characters or more" }

  // On a busy machine some attempts take longer.
  let leastMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && leastMs >= CUT_OFF_MS; tries++) {
    leastMs = Math.min(leastMs, await stopMs(new KitProcess(["start"], { cwd: folder.path, env })))
  }

  expect(leastMs).toBeLessThan(CUT_OFF_MS)
  await database.drop()
})

/** Returns the time that the server takes to end with open streams. */
async function stopMs(kit: KitProcess): Promise<number> {
  const [origin] = await kit.printed(/http:\/\/[\w.:]+/)
  const topics = [{ id: "posts", resourceType: "collection", resource: "posts" }]
  const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents({ url: `${origin}/api`, topics })))
  await Promise.all(streams.map((stream) => stream.next("snapshot")))

  const askedAt = performance.now()
  const stopped = kit.stop()
  await Promise.all(streams.map((stream) => stream.next("bye")))

  expect(await stopped).toBe(0)
  const ms = performance.now() - askedAt
  await Promise.all(streams.map((stream) => stream.ended))
  return ms
}
