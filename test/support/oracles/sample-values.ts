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
  data: nullable(json),
}
