import { describe, expect, test } from "vitest"
import { matchesInMemory } from "../../src/engine/access/predicate.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { operatorsOf } from "../../src/sql/filter/operators.ts"
import { EVERYTHING } from "../../src/sql/filter/predicate.ts"
import type { Verdict } from "../../src/sql/filter/verdict.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import { leastMsOf } from "../least-time.ts"
import { resourceNamed } from "../sql/newsroom.ts"

const ID = "018f2c6e-1111-7000-8000-000000000001"
const OTHER = "018f2c6e-1111-7000-8000-000000000002"
const ROW = {
  title: "Alpha",
  slug: null,
  price: "1.50",
  views: 2n ** 60n,
  at: new Date(5),
  kind: "news",
  meta: { tags: ["a", 1], n: 0.1, deep: { big: 2 ** 60 } },
  author: ID,
}

function judge(where: unknown, row: Readonly<Record<string, unknown>> = ROW): Verdict {
  return matchesInMemory(parseWhere(resourceNamed("posts"), where, typedParseContext(EVERYTHING)), row)
}

test("every operator has a test in memory", () => {
  const families = ["text", "ordered", "choice", "id", "json", "list", "jsonList", "blocks"] as const
  const operators = families.flatMap((family) => [...operatorsOf(family).values()])

  expect(operators.filter(({ test }) => test === undefined)).toEqual([])
})

test("filters on the items of a list of blocks are decided in memory only where there are none", () => {
  const verdicts = (name: string) =>
    [null, [], [{ type: "a" }]].map((value) =>
      operatorsOf("blocks")
        .get(name)
        ?.test?.({ value, type: { operators: "blocks" }, operand: { kind: "all", parts: [] } }),
    )

  expect(verdicts("some")).toEqual(["no", "no", "unknown"])
  expect(verdicts("none")).toEqual(["yes", "yes", "unknown"])
  expect(verdicts("every")).toEqual(["yes", "yes", "unknown"])
})

test("what a rule hides in some rows is unknown to memory, whatever the row holds", () => {
  const posts = resourceNamed("posts")
  const fields = new Map(
    [...posts.fields].map(([name, field]) => [
      name,
      maskedField(field, parseWhere(posts, {}, typedParseContext(EVERYTHING))),
    ]),
  )
  const reading = typedParseContext({ ...EVERYTHING, fields: () => fields })

  const verdicts = [{ title: "Alpha" }, { title: "Beta" }, { slug: null }, { NOT: { kind: "news" } }].map((where) =>
    matchesInMemory(parseWhere(posts, where, reading), ROW),
  )

  expect(new Set(verdicts)).toEqual(new Set(["unknown"]))
})

describe("memory decides", () => {
  test.each<[object, Verdict]>([
    [{}, "yes"],
    [{ OR: [] }, "no"],
    [{ NOT: {} }, "no"],
    [{ title: "Alpha" }, "yes"],
    [{ title: "alpha" }, "no"],
    [{ title: { contains: "LPH" } }, "yes"],
    [{ title: { like: "a%" } }, "no"],
    [{ price: { eq: "1.5" } }, "yes"],
    [{ price: { between: ["1.49", 1.51] } }, "yes"],
    [{ views: { gt: 5 } }, "yes"],
    [{ at: { lt: "2026-01-01T00:00:00Z" } }, "yes"],
    [{ slug: { ne: "x" } }, "yes"],
    [{ slug: { notIn: ["x"] } }, "yes"],
    [{ NOT: { slug: "x" } }, "yes"],
    [{ slug: { in: ["x"] } }, "no"],
    [{ kind: { in: ["story", "news"] } }, "yes"],
    [{ author: ID.toUpperCase() }, "yes"],
    [{ author: { isNot: null } }, "yes"],
    [{ meta: { contains: { tags: ["a"] } } }, "yes"],
    [{ meta: { path: { at: "tags.1", gte: 1 } } }, "yes"],
    [{ meta: { path: { at: "n", lt: 0.2 } } }, "yes"],
  ])("%j: %s", (where, verdict) => {
    expect(judge(where)).toBe(verdict)
    expect(judge({ NOT: where })).toBe(verdict === "yes" ? "no" : "yes")
  })
})

describe("memory leaves to SQL", () => {
  test.each<[string, object, object]>([
    ["the case of letters beyond ASCII", { title: { contains: "é" } }, ROW],
    ["the case of a text beyond ASCII", { title: { ilike: "x%" } }, { title: "É" }],
    ["I and i, which Turkish tells apart", { title: { startsWith: "i" } }, { title: "India" }],
    ["numbers in JSON that a double may have rounded", { meta: { path: { at: "n", eq: 0.1 } } }, ROW],
    ["big numbers in JSON", { meta: { contains: { deep: { big: 2 ** 60 } } } }, ROW],
    ["the order of texts in JSON", { meta: { path: { at: "tags.0", lt: "b" } } }, ROW],
    ["the related record", { author: { is: { name: "Ann" } } }, ROW],
    ["whether the related record exists", { author: { is: { id: ID } } }, ROW],
    ["a field that the row does not hold", { title: "a" }, {}],
    ["a relation that is hydrated", { author: ID }, { author: { id: ID } }],
    ["numbers that are not finite", { price: { gt: "1" } }, { price: "NaN" }],
  ])("%s", (_what, where, row) => {
    expect(judge(where, { ...row })).toBe("unknown")
    expect(judge({ NOT: where }, { ...row })).toBe("unknown")
  })

  test("but one side that is known can decide for both", () => {
    const unknown = { author: { is: { name: "Ann" } } }

    expect(judge({ ...unknown, title: "x" })).toBe("no")
    expect(judge({ OR: [unknown, { title: "Alpha" }] })).toBe("yes")
    expect(judge({ AND: [unknown, { title: "Alpha" }] })).toBe("unknown")
  })
})

test("a related record is ruled out by its id, or by being none", () => {
  expect(judge({ author: { is: { id: OTHER, name: "Ann" } } })).toBe("no")
  expect(judge({ author: { isNot: { id: OTHER } } })).toBe("yes")
  expect(judge({ author: { is: { name: "Ann" } } }, { author: null })).toBe("no")
})

test("a pattern with every wildcard it may have takes no time on a long text", () => {
  const title = "a".repeat(100_000)

  const milliseconds = leastMsOf(() => expect(judge({ title: { like: `${"%a".repeat(16)}b` } }, { title })).toBe("no"))

  expect(milliseconds).toBeLessThan(1_000)
})
