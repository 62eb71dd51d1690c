import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

test("a station may import from those below it", async () => {
  const problems = await problemsOf("stations", {
    "packages/kit/src/sql/write/insert.ts": 'import { quote } from "../text/fragment.ts"',
    "packages/kit/src/sql/text/fragment.ts": 'import { names } from "../../schema/names.ts"',
    "packages/kit/src/engine/engine.ts": 'import { find } from "./operations/find.ts"',
  })

  expect(problems).toEqual([])
})

test("an import from a station above is refused, types included", async () => {
  const problems = await problemsOf("stations", {
    "packages/kit/src/sql/text/fragment.ts": 'import "./literal.ts"\nimport type { Write } from "../write/insert.ts"',
    "packages/kit/src/engine/read/records.ts": 'import { engine } from "../engine.ts"',
  })

  expect(problems).toEqual([
    "packages/kit/src/sql/text/fragment.ts:2 imports sql/write, which comes after text in sql",
    "packages/kit/src/engine/read/records.ts:1 imports engine/., which comes after read in engine",
  ])
})

test("a folder that is not in the list is refused", async () => {
  const problems = await problemsOf("stations", { "packages/kit/src/sql/elsewhere/a.ts": "go()" })

  expect(problems).toEqual([
    'packages/kit/src/sql/elsewhere/a.ts: "elsewhere" is not in the list of scripts/checks/stations.mjs',
  ])
})
