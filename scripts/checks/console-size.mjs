import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * @typedef {import("../console/console-package.mjs").ConsoleManifest} Manifest
 * @typedef {{ name: string, modules: string[], over?: string, maxKb: number }} Visit
 * @typedef {object} Budgets
 * @property {Visit[]} VISITS
 * @property {{ folder: string, over: string, maxKb: number }} OTHER_SCREENS
 * @property {number} ALL_KB
 */

const MANIFEST = "packages/kit/dist/console/manifest.json"
const BUDGETS = "packages/console/budgets.mjs"
const KB = 1024
// The package grows by the files of the console. They are compressed already.
const MAX_STORED_BYTES = 900_000
const FONT = /\.woff2$/

/**
 * The code of the console stays within its budgets: for what a person loads in each step, for all of it, and for the
 * package.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkConsoleSize(root) {
  const text = await readFile(join(root, MANIFEST), "utf8").catch(() => undefined)
  if (text === undefined) return [`${MANIFEST} does not exist (run npm run build)`]
  /** @type {Budgets} */
  const budgets = await import(pathToFileURL(join(root, BUDGETS)).href)
  return sizeProblems(JSON.parse(text), budgets)
}

/** @param {Manifest} manifest @param {Budgets} budgets @returns {string[]} */
export function sizeProblems(manifest, { VISITS, OTHER_SCREENS, ALL_KB }) {
  const named = new Set(VISITS.flatMap(({ modules }) => modules))
  const unknown = [...named].filter((module) => !Object.hasOwn(manifest.chunks, module))
  if (unknown.length > 0) return unknown.map((module) => unknownModule(manifest, module))
  const { folder, over, maxKb } = OTHER_SCREENS
  const screens = Object.keys(manifest.chunks).filter((key) => key.startsWith(folder) && !named.has(key))
  const others = screens.map((key) => ({ name: key, modules: [key], over, maxKb }))
  const parts = [...VISITS, ...others].map((visit) => ({ ...visit, files: filesOver(manifest, visit, VISITS) }))
  const all = { name: "all code", files: Object.keys(manifest.files), maxKb: ALL_KB }
  return [...[...parts, all].flatMap((part) => partProblems(manifest, part)), ...storedProblems(manifest)]
}

/** @param {Manifest} manifest @param {string} module */
function unknownModule({ chunks }, module) {
  return `${BUDGETS} names ${module}, which is no chunk of the console. Chunks: ${Object.keys(chunks).join(", ")}`
}

/** @param {Manifest} manifest @param {Visit} visit @param {Visit[]} visits @returns {string[]} */
function filesOver(manifest, { modules, over }, visits) {
  const before = visits.find(({ name }) => name === over)
  const known = new Set(before && loadedFiles(manifest, before, visits))
  return filesOf(manifest, modules).filter((file) => !known.has(file))
}

/** Returns everything that is loaded after a visit. @param {Manifest} manifest @param {Visit} visit @param {Visit[]} visits @returns {string[]} */
function loadedFiles(manifest, { modules, over }, visits) {
  const before = visits.find(({ name }) => name === over)
  return [...filesOf(manifest, modules), ...(before ? loadedFiles(manifest, before, visits) : [])]
}

/** Returns the files of the page, and the scripts and styles of modules and of all that they import. @param {Manifest} manifest @param {string[]} modules */
function filesOf({ page, chunks }, modules) {
  const found = new Set(page.filter((file) => file.endsWith(".css")))
  const ofPage = Object.keys(chunks).filter((key) => page.includes(chunks[key]?.file ?? ""))
  const waiting = [...ofPage, ...modules]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = chunks[key]
    if (chunk === undefined || found.has(chunk.file)) continue
    for (const file of [chunk.file, ...chunk.styles]) found.add(file)
    waiting.push(...chunk.imports)
  }
  return /** @type {string[]} */ ([...found])
}

/** @param {Manifest} manifest @param {{ name: string, files: string[], over?: string, maxKb: number }} part */
function partProblems(manifest, { name, files, over, maxKb }) {
  const counted = files.filter((file) => !FONT.test(file))
  const bytes = counted.reduce((sum, file) => sum + (manifest.files[file]?.gzip ?? 0), 0)
  const measured = `${(bytes / KB).toFixed(1)} KB${over === undefined ? "" : ` over ${over}`}, compressed`
  console.log(`    ${name}: ${measured} (at most ${maxKb})`)
  return bytes > maxKb * KB ? [`the console: ${name} has ${measured}; at most ${maxKb} KB`] : []
}

/** @param {Manifest} manifest */
function storedProblems({ files }) {
  const bytes = Object.values(files).reduce((sum, size) => sum + (size.brotli ?? size.bytes), 0)
  console.log(`    in the package: ${bytes} bytes (at most ${MAX_STORED_BYTES})`)
  if (bytes <= MAX_STORED_BYTES) return []
  return [`the console adds ${bytes} bytes to the package; at most ${MAX_STORED_BYTES}`]
}
