import type { StatsFs } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { embeddedFolder } from "../config/defaults.ts"
import { filesFolder } from "../parts/files/file-store-part.ts"
import type { CheckedApp } from "./checked-app.ts"
import { type Finding, fail, ok, warn } from "./finding.ts"

const MEGABYTE = 1024 * 1024
/** The free disk space below which `kit doctor` warns, because a night of logs or uploads could fill the disk. */
const WARN_BELOW_BYTES = 1024 * MEGABYTE
/**
 * The free disk space below which the check fails: one segment of the write-ahead log (WAL), the unit in which
 * PostgreSQL allocates disk space for the log.
 */
const FAIL_BELOW_BYTES = 16 * MEGABYTE

/** Checks the free space on the disks that hold the app's data. */
export async function checkSpace(examined: CheckedApp): Promise<readonly Finding[]> {
  const files = filesFolder(examined)
  const database = embeddedFolder(examined)
  const findings = [await findSpace("uploaded files", files)]
  // Only an embedded database is checked, since the disk of a remote database server cannot be examined from here.
  return database === undefined ? findings : [await findSpace("the embedded database", database), ...findings]
}

async function findSpace(title: string, folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfsOfNearest(folder)
  return spaceFinding(title, bavail * bsize)
}

/** Returns a finding that says whether a disk has enough free space. */
export function spaceFinding(title: string, freeBytes: number): Finding {
  const free = `${title}: ${sizeText(freeBytes)} free on the disk`
  const fix = "Make room on the disk, or move the data to a larger one."
  if (freeBytes < FAIL_BELOW_BYTES) return fail(`${free}, which is full: writes are refused`, fix)
  return freeBytes < WARN_BELOW_BYTES ? warn(free, fix) : ok(free)
}

function sizeText(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${Math.floor(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}

// For a folder that does not exist yet, examines its nearest existing parent, which is on the same disk.
async function statfsOfNearest(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder)
  } catch (error) {
    if (dirname(folder) === folder) throw error
    return statfsOfNearest(dirname(folder))
  }
}
