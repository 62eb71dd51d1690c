import { readFileSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import { PACKAGE_ROOT } from "../package-root.ts"
import type { ConventionFile } from "../sources/discover.ts"

/**
 * Throws if a file imports a different copy of kit from the one that is running: two copies do not share classes or
 * state.
 */
export function refuseOtherKits(root: string, files: readonly ConventionFile[]): void {
  const mistakes = otherKits(root, files)
  if (mistakes.length > 0) throw new AppMistakesError(mistakes)
}

/** Returns a mistake for each other copy of kit, with the first file that imports that copy. */
export function otherKits(root: string, files: readonly ConventionFile[]): readonly Mistake[] {
  const own = realpathSync(PACKAGE_ROOT)
  const firstFiles = new Map<string, string>()
  for (const [folder, file] of new Map(files.toReversed().map(({ file }) => [dirname(file), file]))) {
    const kit = kitFor(join(root, folder))
    if (kit !== undefined && kit !== own) firstFiles.set(kit, file)
  }
  const show = (kit: string) => `kit ${versionOf(kit)} in ${shortest(root, kit)}`
  return [...firstFiles].map(([other, file]) => ({
    file,
    message: `it imports ${show(other)}, but ${show(own)} runs the app. Keep one of them: npm ls kit shows which package depends on which copy.`,
  }))
}

// Returns the folder of the kit package that a file in this folder would import; undefined if there is none. No mistake
// is needed then, because the import itself fails with an error.
function kitFor(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, "any.js")).resolve("kit/package.json"))
  } catch {
    return undefined
  }
}

function versionOf(kit: string): string {
  const { version }: { version?: string } = JSON.parse(readFileSync(join(kit, "package.json"), "utf8"))
  return version ?? "of no version"
}

function shortest(root: string, path: string): string {
  const below = relative(realpathSync(root), path)
  return below.startsWith("..") ? path : below
}
