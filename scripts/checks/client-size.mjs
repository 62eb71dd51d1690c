import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/**
 * @typedef {object} Entry
 * @property {string} name       what the messages call it
 * @property {string} path
 * @property {string[]} packages the packages that it may import; a page loads them by itself
 * @property {string[]} later    the exports that load on first use, and that a page does not need
 * @property {number} maxBytes
 */

/** @type {Entry[]} */
const ENTRIES = [
  {
    name: "the client",
    path: "packages/kit/src/client.ts",
    packages: [],
    // A page with records, globals and routes does not need uploads and live queries.
    later: ["UploadError", "buildCollectionTopic", "buildGlobalTopic"],
    maxBytes: 8 * 1024,
  },
  {
    name: "kit/crdt",
    path: "packages/kit/src/crdt.ts",
    packages: ["yjs", "y-protocols/awareness"],
    later: [],
    maxBytes: 8 * 1024,
  },
]
const PAGE = "a page"

/**
 * The code that a page loads to use the client, minified and compressed, stays small; it needs neither Node nor a
 * package.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkClientSize(root) {
  const problems = []
  for (const entry of ENTRIES) problems.push(...(await problemsOf(root, entry)))
  return problems
}

/** @param {string} root @param {Entry} entry @returns {Promise<string[]>} */
async function problemsOf(root, entry) {
  const { name, maxBytes, packages } = entry
  const { atOnce, later, imports } = await bundle(root, entry)
  const foreign = imports.filter((imported) => !packages.includes(imported))
  const problems = foreign.map((imported) => `${name} imports "${imported}"; it must run in a browser without it`)
  const bytes = compressed(atOnce)
  console.log(
    `    ${name} is ${bytes} bytes, minified and compressed (at most ${maxBytes}); on first use: ${compressed(later)}`,
  )
  if (bytes > maxBytes) problems.push(`${name} has ${bytes} bytes; at most ${maxBytes}, minified and compressed`)
  return problems
}

/** @param {string} code */
function compressed(code) {
  return gzipSync(code, { level: 9 }).length
}

/**
 * Returns the code that loads initially, the code that loads later, and the packages that any part of it imports.
 *
 * @param {string} root
 * @param {Entry} entry
 */
async function bundle(root, entry) {
  const bundled = await rolldown({
    input: PAGE,
    platform: "browser",
    external: (id) => id !== PAGE && !/^[./]|^[A-Z]:/i.test(id),
    plugins: [pageUsing(join(root, entry.path), entry.later)],
  })
  const { output } = await bundled.generate({ format: "esm", minify: true, comments: false })
  await bundled.close()
  const chunks = output.filter((file) => file.type === "chunk")
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const codeOf = (/** @type {boolean} */ isLater) =>
    chunks.flatMap(({ isDynamicEntry, code }) => (isDynamicEntry === isLater ? code : [])).join("\n")
  const imports = chunks.flatMap((chunk) => chunk.imports).filter((name) => !own.has(name))
  return { atOnce: codeOf(false), later: codeOf(true), imports: [...new Set(imports)] }
}

/**
 * A page that uses all of an entry except the parts that load later.
 *
 * @param {string} entry
 * @param {string[]} later
 * @returns {import("rolldown").Plugin}
 */
function pageUsing(entry, later) {
  const without = later.map((name) => `export const ${name} = undefined`)
  // An explicit export wins over one of `export *`.
  const page = [`export * from ${JSON.stringify(entry)}`, ...without].join("\n")
  return {
    name: "page",
    resolveId: (id) => (id === PAGE ? id : undefined),
    load: (id) => (id === PAGE ? page : undefined),
  }
}
