import { dirname, posix } from "node:path"
import { readSource } from "../sources/syntax-tree.mjs"
import { declarationsIn } from "./declarations.mjs"

/**
 * @typedef {import("../sources/syntax-tree.mjs").Node} Node
 * @typedef {import("../sources/syntax-tree.mjs").Source} Source
 * @typedef {import("./declarations.mjs").Declaration} Declaration
 * @typedef {{ source: Source, own: Map<string, Declaration>, imported: Map<string, { path: string, name: string }> }} DeclarationFile
 */

const PACKAGE = "packages/kit"

/** The declarations that are reachable from the entries. A report shows each of them once. */
export class Surface {
  #root
  /** @type {Map<string, Promise<DeclarationFile>>} */
  #files = new Map()
  /** The declarations in earlier reports. @type {Set<string>} */
  #reported = new Set()

  /** @param {string} root */
  constructor(root) {
    this.#root = root
  }

  /** @param {string} title @param {string} entry */
  async report(title, entry) {
    const exported = await this.#exported(entry)
    const mentioned = (await this.#mentionedBy(exported)).filter((each) => !this.#reported.has(keyOf(each)))
    for (const each of [...exported, ...mentioned]) this.#reported.add(keyOf(each))
    return [
      `# ${title}`,
      "",
      "Written by `npm run api` from the emitted declarations.",
      "",
      "## Exports",
      "",
      ...blocks(exported),
      ...(mentioned.length > 0 ? ["## Mentioned by these, not exported here", "", ...blocks(mentioned)] : []),
    ].join("\n")
  }

  /** @param {string} path @returns {Promise<Declaration[]>} */
  async #exported(path) {
    const { source } = await this.#read(path)
    const found = await Promise.all(
      source.program["body"].map((/** @type {Node} */ node) => this.#exportedBy(source, node)),
    )
    return found.flat()
  }

  /** @param {Source} source @param {Node} node @returns {Promise<Declaration[]>} */
  async #exportedBy(source, node) {
    if (node.type === "ExportAllDeclaration") return this.#exported(targetOf(source.path, node))
    if (node.type !== "ExportNamedDeclaration") return []
    if (node["declaration"]) return declarationsIn(source, node)
    const found = await Promise.all(
      node["specifiers"].map(async (/** @type {Node} */ { local, exported }) => {
        const declaration = await this.#find(source.path, local.name)
        return declaration ? [{ ...declaration, name: exported.name }] : []
      }),
    )
    return found.flat()
  }

  /**
   * Returns all own declarations that these mention, directly or indirectly.
   *
   * @param {readonly Declaration[]} exported
   */
  async #mentionedBy(exported) {
    const known = new Map(exported.map((each) => [keyOf(each), each]))
    const queue = [...exported]
    for (const { path, mentions } of queue) {
      const found = await Promise.all([...mentions].map((name) => this.#find(path, name)))
      const news = found.filter((each) => each !== undefined && !known.has(keyOf(each)))
      for (const each of news) known.set(keyOf(each), each)
      queue.push(...new Set(news))
    }
    return queue.slice(exported.length)
  }

  /**
   * Returns the declaration that a name refers to in a file; undefined for a name of a package or of the language.
   *
   * @param {string} path
   * @param {string} name
   * @returns {Promise<Declaration | undefined>}
   */
  async #find(path, name) {
    const { own, imported } = await this.#read(path)
    const source = imported.get(name)
    return own.get(name) ?? (source && this.#find(source.path, source.name))
  }

  /** @param {string} path @returns {Promise<DeclarationFile>} */
  #read(path) {
    const file = this.#files.get(path) ?? readSource(this.#root, path).then(declarationFile)
    this.#files.set(path, file)
    return file
  }
}

/** @param {Source} source @returns {DeclarationFile} */
function declarationFile(source) {
  /** @type {Node[]} */
  const statements = source.program["body"]
  const own = statements.flatMap((node) => declarationsIn(source, node))
  const imported = statements.flatMap((node) => importedNames(source.path, node))
  return { source, own: new Map(own.map((each) => [each.name, each])), imported: new Map(imported) }
}

/** @param {string} path @param {Node} node @returns {[string, { path: string, name: string }][]} */
function importedNames(path, node) {
  const target = node["specifiers"] && node["source"] ? targetOf(path, node) : ""
  if (!target.startsWith(PACKAGE)) return []
  return node["specifiers"].map((/** @type {Node} */ each) => [
    outerName(each),
    { path: target, name: innerName(each) },
  ])
}

/** @param {string} path @param {Node} node */
function targetOf(path, node) {
  const specifier = String(node["source"].value)
  if (!specifier.startsWith(".")) return specifier
  return posix.join(dirname(path), specifier).replace(/\.(?:js|ts)$/, ".d.ts")
}

/** @param {Node} specifier @returns {string | undefined} */
function outerName(specifier) {
  return (specifier["exported"] ?? specifier["local"])?.name
}

/** @param {Node} specifier @returns {string} */
function innerName(specifier) {
  return (specifier["imported"] ?? specifier["local"]).name
}

/** @param {Declaration} declaration */
function keyOf({ path, name }) {
  return `${path} ${name}`
}

/** @param {readonly Declaration[]} declarations */
function blocks(declarations) {
  const sorted = [...declarations].sort((a, b) => (a.name < b.name ? -1 : 1))
  return sorted.flatMap(({ text }) => ["```ts", text, "```", ""])
}
