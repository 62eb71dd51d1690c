import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { licensesOf, sourcesCollector } from "./licenses.mjs"

/**
 * @typedef {import("vite").Manifest} ViteManifest
 * @typedef {{ bytes: number, gzip: number, brotli?: number }} Size
 * @typedef {{ file: string, styles: string[], imports: string[], lazy: string[] }} Chunk
 * @typedef {object} ConsoleManifest
 * @property {string[]} page                 the files that the page names: its scripts, and its styles
 * @property {string[]} desk                 the files that a person needs besides who has signed in
 * @property {Record<string, Chunk>} chunks  by their source; `imports` load with the chunk, `lazy` when they are needed
 * @property {Record<string, Size>} files    a file without `brotli` is stored as it is
 */

const VITE_MANIFEST = "vite-manifest.json"
const MAX_GZIP = 9
// The server writes these texts into the template: packages/kit/src/http/console/console-page.ts.
const PLACEHOLDERS = ["%kit.title%", '"%kit.boot%"', "<!-- %kit.desk% -->"]
const DESK = "src/desk.tsx"
/** The files of packages/console/vite.config.ts that hold a module and all that it imports. @type {Record<string, string>} */
const GROUPED = { [DESK]: "desk" }
// React Aria inserts a style sheet of its own unless an element has this id. The policy of the page allows no inline style.
const STYLE_ID = "react-aria-pressable-style"
// Compressing such a file again would not make it shorter.
const COMPRESSED = /\.(?:woff2|png|jpe?g|webp|avif)$/

/**
 * Builds the console into the package: the template of its page, its files compressed, the licenses of everything in
 * them, and a manifest with their sizes.
 *
 * @param {string} root
 */
export async function writeConsole(root) {
  const folder = join(root, "packages/kit/dist/console")
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = await bundle(root, folder)
  const html = await readFile(join(folder, "index.html"), "utf8")
  const template = completeTemplate(html)
  const chunks = chunksOf(JSON.parse(await readFile(join(folder, VITE_MANIFEST), "utf8")))
  const files = await compressFiles(folder)
  await rm(join(folder, VITE_MANIFEST))
  await writeFile(join(folder, "index.html"), template)
  await writeFile(join(folder, "LICENSES.txt"), await licensesOf(root, sources))
  const desk = deskFiles(chunks)
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify({ page: filesIn(html), desk, chunks, files })}\n`)
  const stored = Object.values(files).reduce((sum, { bytes, brotli }) => sum + (brotli ?? bytes), 0)
  console.log(`The console has ${Object.keys(files).length} files of ${stored} bytes.`)
}

/** Returns the sources of the bundled files. @param {string} root @param {string} folder */
async function bundle(root, folder) {
  const { build } = await import("vite")
  const sources = sourcesCollector()
  // Without it, React would be bundled in the version for development.
  process.env["NODE_ENV"] = "production"
  await build({
    root: join(root, "packages/console"),
    configFile: join(root, "packages/console/vite.config.ts"),
    mode: "production",
    logLevel: "warn",
    // The page is served at two paths. The server completes the addresses in the template; those in files are relative.
    base: "./",
    plugins: [sources.plugin],
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: "assets",
      manifest: VITE_MANIFEST,
      sourcemap: false,
      // The policy of the page allows fonts from files only, and no code that a script has made.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  return sources.paths()
}

/** Returns the template with an id for the style sheet, and a placeholder in each address. @param {string} html */
export function completeTemplate(html) {
  for (const placeholder of PLACEHOLDERS) {
    if (!html.includes(placeholder)) throw new Error(`packages/console/index.html lacks ${placeholder}.`)
  }
  const inline = /<script(?![^>]*(?:\bsrc=|type="application\/json"))|<style|\sstyle=|\son\w+=/.exec(html)?.[0]
  if (inline !== undefined) {
    throw new Error(`packages/console/index.html has "${inline.trim()}", which the policy of the page does not allow.`)
  }
  const addressed = html.replace(/(?<=(?:src|href)=")\.\//g, "%kit.base%/")
  return addressed.replace('<link rel="stylesheet"', `<link rel="stylesheet" id="${STYLE_ID}"`)
}

/** Returns the files that the page names. @param {string} html */
function filesIn(html) {
  return Array.from(html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, file = ""]) => file)
}

/** @param {Record<string, Chunk>} chunks */
function deskFiles(chunks) {
  const desk = chunks[DESK]
  if (desk === undefined) throw new Error(`packages/console/vite.config.ts names no file "${GROUPED[DESK]}".`)
  return [desk.file, ...desk.styles]
}

/** @param {ViteManifest} manifest @returns {Record<string, Chunk>} */
function chunksOf(manifest) {
  // A file of a group has no source in the manifest of Vite.
  const sourceOf = (/** @type {string} */ key) =>
    Object.keys(GROUPED).find((source) => GROUPED[source] === manifest[key]?.name) ?? key
  const chunks = Object.entries(manifest).filter(([, { file }]) => file.endsWith(".js"))
  return Object.fromEntries(
    chunks.map(([key, { file, css = [], imports = [], dynamicImports = [] }]) => [
      sourceOf(key),
      { file, styles: css, imports: imports.map(sourceOf), lazy: dynamicImports.map(sourceOf) },
    ]),
  )
}

/** Compresses each file in place, and returns the sizes. @param {string} folder @returns {Promise<Record<string, Size>>} */
async function compressFiles(folder) {
  /** @type {Record<string, Size>} */
  const sizes = {}
  for (const name of (await readdir(join(folder, "assets"))).sort()) {
    const path = join(folder, "assets", name)
    const content = await readFile(path)
    const size = { bytes: content.length, gzip: gzipSync(content, { level: MAX_GZIP }).length }
    sizes[`assets/${name}`] = size
    if (COMPRESSED.test(name)) continue
    const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })
    await writeFile(`${path}.br`, brotli)
    await rm(path)
    sizes[`assets/${name}`] = { ...size, brotli: brotli.length }
  }
  return sizes
}
