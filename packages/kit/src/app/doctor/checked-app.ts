import type { AppDefinition } from "../definition/app-definition.ts"
import type { CompiledDefinition } from "../definition/compile-definition.ts"

/** The app that `kit doctor` checks, as far as it could be loaded. */
export interface CheckedApp {
  readonly root: string
  readonly isProduction: boolean
  readonly config: AppDefinition["config"]
  readonly compiled: CompiledDefinition | undefined
}
