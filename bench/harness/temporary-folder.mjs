import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that is deleted at the end. @param {import("./cleanup.mjs").Cleanup} cleanup */
export async function makeTemporaryFolder(cleanup) {
  const folder = await mkdtemp(join(tmpdir(), "kit-bench-"))
  cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Under root the database server has an account of its own, which must be able to enter.
  await chmod(folder, 0o755)
  return folder
}
