import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"

interface BuildRecord {
  isBuilt(root: string): boolean
  recordBuild(root: string): void
  forgetBuild(root: string): void
}

const RECORD_URL = new URL("../../../../scripts/build-record.mjs", import.meta.url).href
// The scripts are plain JavaScript outside this project's types; build-record.mjs exports exactly these functions.
const { isBuilt, recordBuild, forgetBuild } = (await import(RECORD_URL)) as BuildRecord

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kit-build-"))
  for (const file of ["packages/kit/src/index.ts", "packages/kit/src/wire/paths.ts", "package-lock.json"]) {
    await write(file, "one")
  }
  for (const file of ["packages/kit/dist/index.js", "packages/kit/dist/bundle/index.js"]) await write(file, "one")
  recordBuild(root)
})

afterEach(() => rm(root, { recursive: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

test("a build is up to date as long as no file changes", async () => {
  await write("packages/kit/src/wire/paths.ts", "one")

  expect(isBuilt(root)).toBe(true)
})

test.each([
  ["a source changes", () => write("packages/kit/src/wire/paths.ts", "two")],
  ["a source is added", () => write("packages/kit/src/wire/more.ts", "one")],
  ["a source is removed", () => rm(join(root, "packages/kit/src/wire/paths.ts"))],
  ["the lock file changes", () => write("package-lock.json", "two")],
  ["other packages are installed", () => write("node_modules/.package-lock.json", "two")],
  ["an output is removed", () => rm(join(root, "packages/kit/dist/bundle/index.js"))],
  ["an output is written by another tool", () => write("packages/kit/dist/index.js", "longer")],
  ["a build was interrupted", () => forgetBuild(root)],
  ["the output is gone", () => rm(join(root, "packages/kit/dist"), { recursive: true })],
])("a build is out of date when %s", async (_reason, change) => {
  await change()

  expect(isBuilt(root)).toBe(false)
})
