import type { ConventionFile } from "./discover.ts"
import type { LoadedModule } from "./load-module.ts"

/** The source of an app's modules: its sources, or its build. */
export interface AppModules {
  readonly isBuilt: boolean
  /** The folder of its migrations, relative to the root of the app. */
  readonly migrationsFolder: string
  /** The configuration; undefined if the app has no file for it. */
  loadConfig(): Promise<LoadedModule | undefined>
  /** The author's files, in a stable order. */
  files(): Promise<readonly ConventionFile[]>
  load(file: string): Promise<LoadedModule>
  /** The source files from which the app was compiled, including those outside of it; none for a build. */
  inputs(): readonly string[]
}
