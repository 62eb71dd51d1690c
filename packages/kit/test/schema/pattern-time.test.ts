import { expect, test } from "vitest"
import { fieldSet as f } from "../../src/schema/fields/field-set.ts"
import { ONE_LINE_FORMAT } from "../../src/schema/fields/one-line.ts"
import { TextField } from "../../src/schema/fields/text.ts"
import { leastMsOf } from "../least-time.ts"

const FIELDS = {
  text: f.text(200).trim().min(1),
  "text without an upper limit": f.textarea().trim().min(100),
  line: new TextField({ name: "text", max: 200, format: ONE_LINE_FORMAT }).trim().min(1),
  email: f.email().trim(),
  url: f.url().trim(),
  "pattern of the author": f
    .text()
    .trim()
    .pattern(/^[a-z ]*$/i),
  decimal: f.number().decimal(20, 9).min(0.000000001).max(99999999999.123),
  datetime: f.datetime(),
}

const LENGTH = 2000
const BEGINNINGS = ["", "x", "http://", "http://a@", "http://a:", "a@b.", "0.", "-", "0001-01-01T"]
const REPEATED = [" ", "a", "0", "a.", "1.", "a ", "@", "\n", "\u00a0"]
const ENDS = ["", "!", "\u0000", " x", " \u0000", "y\u2028"]

const HOSTILE = BEGINNINGS.flatMap((beginning) =>
  REPEATED.flatMap((part) => ENDS.map((end) => `${beginning}${part.repeat(LENGTH / part.length)}${end}`)),
)

// A pattern that needs time in proportion to the length takes a small part of this; one by the cube takes seconds.
const MAX_MS = 500

// Forms check what people type with these patterns, in the browser.
test.each(Object.entries(FIELDS))("the patterns of a %s reject a long text quickly", (_name, field) => {
  const patterns = patternsIn(field.compile().jsonSchema.input)

  const times = patterns.flatMap((pattern) => HOSTILE.map((text) => timeOf(new RegExp(pattern, "u"), text)))

  expect(patterns.length).toBeGreaterThan(0)
  expect(Math.max(...times)).toBeLessThan(MAX_MS)
})

// A single measurement may hit a moment in which the machine does something else.
function timeOf(pattern: RegExp, text: string): number {
  const startedAt = performance.now()
  pattern.test(text)
  const ms = performance.now() - startedAt
  return ms < MAX_MS ? ms : leastMsOf(() => pattern.test(text))
}

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([name, member]) =>
    name === "pattern" && typeof member === "string" ? [member] : patternsIn(member),
  )
}
