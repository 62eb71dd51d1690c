import { runTool } from "./run-tool.mjs"

const ARGUMENTS = ["ci", "--error-on-warnings", "--colors=off", "--reporter=concise", "--max-diagnostics=50", "."]

/**
 * Checks the formatting and lint rules of biome.json; a warning is a failure.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function checkFormat(root) {
  const { ok, output } = await runTool(root, { package: "@biomejs/biome", bin: "biome", args: ARGUMENTS })
  return ok ? [] : [output.trim()]
}
