import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { BUILD_FOLDER, BUILT_APP } from "./build-record.ts"

const DEADLINE_MS = 30_000
// The script exits explicitly, because handles that the author's files leave open would keep the process alive.
const PROBE = `import(process.argv[1]).then(
  () => process.exit(0),
  (error) => process.send(String(error?.message ?? error), () => process.exit(1)),
)`

/**
 * Loads the build as `kit start` would, in a process without the compiler. This reveals packages that only load with
 * the compiler.
 */
export async function tryBuild(root: string): Promise<void> {
  const entry = join(BUILD_FOLDER, BUILT_APP)
  const child = spawn(process.execPath, ["-e", PROBE, pathToFileURL(join(root, entry)).href], {
    cwd: root,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: DEADLINE_MS,
  })
  let reason = `it has not loaded within ${DEADLINE_MS / 1000} s`
  child.once("message", (message) => {
    reason = String(message).split("\n", 1)[0] ?? reason
  })
  const [code] = await once(child, "exit")
  if (code === 0) return
  const hint = "Packages are not part of a build: they have to be JavaScript, and installed."
  throw new AppMistakesError([{ file: entry, message: `the build does not load: ${reason}. ${hint}` }])
}
