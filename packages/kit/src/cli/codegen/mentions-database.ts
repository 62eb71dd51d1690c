import { existsSync, readFileSync } from "node:fs"
import { sourcePaths } from "../discover.ts"

const MENTION = /\bdb\b|generated\/tables/

/** Whether a file below `src/` mentions `db`, be it a module of the app or not. */
export async function mentionsDatabase(root: string): Promise<boolean> {
  return (await sourcePaths(root)).some((path) => MENTION.test(readText(path)))
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
