import { fileURLToPath } from "node:url"
import { CHECKS } from "./checks/all-checks.mjs"

// node scripts/check.mjs              every check
// node scripts/check.mjs layers docs  only these
const root = fileURLToPath(new URL("..", import.meta.url))
const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name))

if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join('", "')}". Known: ${Object.keys(CHECKS).join(", ")}.`)
  process.exitCode = 2
} else {
  process.exitCode = await runChecks(names.length > 0 ? names : Object.keys(CHECKS))
}

/** @param {string[]} selected */
async function runChecks(selected) {
  const failed = []
  const waiting = [...selected]
  // Two at a time: some are programs of their own, beside which the others run in this process.
  const runWaiting = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const startedAt = performance.now()
      const problems = await problemsOf(name)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      if (problems.length > 0) failed.push(name)
      console.log(`${name.padEnd(11)} ${(problems.length > 0 ? "FAILED" : "ok").padEnd(7)} ${seconds} s`)
      for (const problem of problems) console.log(problem.replace(/^/gm, "    "))
    }
  }
  await Promise.all([runWaiting(), runWaiting()])
  console.log(failed.length === 0 ? "All checks passed." : `Failed: ${failed.join(", ")}.`)
  return failed.length === 0 ? 0 : 1
}

/** A check that throws has failed; the others still run. @param {string} name @returns {Promise<string[]>} */
async function problemsOf(name) {
  try {
    return (await CHECKS[name]?.(root)) ?? []
  } catch (error) {
    return [`The check itself failed: ${error instanceof Error ? error.stack : error}`]
  }
}
