import fc from "fast-check"
import qs from "qs"
import { describe, expect, test } from "vitest"
import { parseQueryString, stringifyQuery } from "../../src/wire/codecs/query-string.ts"
import { ApiError } from "../../src/wire/errors/api-error.ts"
import { leastMsOf } from "../least-time.ts"

function refusalOf(text: string): { status: number; code: string; path: string | undefined; message: string } {
  try {
    parseQueryString(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, code: error.code, path: error.fieldErrors?.[0]?.path, message: error.message }
  }
  throw new Error(`"${text.slice(0, 80)}" was accepted`)
}

/** The same value with plain prototypes, so that it can be compared with literals. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe("parseQueryString", () => {
  test.each<[string, unknown]>([
    ["", {}],
    ["?", {}],
    ["?limit=5", { limit: "5" }],
    ["limit=5&offset=10", { limit: "5", offset: "10" }],
    ["&&limit=5&", { limit: "5" }],
    ["flag", { flag: "" }],
    ["flag=", { flag: "" }],
    ["search=a=b", { search: "a=b" }],
    ["search=a+b%20c%2Bd", { search: "a b c+d" }],
    ["search=%C5%BElu%C5%A5", { search: "žluť" }],
    ["search=%F0%9F%8C%8D", { search: "🌍" }],
    ["na+me=x", { "na me": "x" }],
    ["0=x", { "0": "x" }],
    ["where[author][is][name]=x", { where: { author: { is: { name: "x" } } } }],
    ["where%5Bstatus%5D%5Beq%5D=x", { where: { status: { eq: "x" } } }],
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a[]=", { a: [""] }],
    ["a[0]=1&a[1]=2", { a: ["1", "2"] }],
    ["a[1]=2&a[0]=1", { a: ["1", "2"] }],
    ["a[10]=x&a[9]=w&a[100]=y", { a: ["w", "x", "y"] }],
    ["a[0]=1&a[]=2", { a: ["1", "2"] }],
    ["a[999]=x", { a: ["x"] }],
    ["a[01]=x", { a: { "01": "x" } }],
    ["a[-1]=x", { a: { "-1": "x" } }],
    ["a[1e2]=x", { a: { "1e2": "x" } }],
    ["orderBy[0][title]=asc&orderBy[1][id]=desc", { orderBy: [{ title: "asc" }, { id: "desc" }] }],
    ["where[OR][0][status]=x&where[OR][1][id][in][]=7", { where: { OR: [{ status: "x" }, { id: { in: ["7"] } }] } }],
    ["a[0][]=1&a[0][]=2&a[1][]=3", { a: [["1", "2"], ["3"]] }],
    ["a[b][length]=1&a[b][toString]=2", { a: { b: { length: "1", toString: "2" } } }],
  ])("%j is read as %j", (text, expected) => {
    const query = parseQueryString(text)

    expect(plain(query)).toEqual(expected)
  })

  test("objects at every level have no prototype and lists are real arrays", () => {
    const query = parseQueryString("where[OR][0][status]=x")
    const where = query["where"] as { OR: object[] }

    expect(Object.getPrototypeOf(query)).toBeNull()
    expect(Object.getPrototypeOf(where)).toBeNull()
    expect(Array.isArray(where.OR)).toBe(true)
    expect(Object.getPrototypeOf(where.OR[0])).toBeNull()
    expect(query["toString"]).toBeUndefined()
  })

  test.each<[string, string, RegExp]>([
    ["limit=1&limit=2", "limit", /given twice/i],
    ["a[b]=1&a[b]=2", "a.b", /given twice/i],
    ["a[0]=1&a[0]=2", "a.0", /given twice/i],
    ["a[b]=1&a=2", "a", /given twice/i],
    ["a=1&a[b]=2", "a", /two shapes/],
    ["a=1&a[]=2", "a", /two shapes/],
    ["a=&a[b]=2", "a", /two shapes/],
    ["a[]=1&a[b]=2", "a", /two shapes/],
    ["a[b]=1&a[0]=2", "a", /two shapes/],
    ["x[a][0]=1&x[a][b]=2", "x.a", /two shapes/],
    ["a[b=1", "a[b", /name\[key\]/],
    ["a]b=1", "a]b", /name\[key\]/],
    ["a[b]c=1", "a[b]c", /name\[key\]/],
    ["a[b]]=1", "a[b]]", /name\[key\]/],
    ["a[[b]]=1", "a[[b]]", /name\[key\]/],
    ["[a]=1", "[a]", /name\[key\]/],
    ["[]=1", "[]", /name\[key\]/],
    ["a[][b]=1", "a[][b]", /empty brackets.* write a\[0\]\[b\]\./i],
    ["a[][]=1", "a[][]", /empty brackets.* write a\[0\]\[\]\./i],
    ["where[OR][][tags][][name]=1", "where[OR][][tags][][name]", / write where\[OR\]\[0\]\[tags\]\[0\]\[name\]\./],
    ["a[][][b]=1", "a[][][b]", / write a\[0\]\[0\]\[b\]\./],
    ["a[1000]=x", "a", /1000 items/],
    ["a[999999999]=x", "a", /1000 items/],
    ["a[99999999999999999999999]=x", "a", /1000 items/],
    ["a[999]=x&a[]=y", "a", /1000 items/],
    ["q=%", "q", /percent/],
    ["q=%4", "q", /percent/],
    ["q=%zz", "q", /percent/],
    ["q[a]=%ff", "q.a", /percent/],
    ["q=%C0%80", "q", /percent/],
    ["q=%ED%A0%80", "q", /percent/],
    ["%ff=1", "%ff", /percent/],
    ["stage=draft%00", "stage", /U\+0000/],
    ["where[title][eq]=a%00b", "where.title.eq", /U\+0000/],
    ["a[]=%00", "a.0", /U\+0000/],
    ["q=\0", "q", /U\+0000/],
    ["a%00b=1", "a%00b", /U\+0000/],
    ["__proto__[x]=1", "__proto__", /not allowed/],
    ["__proto__=1", "__proto__", /not allowed/],
    ["%5F_proto__[x]=1", "__proto__", /not allowed/],
    ["where[constructor][prototype][x]=1", "where.constructor", /not allowed/],
    ["a[b][prototype]=1", "a.b.prototype", /not allowed/],
    ["a[0][__proto__][x]=1", "a.0.__proto__", /not allowed/],
  ])("%j is refused and names %j", (text, path, message) => {
    const refusal = refusalOf(text)

    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", path })
    expect(refusal.message).toMatch(message)
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
  })

  test.each(["=1", "&=", "a=1&=2"])("%j is refused because a parameter has no name", (text) => {
    const refusal = refusalOf(text)

    expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST", message: "A query parameter has no name." })
  })

  test("twenty levels are read and the twenty-first is refused", () => {
    const twenty = `a${"[b]".repeat(19)}=1`
    const twentyOne = `a${"[b]".repeat(20)}=1`

    expect(stringifyQuery(parseQueryString(twenty))).toBe(twenty)
    expect(refusalOf(twentyOne).message).toMatch(/deeper than 20/)
  })

  test("a thousand parameters are read and one more is refused", () => {
    const thousand = Array.from({ length: 1000 }, (_, index) => `a[]=${index}`).join("&")

    expect(parseQueryString(thousand)["a"]).toHaveLength(1000)
    expect(refusalOf(`${thousand}&b=1`)).toMatchObject({ code: "BAD_REQUEST", message: expect.stringMatching(/1000/) })
  })

  test("a refusal shows only the beginning of an endless name", () => {
    const refusal = refusalOf(`${"a".repeat(60_000)}[=1`)

    expect(refusal.path?.length).toBeLessThan(300)
  })

  test.each<[string, string]>([
    ["5,000 parameters", Array.from({ length: 5000 }, (_, index) => `a${index}=1`).join("&")],
    ["5,000 items", "a[]=&".repeat(5000)],
    ["a name of 64 KB of opening brackets", "[".repeat(65_536)],
    ["a name nested 20,000 deep", `a${"[b]".repeat(20_000)}=1`],
    ["a where 1,000 deep", `where${"[NOT]".repeat(1000)}[id]=1`],
    ["64 KB of ampersands", "&".repeat(65_536)],
    ["64 KB that ends in a broken percent", `q=${"%41".repeat(21_000)}%4`],
  ])("%s is refused at once", (_name, text) => {
    const milliseconds = leastMsOf(() => expect(refusalOf(text).status).toBe(400))

    expect(milliseconds).toBeLessThan(100)
  })

  test.each<[string, string]>([
    ["a value of 64 KB", `q=${"%41+".repeat(16_000)}`],
    ["a thousand lists with one far item each", Array.from({ length: 1000 }, (_, i) => `a${i}[999]=1`).join("&")],
    ["a thousand deep names", Array.from({ length: 1000 }, (_, i) => `a${i}${"[b]".repeat(19)}=1`).join("&")],
  ])("%s is read quickly", (_name, text) => {
    const milliseconds = leastMsOf(() => parseQueryString(text))

    expect(milliseconds).toBeLessThan(200)
  })
})

describe("stringifyQuery", () => {
  test.each<[string, Record<string, unknown>]>([
    ["", {}],
    ["limit=5&total=false&big=12345678901234567890", { limit: 5, total: false, big: 12345678901234567890n }],
    ["search=a%20b%26c%3Dd%2B%C3%A9%5Bx%5D", { search: "a b&c=d+é[x]" }],
    ["empty=", { empty: "" }],
    ["a%20b[c%26d]=1", { "a b": { "c&d": 1 } }],
    ["at=1970-01-01T00%3A00%3A00.000Z", { at: new Date(0) }],
    ["where[author][is][name]=x", { where: { author: { is: { name: "x" } } } }],
    ["in[]=a&in[]=2&in[]=true", { in: ["a", 2, true] }],
    ["at[]=1970-01-01T00%3A00%3A00.000Z", { at: [new Date(0)] }],
    ["orderBy[0][title]=asc&orderBy[1][id]=desc", { orderBy: [{ title: "asc" }, { id: "desc" }] }],
    ["OR[0]=a&OR[1][b]=c", { OR: ["a", { b: "c" }] }],
    ["a[0][]=x&a[0][]=y&a[1][]=z", { a: [["x", "y"], ["z"]] }],
    ["h=1", { a: null, b: undefined, c: [], d: {}, e: { f: null, g: [] }, h: 1 }],
    ["a[]=x", { a: [null, "x", undefined] }],
    ["a[b]=1", { a: Object.assign(Object.create(null), { b: 1 }) }],
  ])("%j is what is written", (expected, value) => {
    const text = stringifyQuery(value)

    expect(text).toBe(expected)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ["NaN", { a: { b: Number.NaN } }, "a.b"],
    ["Infinity", { a: [Number.POSITIVE_INFINITY] }, "a."],
    ["an invalid Date", { at: new Date(Number.NaN) }, "at"],
    ["a Map", { a: { m: new Map() } }, "a.m"],
    ["a Set", { a: [{ s: new Set() }] }, "a.0.s"],
    ["a function", { f: () => 1 }, "f"],
    ["a symbol", { s: Symbol("x") }, "s"],
    ["an instance of a class", { u: new URL("http://localhost") }, "u"],
    ["half a surrogate pair", { q: "\ud800" }, "q"],
    ["a key with brackets", { a: { "b[c]": 1 } }, "a"],
    ["an empty key", { a: { "": 1 } }, "a"],
    ["an index as a key of an object", { a: { 0: 1 } }, "a"],
    ["an unsafe key", { a: { constructor: 1 } }, "a"],
  ])("%s cannot be written, and the error says where", (_name, value, path) => {
    const write = () => stringifyQuery(value)

    expect(write).toThrow(TypeError)
    expect(write).toThrow(`(at "${path}")`)
  })
})

const key = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((text) => !/^\d+$|[[\]\0]|^(?:__proto__|constructor|prototype)$/.test(text))
const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.integer(),
  fc.boolean(),
  fc.bigInt(),
  fc.date({ noInvalidDate: true }),
)

const { object: queryObject } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("list"), tie("object")),
  list: fc.array(tie("value"), { minLength: 1, maxLength: 4 }),
  object: fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 4 }),
}))
const query = queryObject as fc.Arbitrary<Record<string, unknown>>

function scalarsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scalarsAsText)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== "object" || value === null) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, scalarsAsText(member)]))
}

describe("against generated queries and the reference library", () => {
  test("what is written is read back, with scalars as text", () => {
    fc.assert(
      fc.property(query, (value) => {
        expect(plain(parseQueryString(stringifyQuery(value)))).toEqual(scalarsAsText(value))
      }),
      { numRuns: 500 },
    )
  })

  test("qs reads what is written as we do", () => {
    const options = { allowDots: false, depth: 20, arrayLimit: 1000, parameterLimit: 1000, plainObjects: true } as const

    fc.assert(
      fc.property(query, (value) => {
        const text = stringifyQuery(value)

        expect(plain(parseQueryString(text))).toEqual(plain(qs.parse(text, options)))
      }),
      { numRuns: 500 },
    )
  })

  test.each(["indices", "brackets"] as const)("what qs writes with %s is read as it was meant", (arrayFormat) => {
    // Only indexes show qs where an object of a list ends, so the other form is tested with lists of scalars.
    const value = arrayFormat === "indices" ? query : fc.dictionary(key, fc.array(scalar, { minLength: 1 }))

    fc.assert(
      fc.property(value, (original) => {
        const text = qs.stringify(scalarsAsText(original), { arrayFormat })

        expect(plain(parseQueryString(text))).toEqual(scalarsAsText(original))
      }),
      { numRuns: 500 },
    )
  })

  test("arbitrary text is either read or refused with 400", () => {
    const noise = fc.string({
      unit: fc.constantFrom("a", "b", "0", "[", "]", "=", "&", "%", "4", "+", "\0", "__proto__"),
    })

    fc.assert(
      fc.property(noise, (text) => {
        try {
          parseQueryString(text)
        } catch (error) {
          expect(error).toMatchObject({ name: "ApiError", status: 400 })
        }
      }),
      { numRuns: 2000 },
    )
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined()
  })
})
