import { basename } from "node:path"
import { runTool } from "./run-tool.mjs"
import { listFiles } from "./sources/source-files.mjs"

const OWN_PROJECTS = [
  "tsconfig.json",
  "packages/console/tsconfig.json",
  "test/react/tsconfig.json",
  "test/browser/editor/tsconfig.json",
]

/**
 * Type-checks the framework with its tests, the console, the tests that run in a page, and each app, of the examples and
 * of the tests, with its own generated types.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkTypes(root) {
  const problems = []
  for (const project of [...OWN_PROJECTS, ...(await appProjects(root))]) {
    const args = ["--noEmit", "--pretty", "false", "-p", project]
    const { ok, output } = await runTool(root, { package: "typescript", bin: "tsc", args })
    if (!ok) problems.push(...output.trim().split(/\n(?!\s)/))
  }
  return problems
}

// Generated types register themselves globally, so each app is a separate program. The files of an app that run in a
// browser are another one, which has the types of the browser, and takes those of kit from its build.
async function appProjects(root) {
  const files = [...(await listFiles(root, "examples")), ...(await listFiles(root, "test/fixtures"))]
  return files.filter((file) => basename(file) === "tsconfig.json")
}
