import { spawn } from "node:child_process"
import { once } from "node:events"

const STOP_LIMIT_MS = 5_000
const KEPT_OUTPUT_CHARACTERS = 4_000

/**
 * Runs a program to its end, in a new process group, so that the end of the run also ends the processes that the
 * program has started.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, cleanup: import("./cleanup.mjs").Cleanup }} place
 */
export async function runCommand([program = "", ...args], { cwd, cleanup }) {
  const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const exit = once(child, "close")
  cleanup.add(() => stopGroup(child))
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
    })
  }
  const [code] = await exit
  if (code !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${code} in ${cwd}.\n${output}`)
}

/** @param {import("node:child_process").ChildProcess} child */
async function stopGroup(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "close")
  process.kill(-child.pid, "SIGTERM")
  const timer = setTimeout(() => process.kill(-Number(child.pid), "SIGKILL"), STOP_LIMIT_MS)
  await exit
  clearTimeout(timer)
}
