import { readdirSync, readFileSync } from "node:fs"

const ROOT = new URL("../../", import.meta.url)
const FOLDERS = ["examples", "packages/kit/test", "test"]
const MODULE_TAG = /(?:\/\/|\*)\s*@module-tag\s+([\w\-/]+)/g

/**
 * Returns the test files with one of these tags, as paths from the root of the repository. A project chooses whole files by it:
 * the filter of vitest itself (`--tags-filter`) chooses tests, for which it has to load every file first.
 */
export function filesTagged(tags: readonly string[]): string[] {
  return FOLDERS.flatMap(testFilesIn).filter((file) => tagsOf(file).some((tag) => tags.includes(tag)))
}

function tagsOf(file: string): string[] {
  return Array.from(readFileSync(new URL(file, ROOT), "utf8").matchAll(MODULE_TAG), ([, tag = ""]) => tag)
}

function testFilesIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return isMade(entry.name) ? [] : testFilesIn(path)
    return entry.name.endsWith(".test.ts") ? [path] : []
  })
}

/** Folders made by tools, with thousands of files. */
function isMade(folder: string): boolean {
  return folder === "node_modules" || folder.startsWith(".")
}
