import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { ChangeNotifier } from "../../../src/features/realtime/changes/change-notifier.ts"
import type { Connection } from "../../../src/ports/database.ts"
import { DELETE_READ_CHANGES } from "../../../src/sql/changes/read-changes.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("changes are forgotten twice after the last commit: the second time finds those of the first", () => {
  const asked: unknown[] = []
  const query = (statement: unknown) => {
    asked.push(statement)
    return Promise.resolve({ rows: [] })
  }
  const notices = new ChangeNotifier(fakeLiveEngine({ connection: { query } as unknown as Connection }), () => {})

  notices.onCommitted()
  vi.advanceTimersByTime(59_000)
  notices.onCommitted()
  expect(asked).toEqual([])
  vi.advanceTimersByTime(600_000)

  expect(asked).toEqual([DELETE_READ_CHANGES, DELETE_READ_CHANGES])
})
