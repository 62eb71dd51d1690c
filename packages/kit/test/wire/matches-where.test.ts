import { describe, expect, test } from "vitest"
import { matchesWhere } from "../../src/wire/matching/matches-where.ts"

const record = {
  id: "0193c3a0-7b1c-7000-8000-00000000000a",
  kind: "video",
  title: "A Day at the Lake",
  seconds: 90,
  views: 9_007_199_254_740_993n,
  price: "10.50",
  at: new Date("2026-05-04T10:30:00Z"),
  day: "2026-05-04",
  time: "10:30:00",
  isFree: false,
  tags: ["sea", "sun"],
  link: null,
  author: { id: "0193c3a0-7b1c-7000-8000-00000000000b", name: "Ana", boss: null },
  editor: "0193c3a0-7b1c-7000-8000-00000000000c",
  comments: [{ id: "1", text: "Nice" }],
  place: { city: "Bled" },
  body: [
    {
      type: "hero",
      id: "h",
      image: { id: "0193c3a0-7b1c-7000-8000-00000000000d" },
      person: "0193c3a0-7b1c-7000-8000-00000000000e",
    },
  ],
}

describe("a filter that a record is certain to match, or not to match", () => {
  test.each<[where: object, expected: boolean]>([
    [{}, true],
    [{ kind: "video" }, true],
    [{ kind: "text" }, false],
    [{ kind: { in: ["text", "video"] }, seconds: { gt: 60, lte: 90 } }, true],
    [{ title: { contains: "day AT" } }, true],
    [{ title: { startsWith: "Lake" } }, false],
    [{ title: { like: "A%Lake" } }, true],
    [{ views: { gt: 9_007_199_254_740_992n } }, true],
    [{ price: { gt: 9 } }, true],
    [{ price: { between: ["10.5", "11"] } }, true],
    [{ at: { lt: "2026-05-04T12:30:00+02:00" } }, false],
    [{ at: "2026-05-04T12:30:00+02:00" }, true],
    [{ day: { gte: "2026-05-04" } }, true],
    [{ time: { gt: "10:29" } }, true],
    [{ isFree: false }, true],
    [{ tags: { contains: "sun" } }, true],
    [{ tags: { containsAll: ["sun", "moon"] } }, false],
    [{ tags: { containsAny: ["sun", "moon"], length: 2, isEmpty: false } }, true],
    [{ author: { name: "Ana" } }, true],
    [{ author: { isNot: { name: "Ana" } } }, false],
    [{ author: "0193c3a0-7b1c-7000-8000-00000000000b" }, true],
    [{ author: { is: { boss: { name: "Eva" } } } }, false],
    [{ comments: { some: { text: "Nice" } } }, true],
    [{ body: { some: { type: "hero", image: "0193c3a0-7b1c-7000-8000-00000000000d" } } }, true],
    [{ body: { some: { type: "hero", person: { in: ["0193c3a0-7b1c-7000-8000-00000000000e"] } } } }, true],
    [{ comments: { none: { text: "Nice" } } }, false],
    [{ comments: { every: { text: "Bad" } } }, false],
    [{ AND: [{ kind: "video" }, { OR: [{ isFree: true }, { seconds: 90 }] }] }, true],
    [{ OR: [] }, false],
    [{ NOT: { kind: "text" } }, true],
  ])("%o: %s", (where, expected) => {
    expect(matchesWhere(where, record)).toBe(expected)
  })
})

describe("a value that is null", () => {
  test.each<[where: object, expected: boolean]>([
    [{ link: null }, true],
    [{ link: { ne: "x" } }, true],
    [{ link: { notIn: ["x"] } }, true],
    [{ link: { notLike: "x" } }, true],
    [{ NOT: { link: "x" } }, true],
    [{ NOT: { link: { contains: "x" } } }, true],
    [{ link: { in: ["x"] } }, false],
    [{ link: { lt: 5 } }, false],
    [{ link: { isEmpty: true } }, true],
    [{ link: { name: "Ana" } }, false],
  ])("%o: %s", (where, expected) => {
    expect(matchesWhere(where, record)).toBe(expected)
  })
})

describe("a filter that only the server can decide", () => {
  test.each<[why: string, where: object]>([
    ["the record lacks the field", { status: "open" }],
    ["the record lacks it, whatever is negated", { NOT: { status: "open" } }],
    ["a text may be a decimal", { price: "10.5" }],
    ["the collation decides about case", { title: { contains: "ž" } }],
    ["an id says nothing about its record", { editor: { name: "Ana" } }],
    ["the items of a list may be related records", { body: { some: { type: "hero", image: record.editor } } }],
    ["there may be further related records", { comments: { none: { text: "Bad" } } }],
    ["there may be further related records", { comments: { some: { text: "Bad" } } }],
    ["the database has a JSON value in another form", { place: { path: { at: "city", eq: "Bled" } } }],
    ["a name that every object has", { constructor: null }],
    ["a list that is none", { AND: { kind: "text" } }],
    ["a condition without a value", { kind: undefined }],
  ])("because %s: %o", (_, where) => {
    expect(matchesWhere(where, record)).toBeUndefined()
  })

  test("is decided if the rest of it suffices", () => {
    expect(matchesWhere({ status: "open", kind: "text" }, record)).toBe(false)
    expect(matchesWhere({ OR: [{ status: "open" }, { kind: "video" }] }, record)).toBe(true)
  })
})

test("a record in plain JSON is compared as one in extended JSON", () => {
  const plain = { at: "2026-05-04T10:30:00.000Z", views: "9007199254740993" }

  expect(matchesWhere({ at: { gt: new Date("2026-05-04T10:29:59Z") } }, plain)).toBe(true)
  expect(matchesWhere({ views: { lte: 9_007_199_254_740_992n } }, plain)).toBe(false)
})
