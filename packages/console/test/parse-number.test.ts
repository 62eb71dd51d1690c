import { expect, test } from "vitest"
import { numberSignsOf, numberText, parseNumber } from "../src/fields/number/parse-number.ts"

const english = numberSignsOf("en")
const slovak = numberSignsOf("sk")

test.each([
  ["12", "integer", english, 12],
  ["1,234", "integer", english, 1234],
  ["1,5", "double", english, undefined],
  ["1,5", "double", slovak, 1.5],
  ["1 234,5", "double", slovak, 1234.5],
  ["1.5", "integer", english, undefined],
  ["1e3", "double", english, 1000],
  ["12x", "double", english, undefined],
  ["", "double", english, undefined],
  ["9007199254740993", "integer", english, undefined],
  ["9007199254740993", "bigint", english, 9007199254740993n],
  ["-9,007,199,254,740,993", "bigint", english, -9007199254740993n],
  ["12345678901234567890.12", "decimal", english, "12345678901234567890.12"],
  ["12,50", "decimal", slovak, "12.50"],
  [".5", "decimal", english, "0.5"],
  ["1e3", "decimal", english, undefined],
] as const)("The text %s as %s is read as it was meant", (text, type, signs, value) => {
  expect(parseNumber(text, type, signs)).toBe(value)
})

test("A number is written with the decimal sign of the person", () => {
  expect(numberText(1.5, slovak)).toBe("1,5")
  expect(numberText("12345678901234567890.12", slovak)).toBe("12345678901234567890,12")
  expect(numberText(null, english)).toBe("")
})
