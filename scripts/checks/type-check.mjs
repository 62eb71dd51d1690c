import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { runTool } from "./run-tool.mjs"

/**
 * Type-checks the framework with its tests, and each example with its own generated types.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkTypes(root) {
  const problems = []
  for (const project of ["tsconfig.json", ...(await exampleProjects(root))]) {
    const args = ["--noEmit", "--pretty", "false", "-p", project]
    const { ok, output } = await runTool(root, { package: "typescript", bin: "tsc", args })
    if (!ok) problems.push(...output.trim().split(/\n(?!\s)/))
  }
  return problems
}

// Generated types register themselves globally, so each app is a separate program.
async function exampleProjects(root) {
  const folders = await readdir(join(root, "examples")).catch(() => [])
  return folders.map((folder) => `examples/${folder}/tsconfig.json`).filter((file) => existsSync(join(root, file)))
}
