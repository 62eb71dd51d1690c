import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"

type Build = object

interface BuildRecord {
  readonly KIT_BUILD: Build
  readonly CONSOLE_BUILD: Build
  isBuilt(root: string, build: Build): boolean
  recordBuild(root: string, build: Build): void
  forgetBuild(root: string, build: Build): void
}

const RECORD_URL = new URL("../../../../scripts/build-record.mjs", import.meta.url).href
// The scripts are plain JavaScript outside this project's types; build-record.mjs exports exactly these.
const { CONSOLE_BUILD, KIT_BUILD, isBuilt, recordBuild, forgetBuild } = (await import(RECORD_URL)) as BuildRecord

const FILES = [
  "package-lock.json",
  "packages/kit/src/index.ts",
  "packages/kit/src/engine/engine.ts",
  "packages/kit/src/wire/paths.ts",
  "packages/console/src/main.tsx",
  "packages/console/node_modules/react/index.js",
  "packages/kit/dist/index.js",
  "packages/kit/dist/bundle/index.js",
  "packages/kit/dist/web/dist/bundle/client.js",
  "packages/kit/dist/console/manifest.json",
]

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kit-build-"))
  for (const file of FILES) await write(file, "one")
  for (const build of [KIT_BUILD, CONSOLE_BUILD]) recordBuild(root, build)
})

afterEach(() => rm(root, { recursive: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

function builtParts(): readonly string[] {
  const builds = Object.entries({ kit: KIT_BUILD, console: CONSOLE_BUILD })
  return builds.flatMap(([name, build]) => (isBuilt(root, build) ? [name] : []))
}

test("a build is up to date as long as no file changes", async () => {
  await write("packages/kit/src/wire/paths.ts", "one")

  expect(builtParts()).toEqual(["kit", "console"])
})

test.each<[string, () => unknown, string[]]>([
  ["a source of the server changes", () => write("packages/kit/src/engine/engine.ts", "two"), ["console"]],
  ["a source of the client changes", () => write("packages/kit/src/wire/paths.ts", "two"), []],
  ["a source is added", () => write("packages/kit/src/wire/more.ts", "one"), []],
  ["a source is removed", () => rm(join(root, "packages/kit/src/wire/paths.ts")), []],
  ["a source of the console changes", () => write("packages/console/src/main.tsx", "two"), ["kit"]],
  ["a source of the console is added", () => write("packages/console/src/list.tsx", "one"), ["kit"]],
  [
    "a package of the console is touched",
    () => write("packages/console/node_modules/react/index.js", "two"),
    ["kit", "console"],
  ],
  ["the lock file changes", () => write("package-lock.json", "two"), []],
  ["other packages are installed", () => write("node_modules/.package-lock.json", "two"), []],
  ["an output is removed", () => rm(join(root, "packages/kit/dist/bundle/index.js")), ["console"]],
  ["an output is written by another tool", () => write("packages/kit/dist/index.js", "longer"), ["console"]],
  [
    "a file for front ends is written by another tool",
    () => write("packages/kit/dist/web/dist/bundle/client.js", "longer"),
    ["console"],
  ],
  ["an output of the console is removed", () => rm(join(root, "packages/kit/dist/console/manifest.json")), ["kit"]],
  ["the build of the console was interrupted", () => forgetBuild(root, CONSOLE_BUILD), ["kit"]],
  ["the build of the package was interrupted", () => forgetBuild(root, KIT_BUILD), ["console"]],
  ["the output is gone", () => rm(join(root, "packages/kit/dist"), { recursive: true }), []],
])("only the rest is up to date when %s", async (_reason, change, upToDate) => {
  await change()

  expect(builtParts()).toEqual(upToDate)
})
