import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { compileSources } from "../../src/cli/sources/compile-sources.ts"

let root: string

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), "kit-compile-")), "app")
})

afterEach(() => rm(dirname(root), { recursive: true }))

test.each(["where.ts", "where.tsx", "where.mts", "where.js"])("%s hears where its author wrote it", async (file) => {
  await write({ [`src/${file}`]: 'export default [import.meta.url, "import.meta.url"]' })

  const [exported] = await load([`src/${file}`])

  expect(exported).toEqual([pathToFileURL(join(root, "src", file)).href, "import.meta.url"])
})

test("what two files share is one module", async () => {
  await write({
    "src/_shared.ts": "export const shared: object = {}",
    "src/a.ts": 'import { shared } from "./_shared.ts"\nexport default shared',
    "src/b.ts": 'import { shared } from "./_shared.ts"\nexport default shared',
  })

  const [a, b] = await load(["src/a.ts", "src/b.ts"])

  expect(a).toBe(b)
})

test("a broken file is named with its place, and the others are compiled", async () => {
  await write({ "src/broken.ts": "export default (", "src/sound.ts": "export default 1 as number" })

  const compiled = await compileSources(root, ["src/broken.ts", "src/sound.ts"])

  expect(compiled.get("src/broken.ts")).toEqual({
    mistakes: [{ file: "src/broken.ts:1:17", message: "Unexpected end of file" }],
  })
  expect(compiled.get("src/sound.ts")).toHaveProperty("place")
})

test("a package of the workspace that is TypeScript is compiled along; an installed one is left alone", async () => {
  const installed = { type: "module", exports: "./index.js" }
  await write({
    "../shared/package.json": JSON.stringify({ type: "module", exports: "./index.ts" }),
    "../shared/index.ts": 'export const word: string = "shared"',
    "node_modules/installed/package.json": JSON.stringify(installed),
    "node_modules/installed/index.js": "export const url = import.meta.url",
    "src/a.ts": 'import { word } from "shared"\nimport { url } from "installed"\nexport default [word, url]',
  })
  await symlink(join(root, "../shared"), join(root, "node_modules/shared"))

  const [exported] = await load(["src/a.ts"])

  expect(exported).toEqual(["shared", pathToFileURL(join(root, "node_modules/installed/index.js")).href])
})

test("says which files take part, wherever they are, also when one of them is broken", async () => {
  await write({
    "../shared/package.json": JSON.stringify({ type: "module", exports: "./index.ts" }),
    "../shared/index.ts": 'export * from "./broken.ts"',
    "../shared/broken.ts": "export const word = (",
    "../plain/package.json": JSON.stringify({ type: "module", exports: "./index.js" }),
    "../plain/index.js": "export {}",
    "node_modules/installed/package.json": JSON.stringify({ type: "module", exports: "./index.js" }),
    "node_modules/installed/index.js": "export {}",
    "src/a.ts": 'import "plain"\nimport "installed"\nexport { word as default } from "shared"',
  })
  for (const name of ["shared", "plain"]) await symlink(join(root, "..", name), join(root, "node_modules", name))
  const inputs = new Set<string>()

  await compileSources(root, ["src/a.ts"], (path) => inputs.add(path))

  const shared = ["../shared/index.ts", "../shared/broken.ts", "../plain/index.js"]
  expect([...inputs].sort()).toEqual(["src/a.ts", ...shared].map((file) => join(root, file)).sort())
})

test("compiled files are kept while they are used, and let go of a day later", async () => {
  await write({ "src/a.ts": "export default 1" })
  const names = async () => (await readdir(join(root, ".kit/sources/src"))).filter((name) => name.endsWith(".mjs"))
  await compileSources(root, ["src/a.ts"])
  const [first = ""] = await names()
  await utimes(join(root, ".kit/sources/src", first), new Date(0), new Date(0))

  await compileSources(root, ["src/a.ts"])
  const again = await names()
  await utimes(join(root, ".kit/sources/src", first), new Date(0), new Date(0))
  await write({ "src/a.ts": "export default 2" })
  await compileSources(root, ["src/a.ts"])

  expect(again).toEqual([first])
  expect(await names()).toHaveLength(1)
  expect(await names()).not.toContain(first)
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

async function load(files: readonly string[]): Promise<unknown[]> {
  const compiled = await compileSources(root, files)
  return Promise.all(
    files.map(async (file) => {
      const found = compiled.get(file)
      if (found === undefined || "mistakes" in found) throw new Error(JSON.stringify(found))
      return (await import(pathToFileURL(join(root, found.place)).href)).default
    }),
  )
}
