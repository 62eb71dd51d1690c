import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const INSTANCE = new URL("instance.mjs", import.meta.url)

/**
 * Starts a process that serves the app of this experiment, or of another one.
 *
 * @param {string} databaseUrl
 * @param {URL} [file]
 */
export async function startInstance(databaseUrl, file = INSTANCE) {
  const child = spawn(process.execPath, [fileURLToPath(file), databaseUrl], { stdio: ["ignore", "pipe", "inherit"] })
  const url = await new Promise((resolve, reject) => {
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      printed += text
      const [, address] = /started (\S+)\n/.exec(printed) ?? []
      if (address) resolve(address)
    })
    child.once("exit", (code) => reject(new Error(`An instance ended with ${code} before it had started.`)))
  })
  return {
    url: /** @type {string} */ (url),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }
}
