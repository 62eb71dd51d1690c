import { expect, test } from "vitest"
import { refusalOf, sizeText, typeNames } from "../src/fields/upload/file-limits.ts"

const PICTURES = { maxSize: 1000, types: ["image/*", "application/pdf"] }

test.each([
  ["a picture", { size: 10, type: "image/png" }, null],
  ["a type by its full name", { size: 10, type: "application/pdf" }, null],
  ["a type that the browser does not know", { size: 10, type: "" }, null],
  ["as large as allowed", { size: 1000, type: "image/png" }, null],
  ["too large", { size: 1001, type: "image/png" }, { kind: "tooLarge", maxSize: 1000 }],
  ["empty", { size: 0, type: "image/png" }, { kind: "empty" }],
  ["another type", { size: 10, type: "text/plain" }, { kind: "wrongType", types: PICTURES.types }],
  [
    "a type with the beginning of an accepted one",
    { size: 10, type: "images/png" },
    { kind: "wrongType", types: PICTURES.types },
  ],
])("a file that is %s", (_, file, refusal) => {
  expect(refusalOf(file, PICTURES)).toEqual(refusal)
})

test("a collection without types accepts every type", () => {
  expect(refusalOf({ size: 10, type: "text/html" }, { maxSize: 1000, types: null })).toBeNull()
})

test("sizes and types are written for people", () => {
  expect([0, 900, 68_334, 1_500_000, 10 * 1024 * 1024].map((size) => sizeText(size, "en"))).toEqual([
    "0 byte",
    "900 byte",
    "67 kB",
    "1.4 MB",
    "10 MB",
  ])
  expect(typeNames(["image/*", "application/pdf", "text/plain"])).toBe("image, pdf, text")
})
