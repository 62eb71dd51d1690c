import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

const PAGE = "ARCHITECTURE.md"
const SRC = "packages/kit/src"
const MAX_STATIONS = 10
const PATH = /`([a-z-]+(?:\/[a-z-]+)+)`/g

/**
 * The walks of ARCHITECTURE.md stay short: each names at most ten stations, separated by arrows, visits none of them
 * twice, and every path in it exists.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkWalks(root) {
  const text = await readFile(join(root, PAGE), "utf8").catch(() => "")
  const section = /^## Walks\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text)?.[1] ?? ""
  const walks = section.split("\n\n").filter((paragraph) => paragraph.trim().startsWith("**"))
  return walks.flatMap((walk) => problemsOf(root, walk))
}

/** @param {string} root @param {string} walk */
function problemsOf(root, walk) {
  const name = /\*\*(.*?)\*\*/.exec(walk)?.[1] ?? walk.slice(0, 40)
  const stations = walk.split("→").length
  const paths = [...walk.matchAll(PATH)].map((match) => match[1] ?? "")
  const problems = []
  if (stations > MAX_STATIONS) problems.push(`has ${stations} stations; at most ${MAX_STATIONS}`)
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) < index) problems.push(`visits ${path} twice`)
    if (!exists(root, path)) problems.push(`names ${path}, which does not exist in ${SRC}`)
  }
  return problems.map((problem) => `${PAGE}: the walk "${name}" ${problem}`)
}

/** @param {string} root @param {string} path */
function exists(root, path) {
  return existsSync(join(root, SRC, path)) || existsSync(join(root, SRC, `${path}.ts`))
}
