import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const ENTRY = "packages/kit/src/client.ts"
const MAX_BYTES = 8 * 1024
const PAGE = "a page"
// The exports that a page with records, globals and routes does not need: uploads and live queries load on first use.
const LATER = ["UploadError", "buildCollectionTopic", "buildGlobalTopic"]

/**
 * The code that a page loads to use the client, minified and compressed, stays small; it needs neither Node nor a
 * package.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkClientSize(root) {
  const { code, imports } = await bundle(join(root, ENTRY))
  const problems = imports.map((name) => `The client imports "${name}"; it must run in a browser without any package`)
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`    the client is ${bytes} bytes, minified and compressed (at most ${MAX_BYTES})`)
  if (bytes > MAX_BYTES) problems.push(`The client has ${bytes} bytes; at most ${MAX_BYTES}, minified and compressed`)
  return problems
}

/** Returns the code that loads initially, and the packages that any part of it imports. @param {string} client */
async function bundle(client) {
  const bundled = await rolldown({
    input: PAGE,
    platform: "browser",
    external: (id) => id !== PAGE && !/^[./]|^[A-Z]:/i.test(id),
    plugins: [pageUsing(client)],
  })
  const { output } = await bundled.generate({ format: "esm", minify: true, comments: false })
  await bundled.close()
  const chunks = output.filter((file) => file.type === "chunk")
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const atOnce = chunks.filter(({ isDynamicEntry }) => !isDynamicEntry)
  const imports = chunks.flatMap((chunk) => chunk.imports).filter((name) => !own.has(name))
  return { code: atOnce.map(({ code }) => code).join("\n"), imports }
}

/**
 * A page that uses all of the client except the parts that load later.
 *
 * @param {string} client
 * @returns {import("rolldown").Plugin}
 */
function pageUsing(client) {
  const later = LATER.map((name) => `export const ${name} = undefined`)
  // An explicit export wins over one of `export *`.
  const page = [`export * from ${JSON.stringify(client)}`, ...later].join("\n")
  return {
    name: "page",
    resolveId: (id) => (id === PAGE ? id : undefined),
    load: (id) => (id === PAGE ? page : undefined),
  }
}
