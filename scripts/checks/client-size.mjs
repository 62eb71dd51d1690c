import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/**
 * @typedef {object} Entry
 * @property {string} name       what the messages call it
 * @property {string} path
 * @property {string[]} packages the packages that it may import; a page loads them by itself
 * @property {string[]} [only]   the exports that the page uses; all by default
 * @property {string[]} [later]  the exports that load on first use, and that a page does not need
 * @property {Entry[]} [over]    entries that the page uses as well, so that only the bytes over them count
 * @property {number} maxBytes
 */

/** @type {Entry} */
const CLIENT = {
  name: "the client",
  path: "packages/kit/src/client.ts",
  packages: [],
  // A page with records, globals and routes does not need uploads, live queries and filters in memory.
  later: ["UploadError", "buildCollectionTopic", "buildGlobalTopic", "matchesWhere"],
  maxBytes: 9 * 1024,
}

/** @type {Entry} */
const REACT = {
  name: "kit/react",
  path: "packages/kit/src/react.ts",
  packages: ["react"],
  over: [CLIENT],
  maxBytes: 9 * 1024,
}

const ENTRIES = [
  CLIENT,
  {
    name: "kit/crdt",
    path: "packages/kit/src/crdt.ts",
    packages: ["yjs", "y-protocols/awareness"],
    maxBytes: 8 * 1024,
  },
  { ...REACT, name: "useLive alone", only: ["useLive"], maxBytes: 3 * 1024 },
  REACT,
  {
    name: "kit/react-infinite",
    path: "packages/kit/src/react-infinite.ts",
    packages: ["react"],
    over: [CLIENT, REACT],
    maxBytes: 2 * 1024,
  },
  {
    name: "kit/react-reads",
    path: "packages/kit/src/react-reads.ts",
    packages: ["react"],
    over: [CLIENT, REACT],
    maxBytes: 1024,
  },
  {
    name: "kit/tanstack",
    path: "packages/kit/src/tanstack.ts",
    packages: [],
    over: [CLIENT],
    maxBytes: 3 * 1024,
  },
]
const PAGE = "a page"
const NOTHING = { atOnce: "", later: "", imports: /** @type {string[]} */ ([]) }

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
  const { name, maxBytes, packages, over = [] } = entry
  const below = over.length > 0 ? await bundle(root, over) : NOTHING
  const { atOnce, later, imports } = await bundle(root, [...over, entry])
  const foreign = imports.filter((imported) => ![...packages, ...below.imports].includes(imported))
  const problems = foreign.map((imported) => `${name} imports "${imported}"; it must run in a browser without it`)
  const bytes = compressed(atOnce) - compressed(below.atOnce)
  const measured = over.length === 0 ? "bytes" : `bytes over ${over.map((other) => other.name).join(" and ")}`
  const onFirstUse = compressed(later) - compressed(below.later)
  console.log(
    `    ${name} is ${bytes} ${measured}, minified and compressed (at most ${maxBytes}); on first use: ${onFirstUse}`,
  )
  if (bytes > maxBytes) problems.push(`${name} has ${bytes} ${measured}; at most ${maxBytes}, minified and compressed`)
  return problems
}

/** @param {string} code */
function compressed(code) {
  if (code === "") return 0
  return gzipSync(code, { level: 9 }).length
}

/**
 * Returns the code that a page with these entries loads initially, the code that it loads later, and the packages that
 * any part of it imports.
 *
 * @param {string} root
 * @param {Entry[]} entries
 */
async function bundle(root, entries) {
  const bundled = await rolldown({
    input: PAGE,
    platform: "browser",
    external: (id) => id !== PAGE && !/^[./]|^[A-Z]:/i.test(id),
    plugins: [pageUsing(root, entries)],
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
 * A page that uses these entries, except the parts that load later.
 *
 * @param {string} root
 * @param {Entry[]} entries
 * @returns {import("rolldown").Plugin}
 */
function pageUsing(root, entries) {
  const page = entries.flatMap((entry) => linesUsing(root, entry)).join("\n")
  return {
    name: "page",
    resolveId: (id) => (id === PAGE ? id : undefined),
    load: (id) => (id === PAGE ? page : undefined),
  }
}

/** @param {string} root @param {Entry} entry @returns {string[]} */
function linesUsing(root, { path, only, later = [] }) {
  const used = only ? `{ ${only.join(", ")} }` : "*"
  // An explicit export wins over one of `export *`.
  const without = later.map((name) => `export const ${name} = undefined`)
  return [`export ${used} from ${JSON.stringify(join(root, path))}`, ...without]
}
