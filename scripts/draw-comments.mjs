// Draws comments for a reader who has never seen the code, each with the line below it: node scripts/draw-comments.mjs [seed] [count]
import { commentsOf } from "./checks/comments.mjs"
import { listPackageSources } from "./checks/sources/source-files.mjs"
import { readSource } from "./checks/sources/syntax-tree.mjs"

const root = process.cwd()
const [seed = "1", count = "60"] = process.argv.slice(2)
const comments = await allComments()
const below = seeded(Number(seed))

for (let number = 1; number <= Number(count); number += 1) {
  const [drawn] = comments.splice(below(comments.length), 1)
  console.log(`${number}. ${drawn?.path}:${drawn?.line}\n   ${drawn?.text}\n   > ${drawn?.next}\n`)
}

async function allComments() {
  const sources = await Promise.all((await listPackageSources(root)).map((path) => readSource(root, path)))
  return sources.flatMap((source) => {
    const lines = source.text.split("\n")
    return commentsOf(source).map(({ line, lastLine, text }) => ({
      path: source.path,
      line,
      text,
      next: (lines[lastLine] ?? "").trim(),
    }))
  })
}

/** Returns a generator that gives the same numbers for the same seed. @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0
  return (/** @type {number} */ bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
