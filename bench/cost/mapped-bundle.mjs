import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"

// As deep in the package as the built bundle, which finds the files of the package relative to itself.
const FOLDER = "packages/kit/.cost/bundle"
const ENTRY_FOLDERS = ["", "adapters/"]

/**
 * Bundles the framework from its sources as the build does, but with source maps: a stack then names lines that
 * somebody wrote.
 *
 * @param {string} root
 * @param {import("../harness/cleanup.mjs").Cleanup} cleanup
 * @returns {Promise<string>} the folder of the bundle, which is removed at the end
 */
export async function writeMappedBundle(root, cleanup) {
  const entries = await Promise.all(ENTRY_FOLDERS.map((folder) => entriesIn(root, folder)))
  const bundled = await rolldown({
    input: Object.fromEntries(entries.flat()),
    external: /^[^./]/,
    platform: "node",
  })
  const dir = join(root, FOLDER)
  cleanup.add(() => rm(join(dir, ".."), { recursive: true, force: true }))
  await bundled.write({ dir, format: "esm", sourcemap: true, chunkFileNames: "chunk-[hash].js" })
  await bundled.close()
  return dir
}

/** @param {string} root @param {string} folder @returns {Promise<[string, string][]>} */
async function entriesIn(root, folder) {
  const sources = join(root, "packages/kit/src", folder)
  const names = (await readdir(sources)).filter((name) => name.endsWith(".ts"))
  return names.map((name) => [folder + name.slice(0, -".ts".length), join(sources, name)])
}
