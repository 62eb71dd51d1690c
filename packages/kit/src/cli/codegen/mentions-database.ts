import { readFile } from "node:fs/promises"
import { sourcePaths } from "../discover.ts"

const MENTION = /\bdb\b|generated\/tables/

/** Whether a file below `src/` mentions `db`, be it a module of the app or not. */
export async function mentionsDatabase(root: string): Promise<boolean> {
  for (const path of await sourcePaths(root)) {
    if (MENTION.test(await readFile(path, "utf8").catch(() => ""))) return true
  }
  return false
}
