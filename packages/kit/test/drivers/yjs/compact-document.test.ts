// @module-tag full-count

import { deepStrictEqual } from "node:assert"
import fc from "fast-check"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { count } from "../../../../../test/support/count.ts"
import {
  compact,
  createDocument,
  differenceByLoading,
  differenceFrom,
  editDocument,
  readDocument,
} from "../../../src/drivers/yjs/documents.ts"
import { anyDocument, loaded, TEXT_ROOT } from "./any-document.ts"

test("a compacted document is the document, without what was deleted", () => {
  const first = createDocument(TEXT_ROOT, `Some ${"very ".repeat(1000)}long words`)
  const edit = editDocument(TEXT_ROOT, [first], "Some words") ?? new Uint8Array()

  const compacted = compact([first, edit])

  expect(compacted.length).toBeLessThan(100)
  expect(readDocument(TEXT_ROOT, [compacted])).toBe("Some words")
  expect(stateOf([compacted])).toEqual(stateOf([first, edit]))
})

test("a compacted document keeps what waits for an update that has not arrived", () => {
  fc.assert(
    fc.property(anyDocument(), fc.nat(), ({ root, updates }, choice) => {
      const missing = choice % updates.length
      const others = updates.filter((_, place) => place !== missing)
      const late = updates.slice(missing, missing + 1)

      const compacted = compact(others)

      deepStrictEqual(readDocument(root, [compacted, ...late]), readDocument(root, [...others, ...late]))
      deepStrictEqual(readDocument(root, [compact([compacted, ...late])]), readDocument(root, updates))
    }),
    { numRuns: count({ short: 30, long: 100 }) },
  )
})

test("an editor's later updates fit a compacted document", () => {
  fc.assert(
    fc.property(anyDocument(), fc.nat(), ({ root, updates }, choice) => {
      const end = choice % (updates.length + 1)

      const compacted = compact(updates.slice(0, end))

      deepStrictEqual(readDocument(root, [compacted, ...updates.slice(end)]), readDocument(root, updates))
    }),
    { numRuns: count({ short: 30, long: 100 }) },
  )
})

test("the difference brings any replica up to date, and its state vector tells what the document has", () => {
  fc.assert(
    fc.property(anyDocument(), fc.nat(), ({ root, updates }, choice) => {
      const replica = updates.filter((_, place) => ((choice >> place) & 1) === 1)
      const stateVector = Y.encodeStateVector(loaded(replica))

      const difference = differenceFrom(updates, stateVector)
      const whole = differenceFrom(updates, undefined)

      deepStrictEqual(readDocument(root, [...replica, difference.update]), readDocument(root, updates))
      deepStrictEqual(readDocument(root, [whole.update]), readDocument(root, updates))
      expect(Y.decodeStateVector(difference.stateVector)).toEqual(stateOf(updates))
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test("the difference keeps what waits for an update that has not arrived", () => {
  fc.assert(
    fc.property(anyDocument(), fc.nat(), ({ root, updates }, choice) => {
      const missing = choice % updates.length
      const others = updates.filter((_, place) => place !== missing)
      const late = updates.slice(missing, missing + 1)

      const { update } = differenceFrom(others, undefined)

      deepStrictEqual(readDocument(root, [update, ...late]), readDocument(root, updates))
    }),
    { numRuns: count({ short: 30, long: 100 }) },
  )
})

test("the difference by the bytes is the one by loading the document", () => {
  fc.assert(
    fc.property(anyDocument(), fc.nat(), ({ root, updates }, choice) => {
      const replica = updates.filter((_, place) => ((choice >> place) & 1) === 1)
      const stateVector = Y.encodeStateVector(loaded(replica))
      const again = [compact(updates.slice(0, 2)), ...updates.slice(choice % 3), ...updates.slice(0, 1)]
      const all = choice % 2 === 0 ? updates : again

      for (const known of [undefined, stateVector]) {
        const joined = differenceFrom(all, known)
        const general = differenceByLoading(all, known)
        deepStrictEqual(Y.decodeStateVector(joined.stateVector), Y.decodeStateVector(general.stateVector))
        deepStrictEqual(
          readDocument(root, [...replica, joined.update]),
          readDocument(root, [...replica, general.update]),
        )
        deepStrictEqual(compact([...replica, joined.update]), compact([...replica, general.update]))
      }
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

test("a document without updates is empty", () => {
  const { update, stateVector } = differenceFrom([], undefined)

  expect(readDocument(TEXT_ROOT, [update])).toBe("")
  expect(Y.decodeStateVector(stateVector)).toEqual(new Map())
  expect(readDocument(TEXT_ROOT, [])).toBe("")
  expect(readDocument(TEXT_ROOT, [compact([])])).toBe("")
})

function stateOf(updates: readonly Uint8Array[]): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(loaded(updates)))
}
