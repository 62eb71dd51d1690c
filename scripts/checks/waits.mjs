import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { listFiles } from "./sources/source-files.mjs"
import { readSource, walk } from "./sources/syntax-tree.mjs"

const WAITS = new Set(["waitFor", "waitUntil"])
const TEST = /(^|\/)test\/.+\.tsx?$/

/**
 * Finds waits of tests for which one second is enough, the default of `vi.waitFor`: on a busy machine it is not.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkWaits(root) {
  const problems = []
  for (const path of (await listFiles(root)).filter((file) => TEST.test(file))) {
    if (!(await readFile(join(root, path), "utf8")).includes("vi.wait")) continue
    const source = await readSource(root, path)
    walk(source.program, (node) => {
      if (!isShortWait(node)) return
      problems.push(`${path}:${source.lineAt(node.start)} waits for one second: say how long, { timeout: 60_000 }`)
    })
  }
  return problems
}

/** @param {import("./sources/syntax-tree.mjs").Node} node */
function isShortWait({ type, callee, arguments: given }) {
  return (
    type === "CallExpression" &&
    callee.type === "MemberExpression" &&
    callee.object.name === "vi" &&
    WAITS.has(callee.property.name) &&
    given.length < 2
  )
}
