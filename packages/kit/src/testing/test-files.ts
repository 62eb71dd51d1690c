import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder for the files that are uploaded during a test. The app creates the folder when it stores the first file. */
export interface TestFiles {
  readonly folder: string
  remove(): Promise<void>
}

export function testFiles(): TestFiles {
  const folder = join(tmpdir(), `kit-test-files-${randomUUID()}`)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
