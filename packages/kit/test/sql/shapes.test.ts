import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Statement } from "../../src/ports/database.ts"
import type { Resource, ResourceField } from "../../src/schema/compile/resource.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { ALLOW, EVERYTHING, type Visibility } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { isShared } from "../../src/sql/parse/shared-selection.ts"
import { type PageRead, selectMatching, selectPageAndNext, selectPageWithTotal } from "../../src/sql/read/select.ts"
import { selectMatchingAsJson, selectPageAsJson } from "../../src/sql/read/select-json.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")
const people = resourceNamed("people")

const EVERYONE = typedParseContext(EVERYTHING)
const ruled = (age: number): Visibility => ({
  ...EVERYTHING,
  rows: (resource) =>
    resource === people
      ? { kind: "where", predicate: parseWhere(people, { age: { gte: age } }, EVERYONE) }
      : EVERYTHING.rows(resource),
})

/** As for a caller whom rules show some fields in some rows only. */
function masked(age: number): Visibility {
  const known = new Map([
    [posts, maskedFields(posts, ["title", "author"], { author: { is: { age } } })],
    [people, maskedFields(people, ["name"], { age })],
  ])
  return { ...EVERYTHING, fields: (resource) => known.get(resource) ?? resource.fields }
}

function maskedFields(resource: Resource, names: string[], where: object): Map<string, ResourceField> {
  const mask = parseWhere(resource, where, EVERYONE)
  return new Map(
    [...resource.fields].map(([name, field]) => [name, names.includes(name) ? maskedField(field, mask) : field]),
  )
}

const someWhere = fc.oneof(
  fc.constant({}),
  fc.record({ kind: fc.constantFrom("news", "story") }),
  fc.record({ title: fc.record({ contains: fc.string() }), views: fc.record({ gt: fc.bigInt(0n, 9n) }) }),
  fc.record({ OR: fc.array(fc.record({ title: fc.string() }), { maxLength: 3 }) }),
  fc.record({ author: fc.record({ is: fc.record({ age: fc.record({ in: fc.array(fc.nat(99)) }) }) }) }),
)
const someWith = fc.constantFrom<unknown>(
  undefined,
  { author: true },
  { author: { columns: { name: true } } },
  { author: { where: { age: 5 } } },
  { author: { with: { team: true } } },
)
const someColumns = fc.constantFrom<unknown>(undefined, { title: true }, { title: false, meta: false })
const someOrder = fc.constantFrom<unknown>(undefined, { title: "asc" }, { author: { name: "desc" } })
const someVisibility = fc.oneof(fc.constant(EVERYTHING), fc.nat(99).map(ruled), fc.nat(99).map(masked))

const someRead = fc
  .record({ where: someWhere, with: someWith, columns: someColumns, orderBy: someOrder, visibility: someVisibility })
  .map(({ where, orderBy, visibility, ...shape }): PageRead => {
    const reading = typedParseContext(visibility)
    return {
      selection: parseSelection(posts, shape, reading),
      predicate: parseWhere(posts, where, reading),
      order: parseOrder(posts, orderBy, reading),
      window: { limit: 10, offset: 20 },
      visibility,
    }
  })

const sqlOf = (statement: Statement | undefined) => statement && { text: statement.text, values: statement.values }

describe("the text of a known shape", () => {
  test("is the one that would be written anew, with the values of this read", () => {
    fc.assert(
      fc.property(someRead, (read) => {
        const { predicate } = read
        // A copy is a selection that nobody has seen before.
        const selection = { ...read.selection }
        const anew = { ...read, selection }

        expect(sqlOf(selectPageWithTotal(read))).toEqual(sqlOf(selectPageWithTotal(anew)))
        expect(sqlOf(selectPageAndNext(read))).toEqual(sqlOf(selectPageAndNext(anew)))
        expect(sqlOf(selectPageAsJson(read))).toEqual(sqlOf(selectPageAsJson(anew)))
        expect(sqlOf(selectMatching(read.selection, predicate))).toEqual(sqlOf(selectMatching(selection, predicate)))
        expect(sqlOf(selectMatchingAsJson(read.selection, predicate))).toEqual(
          sqlOf(selectMatchingAsJson(selection, predicate)),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

test("callers to whom a rule shows a field in different rows share the text, not the values", () => {
  const read = (age: number): PageRead => {
    const reading = typedParseContext(masked(age))
    return {
      selection: parseSelection(posts, { with: { author: true } }, reading),
      predicate: parseWhere(posts, { title: { contains: "a" } }, reading),
      order: parseOrder(posts, { title: "asc" }, reading),
      window: { limit: 10, offset: 20 },
      visibility: reading.visibility,
    }
  }

  const younger = selectPageWithTotal(read(17))
  const older = selectPageWithTotal(read(71))

  expect(younger.text).toBe(older.text)
  expect(younger.values).toContain(17)
  expect(older.values).toEqual(younger.values.map((value) => (value === 17 ? 71 : value)))
  expect(selectPageAsJson(read(17))).toBeUndefined()
})

describe("a selection", () => {
  const parse = (shape: object, visibility = EVERYTHING) => parseSelection(posts, shape, typedParseContext(visibility))

  test("is shared by all who ask the same and may read the same", () => {
    const shape = { with: { author: { columns: { name: true } } } }

    expect(isShared(parse(shape))).toBe(true)
    expect(parse(shape)).toBe(parse(structuredClone(shape)))
  })

  test("of a caller who may read less is another one", () => {
    const nameless: Visibility = {
      rows: () => ALLOW,
      fields: (resource) =>
        resource === people ? new Map([...people.fields].filter(([name]) => name !== "name")) : resource.fields,
    }

    const everything = parse({ with: { author: true } })
    const less = parse({ with: { author: true } }, nameless)

    expect(everything.relations[0]?.selection.fields.map(({ name }) => name)).toContain("name")
    expect(less.relations[0]?.selection.fields.map(({ name }) => name)).not.toContain("name")
  })

  test("under a rule or with a filter is one of its own", () => {
    expect(isShared(parse({ with: { author: true } }, ruled(18)))).toBe(false)
    expect(isShared(parse({ with: { author: { where: { age: 5 } } } }))).toBe(false)
    expect(isShared(parse({}, masked(18)))).toBe(false)
    expect(isShared(parse({ columns: { kind: true }, with: { author: true } }, masked(18)))).toBe(false)
  })

  test("is refused however well known the valid one is", () => {
    parse({ columns: {} })

    expect(() => parse({ columns: { title: undefined } })).toThrow()
    expect(() => parse({ columns: { title: 1n } })).toThrow()
  })
})
