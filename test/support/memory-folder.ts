import { chmod, mkdtemp, readdir, rm, statfs } from "node:fs/promises"
import { freemem } from "node:os"
import { join } from "node:path"

const MEMORY = "/dev/shm"
const OWN_NAME = /^kit-run-(\d+)-/
// The databases of a whole run need up to 5 GB, 8 MB for each app with tables of its own. The rest is for the processes.
const NEEDED_BYTES = 8 * 2 ** 30

/**
 * Makes a folder for the temporary files of a test run in memory. There, a database is copied with a fifth of the work
 * (11 ms of CPU instead of 58 ms on ext4), and no test waits for the disk. Undefined if the system has no such place, or
 * not enough room.
 */
export async function makeMemoryFolder(): Promise<string | undefined> {
  const place = await statfs(MEMORY).catch(() => undefined)
  if (place === undefined) return undefined
  await removeLeftOvers()
  if (Math.min(place.bavail * place.bsize, freemem()) < NEEDED_BYTES) return undefined
  const folder = await mkdtemp(join(MEMORY, `kit-run-${process.pid}-`))
  // As open as /tmp, because some tests start processes of other users.
  await chmod(folder, 0o1777)
  return folder
}

/** Removes the folders of runs that were killed: they would take up memory until the next restart. */
async function removeLeftOvers(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = OWN_NAME.exec(name)?.[1]
    // A folder of another user stays, because it cannot be removed.
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process is alive but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
