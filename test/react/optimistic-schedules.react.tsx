import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { runSchedule } from "./support/model/run-schedule.tsx"

const SCHEDULES = count({ short: 200, long: 1_000 })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] })
})

afterEach(() => {
  vi.useRealTimers()
})

test("no schedule of delays, failures, reorderings and reconnects shows what is neither old nor new", async () => {
  const { seed } = seededRandom()
  let commits = 0
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    const outcome = await runSchedule(seed + schedule)
    expect(outcome.faults, `KIT_SEED=${seed + schedule}`).toEqual([])
    commits += outcome.commits
  }

  expect(commits).toBeGreaterThan(SCHEDULES)
})
