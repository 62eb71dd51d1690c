import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { DocumentServices } from "../../../src/features/documents/document-services.ts"
import { UnwrittenSearch } from "../../../src/features/documents/values/unwritten-search.ts"
import type { Statement } from "../../../src/ports/database.ts"

const LOOK_MS = 15_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

// A document of a field that the app does not declare, so that there is nothing to write.
const UNDECLARED = ["id", "collection", "gone", "1", "body", ""]

function countedSearch(found: readonly unknown[][][] = []) {
  const looks: unknown[] = []
  const left = [...found]
  const query = ({ values }: Statement) => {
    looks.push(values)
    return Promise.resolve({ rows: left.shift() ?? [], rowCount: 0 })
  }
  const schema = { resources: [], collections: new Map(), locales: { all: [] }, inLocale: () => schema }
  const engine = { schema }
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

test("at the start, values of every age are looked for, refused ones included", async () => {
  const { search, looks } = countedSearch()

  search.start()
  await search.settle()

  expect(looks).toEqual([[[], 0, true]])
  expect(vi.getTimerCount()).toBe(0)
})

test("while something is found, it looks again, until it is stopped", async () => {
  const { search, looks } = countedSearch([[UNDECLARED], [UNDECLARED]])

  search.start()
  await vi.advanceTimersByTimeAsync(LOOK_MS)
  expect(looks).toEqual([
    [[], 0, true],
    [[], LOOK_MS, false],
  ])
  expect(vi.getTimerCount()).toBe(1)
  await search.stop()

  search.lookLater()
  expect(vi.getTimerCount()).toBe(0)
})
