import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

test("a wait of a test says how long it may take", async () => {
  const problems = await problemsOf("waits", {
    "test/live/live.test.ts": "await vi.waitFor(() => ready())\nawait vi.waitFor(() => ready(), { timeout: 60_000 })",
    "packages/kit/test/a.test.ts": "const text = 'vi.waitFor(() => {})'\nawait vi.waitUntil(() => ready())",
    "packages/kit/src/a.ts": "await vi.waitFor(() => ready())",
  })

  expect(problems).toEqual([
    "packages/kit/test/a.test.ts:2 waits for one second: say how long, { timeout: 60_000 }",
    "test/live/live.test.ts:1 waits for one second: say how long, { timeout: 60_000 }",
  ])
})
