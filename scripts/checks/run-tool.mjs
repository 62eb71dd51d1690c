import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

/**
 * Runs the command of an installed package in `root` and collects its output.
 *
 * @param {string} root
 * @param {{ package: string, bin: string, args: string[] }} tool
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runTool(root, tool) {
  return runProgram([binPath(tool), ...tool.args], { cwd: root })
}

/**
 * Runs a program of Node and collects its output.
 *
 * @param {string[]} args the file and its arguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} place
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runProgram(args, place) {
  const child = spawn(process.execPath, args, place)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8")
    stream.on("data", (text) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve({ ok: code === 0, output }))
  })
}

/** @param {{ package: string, bin: string }} tool */
function binPath(tool) {
  const manifestPath = require.resolve(`${tool.package}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifestPath, "utf8"))
  return join(dirname(manifestPath), bin[tool.bin])
}
