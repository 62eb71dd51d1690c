import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { loadWithTimeout } from "../../src/cli/sources/load-with-timeout.ts"

test("a file that never finishes loading is a mistake with its name", async () => {
  const root = await mkdtemp(join(tmpdir(), "kit-load-"))
  await writeFile(join(root, "late.mjs"), "await new Promise(() => {})\nexport default 1")
  await writeFile(join(root, "good.mjs"), "export default 1")

  const late = loadWithTimeout(root, { file: "late.ts", compiledPath: "late.mjs" }, 50)
  const loaded = await Promise.all([late, loadWithTimeout(root, { file: "good.ts", compiledPath: "good.mjs" })])

  expect(loaded).toEqual([
    { mistake: { file: "late.ts", message: expect.stringMatching(/^has not finished loading after 0\.05 s\. /) } },
    { exported: 1, hasDefault: true },
  ])
  await rm(root, { recursive: true })
})
