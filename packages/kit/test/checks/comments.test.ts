import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const REMEDY = "say subject, verb, object in the field's words (docs/glossary.md)"

test("plain sentences pass, in every kind of comment", async () => {
  const problems = await problemsOf("comments", {
    "packages/kit/src/a.ts": [
      "/** Returns the record. */",
      "export const a = 1 // It counts what was sent.",
      "// A reader who is late",
      "// whether they know it or not",
      'export const text = "// What a string says"',
    ].join("\n"),
  })

  expect(problems).toEqual([])
})

test("a comment that hides its subject is named with its line", async () => {
  const problems = await problemsOf("comments", {
    "packages/kit/src/a.ts": "/**\n * What is sent.\n */\nexport const a = 1\n\n// Whether it was.\nexport const b = 2",
  })

  expect(problems).toEqual([
    `packages/kit/src/a.ts:1 begins a comment with "What"; ${REMEDY}`,
    `packages/kit/src/a.ts:6 begins a comment with "Whether"; ${REMEDY}`,
  ])
})

test("a private word is found anywhere in a comment, also on its second line", async () => {
  const problems = await problemsOf("comments", {
    "bench/run.mjs": "// The rule is read,\n// and the row is judged.\nexport const a = 1",
  })

  expect(problems).toEqual([`bench/run.mjs:1 uses "judged" in a comment; ${REMEDY}`])
})

test("generated files are left alone", async () => {
  const problems = await problemsOf("comments", { "examples/a/src/generated/index.ts": "// Whoever reads this" })

  expect(problems).toEqual([])
})
