import { resolve } from "node:path"
import { expect, test } from "vitest"

interface Failure {
  readonly test: string
  readonly message: string
  readonly run: number
}

interface RepeatedFailures {
  failuresIn(run: { code: number | null; output: string; report?: unknown }, number: number): readonly Failure[]
  summaryOf(failures: readonly Failure[], times: number): string
}

const SCRIPT_URL = new URL("../../../../scripts/repeated-failures.mjs", import.meta.url).href
// The scripts are plain JavaScript outside this project's types; repeated-failures.mjs exports exactly these functions.
const { failuresIn, summaryOf } = (await import(SCRIPT_URL)) as RepeatedFailures

const NAME = resolve("test/live/live.test.ts")
const passed = { fullName: "live ends", status: "passed", failureMessages: [] }
const failed = { fullName: "live tells", status: "failed", failureMessages: ["Expected 1, was 2."] }
const reportOf = (file: object) => ({ testResults: [{ name: NAME, status: "passed", assertionResults: [], ...file }] })

test("a failed test is named with its file, and a run without one has no failures", () => {
  const report = reportOf({ status: "failed", assertionResults: [passed, failed] })

  expect(failuresIn({ code: 1, output: "", report }, 3)).toEqual([
    { test: "test/live/live.test.ts > live tells", message: "Expected 1, was 2.", run: 3 },
  ])
  expect(failuresIn({ code: 0, output: "", report: reportOf({ assertionResults: [passed] }) }, 3)).toEqual([])
})

test("a file that could not be loaded counts as failed", () => {
  const report = reportOf({ status: "failed", message: "Cannot find module", assertionResults: [] })

  expect(failuresIn({ code: 1, output: "", report }, 1)).toEqual([
    { test: "test/live/live.test.ts", message: "Cannot find module", run: 1 },
  ])
})

test("a run that fails without a failed test has failed itself: it crashed, or an error came from outside of a test", () => {
  const message = "It ended with 1. Unhandled rejection"

  expect(
    failuresIn({ code: 1, output: "Unhandled rejection", report: reportOf({ assertionResults: [passed] }) }, 2),
  ).toEqual([{ test: "the run itself", message, run: 2 }])
  expect(failuresIn({ code: 1, output: "Unhandled rejection" }, 2)).toEqual([
    { test: "the run itself", message, run: 2 },
  ])
})

test("the summary names each test once, with the runs in which it failed", () => {
  const failure = (name: string, run: number) => ({ test: name, message: "", run })

  expect(summaryOf([failure("a", 1), failure("b", 2), failure("a", 4)], 10)).toBe(
    "2 tests failed at least once:\n  a: failed in 2 of 10 runs (1, 4)\n  b: failed in 1 of 10 runs (2)",
  )
  expect(summaryOf([], 10)).toBe("All tests passed in all 10 runs.")
})
