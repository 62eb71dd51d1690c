// @module-tag not-about-connections

import { afterAll, beforeAll, expect, test } from "vitest"
import {
  cursorWorld,
  EDITOR,
  type NumberedPage,
  type PagedList,
  readWhole,
  walkBackward,
  walkForward,
} from "../support/worlds/cursor-world.ts"
import type { TestApp } from "../support/worlds/test-app.ts"

let app: TestApp

beforeAll(async () => {
  app = await cursorWorld()
})

afterAll(() => app[Symbol.asyncDispose]())

const numbersOf = (pages: readonly NumberedPage[]) => pages.flatMap(({ numbers }) => numbers)

async function expectWalksLikeTheList(list: PagedList): Promise<void> {
  const whole = await readWhole(list)
  const [forward, backward] = [await walkForward(list, 9), await walkBackward(list, 11)]

  expect(whole.length).toBeGreaterThan(5)
  expect(numbersOf(forward)).toEqual(whole)
  expect(numbersOf(backward)).toEqual(whole)
  expect(forward.map(({ hasPrevPage }) => hasPrevPage)).toEqual(forward.map((_, index) => index > 0))
  expect(backward.map(({ hasNextPage }) => hasNextPage)).toEqual(
    backward.map((_, index) => index < backward.length - 1),
  )
}

const FIELDS = ["number", "rank", "score", "price", "size", "name", "label", "points", "kind", "isOpen", "day"]
const MORE_FIELDS = ["clock", "at", "parity", "masked", "author", "id", "createdAt", "updatedAt"]

test.each([...FIELDS, ...MORE_FIELDS])("pages by %s, upward and downward, have every record once", async (field) => {
  await expectWalksLikeTheList({ app, options: { orderBy: { [field]: "asc" } } })
  await expectWalksLikeTheList({ app, options: { orderBy: { [field]: "desc" } } })
})

test.each<[string, object]>([
  ["the default order", {}],
  ["two directions", { orderBy: { rank: "asc", score: "desc" } }],
  ["two directions with nulls first", { orderBy: [{ rank: "desc" }, { score: "asc" }, { kind: "desc" }] }],
  ["an id between other keys", { orderBy: [{ rank: "asc" }, { id: "desc" }, { score: "asc" }] }],
  ["a field of a related record", { orderBy: { author: { name: "asc" } } }],
  ["a field over two relations", { orderBy: [{ author: { team: { name: "desc" } } }, { author: { name: "asc" } }] }],
  ["a localized field in another locale", { orderBy: { label: "asc" }, locale: "sk" }],
  ["a localized number without fallback", { orderBy: { points: "desc" }, locale: "sk", localeFallback: false }],
  ["all locales", { orderBy: { label: "desc" }, locale: "*" }],
  [
    "a filter",
    { orderBy: { rank: "desc" }, where: { number: { gt: 9 }, author: { is: { name: { isNotNull: true } } } } },
  ],
  ["a search", { orderBy: { rank: "asc" }, search: "a" }],
  ["deleted records", { orderBy: { rank: "asc" }, includeDeleted: true }],
  ["selected columns", { orderBy: { price: "asc" }, columns: { number: true } }],
  ["related records", { orderBy: { price: "asc" }, with: { author: { with: { team: true } } } }],
])("pages with %s have every record once", async (_name, options) => {
  await expectWalksLikeTheList({ app, options })
  await expectWalksLikeTheList({ app, options, session: EDITOR })
})

test("pages of stages and of chosen ids have every record once", async () => {
  const { staged = null } = app.app.system.collections
  const drafts = await staged?.find({ stage: "draft" })
  for (const { id } of drafts?.docs.slice(0, 9) ?? []) {
    await staged?.transitionStage({ id: String(id), stage: "published" })
  }

  await expectWalksLikeTheList({ app, collection: "staged", options: { orderBy: { rank: "desc" } } })
  await expectWalksLikeTheList({ app, collection: "staged", options: { stage: "draft" }, session: EDITOR })
  await expectWalksLikeTheList({ app, collection: "chosen", options: {} })
  await expectWalksLikeTheList({ app, collection: "chosen", options: { orderBy: { id: "desc" } } })
})

test("pages by a time of which the database has microseconds have every record once", async () => {
  await app.database.query("alter table entries alter column at type timestamptz(6)")
  await app.database.query("update entries set at = at + number % 7 * interval '1 microsecond'")

  await expectWalksLikeTheList({ app, options: { orderBy: { at: "asc" } } })
  await expectWalksLikeTheList({ app, options: { orderBy: { at: "desc" } } })
})
