import { expect, test } from "vitest"
import { ChangeFeed } from "../../../src/features/realtime/changes/change-feed.ts"
import type { Connection, QueryResult } from "../../../src/ports/database.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

/** A database whose statements are answered when the test says so. */
function heldConnection() {
  const waiting: (() => void)[] = []
  const connection = {
    query: () =>
      new Promise<QueryResult>((resolve) => {
        waiting.push(() => resolve({ rows: [["1:1:", false, null]], rowCount: 1 } as unknown as QueryResult))
      }),
  } as unknown as Connection
  return { connection, answer: () => waiting.shift()?.(), asked: () => waiting.length }
}

const nothing = { onChanges: () => Promise.resolve(), onGap: () => {} }

test("a feed that is closed before it knows where it is stays closed", async () => {
  const { connection, answer, asked } = heldConnection()
  const feed = new ChangeFeed(fakeLiveEngine({ connection }), nothing)
  const first = feed.catchUp()
  await Promise.resolve()

  feed.close()
  answer()
  await first
  feed.wake()
  await Promise.resolve()

  expect(feed.isOpen).toBe(false)
  expect(asked()).toBe(0)
})
