import { runProgram } from "./run-tool.mjs"

/**
 * A request costs what it has cost: promises, memory, statements, rows and bytes of WAL are counted and compared with the
 * committed figures.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkCost(root) {
  // Always on the embedded database: nobody expects of a check that it uses theirs.
  const { DATABASE_URL: _, ...env } = process.env
  for (const program of ["scripts/build.mjs", "bench/cost/run.mjs"]) {
    const { ok, output } = await runProgram([program], { cwd: root, env })
    if (!ok) return [output.trim()]
  }
  return []
}
