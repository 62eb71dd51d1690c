import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const ALLOWED = 20

test.each([
  ["as many as are allowed pass", ALLOWED, 0],
  ["one more is too many, and all of them are named", ALLOWED + 1, ALLOWED + 1],
])("files of a few lines with one importer: %s", async (_title, count, expected) => {
  const names = Array.from({ length: count }, (_, index) => `small${index}`)
  const small = names.map((name) => [`packages/kit/src/sql/${name}.ts`, `export const ${name} = 1`])
  const user = names.map((name) => `import { ${name} } from "./${name}.ts"`).join("\n")

  const problems = await problemsOf("small-files", {
    ...Object.fromEntries(small),
    "packages/kit/src/sql/user.ts": `${user}\n${"// a line\n".repeat(20)}`,
  })

  expect(problems).toHaveLength(expected)
})

test("each package may have as many", async () => {
  const filesOf = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => [
      [`${folder}/small${index}.ts`, `export const small${index} = 1`],
      [`${folder}/user${index}.ts`, `import { small${index} } from "./small${index}.ts"\n${"// a line\n".repeat(20)}`],
    ]).flat()
  const files = [...filesOf("packages/kit/src/sql", ALLOWED), ...filesOf("packages/console/src/kit", ALLOWED + 1)]

  const problems = await problemsOf("small-files", Object.fromEntries(files))

  expect(problems).toHaveLength(ALLOWED + 1)
  for (const problem of problems) expect(problem).toMatch(/^packages\/console\/src\/kit\/small/)
})
