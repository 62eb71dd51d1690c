import { listPackageSources } from "./sources/source-files.mjs"
import { importsOf, resolveRelative } from "./sources/source-imports.mjs"
import { readSource } from "./sources/syntax-tree.mjs"

/**
 * Finds import cycles among the sources of the packages. Type imports count: they too tie files together for a reader.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkCycles(root) {
  const graph = await importGraph(root)
  return findCycles(graph).map((cycle) => `import cycle: ${cycle.join(" → ")}`)
}

/** @param {string} root @returns {Promise<Map<string, string[]>>} */
async function importGraph(root) {
  const paths = await listPackageSources(root)
  const known = new Set(paths)
  const graph = new Map()
  for (const path of paths) {
    const targets = importsOf(await readSource(root, path)).map(({ specifier }) => resolveRelative(path, specifier))
    graph.set(
      path,
      [...new Set(targets)].filter((target) => target !== undefined && known.has(target)),
    )
  }
  return graph
}

/**
 * Walks the graph depth first; an edge back to a file on the current path closes a cycle.
 *
 * @param {Map<string, string[]>} graph
 */
function findCycles(graph) {
  /** @type {string[][]} */
  const cycles = []
  const done = new Set()
  /** @type {string[]} */
  const trail = []
  const enter = (/** @type {string} */ path) => {
    const seenAt = trail.indexOf(path)
    if (seenAt !== -1) cycles.push([...trail.slice(seenAt), path])
    if (seenAt !== -1 || done.has(path)) return
    trail.push(path)
    for (const target of graph.get(path) ?? []) enter(target)
    trail.pop()
    done.add(path)
  }
  for (const path of graph.keys()) enter(path)
  return cycles
}
