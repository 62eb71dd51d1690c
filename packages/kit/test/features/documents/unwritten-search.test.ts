import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { DocumentServices } from "../../../src/features/documents/document-services.ts"
import { UnwrittenSearch } from "../../../src/features/documents/values/unwritten-search.ts"

const LOOK_MS = 15_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function countedSearch() {
  const looks: number[] = []
  const query = () => {
    looks.push(Date.now())
    return Promise.resolve({ rows: [], rowCount: 0 })
  }
  const engine = { schema: { resources: [], locales: { all: [] } } }
  // The cast is safe: a look that finds nothing uses no other service.
  const services = { engine, database: { query } } as unknown as DocumentServices
  return { search: new UnwrittenSearch(services), looks }
}

test("an edit shortly before a look is found by the next one", async () => {
  const { search, looks } = countedSearch()

  search.lookLater()
  await vi.advanceTimersByTimeAsync(LOOK_MS - 1)
  search.lookLater()
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(LOOK_MS)

  expect(looks).toHaveLength(2)
})

test("when documents are no longer used, nothing is looked for", async () => {
  const { search, looks } = countedSearch()

  search.lookLater()
  search.lookLater()
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS)

  expect(looks).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})
