import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

// node scripts/bundle.mjs    after tsc: the built modules as few files, so that a start opens few
const dist = fileURLToPath(new URL("../packages/kit/dist", import.meta.url))

// All entries are in one bundle: a module that two entries share must be the same module at run time.
const bundle = await rolldown({
  input: { ...(await entries("")), ...(await entries("adapters/")), supervisor: supervisorEntry() },
  // Packages stay where they are installed.
  external: /^[^./]/,
  platform: "node",
})
await bundle.write({
  dir: join(dist, "bundle"),
  cleanDir: true,
  format: "esm",
  chunkFileNames: "chunk-[hash].js",
})
await bundle.close()

/**
 * Returns the public entries: the files directly in this folder.
 *
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
async function entries(folder) {
  const names = await readdir(join(dist, folder)).catch(() => [])
  const built = names.filter((name) => name.endsWith(".js"))
  return Object.fromEntries(built.map((name) => [folder + name.slice(0, -".js".length), join(dist, folder, name)]))
}

// The supervisor runs as its own process. Its launcher finds the file next to its own.
function supervisorEntry() {
  return join(dist, "drivers/embedded-postgres/supervisor/supervisor.js")
}
