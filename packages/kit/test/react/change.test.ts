import { describe, expect, test } from "vitest"
import { applyChange, type Change } from "../../src/react/mutations/change.ts"
import type { ResultFacts } from "../../src/react/store/layer.ts"

const articles = (options: object = {}): ResultFacts => ({ kind: "collection", resource: "articles", options })
const article: ResultFacts = { kind: "record", resource: "articles", id: "a", options: {} }
const settings: ResultFacts = { kind: "global", resource: "settings", options: {} }

const patch = (id: string, data: object, scope = {}) =>
  ({ kind: "patch", resource: "articles", id, data: { ...data }, scope }) satisfies Change
const insert = (data: object, scope = {}) =>
  ({ kind: "insert", resource: "articles", data: { ...data }, scope, isTemporary: true }) satisfies Change
const remove = (id: string) => ({ kind: "remove", resource: "articles", id }) satisfies Change

const page = (docs: readonly object[], more: object = {}) => ({
  docs,
  totalDocs: 9,
  limit: 10,
  hasNextPage: false,
  ...more,
})
const a = { id: "a", title: "A", status: "open" }
const b = { id: "b", title: "B", status: "open" }

describe("a patch", () => {
  test("changes the fields of the record in pages, groups and single results, and no other record", () => {
    const change = patch("a", { status: "done" })
    const groups = [
      { key: "open", value: "open", count: 2, docs: [a, b] },
      { key: "x", value: "x", count: 0, docs: [] },
    ]

    const [paged, grouped] = [page([a, b]), { groups, totalGroups: 2 }].map(
      (data) => applyChange(change, articles(), data) as any,
    )

    expect(paged).toEqual(page([{ ...a, status: "done" }, b]))
    expect(paged.docs[1]).toBe(b)
    expect(grouped.groups[0]).toEqual({ ...groups[0], docs: [{ ...a, status: "done" }, b] })
    expect(grouped.groups[1]).toBe(groups[1])
    expect(applyChange(change, article, a)).toEqual({ ...a, status: "done" })
  })

  test.each([
    ["the record is not shown", articles(), page([b])],
    ["another resource has the id", { ...articles(), resource: "people" }, page([a])],
    ["the values are shown already", articles(), page([{ ...a, status: "done" }])],
    ["the record does not exist", article, null],
    ["nothing was read yet", articles(), undefined],
    ["the result is a number", { ...articles(), kind: "total" as const }, 3],
    ["the result is of another stage", articles({ stage: "published" }), page([a])],
    ["the result is of another locale", articles({ locale: "sk" }), page([a])],
  ])("returns the same value if %s", (_name, facts, data) => {
    expect(applyChange(patch("a", { status: "done" }), facts, data)).toBe(data)
  })

  test("changes the stage and the locale that it names", () => {
    const change = patch("a", { status: "done" }, { stage: "published", locale: "sk" })

    const changed = applyChange(change, articles({ stage: "published", locale: "sk" }), page([a]))

    expect(changed).toEqual(page([{ ...a, status: "done" }]))
  })

  test("in one locale does not change what is shown in another one, in which the client reads", () => {
    const [english, slovak] = ["en", "sk"].map((locale) => ({ ...articles(), locale }))
    const change = patch("a", { status: "done" }, { locale: "sk" })

    expect(applyChange(change, english as ResultFacts, page([a]))).toEqual(page([a]))
    expect(applyChange(change, slovak as ResultFacts, page([a]))).toEqual(page([{ ...a, status: "done" }]))
  })

  test("adds no field that the read did not select", () => {
    const shown = page([{ id: "a", title: "A" }])

    expect(applyChange(patch("a", { status: "done" }), articles(), shown)).toBe(shown)
  })

  test("keeps related records that are shown as objects", () => {
    const shown = page([{ id: "a", author: { id: "p", name: "Eva" }, tags: [{ id: "t" }] }])

    expect(applyChange(patch("a", { author: "q", tags: { set: [] } }), articles(), shown)).toBe(shown)
    expect(applyChange(patch("a", { tags: ["u"] }), articles({ with: { tags: true } }), shown)).toBe(shown)
    expect(
      applyChange(patch("a", { author: { connect: { id: "q" } } }), articles({ with: { author: true } }), shown),
    ).toBe(shown)
    expect(applyChange(patch("a", { author: "q" }), articles(), page([{ id: "a", author: "p" }]))).toEqual(
      page([{ id: "a", author: "q" }]),
    )
  })

  test("replaces related records by others that it has", () => {
    const facts = articles({ with: { author: true, tags: true } })
    const shown = page([{ id: "a", author: { id: "p", name: "Eva" }, tags: [{ id: "t" }] }])

    const changed = applyChange(patch("a", { author: null, tags: [{ id: "u" }] }), facts, shown)

    expect(changed).toEqual(page([{ id: "a", author: null, tags: [{ id: "u" }] }]))
  })

  test("shows values as the record has them: dates and big integers", () => {
    const shown = page([{ id: "a", at: new Date(0), views: 1n, words: 3, price: "1.00" }])
    const change = patch("a", { at: "2026-01-01T00:00:00.000Z", views: 2, words: null, price: 2, title: undefined })

    const changed = applyChange(change, articles(), shown)

    expect(changed).toEqual(
      page([{ id: "a", at: new Date("2026-01-01T00:00:00.000Z"), views: 2n, words: null, price: "1.00" }]),
    )
  })
})

describe("a removal", () => {
  test("takes the record out of pages and groups, and leaves the numbers to the server", () => {
    const grouped = { groups: [{ key: "open", value: "open", count: 2, docs: [a, b] }] }

    expect(applyChange(remove("a"), articles({ stage: "published" }), page([a, b]))).toEqual(page([b]))
    expect(applyChange(remove("a"), articles(), grouped)).toEqual({ groups: [{ ...grouped.groups[0], docs: [b] }] })
    expect(applyChange(remove("a"), article, a)).toBe(null)
  })

  test("returns the same value if the record is not shown", () => {
    const shown = page([b])

    expect(applyChange(remove("a"), articles(), shown)).toBe(shown)
  })
})

describe("a global's new fields", () => {
  const change: Change = { kind: "set", resource: "settings", data: { motto: "New" }, scope: {} }

  test("replace those that are shown", () => {
    expect(applyChange(change, settings, { motto: "Old", name: "N" })).toEqual({ motto: "New", name: "N" })
    expect(applyChange(change, settings, null)).toBe(null)
  })

  test("do not touch a collection of the same name", () => {
    const facts: ResultFacts = { kind: "collection", resource: "settings", options: {} }
    const shown = page([{ id: "a", motto: "Old" }])

    expect(applyChange(change, facts, shown)).toBe(shown)
  })
})

describe("a new record", () => {
  const n = { id: "n", title: "N", status: "open", rank: 2, at: new Date(2) }
  const added = (options: object, docs: readonly object[], more?: object) =>
    (applyChange(insert(n), articles(options), page(docs, more)) as any).docs.map(({ id }: { id: string }) => id)

  test("comes first, because lists are read newest first", () => {
    expect(added({}, [a, b])).toEqual(["n", "a", "b"])
  })

  test.each([
    [{ rank: "asc" }, ["a", "n", "b"]],
    [{ rank: "desc" }, ["b", "n", "a"]],
    [
      [{ at: "asc" }, { title: "desc" }],
      ["a", "n", "b"],
    ],
    [{ createdAt: "asc" }, ["a", "b", "n"]],
    [{ createdAt: "desc" }, ["n", "a", "b"]],
    [{ title: "asc" }, ["n", "a", "b"]],
    [{ author: { name: "asc" } }, ["n", "a", "b"]],
  ])("takes its place by %j if numbers or dates decide it, and otherwise the first", (orderBy, ids) => {
    const ordered = [
      { ...a, rank: 1, at: new Date(1) },
      { ...b, rank: 3, at: new Date(3) },
    ]
    const isDescending = JSON.stringify(orderBy) === '{"rank":"desc"}'

    expect(added({ orderBy }, isDescending ? ordered.toReversed() : ordered)).toEqual(ids)
  })

  test.each([
    { search: "n" },
    { offset: 10 },
    { groupBy: "status" },
    { where: { status: "done" } },
    { where: { rank: { gt: 1 } } },
    { where: { OR: [{ status: "open" }] } },
    { where: { missing: null } },
    { where: { author: { name: "Eva" } } },
    { with: { author: true } },
    { stage: "published" },
    { locale: "sk" },
  ])("is not shown where only the server knows whether it belongs: %j", (options) => {
    expect(added(options, [a])).toEqual(["a"])
  })

  test("is not shown on a later page, nor behind a page that ends at a cursor", () => {
    expect(added({ page: 2 }, [a], { hasPrevPage: true })).toEqual(["a"])
    expect(added({ after: "c" }, [a], { hasPrevPage: true })).toEqual(["a"])
    expect(added({ after: null, before: "c", orderBy: { createdAt: "asc" } }, [a])).toEqual(["a"])
    expect(added({ after: null, before: "c" }, [a])).toEqual(["n", "a"])
  })

  test.each([
    { where: { status: "open" } },
    { where: { status: { eq: "open" }, rank: { in: [1, 2] } } },
    { page: 1, offset: 0 },
  ])("is shown where it plainly matches: %j", (options) => {
    expect(added(options, [a])).toEqual(["n", "a"])
  })

  test("is shown with related records if it has them", () => {
    const change = insert({ ...n, author: { id: "p", name: "Eva" } })

    const changed = applyChange(change, articles({ with: { author: true } }), page([])) as any

    expect(changed.docs).toEqual([{ ...n, author: { id: "p", name: "Eva" } }])
  })

  test("shows only the selected columns", () => {
    const shownBy = (columns: object) => (applyChange(insert(n), articles({ columns }), page([])) as any).docs[0]

    expect(shownBy({ title: true })).toEqual({ id: "n", title: "N" })
    expect(shownBy({ title: false, rank: false, at: false })).toEqual({ id: "n", status: "open" })
  })

  test("moves the last record of a full page to the next page, and does not follow it there", () => {
    expect(added({}, [a, b], { limit: 2 })).toEqual(["n", "a"])
    expect(added({ orderBy: { createdAt: "asc" } }, [a, b], { limit: 2, hasNextPage: true })).toEqual(["a", "b"])
  })

  test("is not shown twice", () => {
    expect(added({}, [a, n])).toEqual(["a", "n"])
  })
})
