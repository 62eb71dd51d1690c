import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

function manifest(exports: Record<string, unknown>): string {
  return JSON.stringify({ exports })
}

const CLIENT = { "kit-source": "./src/client.ts", types: "./dist/client.d.ts", default: "./dist/bundle/client.js" }

const BUILT = {
  "packages/kit/package.json": manifest({ "./client": CLIENT, "./package.json": "./package.json" }),
  "packages/kit/src/client.ts": 'export * from "./client/create-client.ts"',
  "packages/kit/src/cli.ts": "",
  "packages/kit/src/client/create-client.ts": "export const createClient = 1",
  "packages/kit/dist/client.d.ts": "",
  "packages/kit/dist/bundle/client.js": "",
}

test("sources, subpaths and built files that agree pass", async () => {
  expect(await problemsOf("exports", BUILT)).toEqual([])
})

test("a subpath to a missing file is refused", async () => {
  const problems = await problemsOf("exports", { "packages/kit/package.json": manifest({ "./client": CLIENT }) })

  expect(problems).toEqual([
    "package.json names ./src/client.ts, which does not exist",
    "package.json names ./dist/client.d.ts, which does not exist (run npm run build)",
    "package.json names ./dist/bundle/client.js, which does not exist (run npm run build)",
  ])
})

test("a subpath must be built from its own source", async () => {
  const crossed = { ...CLIENT, default: "./dist/bundle/cli.js" }

  const problems = await problemsOf("exports", {
    ...BUILT,
    "packages/kit/package.json": manifest({ "./client": crossed }),
    "packages/kit/dist/bundle/cli.js": "",
  })

  expect(problems).toEqual(['exports["./client"].default must be ./dist/bundle/client.js'])
})

test.each(["./src/testing.ts", "./src/adapters/hono.ts"])("the entry %s needs a subpath", async (path) => {
  const problems = await problemsOf("exports", { ...BUILT, [`packages/kit/${path}`]: "export const a = 1" })

  expect(problems).toEqual([`${path} is a public entry without a subpath in "exports"`])
})

test("a pattern covers every adapter", async () => {
  const adapters = {
    "kit-source": "./src/adapters/*.ts",
    types: "./dist/adapters/*.d.ts",
    default: "./dist/bundle/adapters/*.js",
  }

  const problems = await problemsOf("exports", {
    ...BUILT,
    "packages/kit/package.json": manifest({ "./client": CLIENT, "./adapters/*": adapters }),
    "packages/kit/src/adapters/hono.ts": "export const a = 1",
  })

  expect(problems).toEqual([])
})

test.each([
  ["stars", 'export * from "./create-client.ts"'],
  ["names", 'export { createClient } from "./create-client.ts"'],
  ["imports passed on", 'import { createClient } from "./create-client.ts"\nexport { createClient }'],
])("an inner barrel of %s is refused", async (_name, text) => {
  const problems = await problemsOf("exports", { ...BUILT, "packages/kit/src/client/index.ts": text })

  expect(problems).toEqual(["./src/client/index.ts only re-exports: import from the files themselves"])
})
