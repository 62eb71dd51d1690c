import { execFile } from "node:child_process"
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, posix } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { referToClientComponents } from "./bundle.mjs"

// The entries of the package for front ends, with code and types.
const ENTRIES = ["client", "react", "react-infinite", "react-reads", "tanstack", "crdt"]
// The code of an entry under another condition. Its types are those of the entry.
const CONDITIONAL = ["react-server"]
// The types of this entry are named by the files that `kit generate` writes. Its code is for servers.
const TYPES_ONLY = ["generated"]
const OPTIONAL_PEERS = ["react", "@tanstack/query-core", "yjs", "y-protocols"]
const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g

/**
 * Writes the package for front ends: the entries that run in a page, with the types that they reach, and without the
 * dependencies of the server. It has the name and the version of the package for servers, so that a page imports the
 * same from both.
 *
 * @param {string} root
 */
export async function writeWebPackage(root) {
  const dist = join(root, "packages/kit/dist")
  const folder = join(dist, "web")
  await rm(folder, { recursive: true, force: true })
  await writeCode(dist, join(folder, "dist/bundle"))
  await copyTypes(dist, join(folder, "dist"))
  await writeFile(join(folder, "README.md"), README)
  await writeFile(join(folder, "package.json"), `${JSON.stringify(await manifest(root), null, 2)}\n`)
  await pack(folder, join(dist, "kit-web.tgz"))
}

const README = `# kit, for front ends

The typed client, the bindings for React and TanStack Query, and the client of collaborative documents. A server installs
the package of the same name that also has the server.
`

/** @param {string} dist @param {string} target */
async function writeCode(dist, target) {
  const made = await rolldown({
    input: Object.fromEntries([...ENTRIES, ...CONDITIONAL].map((name) => [name, join(dist, `${name}.js`)])),
    external: /^[^./]/,
    platform: "browser",
  })
  const { output } = await made.write({ dir: target, format: "esm", chunkFileNames: "chunk-[hash].js" })
  await made.close()
  await referToClientComponents(target, output)
}

/** @param {string} dist @param {string} target */
async function copyTypes(dist, target) {
  const waiting = [...ENTRIES, ...TYPES_ONLY].map((name) => `${name}.d.ts`)
  const copied = new Set()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (copied.has(path)) continue
    copied.add(path)
    await mkdir(dirname(join(target, path)), { recursive: true })
    await copyFile(join(dist, path), join(target, path))
    waiting.push(...(await typesReachedBy(dist, path)))
  }
}

/** @param {string} dist @param {string} path @returns {Promise<string[]>} */
async function typesReachedBy(dist, path) {
  const text = await readFile(join(dist, path), "utf8")
  return Array.from(text.matchAll(IMPORT), ([, specifier = ""]) =>
    posix.join(posix.dirname(path), specifier.replace(/\.[jt]s$/, ".d.ts")),
  )
}

/** @param {string} root */
async function manifest(root) {
  const whole = JSON.parse(await readFile(join(root, "packages/kit/package.json"), "utf8"))
  const { name, version, description, type, license, exports, dependencies, peerDependencies } = whole
  const versions = { ...dependencies, ...peerDependencies }
  return {
    name,
    version,
    description,
    type,
    license,
    sideEffects: false,
    files: ["dist"],
    exports: {
      ...Object.fromEntries(ENTRIES.map((entry) => [`./${entry}`, withoutSource(exports[`./${entry}`])])),
      ...Object.fromEntries(TYPES_ONLY.map((entry) => [`./${entry}`, { types: exports[`./${entry}`].types }])),
      "./package.json": "./package.json",
    },
    peerDependencies: Object.fromEntries(OPTIONAL_PEERS.map((peer) => [peer, versions[peer]])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL_PEERS.map((peer) => [peer, { optional: true }])),
  }
}

/** Leaves out the sources, which only the workspace has. @param {Record<string, string>} conditions */
function withoutSource({ "kit-source": _source, ...conditions }) {
  return conditions
}

/** @param {string} folder @param {string} target */
async function pack(folder, target) {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--ignore-scripts"], { cwd: folder })
  const [{ filename, unpackedSize }] = JSON.parse(stdout)
  await rename(join(folder, filename), target)
  console.log(`The package for front ends has ${unpackedSize} bytes.`)
}
