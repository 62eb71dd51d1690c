import { existsSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { sourcePaths } from "../sources/discover.ts"
import type { LoadedApp } from "../sources/load-app.ts"

const MENTION = /\bdb\b|generated\/tables/

/** Whether a file below `src/` mentions `db`, be it a module of the app or not, or one that the app imports from elsewhere. */
export async function mentionsDatabase({ root, inputs }: Pick<LoadedApp, "root" | "inputs">): Promise<boolean> {
  const source = join(root, "src") + sep
  const elsewhere = inputs.filter((path) => !path.startsWith(source) && !path.includes(`${sep}node_modules${sep}`))
  return [...(await sourcePaths(root)), ...elsewhere].some((path) => MENTION.test(readText(path)))
}

// Without waiting: hundreds of small files are read in the time that a few take which are waited for.
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    // It went between being listed and being read.
    if (existsSync(path)) throw error
    return ""
  }
}
