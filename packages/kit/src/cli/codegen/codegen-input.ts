import type { CompiledDefinition } from "../../app/definition/compile-definition.ts"
import type { Modules } from "./module-type.ts"

/** The app whose types are generated. */
export interface CodegenInput extends CompiledDefinition {
  readonly modules: Modules
  /** True if the app's code uses `db`. Otherwise the types of the app's tables are not generated. */
  readonly usesDatabase: boolean
}
