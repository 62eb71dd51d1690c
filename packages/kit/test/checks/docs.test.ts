import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const README = "# App\n\n    npm ci && npm start\n    npm ci && npm test\n"
const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: "nodenext", target: "es2023", types: [], allowImportingTsExtensions: true },
})

function problemsOfPage(...lines: string[]): Promise<string[]> {
  const page = lines.join("\n")
  return problemsOf("docs", { "README.md": README, "tsconfig.json": TSCONFIG, "docs/guide.md": page })
}

test("a type error is reported at its line of the page", async () => {
  const problems = await problemsOfPage("# Guide", "", "```ts", "export const a = 1", 'const b: number = "b"', "```")

  expect(problems).toEqual(["docs/guide.md:5 error TS2322: Type 'string' is not assignable to type 'number'."])
})

test("blocks that name themselves can import each other", async () => {
  const problems = await problemsOfPage(
    "```ts",
    "// file: src/posts.ts",
    "export const posts: number = 1",
    "```",
    "```ts",
    "// src/app.ts      the app",
    'import { posts } from "./posts.ts"',
    "posts satisfies string",
    "```",
  )

  expect(problems).toEqual(["docs/guide.md:8 error TS1360: Type 'number' does not satisfy the expected type 'string'."])
})

test("a block of a component is checked, too", async () => {
  const problems = await problemsOfPage(
    "```tsx",
    "// file: src/page.tsx",
    "export const page = <T,>(value: T): T => value",
    "page(1) satisfies string",
    "```",
    "```tsx",
    'import { page } from "./src/page.tsx"',
    "page(2) satisfies string",
    "```",
  )

  expect(problems.map((problem) => problem.split(":")[1]?.split(" ")[0]).sort()).toEqual(["4", "8"])
})

test("hidden lines above a block give it context and do not shift its lines", async () => {
  const problems = await problemsOfPage(
    "<!-- check: declare const team: { id: string } -->",
    "<!-- check: declare function show(id: string): void -->",
    "",
    "```ts",
    "show(team.id)",
    "show(team)",
    "```",
  )

  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^docs\/guide\.md:6 error TS2345:/)
})

test("hidden lines belong to the next block only", async () => {
  const problems = await problemsOfPage(
    "<!-- check: declare const team: string -->",
    "```ts",
    "export const a = team",
    "```",
    "```ts",
    "export const b = team",
    "```",
  )

  expect(problems).toEqual(["docs/guide.md:6 error TS2304: Cannot find name 'team'."])
})

test("a block in a list is read without its indentation", async () => {
  const problems = await problemsOfPage("1. First", "   ```ts", "   export const a: string = 1", "   ```")

  expect(problems).toEqual(["docs/guide.md:3 error TS2322: Type 'number' is not assignable to type 'string'."])
})

test("no block can ask to be left unchecked", async () => {
  const problems = await problemsOfPage("```ts no-check", "nonsense", "```")

  expect(problems).toEqual([
    'docs/guide.md:1 is fenced as "ts no-check": every TypeScript block is checked, so write plain "ts" or "tsx"',
  ])
})

test("a block may name a file with brackets, and import others from there", async () => {
  const open = ["```ts", "// file: src/open.ts", "export const open = 1", "```"]
  const route = ["```ts", "// file: app/[...path]/route.ts", 'export { open } from "../../src/open.ts"', "```"]

  expect(await problemsOfPage(...open, ...route)).toEqual([])
})

test("a page shows a file once and stays in its folder", async () => {
  const block = (name: string) => ["```ts", `// file: ${name}`, "export {}", "```"]

  const problems = await problemsOfPage(...block("a.ts"), ...block("a.ts"), ...block("../../b.ts"))

  expect(problems).toEqual([
    "docs/guide.md:5 shows a.ts a second time",
    "docs/guide.md:9 names a file outside its page",
  ])
})

test("a relative link must lead somewhere", async () => {
  const problems = await problemsOfPage(
    "[home](../README.md#app), [gone](gone.md), ![picture](/docs/picture.png)",
    "[site](https://example.com/gone.md), [here](#here), `[code](gone.md)`",
    "",
    "[definition]: ../missing.md",
    "```md",
    "[shown](gone.md)",
    "```",
  )

  expect(problems).toEqual([
    "docs/guide.md:1 links to gone.md, which does not exist",
    "docs/guide.md:1 links to /docs/picture.png, which does not exist",
    "docs/guide.md:4 links to ../missing.md, which does not exist",
  ])
})

test("README must show its two commands", async () => {
  const problems = await problemsOf("docs", { "README.md": "npm ci && npm start" })

  expect(problems).toEqual(['README.md lacks "npm ci && npm test"'])
})

test("a workspace needs a README", async () => {
  expect(await problemsOf("docs", {})).toEqual(["README.md does not exist"])
})

const CONFIG = "packages/kit/src/app/config"
const TABLES = {
  [`${CONFIG}/environment.ts`]:
    'export const ENVIRONMENT = { PORT: { default: "3000", purpose: "a port", readBy: "all" } }',
  [`${CONFIG}/settings/settings.ts`]:
    'export const SETTINGS = { a: { b: { type: "x | y", default: "1", purpose: "c", check: () => undefined } } }',
}
const CURRENT_PAGE = `# Settings

<!-- table: environment -->

| variable | default | purpose | read by |
| -------- | ------- | ------- | ------- |
| \`PORT\`   | 3000    | a port  | all     |

<!-- end of table: environment -->

<!-- table: settings -->

| setting | type   | default | purpose |
| ------- | ------ | ------- | ------- |
| \`a.b\`   | x \\| y | 1       | c       |

<!-- end of table: settings -->
`

test("the page of settings must have the tables of the code", async () => {
  const files = { "README.md": README, "tsconfig.json": TSCONFIG, ...TABLES }

  const current = await problemsOf("docs", { ...files, "docs/settings.md": CURRENT_PAGE })
  const stale = await problemsOf("docs", { ...files, "docs/settings.md": CURRENT_PAGE.replace("3000", "4000") })

  expect(current).toEqual([])
  expect(stale).toEqual([`docs/settings.md differs from the tables in ${CONFIG}: run npm run settings`])
})
