import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

test("a cycle is shown as the path that closes it", async () => {
  const problems = await problemsOf("cycles", {
    "packages/kit/src/index.ts": 'export * from "./sql/a.ts"',
    "packages/kit/src/sql/a.ts": 'import { b } from "./b.ts"',
    "packages/kit/src/sql/b.ts": 'export const c = () => import("../wire/c.ts")',
    "packages/kit/src/wire/c.ts": 'import { a } from "../sql/a.ts"',
  })

  expect(problems).toEqual([
    "import cycle: packages/kit/src/sql/a.ts → packages/kit/src/sql/b.ts → packages/kit/src/wire/c.ts → packages/kit/src/sql/a.ts",
  ])
})

test("a cycle of types is a cycle", async () => {
  const problems = await problemsOf("cycles", {
    "packages/kit/src/a.ts": 'import type { B } from "./b.ts"\nexport type A = B[]',
    "packages/kit/src/b.ts": 'import type { A } from "./a.ts"\nexport type B = { a: A }',
  })

  expect(problems).toHaveLength(1)
})

test("two cycles are both reported", async () => {
  const problems = await problemsOf("cycles", {
    "packages/kit/src/a.ts": 'import "./b.ts"\nimport "./c.ts"',
    "packages/kit/src/b.ts": 'import "./a.ts"',
    "packages/kit/src/c.ts": 'import "./a.ts"',
  })

  expect(problems).toHaveLength(2)
})

test("two ways to one file are no cycle", async () => {
  const problems = await problemsOf("cycles", {
    "packages/kit/src/a.ts": 'import "./b.ts"\nimport "./c.ts"',
    "packages/kit/src/b.ts": 'import "./c.ts"',
    "packages/kit/src/c.ts": 'import "node:path"',
  })

  expect(problems).toEqual([])
})
