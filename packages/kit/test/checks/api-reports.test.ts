import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const REPORT = [
  "# kit",
  "",
  "Written by `npm run api` from the emitted declarations.",
  "",
  "## Exports",
  "",
  "```ts",
  "function open(options: Options): void;",
  "```",
  "",
  "## Mentioned by these, not exported here",
  "",
  "```ts",
  "interface Options {",
  "    readonly name: string;",
  "}",
  "```",
  "",
].join("\n")

const FILES = {
  "packages/kit/package.json": JSON.stringify({ exports: { ".": { types: "./dist/index.d.ts" } } }),
  "packages/kit/src/adapters/none.ts": "",
  "packages/kit/dist/index.d.ts": 'export { open } from "./app/open.ts";\n',
  "packages/kit/dist/app/open.d.ts":
    "interface Options {\n    /** For people. */\n    readonly name: string;\n}\n/** Opens it. */\nexport declare function open(options: Options): void;\nexport {};\n",
}

test("a report shows what an entry exports, and what that mentions", async () => {
  expect(await problemsOf("api-reports", { ...FILES, "packages/kit/api/index.api.md": REPORT })).toEqual([])
})

test("a change of the public surface is named until its report is written again", async () => {
  const before = REPORT.replace("readonly name: string", "readonly title: string")

  expect(await problemsOf("api-reports", { ...FILES, "packages/kit/api/index.api.md": before })).toEqual([
    "packages/kit/api/index.api.md does not show the exports of today; run npm run api",
  ])
})
