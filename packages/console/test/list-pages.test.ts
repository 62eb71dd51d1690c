import { expect, test } from "vitest"
import {
  extendDown,
  extendUp,
  newPage,
  pageOptions,
  type ReadPage,
  receivePage,
  recordsOf,
  shareRecords,
} from "../src/kit/list-window/list-pages.ts"

function read(names: string, { hasNextPage = false, hasPrevPage = false } = {}): ReadPage {
  const docs = [...names].map((id) => ({ id, title: id }))
  return { docs, startCursor: `<${names.at(0)}`, endCursor: `${names.at(-1)}>`, hasNextPage, hasPrevPage }
}

test("a list is read from its beginning, and then behind what was read", () => {
  const first = newPage({ after: null })
  const pages = extendDown(receivePage([first], first.key, read("abc", { hasNextPage: true })))

  expect(pages.map(pageOptions)).toEqual([
    { after: null, before: "c>", limit: 200 },
    { after: "c>", limit: 100 },
  ])
  expect(extendDown(pages)).toBe(pages)
})

test("a list is read from its end, and then before what was read", () => {
  const last = newPage({ before: null })
  const pages = extendUp(receivePage([last], last.key, read("xyz", { hasPrevPage: true })))

  expect(pages.map(pageOptions)).toEqual([
    { before: "<x", limit: 100 },
    { after: "<x", before: null, limit: 200 },
  ])
})

test("a list that was read from its middle, and then upwards, still goes on below", () => {
  const middle = newPage({ after: "m>" })
  const found = read("nop", { hasNextPage: true, hasPrevPage: true })
  const pages = extendUp(receivePage([middle], middle.key, found))

  expect(pages.map(pageOptions)).toEqual([
    { before: "<n", limit: 100 },
    { after: "<n", limit: 100 },
  ])
})

test("a list that was read whole is not read on", () => {
  const only = newPage({ after: null })
  const pages = receivePage([only], only.key, read("abc"))

  expect(extendDown(pages)).toBe(pages)
  expect(extendUp(pages)).toBe(pages)
})

test("a page into which too many records have come becomes two", () => {
  const first = newPage({ after: null })
  const two = extendDown(receivePage([first], first.key, read("abc", { hasNextPage: true })))
  const pages = receivePage(two, first.key, read("abXY", { hasNextPage: true }))

  expect(pages.map(({ range }) => range)).toEqual([
    { after: null, before: "Y>" },
    { after: "Y>", before: "c>" },
    { after: "c>" },
  ])
})

test("a record that moves from one page to another is shown once", () => {
  const first = newPage({ after: null })
  const two = extendDown(receivePage([first], first.key, read("abc", { hasNextPage: true })))
  const pages = receivePage(two, two[1]?.key ?? -1, read("cde"))

  expect(recordsOf(pages).map(({ id }) => id)).toEqual([..."abcde"])
})

test("a record that has not changed stays the same object, so that its row is not rendered again", () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour))
  const former = [
    { id: "a", at: at(1), author: { id: "x", name: "Ann" } },
    { id: "b", at: at(1), tags: ["one"] },
    { id: "c", at: at(1), big: 1n },
  ]
  const next = [
    { id: "b", at: at(1), tags: ["one", "two"] },
    { id: "a", at: at(1), author: { id: "x", name: "Ann" } },
    { id: "c", at: at(2), big: 1n },
  ]

  const shared = shareRecords(former, next)

  expect(shared[1]).toBe(former[0])
  expect(shared[0]).toBe(next[0])
  expect(shared[2]).toBe(next[2])
})
