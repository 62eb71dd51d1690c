import { expect, test } from "vitest"
import { findProblem, isValidation, type Validation } from "../../src/schema/compile/validation.ts"

const schema = (validate: (value: unknown) => unknown) =>
  ({ "~standard": { version: 1, vendor: "test", validate } }) as unknown as Validation

test.each<[string, Validation, string | undefined]>([
  ["a function that says true", () => true, undefined],
  ["a function that says what is wrong", () => "Wrong.", "Wrong."],
  ["a function that says later", () => Promise.resolve("Wrong."), "Wrong."],
  ["a function that says false", () => false as never, "Is not valid."],
  ["a function that says nothing", () => undefined as never, "Is not valid."],
  ["a schema that passes", schema((value) => ({ value })), undefined],
  ["a schema with issues", schema(() => ({ issues: [{ message: "A." }, { message: "B.", path: ["x"] }] })), "A. B."],
  ["a schema that answers later", schema(() => Promise.resolve({ issues: [{ message: "A." }] })), "A."],
  ["a schema whose issue has no text", schema(() => ({ issues: [{ message: "" }] })), "Is not valid."],
  ["a schema that fails without an issue", schema(() => ({ issues: [] })), "Is not valid."],
])("%s", async (_name, validation, expected) => {
  expect(await findProblem(validation, "x")).toBe(expected)
})

test("a validation is a function or something with a standard marker", () => {
  const callable = Object.assign(() => true, { "~standard": { validate: () => ({ value: 1 }) } })

  expect([() => true, schema(() => ({})), callable].map(isValidation)).toEqual([true, true, true])
  expect([undefined, null, {}, "x", { "~standard": {} }].map(isValidation)).toEqual(Array(5).fill(false))
})

test("a schema that is a function is asked as a schema", async () => {
  const callable = Object.assign(() => true as const, {
    "~standard": { validate: () => ({ issues: [{ message: "No." }] }) },
  })

  expect(await findProblem(callable as unknown as Validation, "x")).toBe("No.")
})
