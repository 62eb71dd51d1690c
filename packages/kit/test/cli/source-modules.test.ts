import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sourceModules } from "../../src/cli/sources/source-modules.ts"

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kit-modules-"))
})

afterEach(() => rm(root, { recursive: true }))

test("the files of an app are loaded as one module, and the settings before it as another", async () => {
  await write({
    "kit.config.ts": 'import { shared } from "./src/_shared.ts"\nexport default shared',
    "src/_shared.ts": "export const shared: object = {}",
    "src/services/a.ts":
      'import { shared } from "../_shared.ts"\nclass Own {}\nexport default [shared, Own, import.meta.url]',
    "src/services/b.ts":
      'import { shared } from "../_shared.ts"\nclass Own {}\nexport default [shared, Own, import.meta.url]',
    "src/routes/[id]/index.ts": "export const notDefault = 1",
  })
  const inputs: string[] = []
  const modules = sourceModules(root, (paths) => inputs.push(...paths))

  const config = await modules.loadConfig()
  const [a, b, route] = await Promise.all(
    ["src/services/a.ts", "src/services/b.ts", "src/routes/[id]/index.ts"].map((file) => modules.load(file)),
  )

  const [shared, First, urlOfA] = exportedBy(a) as [object, new () => object, string]
  const [sharedToo, Second, urlOfB] = exportedBy(b) as [object, new () => object, string]
  expect(sharedToo === shared && exportedBy(config) === shared).toBe(true)
  expect(First).not.toBe(Second)
  expect([First.name, Second.name]).toEqual(["Own", "Own"])
  expect([urlOfA, urlOfB]).toEqual(["a", "b"].map((name) => pathToFileURL(join(root, `src/services/${name}.ts`)).href))
  expect(route).toEqual({ exported: undefined, hasDefault: false })
  // The two, and what they share.
  expect((await readdir(join(root, ".kit/sources"))).filter((name) => name.endsWith(".mjs"))).toHaveLength(3)
  expect(inputs).toHaveLength(5)
})

test("one file that throws is named, and all others are loaded", async () => {
  await write({
    "src/services/sound.ts": "export default 1 as number",
    "src/services/throws.ts": 'const word: string = "no"\nthrow new Error(word)',
  })
  const modules = sourceModules(root)

  const sound = await modules.load("src/services/sound.ts")
  const throwing = await modules.load("src/services/throws.ts")

  expect(sound).toEqual({ exported: 1, hasDefault: true })
  expect(throwing).toMatchObject({ mistake: { message: "could not be loaded: no" } })
  expect("mistake" in throwing && throwing.mistake.file).toMatch(/^src\/services\/throws\.ts/)
})

test("what a file imports when it is needed is not loaded before", async () => {
  await write({
    "src/_later.ts": "globalThis.isLaterLoaded = true\nexport const word = 1",
    "src/services/a.ts": 'export default async () => (await import("../_later.ts")).word',
  })
  const loaded = await sourceModules(root).load("src/services/a.ts")
  const before = "isLaterLoaded" in globalThis

  const word = await (exportedBy(loaded) as () => Promise<number>)()

  expect([before, word, "isLaterLoaded" in globalThis]).toEqual([false, 1, true])
})

function exportedBy(loaded: object | undefined): unknown {
  return (loaded as { exported?: unknown } | undefined)?.exported
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}
