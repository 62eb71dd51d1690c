import { hasDatabase } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import { loadConfig } from "../sources/load-app.ts"

interface FoundDatabase extends DatabaseOptions {
  readonly migrationsFolder: string
}

/**
 * Finds the database of the app in the current folder. Only the app's configuration is loaded, so mistakes in its other
 * files do not matter.
 */
export async function findDatabase(): Promise<FoundDatabase> {
  const found = await findOrCreateDatabase()
  if (!hasDatabase(found)) throw new SchemaMismatchError("There is no database yet. Start the app once.")
  return found
}

/** Like `findDatabase`, except that an embedded database that does not exist yet is created when it is opened. */
export async function findOrCreateDatabase(): Promise<FoundDatabase> {
  const root = process.cwd()
  const { config, mistakes, appModules } = await loadConfig(root)
  if (mistakes.length > 0) throw new AppMistakesError(mistakes)
  return { config, root, migrationsFolder: appModules.migrationsFolder, onProgress: showNote }
}

/** Prints a note to standard error, because standard output is reserved for data that another program may read. */
export function showNote(message: string): void {
  process.stderr.write(`  ${message}\n`)
}
