import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

test("an export that another file imports is used, whoever that is", async () => {
  const problems = await problemsOf("unused-exports", {
    "packages/kit/src/index.ts": 'export { entry } from "./sql/entry.ts"',
    "packages/kit/src/sql/entry.ts": "export const entry = 1",
    "packages/kit/src/sql/tested.ts": "export function tested() {}",
    "packages/kit/test/tested.test.ts": 'import { tested } from "../src/sql/tested.ts"\ntested()',
    "packages/kit/src/sql/named.ts": "export type Named = string",
    "packages/kit/src/sql/uses.ts": 'export type { Other } from "./other.ts"\nconst a: import("./named.ts").Named = ""',
    "packages/kit/src/sql/other.ts": "export interface Other {}",
    "packages/kit/src/sql/user.ts": 'import type { Other } from "./uses.ts"\nconst other: Other = {}',
    "packages/kit/src/sql/loaded.ts": "export const loaded = 1",
    "bench/run.mjs": 'await import("../packages/kit/dist/sql/loaded.js")',
  })

  expect(problems).toEqual([])
})

test("an export that only its own file uses is named", async () => {
  const problems = await problemsOf("unused-exports", {
    "packages/kit/src/sql/a.ts": "export const used = 1\nexport interface Own {}\nconst own: Own = {}",
    "packages/kit/src/sql/b.ts": 'import { used } from "./a.ts"\nused',
  })

  expect(problems).toEqual(['packages/kit/src/sql/a.ts:2 exports "Own", which no other file imports'])
})
