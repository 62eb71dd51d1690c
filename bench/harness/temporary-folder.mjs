import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Makes a folder that is deleted at the end. @param {import("./cleanup.mjs").Cleanup} cleanup */
export async function makeTemporaryFolder(cleanup) {
  const folder = await mkdtemp(join(tmpdir(), "kit-bench-"))
  cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // PostgreSQL never runs as root: its own user must be able to enter the folder.
  await chmod(folder, 0o755)
  return folder
}
