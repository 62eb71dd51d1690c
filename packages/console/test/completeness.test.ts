import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { CompletenessStore } from "../src/screens/list/locales/completeness-store.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test("rows that come into view together are one read, and a row is read again when it has changed", async () => {
  const reads: (readonly string[])[] = []
  const store = new CompletenessStore((ids) => {
    reads.push(ids)
    return Promise.resolve(
      new Map(ids.filter((id) => id !== "hidden").map((id) => [id, new Set([`en${reads.length}`])])),
    )
  })

  for (const id of ["a", "b", "hidden"]) store.want(id, "1")
  await vi.runAllTimersAsync()
  for (const id of ["a", "b", "hidden"]) store.want(id, "1")
  store.want("a", "2")
  await vi.runAllTimersAsync()

  expect(reads).toEqual([["a", "b", "hidden"], ["a"]])
  expect(store.get("a")).toEqual(new Set(["en2"]))
  expect(store.get("b")).toEqual(new Set(["en1"]))
  expect(store.get("hidden")).toBeNull()
  expect(store.get("unknown")).toBeUndefined()
})

test("a late answer about an older version does not replace a newer one", async () => {
  const answers: ((found: Map<string, Set<string>>) => void)[] = []
  const store = new CompletenessStore(() => new Promise((resolve) => answers.push(resolve)))

  store.want("a", "1")
  await vi.runAllTimersAsync()
  store.want("a", "2")
  await vi.runAllTimersAsync()
  answers[1]?.(new Map([["a", new Set(["en", "sk"])]]))
  answers[0]?.(new Map([["a", new Set(["en"])]]))
  await vi.runAllTimersAsync()

  expect(store.get("a")).toEqual(new Set(["en", "sk"]))
})

test("a read that fails leaves the marks out", async () => {
  const store = new CompletenessStore(() => Promise.reject(new Error("offline")))

  store.want("a", "1")
  await vi.runAllTimersAsync()

  expect(store.get("a")).toBeNull()
})
