import { readdir, readFile } from "node:fs/promises"
import { dirname, join, sep } from "node:path"

const LICENSE_FILE = /^(?:licen[cs]e|copying|ofl|notice)(?:[.-].*)?$/i
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
const FONT = /\.(?:woff2?|ttf|otf)$/
const LINE = "-".repeat(78)

/** Collects the files of which a bundle is made, as absolute paths. */
export function sourcesCollector() {
  const paths = new Set()
  /** @type {import("vite").Plugin} */
  const plugin = {
    name: "collect-sources",
    generateBundle(_options, files) {
      const { root } = this.environment.config
      const used = Object.values(files).flatMap((file) => sourcesOf(file, root))
      // Style sheets are taken out of the chunks before this point.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id))
      for (const path of [...used, ...styles]) paths.add(path.replace(/^\0|\?.*$/g, ""))
    },
  }
  return { plugin, paths: () => /** @type {string[]} */ ([...paths].sort()) }
}

/** @param {import("vite").Rolldown.OutputChunk | import("vite").Rolldown.OutputAsset} file @param {string} root */
function sourcesOf(file, root) {
  // The names of the original files are relative to the root.
  if (file.type === "asset") return file.originalFileNames.map((name) => join(root, name))
  return Object.entries(file.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
}

/**
 * Returns the licenses of the packages and fonts among these files, as one text.
 *
 * @param {string} root
 * @param {readonly string[]} sources
 */
export async function licensesOf(root, sources) {
  const folders = new Set(sources.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))
  const ownFonts = sources.filter((path) => path.startsWith(join(root, "packages")) && FONT.test(path))
  const fontFolders = new Set(ownFonts.filter((path) => !PACKAGE.test(path)).map(dirname))
  const texts = [
    ...(await Promise.all([...folders].sort().map(licenseOfPackage))),
    ...(await Promise.all([...fontFolders].sort().map((folder) => licenseOfFonts(root, folder)))),
  ]
  return `The console contains the following packages and fonts.\n\n${texts.join("\n")}`
}

/** @param {string} folder */
async function licenseOfPackage(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  const text = await licenseIn(folder)
  if (text === undefined && typeof license !== "string") throw new Error(`${name} declares no license.`)
  const by = typeof author === "object" ? author?.name : author
  const words = text ?? `Its package declares the license ${license}${by ? `, and ${by} as its author` : ""}.`
  return section(`${name} ${version}${typeof license === "string" ? ` (${license})` : ""}`, words)
}

/** @param {string} root @param {string} folder */
async function licenseOfFonts(root, folder) {
  const place = folder.slice(root.length).split(sep).join("/").replace(/^\//, "")
  const text = await licenseIn(folder)
  if (text === undefined) throw new Error(`${place} has fonts, but no license beside them. Add it as OFL.txt.`)
  return section(`Fonts in ${place}`, text)
}

/** @param {string} folder */
async function licenseIn(folder) {
  const names = (await readdir(folder)).filter((name) => LICENSE_FILE.test(name)).sort()
  if (names.length === 0) return undefined
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n")
}

/** @param {string} title @param {string} text */
function section(title, text) {
  return `${LINE}\n${title}\n${LINE}\n\n${text.trim()}\n`
}
