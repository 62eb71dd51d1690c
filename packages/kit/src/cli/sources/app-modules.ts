import type { ConventionFile } from "./discover.ts"
import type { LoadedModule } from "./load-module.ts"

/** Loads the modules of an app, either from its sources or from its build. */
export interface AppModules {
  readonly isBuilt: boolean
  /** The path of the migrations folder, relative to the app's folder. */
  readonly migrationsFolder: string
  /** Loads the configuration; resolves to undefined if the app has no configuration file. */
  loadConfig(): Promise<LoadedModule | undefined>
  /** Returns the author's files that kit loads, in a stable order. */
  files(): Promise<readonly ConventionFile[]>
  load(file: string): Promise<LoadedModule>
  /** Returns the files from which the app was compiled, even outside of the app's folder; none for a build. */
  inputs(): readonly string[]
}
