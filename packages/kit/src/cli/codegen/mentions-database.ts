import { existsSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { sourcePaths } from "../sources/discover.ts"
import type { LoadedApp } from "../sources/load-app.ts"

const MENTION = /\bdb\b|generated\/tables/

/** True if `db` occurs in any file below `src/`, or in a file outside of `src/` that the app imports. */
export async function mentionsDatabase({ root, inputs }: Pick<LoadedApp, "root" | "inputs">): Promise<boolean> {
  const source = join(root, "src") + sep
  const elsewhere = inputs.filter((path) => !path.startsWith(source) && !path.includes(`${sep}node_modules${sep}`))
  return [...(await sourcePaths(root)), ...elsewhere].some((path) => MENTION.test(readText(path)))
}

// Reads synchronously, because hundreds of small files are read in the time that asynchronous reads take for a few.
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    // Rethrows the error, unless the file was deleted after its folder had been listed.
    if (existsSync(path)) throw error
    return ""
  }
}
