import { appendFile, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"

/**
 * Writes the modules that tsc has compiled as a few files, so that a start opens few.
 *
 * @param {string} root
 */
export async function bundle(root) {
  const dist = join(root, "packages/kit/dist")
  // All entries are in one bundle: a module that two entries share must be the same module at run time.
  const made = await rolldown({
    input: { ...(await entries(dist, "")), ...(await entries(dist, "adapters/")), ...programEntries(dist) },
    // Packages stay where they are installed.
    external: /^[^./]/,
    platform: "node",
  })
  const { output } = await made.write({
    dir: join(dist, "bundle"),
    cleanDir: true,
    format: "esm",
    chunkFileNames: "chunk-[hash].js",
  })
  await made.close()
  await referToClientComponents(join(dist, "bundle"), output)
}

/**
 * Completes the entry for server components: what it lacks of `kit/react` becomes a reference to client components, by a
 * file that has the directive for that. The entry `kit/react` itself has no directive, because bundlers that know no
 * server components warn of it.
 *
 * @param {string} folder
 * @param {readonly (import("rolldown").OutputChunk | import("rolldown").OutputAsset)[]} output
 */
export async function referToClientComponents(folder, output) {
  const exportsOf = (/** @type {string} */ name) =>
    output.flatMap((file) => (file.type === "chunk" && file.isEntry && file.name === name ? file.exports : []))
  const own = new Set(exportsOf("react-server"))
  const others = exportsOf("react").filter((name) => !own.has(name))
  const names = `export { ${others.join(", ")} }`
  await writeFile(join(folder, "react-client.js"), `"use client";\n${names} from "./react.js";\n`)
  await appendFile(join(folder, "react-server.js"), `${names} from "./react-client.js";\n`)
}

/**
 * Returns the public entries: the files directly in this folder.
 *
 * @param {string} dist
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
async function entries(dist, folder) {
  const names = await readdir(join(dist, folder)).catch(() => [])
  const built = names.filter((name) => name.endsWith(".js"))
  return Object.fromEntries(built.map((name) => [folder + name.slice(0, -".js".length), join(dist, folder, name)]))
}

// These run as a process or a thread of their own. The module that starts one finds its file next to its own.
/** @param {string} dist */
function programEntries(dist) {
  return {
    supervisor: join(dist, "drivers/embedded-postgres/supervisor/supervisor.js"),
    "yjs-thread": join(dist, "drivers/yjs/thread/yjs-thread.js"),
  }
}
