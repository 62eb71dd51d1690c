// @module-tag not-about-engine

import { collection } from "kit"
import { expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const posts = collection("posts").fields(({ f }) => ({ title: f.text(200) }))

/** Waits until an instance has waited for the lock for longer than any statement may take. */
async function isWaitingForLong(app: TestApp): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
    and clock_timestamp() - query_start > interval '1200 milliseconds'`
  await vi.waitFor(async () => expect(await app.database.query(waiting)).toHaveLength(1), WAIT)
}

// On a machine that stalls for a second, any other statement may take too long as well.
const TRIES = { retry: 4 }

test("an instance waits for the seeds of another for however long they take, and runs none again", TRIES, async () => {
  await using app = await testApp({
    resources: [posts],
    config: { db: { statementTimeoutMs: 1_000, maxConnections: 4 } },
  })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const seeds = [{ name: "long", run: () => finished, progress: () => {} }]

  const first = app.app.seed(seeds)
  const second = app.app.seed(seeds)
  await Promise.race([isWaitingForLong(app), first, second]).finally(finish)

  expect((await Promise.all([first, second])).flat()).toEqual(["long"])
})
