import type { FoundFile } from "./discover.ts"
import type { LoadedModule } from "./load-module.ts"

/** Where the files of an app are loaded from: its sources, or its build. */
export interface AppModules {
  readonly isBuilt: boolean
  /** The folder of its migrations, from the root of the app. */
  readonly migrationsFolder: string
  /** The settings; undefined if it has no file for them. */
  loadConfig(): Promise<LoadedModule | undefined>
  /** What it consists of, in a stable order. */
  files(): Promise<readonly FoundFile[]>
  load(file: string): Promise<LoadedModule>
  /** The sources of which it was compiled, wherever they are; none for a build. */
  inputs(): readonly string[]
}
