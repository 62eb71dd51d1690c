import { expect, test } from "vitest"
import { checkLimits, compareNumbers } from "../src/form/check-limits.ts"
import { record as words } from "../src/words/en/record.ts"

const text = { type: "text", required: false, limits: { minLength: 2, maxLength: 4, pattern: "^[a-z]+$" } }
const decimal = {
  type: "number",
  required: false,
  numberType: "decimal",
  limits: { min: "0", max: "99.95", scale: 2 },
} as const
const tags = { type: "array", required: false, limits: { maxItems: 2 }, items: { ...text, label: "Tag" } }

test.each([
  ["no value that is not needed", text, null, []],
  ["no value that is needed", { ...text, required: true }, null, [words.required]],
  ["a short text", text, "a", [words.tooShort(2)]],
  ["a long text", text, "abcde", [words.tooLong(5, 4)]],
  ["a text of another form", text, "a1b", [words.wrongPattern("^[a-z]+$")]],
  ["characters of two halves, counted as one", { ...text, limits: { maxLength: 2 } }, "🌊🌊", []],
  ["a small decimal", decimal, "-0.01", [words.tooSmall("0")]],
  ["a large decimal", decimal, "99.96", [words.tooLarge("99.95")]],
  ["a decimal with too many digits", decimal, "1.005", [words.tooManyDecimals(2)]],
  ["a decimal within its limits", decimal, "99.95", []],
])("The limits of a description find %s", (_, part, value, messages) => {
  expect(checkLimits(part, { path: "field", value }, words).map(({ message }) => message)).toEqual(messages)
})

test("A problem of an item has the path of the item", () => {
  const part = {
    ...tags,
    items: { ...text, label: "", description: null, placeholder: null, width: null, visible: null },
  }

  expect(checkLimits(part, { path: "tags", value: ["ab", "a"] }, words)).toEqual([
    { path: "tags.1", message: words.tooShort(2) },
  ])
})

test("Numbers beyond the precision of a double are compared exactly", () => {
  expect(compareNumbers(9007199254740993n, "9007199254740992")).toBe(1)
  expect(compareNumbers("-0.5", "-0.25")).toBe(-1)
  expect(compareNumbers("1.50", "1.5")).toBe(0)
})
