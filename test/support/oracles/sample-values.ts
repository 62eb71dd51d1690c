import fc from "fast-check"

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0") && value.isWellFormed())
const moment = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
})
const nullable = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null })
const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
  const written = JSON.stringify(value)
  return !written.includes("\\u0000") && !written.includes("\\ud") && value !== null
})
/** The blocks of the field `body` of samples. Some members are of types that JSON cannot express. */
export function sampleBlocks(f: any): Record<string, any> {
  return {
    note: { text: f.text(), at: f.datetime(), size: f.number().bigint() },
    box: { inner: f.blocks({ day: { day: f.date(), moments: f.array(f.datetime()) }, rule: {} }), data: f.json() },
    place: { place: f.object({ at: f.datetime(), size: f.number().bigint() }) },
  }
}

const size = nullable(fc.integer().map(BigInt))
const dayBlock = fc.record({
  type: fc.constant("day"),
  day: fc.constantFrom(null, "2024-02-29", "9999-12-31"),
  moments: nullable(fc.array(moment, { maxLength: 2 })),
})
const block = fc.oneof(
  fc.record({ type: fc.constant("note"), text: nullable(text), at: nullable(moment), size }),
  fc.record({
    type: fc.constant("box"),
    inner: nullable(listOf(fc.oneof(dayBlock, fc.record({ type: fc.constant("rule") })))),
    data: nullable(json),
  }),
  fc.record({ type: fc.constant("place"), place: nullable(fc.record({ at: nullable(moment), size })) }),
)

// The items have ids, so that two records with the same list are equal.
function listOf(item: fc.Arbitrary<object>): fc.Arbitrary<object[]> {
  return fc.array(item, { maxLength: 3 }).map((items) => items.map((each, index) => ({ ...each, id: `item-${index}` })))
}

/** Generates a value for a field of each type, by the name of the field. Null stands for no value. */
export const sampleValues = {
  text: nullable(text),
  double: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
  integer: nullable(fc.integer()),
  big: nullable(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  decimal: nullable(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }).map((value) => `${value}.0000000001`)),
  flag: nullable(fc.boolean()),
  moment: nullable(moment),
  choice: nullable(fc.constantFrom("a", "ä", "it's")),
  choices: nullable(fc.uniqueArray(fc.constantFrom("a", "ä", "it's"))),
  day: nullable(moment.map((value) => value.toISOString().slice(0, 10))),
  hour: nullable(moment.map((value) => value.toISOString().slice(11, 19))),
  numbers: nullable(fc.array(fc.integer(), { maxLength: 3 })),
  bigs: nullable(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 })),
  sums: nullable(fc.array(fc.constantFrom("1.5", "-0.25", "1000"), { maxLength: 3 })),
  days: nullable(
    fc.array(
      moment.map((value) => value.toISOString().slice(0, 10)),
      { maxLength: 2 },
    ),
  ),
  moments: nullable(fc.array(moment, { maxLength: 2 })),
  place: nullable(fc.record({ at: nullable(moment), size: nullable(fc.integer().map(BigInt)) })),
  body: nullable(listOf(block)),
  data: nullable(json),
}
